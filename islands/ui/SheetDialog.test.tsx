import { afterEach, beforeEach, expect, test } from "bun:test";
import { openDom, type TestDom } from "../../src/testing/dom";
import SheetDialog from "./SheetDialog";

let dom: TestDom;
let read: string[];
beforeEach(async () => {
  dom = await openDom();
  read = [];
  const preview = async ({ csv }: { csv: string }) => {
    read.push(csv);
    return { changes: [], faults: [{ row: 2, column: "Step", message: `wrong in ${csv}` }] };
  };
  await dom.draw(<SheetDialog one="instrument" many="instruments" preview={preview} take={preview} onClose={() => {}} />);
});
afterEach(() => dom.close());

const input = () => dom.find<HTMLInputElement>("#sheet-file");
/** Chooses a file as a person would, whose picker has opened already. */
const choose = (text: () => Promise<string>) =>
  dom.act(async () => {
    Object.defineProperty(input(), "files", { value: [{ text }], configurable: true });
    input().dispatchEvent(new dom.window.Event("change", { bubbles: true }) as unknown as Event);
    await Bun.sleep(0);
  });
const said = () => dom.find("#sheet-form").textContent ?? "";

test("a file that was taken away since it was chosen is told, and another one can be chosen", async () => {
  await choose(() => Promise.reject(new DOMException("It could not be read.", "NotReadableError")));
  expect(said()).toContain("The file can't be read. Choose it again.");
  expect([input().disabled, read]).toEqual([false, []]);
  await choose(() => Promise.resolve("EUR/USD"));
  expect(said()).toContain("Row 2, Step: wrong in EUR/USD");
});

test("as a file is chosen again the one before is let go, with what was said of it", async () => {
  await choose(() => Promise.resolve("EUR/USD"));
  expect(dom.find<HTMLInputElement>("[name=csv]").value).toBe("EUR/USD");
  await dom.act(async () => input().click());
  expect(said()).not.toContain("wrong in");
  expect(dom.find<HTMLInputElement>("[name=csv]").value).toBe("");
});
