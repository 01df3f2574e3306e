import { afterAll, beforeAll, expect, test } from "bun:test";
import { openDom, type TestDom } from "../../src/testing/dom";
import { Tabs } from "../../views/ui/Tabs";

const NAMES = ["one", "two", "three"];
let dom: TestDom;
let picked: string[];
beforeAll(async () => {
  dom = await openDom();
  picked = [];
  const tabs = NAMES.map((id) => ({ id, label: id }));
  await dom.draw(<Tabs label="Tabs" tabs={tabs} current="two" path="/x" onPick={(id) => picked.push(id)} />);
  await import("./tabs");
});
afterAll(() => dom.close());

const tab = (id: string) => dom.find(`#tab-${id}`);
const focused = () => dom.window.document.activeElement?.id;
const stops = () => NAMES.filter((id) => tab(id).tabIndex === 0);
const press = (key: string, more: object = {}) => {
  const event = new dom.window.KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more });
  dom.window.document.activeElement?.dispatchEvent(event);
  return event.defaultPrevented;
};

test("the Tab key stops at the chosen tab alone", () => {
  expect(stops()).toEqual(["two"]);
});

test("arrows go round, Home and End to the ends; the Tab key stops where one is", () => {
  tab("two").focus();
  const ways = ["ArrowRight", "ArrowRight", "ArrowLeft", "ArrowLeft", "End", "Home"].map((key) => {
    expect(press(key)).toBe(true);
    return focused();
  });
  expect(ways).toEqual(["tab-three", "tab-one", "tab-three", "tab-two", "tab-three", "tab-one"]);
  expect(stops()).toEqual(["one"]);
  expect(picked).toEqual([]);
});

test("Space chooses; keys that mean something else are left alone, and whoever leaves comes back to the chosen tab", () => {
  expect(press(" ")).toBe(true);
  expect(picked).toEqual(["one"]);
  expect([press("x"), press("ArrowRight", { altKey: true }), press("ArrowDown")]).toEqual([false, false, false]);
  tab("one").blur();
  expect(stops()).toEqual(["two"]);
});
