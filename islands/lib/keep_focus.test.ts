import { afterAll, beforeAll, expect, test } from "bun:test";
import { openDom, type TestDom } from "../../src/testing/dom";
import { keepFocus } from "./keep_focus";

let dom: TestDom;
let button: HTMLButtonElement;
beforeAll(async () => {
  dom = await openDom();
  keepFocus();
  button = dom.window.document.body.appendChild(dom.window.document.createElement("button")) as unknown as HTMLButtonElement;
});
afterAll(() => dom.close());

const drawn = () => Bun.sleep(0);
const focused = () => dom.window.document.activeElement as unknown;

test("a button that was locked while it worked has the focus again", async () => {
  button.focus();
  button.disabled = true;
  button.blur(); // as a browser does with what is locked
  button.disabled = false;
  await drawn();
  expect(focused()).toBe(button);
});

test("who left it is not called back", async () => {
  button.focus();
  button.blur();
  button.disabled = true;
  button.disabled = false;
  await drawn();
  expect(focused()).toBe(dom.window.document.body);
});
