import { afterAll, beforeAll, expect, test } from "bun:test";
import { openDom, type TestDom } from "../../src/testing/dom";
import { until } from "../../src/testing/scenarios";
import { keepPlace } from "./place";

let dom: TestDom;
let list: HTMLElement;
beforeAll(async () => {
  dom = await openDom();
  keepPlace();
  list = dom.window.document.body.appendChild(dom.window.document.createElement("ul")) as unknown as HTMLElement;
  list.innerHTML = "<li><button>One</button></li><li><button>Two</button></li><li><button>Three</button></li>";
});
afterAll(() => dom.close());

const focused = () => dom.window.document.activeElement as unknown;
const row = (index: number) => list.children[index] as HTMLElement;
const buttonOf = (index: number) => row(index).firstElementChild as HTMLButtonElement;
const by = (device: "keydown" | "pointerdown") => dom.window.document.dispatchEvent(new dom.window.Event(device));

/** As a browser does with what is locked. */
function lock(button: HTMLButtonElement) {
  button.disabled = true;
  button.blur();
}

for (const device of ["keydown", "pointerdown"] as const)
  test(`a button that was locked while it worked has the focus again, after a ${device}`, async () => {
    by(device);
    buttonOf(0).focus();
    lock(buttonOf(0));
    buttonOf(0).disabled = false;
    await until("it has the focus", () => focused() === buttonOf(0));
  });

test("where it left the page, the focus is on what stands there now as a whole, and on no button", async () => {
  by("keydown");
  buttonOf(1).focus();
  const [gone, next] = [row(1), row(2)];
  buttonOf(1).blur();
  gone.remove();
  await until("the next row has the focus", () => focused() === next);
  buttonOf(0).focus();
  expect(next.hasAttribute("tabindex")).toBe(false);
});

test("who went elsewhere meanwhile is not called back", async () => {
  by("keydown");
  buttonOf(0).focus();
  lock(buttonOf(0));
  buttonOf(1).focus();
  buttonOf(0).disabled = false;
  await Bun.sleep(150);
  expect(focused()).toBe(buttonOf(1));
});
