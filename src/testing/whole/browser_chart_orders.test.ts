import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { eventually, told } from "../browser";
import { handleOf, limit, openOf, ordersSite, rowOf, toPositions } from "../browser_orders";
import { until } from "../scenarios";

/** Orders that wait, on the chart: lines that are dragged and moved by keys, the trail, the menu of a price; and on a phone. */

const site = ordersSite();

test("by keyboard alone on the chart: moved by arrow keys, back by Escape, snapped back with the sentence where it is refused; the trail goes with the price", async () => {
  const page = await site.trader();
  const order = await site.place(page, limit("1.08400"));
  await site.place(page, { type: "buy", trailingDistance: "0.0010" });
  await page.goto("/traders-portal");
  const line = await handleOf(page, "Price of BUY limit EUR/USD, $1,000.00");
  await eventually(async () => expect(await line.innerText()).toBe("Buy limit $1,000 @ 1.08400"));
  await line.focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await eventually(async () => expect(await line.getAttribute("aria-valuetext")).toBe("1.08380"));
  await page.keyboard.press("Escape");
  await eventually(async () => expect(await line.getAttribute("aria-valuetext")).toBe("1.08400"));
  await page.keyboard.press("PageDown");
  await page.keyboard.press("Enter");
  await told(page, "Order moved");
  expect((await openOf(page)).find(({ id }) => id === order.id)).toMatchObject({ triggerPrice: "1.08300000" });
  await page.keyboard.press("Shift+PageUp");
  await page.keyboard.press("Enter");
  await told(page, "Price must be below the current price for a buy limit");
  await until("it has snapped back", async () => (await line.getAttribute("aria-valuetext")) === "1.08300");

  const trail = await handleOf(page, "Trailing stop of BUY EUR/USD, $1,000.00");
  const standsAt = async () => /^[\d.]+/.exec((await trail.getAttribute("aria-valuetext")) ?? "")?.[0];
  // Behind the account's bid, 1.084055.
  await until("it stands behind the bid", async () => (await standsAt()) === "1.083055");
  await site.price(1.0852);
  await until("the trail has moved", async () => (await standsAt()) === "1.084055");
  await site.price(1.0848);
  await toPositions(page);
  await page.getByText("trails 10 pips").waitFor();
  await page.context().close();
});

test("dragged on the chart, a stop-limit's two prices each by itself", async () => {
  const page = await site.trader();
  await site.place(page, { orderType: "stop_limit", triggerPrice: "1.08500", limitPrice: "1.08480" });
  await page.goto("/traders-portal");
  const trigger = await handleOf(page, "Price of BUY stop-limit EUR/USD, $1,000.00");
  await handleOf(page, "Limit price of BUY stop-limit EUR/USD, $1,000.00");
  await until("it was dragged and sent", async () => {
    const box = await trigger.boundingBox();
    if (!box) return false;
    await page.mouse.move(box.x + 20, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + 20, box.y + box.height / 2 - 30, { steps: 5 });
    await page.mouse.up();
    return page
      .getByText("Order moved", { exact: true })
      .waitFor({ timeout: 5_000 })
      .then(
        () => true,
        () => false,
      );
  });
  const [moved] = await openOf(page);
  expect(Number(moved?.triggerPrice)).toBeGreaterThan(1.085);
  expect(moved?.limitPrice).toBe("1.08480000");
  await page.context().close();
});

test("the chart's menu by keyboard: at a price, the orders that can wait there; one begins in the order panel, unsent", async () => {
  const page = await site.trader();
  await page.goto("/traders-portal");
  await page.locator("[data-island=OrderPanel][data-awake]").waitFor({ state: "attached" });
  const chart = page.getByRole("application", { name: /^Prices\. / });
  await chart.focus();
  const menu = page.getByRole("menu");
  await page.keyboard.press("Shift+F10");
  // Between bid and ask both limits can wait.
  await menu.getByRole("menuitem", { name: /^Buy limit at/ }).waitFor();
  expect((await menu.getByRole("menuitem").allInnerTexts()).map((words) => words.replace(/ at .*/, ""))).toEqual(["Buy limit", "Sell limit", "Set an alert"]);
  await page.keyboard.press("Escape");
  await menu.waitFor({ state: "detached" });
  await page.waitForFunction(() => document.activeElement?.getAttribute("role") === "application");

  const box = await chart.boundingBox();
  if (!box) throw new Error("no chart");
  await page.mouse.click(box.x + 200, box.y + box.height - 60, { button: "right" });
  await menu.getByRole("menuitem", { name: /^Sell stop at/ }).waitFor();
  const first = menu.getByRole("menuitem").first();
  const at = /1\.\d{5}/.exec(await first.innerText())?.[0] ?? "";
  expect(await first.innerText()).toBe(`Buy limit at ${at}`);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await menu.waitFor({ state: "detached" });
  expect(await openOf(page)).toEqual([]);
  await page.context().close();
});

test("on a phone: cards with targets for a thumb; a long press offers, and a swipe over the chart still scrolls", async () => {
  const page = await site.trader({ touch: true });
  const order = await site.place(page, limit("1.08000", { stopLoss: "1.07000", trailingDistance: "0.0020" }));
  await page.goto("/traders-portal?tab=positions");
  const row = rowOf(page, order);
  // Two lines, and the rest under a press.
  expect((await row.boundingBox())?.height).toBeLessThanOrEqual(80);
  expect(await row.getByRole("link", { name: "Edit BUY limit EUR/USD" }).isVisible()).toBe(false);
  await row.getByRole("button", { name: "Details" }).tap();
  for (const target of [row.getByRole("link", { name: "Edit BUY limit EUR/USD" }), row.getByRole("button", { name: "Cancel BUY limit EUR/USD" })]) {
    const box = await target.boundingBox();
    expect(box?.height).toBeGreaterThanOrEqual(44);
    expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(360);
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  await row.getByRole("link", { name: "Edit BUY limit EUR/USD" }).tap();
  const dialog = page.getByRole("dialog", { name: "BUY limit EUR/USD" });
  await dialog.getByLabel("Stop loss").fill("1.07500");
  await dialog.getByRole("button", { name: "Save changes" }).tap();
  await told(page, "Order changed");

  await page.getByRole("link", { name: "Chart" }).tap();
  const canvas = page.locator("[data-island=PriceChart] canvas").first();
  await page.evaluate(() => document.querySelector("[data-island=PriceChart] section")?.scrollIntoView({ block: "center" }));
  const finger = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", touchPoints: { x: number; y: number }[]) =>
    finger.send("Input.dispatchTouchEvent", { type, touchPoints });
  const middle = async () => {
    const box = await canvas.boundingBox();
    if (!box) throw new Error("no chart");
    return { x: box.x + box.width / 2, y: box.y + box.height / 3 };
  };
  const alert = page.getByRole("menuitem", { name: /^Set an alert at/ });
  await until("the menu is there", async () => {
    await touch("touchStart", [await middle()]);
    const shown = await alert.waitFor({ timeout: 2_000 }).then(
      () => true,
      () => false,
    );
    await touch("touchEnd", []);
    return shown;
  });
  const items = page.getByRole("menuitem");
  for (const item of await items.all()) expect((await item.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  const menu = await page.getByRole("menu").boundingBox();
  expect([(menu?.x ?? -1) >= 0, (menu?.x ?? 0) + (menu?.width ?? 999) <= 360]).toEqual([true, true]);
  await page.keyboard.press("Escape");
  const before = await page.evaluate(() => scrollY);
  await until("the page has scrolled", async () => {
    // A finger that a busy machine leaves lying is a long press: then it swipes once more.
    await page.keyboard.press("Escape");
    const { x, y } = await middle();
    await touch("touchStart", [{ x, y }]);
    for (let part = 1; part <= 10; part++) await touch("touchMove", [{ x, y: y - part * 12 }]);
    await touch("touchEnd", []);
    return (await page.evaluate(() => scrollY)) > before + 30;
  });
  expect(await page.getByRole("menu").count()).toBe(0);
  await page.context().close();
});

/** Pairs of handles that cover one another, and handles that are not to be had where they stand. */
const crowded = (page: Page) =>
  page.evaluate(() => {
    const all = [...document.querySelectorAll<HTMLElement>("[data-island=PriceChart] [role=slider], [data-island=PriceChart] [aria-label^='Add a']")].map(
      (element) => {
        const { left, right, top, bottom } = element.getBoundingClientRect();
        return { element, name: element.getAttribute("aria-label"), left, right, top, bottom };
      },
    );
    const over = all.flatMap((a, index) =>
      all.slice(index + 1).flatMap((b) => (a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom ? [`${a.name} | ${b.name}`] : [])),
    );
    const hidden = all.flatMap(({ element, name, left, right, top, bottom }) =>
      element.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2)) ? [] : [`${name} can't be had`],
    );
    return { count: all.length, faults: [...over, ...hidden] };
  });

test("on a phone nine handles at about one price part, also after it was turned, and so do twenty; one that is turned to says all of it", async () => {
  const page = await site.trader({ touch: true });
  for (const at of ["1.08400", "1.08402", "1.08404"]) await site.place(page, limit(at));
  for (let each = 0; each < 3; each++) await site.place(page, { stopLoss: "1.08390", takeProfit: "1.08450" });
  await page.goto("/traders-portal");
  await page
    .getByRole("slider", { name: /^Price of BUY limit/ })
    .first()
    .waitFor();
  const nineApart = async () => {
    await page.evaluate(() => document.querySelector("[data-island=PriceChart] section")?.scrollIntoView({ block: "center" }));
    await eventually(async () => expect(await crowded(page)).toEqual({ count: 9, faults: [] }));
  };
  await nineApart();
  // Held upright again after they were measured on the wide screen of a device that lay on its side.
  await page.setViewportSize({ width: 900, height: 740 });
  await page.reload();
  await nineApart();
  await page.setViewportSize({ width: 360, height: 740 });
  await nineApart();
  for (let each = 0; each < 5; each++) await site.place(page, { stopLoss: "1.08390", takeProfit: "1.08450" });
  await eventually(async () => expect(await crowded(page)).toEqual({ count: 19, faults: [] }));
  const handle = page.getByRole("slider", { name: /^Price of BUY limit/ }).first();
  const width = async () => (await handle.boundingBox())?.width ?? 0;
  expect(await width()).toBeLessThanOrEqual(48);
  await handle.focus();
  await eventually(async () => expect(await width()).toBeGreaterThan(120));
  await page.context().close();
});
