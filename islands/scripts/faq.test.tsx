import { afterAll, beforeAll, expect, test } from "bun:test";
import { openDom, type TestDom } from "../../src/testing/dom";
import { faq } from "../../views/content/faq";
import { FaqPage } from "../../views/content/FaqPage";

let dom: TestDom;
beforeAll(async () => {
  dom = await openDom();
  await dom.draw(<FaqPage faq={faq} words="" />);
  await import("./faq");
});
afterAll(() => dom.close());

const all = (selector: string) => [...dom.window.document.querySelectorAll(selector)] as unknown as HTMLElement[];
const shown = () => all("details").filter((each) => !each.hidden && !each.closest("section")?.hidden);
const none = () => !dom.find("[data-faq-none]").hidden;

test("questions are filtered as one types, and come back", async () => {
  expect([shown().length, none()]).toEqual([20, false]);
  await dom.type("#faq-search", "  LEVERage");
  const found = shown();
  expect(found.length).toBeGreaterThan(0);
  expect(found.length).toBeLessThan(20);
  expect(found.every((each) => each.textContent?.toLowerCase().includes("leverage") && each.hasAttribute("open"))).toBe(true);
  await dom.type("#faq-search", "no such word");
  expect([shown().length, none()]).toEqual([0, true]);
  await dom.press(dom.button("Clear Search"));
  expect([shown().length, none(), dom.find<HTMLInputElement>("#faq-search").value]).toEqual([20, false, ""]);
});
