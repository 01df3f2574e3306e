import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { awake, holdToasts, told } from "../browser";
import { limit, ordersSite } from "../browser_orders";

/** Toasts stand where they cover no button that deals, asks for a deal or confirms one. */

const site = ordersSite();

/** The names of such buttons, on the screen, of which the toast covers a part, and how many there are on it. */
const covered = (page: Page) =>
  page.evaluate(() => {
    const toast = document.querySelector<HTMLElement>("#toasts > [data-state=open]");
    if (!toast) throw new Error("no toast");
    const box = toast.getBoundingClientRect();
    toast.style.visibility = "hidden";
    const nameOf = (each: Element) => (each.getAttribute("aria-label") ?? each.textContent ?? "").trim();
    // What lies under it, point by point: a list in a box of its own goes on below the box's edge, unseen.
    const isOn = (each: Element, x: number, y: number) => each.contains(document.elementFromPoint(x, y));
    const named = /^(Execute|Confirm|Place|Edit|SELL|BUY|Close|Cancel)\b/;
    const deals = [...document.querySelectorAll("button")].filter((each) => named.test(nameOf(each)) && !toast.contains(each));
    const there = deals.filter((each) => {
      const { left, top, width, height } = each.getBoundingClientRect();
      return width > 0 && isOn(each, left + width / 2, top + height / 2);
    });
    const under = there.filter((each) => {
      const own = each.getBoundingClientRect();
      const [left, right] = [Math.max(box.left, own.left), Math.min(box.right, own.right)];
      const [top, bottom] = [Math.max(box.top, own.top), Math.min(box.bottom, own.bottom)];
      return right > left && bottom > top;
    });
    toast.style.visibility = "";
    return { under: under.map(nameOf), count: there.length, inSight: box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight };
  });

for (const [width, height] of [
  [1440, 900],
  [1200, 800],
  [1920, 1080],
  [1024, 768],
] as const)
  test(`at ${width} × ${height} the order can be sent again, and what is open closed, under the toast of the order before`, async () => {
    const page = await site.trader({ width, height });
    for (let n = 0; n < 6; n++) await site.place(page, {});
    await site.place(page, limit("1.08000"));
    for (const path of ["/traders-portal", "/trading?tab=trading"]) {
      await page.goto(path);
      await awake(page);
      await holdToasts(page);
      await page.getByRole("button", { name: /^Execute (BUY EUR\/USD|Trade)$/ }).click();
      await told(page, "Trade Executed");
      const { under, count, inSight } = await covered(page);
      expect([path, under, count > 0, inSight]).toEqual([path, [], true, true]);
    }
    await page.context().close();
  });

test("on a phone neither the prices under the thumb nor, where it was refused, the order's own buttons", async () => {
  const page = await site.trader({ touch: true });
  await page.goto("/traders-portal");
  await awake(page);
  await holdToasts(page);
  const sheet = page.getByRole("dialog", { name: "Demo order, EUR/USD" });
  const execute = sheet.getByRole("button", { name: "Execute BUY EUR/USD" });
  await page.getByRole("group", { name: "Trade EUR/USD" }).getByRole("button", { name: "BUY" }).tap();
  await execute.waitFor();
  await sheet.getByLabel("Amount ($)").fill("9000000");
  await execute.tap();
  await told(page, "Trade Failed");
  const refused = await covered(page);
  expect([refused.under, refused.count > 0, refused.inSight]).toEqual([[], true, true]);
  await sheet.getByLabel("Amount ($)").fill("1000");
  await execute.tap();
  await told(page, "Trade Executed");
  await sheet.waitFor({ state: "hidden" });
  const filled = await covered(page);
  expect([filled.under, filled.count > 0, filled.inSight]).toEqual([[], true, true]);
  await page.context().close();
});
