import { afterEach, beforeEach, expect, test } from "bun:test";
import { openDom, type TestDom } from "../../src/testing/dom";
import { CannedPick } from "./CannedPick";

let dom: TestDom;
beforeEach(async () => void (dom = await openDom()));
afterEach(() => dom.close());

test("walking through the ready answers by keyboard writes none; 'Insert' writes the chosen one, once", async () => {
  const canned = ["First", "Second"].map((title) => ({ id: title, title, body: `${title}.`, updatedBy: "", updatedAt: "", version: 1 }));
  const written: string[] = [];
  await dom.draw(<CannedPick id="ready" canned={canned} onPick={(words) => written.push(words)} />);
  await dom.choose("#ready", "First");
  await dom.choose("#ready", "Second");
  expect(written).toEqual([]);
  await dom.press(dom.button("Insert"));
  expect(written).toEqual(["Second."]);
  expect([dom.find<HTMLSelectElement>("#ready").value, (dom.button("Insert") as HTMLButtonElement).disabled]).toEqual(["", true]);
});
