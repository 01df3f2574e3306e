import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { eventually, pressed, told } from "../browser";
import { wrongField } from "../browser_faults";
import { openOf, ordersSite } from "../browser_orders";
import { type Hand, handOf, type Way, WAYS } from "../hands";
import { until } from "../scenarios";

/** Each kind of order placed in the order panel: with a mouse, with a thumb at 360 px, and with keys alone, in so many presses at most. */

const site = ordersSite();

const HOUR = 3_600_000;
const panelOf = (page: Page) => page.locator("[data-island=OrderPanel]");

async function atThePanel(way: Way, path = "/traders-portal"): Promise<{ page: Page; hand: Hand }> {
  const page = await site.trader({ touch: way === "touch" });
  await page.goto(path);
  if (way === "touch") await openSheet(page);
  // Where the panel's shortcut leads.
  if (way === "keyboard") await page.keyboard.press("i");
  return { page, hand: handOf(way, page, panelOf(page)) };
}
/** On a phone the order is written in a sheet, which an order that was placed closes. */
const openSheet = (page: Page, side = "BUY") => page.getByRole("group", { name: "Trade EUR/USD" }).getByRole("button", { name: side }).tap();
const button = (page: Page, name: string | RegExp) => panelOf(page).getByRole("button", { name });
const tile = (page: Page, side: "SELL" | "BUY") => panelOf(page).getByRole("group", { name: "Prices of EUR/USD" }).getByRole("button", { name: side });
/** The panel has heard that its order was placed, and begins anew. */
async function cleared(page: Page, way: Way, side = "BUY") {
  if (way === "touch") await openSheet(page, side);
  await eventually(async () => expect(await panelOf(page).getByRole("radio", { name: "Market" }).isChecked()).toBe(true));
}
const newest = async (page: Page) => (await openOf(page))[0];

for (const way of WAYS)
  test(`${way}: limit, stop and stop-limit, to the day's end, to the week's, to a moment; with a stop that follows and breaks even`, async () => {
    const { page, hand } = await atThePanel(way);
    const presses: number[] = [];
    await hand.choose("Limit");
    await hand.write("Price", "1.0840");
    await hand.pick("Expiry", "Week: Friday 17:00 New York");
    const sentence = /^Buys \$1,000 of EUR\/USD when the ask reaches 1\.08400 or less, until Friday( \d+ \w+ \d+)? 17:00 New York\.$/;
    await panelOf(page).getByText(sentence).waitFor();
    await hand.press(button(page, "Preview Trade"));
    const dialog = page.getByRole("dialog", { name: "Trade Preview Analysis" });
    await dialog.getByText(sentence).waitFor();
    await hand.press(dialog.getByRole("button", { name: "Confirm & Place BUY limit" }));
    await told(page, "Order Placed");
    await told(page, sentence);
    await cleared(page, way);
    presses.push(hand.counted());
    const limit = await newest(page);
    expect(limit).toMatchObject({ status: "pending", type: "buy", orderType: "limit", triggerPrice: "1.08400000", amount: "1000.00" });
    expect(new Date(limit?.expiresAt ?? 0).getUTCDay()).toBe(5);
    await dialog.waitFor({ state: "hidden" });

    await hand.choose("Stop");
    await hand.write("Stop price", "1.0860");
    await hand.write("Stop Loss", "1.0800");
    await hand.write("Trailing distance", "0.0020");
    await hand.write("Break-even at", "0.0010");
    await hand.pick("Expiry", "Day: New York 17:00");
    await panelOf(page)
      .getByText(
        /^Buys \$1,000 of EUR\/USD at the market when the ask reaches 1\.08600 or more, until \w+( \d+ \w+ \d+)? 17:00 New York\. The stop loss then follows 20 pips/,
      )
      .waitFor();
    await hand.send(button(page, "Place BUY stop EUR/USD"));
    await until("the stop waits", async () => (await openOf(page)).length === 2);
    await cleared(page, way);
    presses.push(hand.counted());
    expect(await newest(page)).toMatchObject({
      orderType: "stop",
      triggerPrice: "1.08600000",
      stopLoss: "1.08000000",
      trailingDistance: "0.00200000",
      breakEvenAt: "0.00100000",
    });

    await hand.choose("Stop-limit");
    if (way === "touch") await hand.press(tile(page, "SELL"));
    else await hand.pick("Trade Type", "SELL");
    await hand.write("Stop price", "1.0820");
    await hand.write("Limit price", "1.0818");
    await hand.pick("Expiry", "A date and time");
    const ends = new Date(site.app.market.clock() + 30 * HOUR).toISOString().slice(0, 16);
    await hand.write("Ends at (UTC)", ends);
    await panelOf(page).getByText("Sells $1,000 of EUR/USD at 1.08180 or more once the bid reaches 1.08200 or less, until").waitFor();
    await hand.send(button(page, "Place SELL stop-limit EUR/USD"));
    await until("the stop-limit waits", async () => (await openOf(page)).length === 3);
    await cleared(page, way, "SELL");
    presses.push(hand.counted());
    expect(await newest(page)).toMatchObject({
      type: "sell",
      orderType: "stop_limit",
      triggerPrice: "1.08200000",
      limitPrice: "1.08180000",
      expiresAt: `${ends}:00.000Z`,
    });

    await hand.press(button(page, "More: risk, trailing stop"));
    await hand.write("Trailing distance", "0.0030");
    await hand.send(button(page, "Execute SELL EUR/USD"));
    await until("it is open", async () => (await openOf(page)).some(({ status }) => status === "open"));
    presses.push(hand.counted());
    // Behind the account's ask, 1.084385.
    expect(await newest(page)).toMatchObject({ status: "open", type: "sell", orderType: "market", stopLoss: "1.08738500" });
    const most = way === "keyboard" ? [36, 64, 72, 16] : [12, 32, 37, 9];
    for (const [at, count] of presses.entries()) expect(count, `${way}: order ${at}`).toBeLessThanOrEqual(most[at] ?? 0);
    await page.context().close();
  });

for (const way of WAYS)
  test(`${way}: two orders are paired; the first that fills cancels the other`, async () => {
    const { page, hand } = await atThePanel(way);
    await hand.choose("Limit");
    await hand.write("Price", "1.0830");
    await hand.pick("One cancels the other", "With the next order that I place");
    await panelOf(page).getByText("The next order is paired with it: the first that fills cancels the other.").waitFor();
    await hand.send(button(page, "Place BUY limit EUR/USD"));
    await until("the limit waits", async () => (await openOf(page)).length === 1);
    if (way === "touch") await openSheet(page);
    // The panel is ready for the pair's second order.
    await panelOf(page).getByRole("option", { name: "With BUY limit EUR/USD at 1.08300" }).waitFor({ state: "attached" });
    await eventually(async () => expect(await panelOf(page).getByLabel("One cancels the other").inputValue()).toMatch(/-/));
    await hand.choose("Stop");
    await hand.write("Stop price", "1.0860");
    await panelOf(page).getByText("Of the waiting orders grouped with it the first that fills cancels the others.").waitFor();
    await hand.send(button(page, "Place BUY stop EUR/USD"));
    await until("the stop waits", async () => (await openOf(page)).length === 2);
    expect(hand.counted()).toBeLessThanOrEqual(way === "keyboard" ? 60 : 20);
    const [stop, limit] = await openOf(page);
    expect([stop?.ocoGroup, limit?.ocoGroup]).toEqual([limit?.id, limit?.id]);
    await site.price(1.0861);
    await until("one has filled, the other has ended", async () => {
      const open = await openOf(page);
      return open.length === 1 && open[0]?.id === stop?.id && open[0]?.status === "open";
    });
    await page.goto("/traders-portal?tab=history");
    await page.getByText("Cancelled: another of its group filled").waitFor();
    await page.context().close();
  });

test("each refusal stands at its field, in the words of the screen, and leaves with a change", async () => {
  const { page, hand } = await atThePanel("mouse");
  const said = (label: string) =>
    panelOf(page)
      .getByLabel(label, { exact: true })
      .evaluate((input) => document.getElementById(`${input.id}-error`)?.textContent ?? null);
  const refused = async (kind: string, written: Record<string, string>, errors: Record<string, string>) => {
    await hand.choose(kind);
    for (const [label, text] of Object.entries(written)) await hand.write(label, text);
    await hand.send(button(page, /^(Place|Execute)/));
    for (const [label, words] of Object.entries(errors)) await eventually(async () => expect(await said(label), label).toBe(words));
  };
  await refused("Limit", { Price: "1.0850" }, { Price: "Price must be below the current price for a buy limit" });
  await refused(
    "Stop",
    { "Stop price": "1.0840", "Stop Loss": "1.0841", "Take Profit": "1.0839" },
    {
      "Stop price": "Stop price must be above the current price for a buy stop",
      "Stop Loss": "Stop loss must be below the stop price for a buy",
      "Take Profit": "Take profit must be above the stop price for a buy",
    },
  );
  await hand.write("Stop price", "1.0860");
  await eventually(async () => expect(await said("Stop price")).toBe(null));
  await refused(
    "Stop-limit",
    { "Stop Loss": "", "Take Profit": "", "Limit price": "" },
    { "Limit price": "Limit price is required: the limit that the order becomes" },
  );
  await refused("Limit", { Price: "1.0840", "Trailing distance": "1.0840" }, { "Trailing distance": "Trailing distance must be less than the price" });
  await refused("Limit", { "Trailing distance": "", "Break-even at": "-1" }, { "Break-even at": "Break-even at must be a price distance above zero" });
  await hand.write("Break-even at", "");
  await hand.pick("Expiry", "A date and time");
  await refused("Limit", {}, { "Ends at (UTC)": "Choose the date and time at which it ends" });
  const past = new Date(site.app.market.clock() - HOUR).toISOString().slice(0, 16);
  await refused("Limit", { "Ends at (UTC)": past }, { "Ends at (UTC)": "Expiry must be in the future" });
  await refused("Limit", { "Ends at (UTC)": "2999-01-01T00:00" }, { "Ends at (UTC)": "Expiry must be at most a year away" });
  await hand.pick("Expiry", "Until cancelled");
  const partner = await site.place(page, { orderType: "limit", triggerPrice: "1.07000" });
  await hand.pick("One cancels the other", "With BUY limit EUR/USD at 1.07000");
  expect((await page.request.post(`/api/trading/positions/${partner.id}/cancel`, { headers: { origin: new URL(page.url()).origin } })).status()).toBe(200);
  await panelOf(page).getByRole("option", { name: "An order that no longer waits" }).waitFor({ state: "attached" });
  await refused("Limit", {}, { "One cancels the other": "That order no longer waits. Choose another." });
  expect(await openOf(page)).toEqual([]);
  await page.context().close();
});

test("touch: the button that sends the order has its words in one line, whatever it deals, on a demo account and on a live one", async () => {
  const page = await site.trader({ touch: true });
  const data = { accountTypeId: "starter", isDemo: false };
  const made = await page.request.post("/api/trading-accounts", { data, headers: { origin: site.base } });
  const { id } = (await made.json()) as { id: string };
  for (const [path, mark] of [
    ["/traders-portal?symbol=MATIC/USD", ""],
    [`/traders-portal?account=${id}&symbol=EUR/USD`, " (live)"],
  ] as const) {
    await page.goto(path);
    for (const side of ["BUY", "SELL"]) {
      await page
        .getByRole("group", { name: /^Trade / })
        .getByRole("button", { name: side })
        .tap();
      for (const kind of ["Market", "Limit", "Stop", "Stop-limit"]) {
        await panelOf(page).getByRole("radio", { name: kind, exact: true }).check();
        const words = kind === "Market" ? `Execute ${side}` : `Place ${side} ${kind.toLowerCase()}`;
        const send = button(page, new RegExp(`^${words} [A-Z]+/USD${RegExp.escape(mark)}$`));
        await send.waitFor();
        const lines = await send.evaluate((element) => {
          const range = document.createRange();
          range.selectNodeContents(element);
          return { lines: new Set([...range.getClientRects()].map(({ top }) => top)).size, cut: element.scrollWidth > element.clientWidth };
        });
        expect([words, lines]).toEqual([words, { lines: 1, cut: false }]);
      }
      await panelOf(page).getByRole("radio", { name: "Market", exact: true }).check();
      await page.getByRole("dialog").getByRole("button", { name: "Close", exact: true }).tap();
      await page.getByRole("dialog").waitFor({ state: "hidden" });
    }
  }
  await page.context().close();
});

for (const way of ["touch", "mouse"] as const)
  test(`${way}: the first wrong field gets the focus, in sight with its label and its message, in the sheet and in the panel`, async () => {
    // So low that the panel scrolls as well.
    const page = await site.trader(way === "touch" ? { touch: true } : { width: 1280, height: 640 });
    await page.goto("/traders-portal");
    if (way === "touch") await openSheet(page);
    const hand = handOf(way, page, panelOf(page));
    await hand.choose("Stop-limit");
    const field = (label: string) => panelOf(page).getByLabel(label, { exact: true });
    // What the panel fills in comes first.
    for (const label of ["Stop price", "Limit price"]) await eventually(async () => expect(await field(label).inputValue()).toMatch(/^1\.\d+$/));
    const refused = async (written: Record<string, string>, id: string) => {
      for (const [label, text] of Object.entries(written)) await hand.write(label, text);
      await hand.send(button(page, /^Place BUY stop-limit/));
      await eventually(async () => expect(await wrongField(page)).toEqual({ id, hidden: [] }));
    };
    await refused({ "Stop price": "" }, "order-triggerPrice");
    if (way === "mouse") {
      await refused({ "Stop price": "1.0860", "Limit price": "1.0865", "Trailing distance": "-4" }, "order-trailingDistance");
      // Of several the first, in the order in which they stand.
      await refused({ "Amount ($)": "0" }, "order-amount");
    }
    expect(await openOf(page)).toEqual([]);
    await page.context().close();
  });

for (const way of WAYS)
  test(`${way}: what the chart's menu offers at a price reaches the panel with that price, and is placed from there`, async () => {
    const { page, hand } = await atThePanel(way);
    if (way === "touch") {
      const sheet = page.getByRole("dialog", { name: "Demo order, EUR/USD" });
      await sheet.waitFor();
      await page.keyboard.press("Escape");
      await sheet.waitFor({ state: "hidden" });
    }
    const chart = page.getByRole("application", { name: /^Prices\. / });
    await chart.scrollIntoViewIfNeeded();
    const item = page.getByRole("menuitem", { name: /^Buy limit at/ });
    const box = await chart.boundingBox();
    if (!box) throw new Error("no chart");
    const point = { x: box.x + box.width / 3, y: box.y + box.height - 70 };
    if (way === "mouse") await page.mouse.click(point.x, point.y, { button: "right" });
    if (way === "keyboard") {
      await chart.focus();
      await page.keyboard.press("Shift+F10");
    }
    if (way === "touch") {
      const finger = await page.context().newCDPSession(page);
      await until("the menu is there", async () => {
        await finger.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [point] });
        const shown = await item.waitFor({ timeout: 2_000 }).then(
          () => true,
          () => false,
        );
        await finger.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
        return shown;
      });
    }
    await item.waitFor();
    const at = /1\.\d{5}/.exec(await item.innerText())?.[0] ?? "";
    await (way === "touch" ? item.tap() : way === "mouse" ? item.click() : page.keyboard.press("Enter"));
    const panel = panelOf(page);
    await eventually(async () => expect(await panel.getByRole("radio", { name: "Limit", exact: true }).isChecked()).toBe(true));
    await eventually(async () => expect(await panel.getByLabel("Price", { exact: true }).inputValue()).toBe(at));
    await eventually(async () => expect(await tile(page, "BUY").getAttribute("aria-pressed")).toBe("true"));
    // Where a person's eye and focus are led.
    await page.waitForFunction(() => document.activeElement?.id === "execute-trade");
    // The shortcut of the amount leads into the form.
    if (way === "keyboard") await page.keyboard.press("a");
    await hand.send(button(page, "Place BUY limit EUR/USD"));
    await until("it waits", async () => (await openOf(page)).length === 1);
    expect(hand.counted()).toBe(1);
    expect(await newest(page)).toMatchObject({ orderType: "limit", type: "buy", triggerPrice: `${at}000` });
    await page.context().close();
  });

test("what is pressed before the page's first script has come is done when it has: a side, and of an order what it would do, asked once", async () => {
  const page = await site.trader();
  const late = Promise.withResolvers<void>();
  await page.route(/\/boot-[^/]*\.js$/, async (route) => {
    await late.promise;
    await route.continue();
  });
  await page.goto("/traders-portal", { waitUntil: "commit" });
  await page.getByLabel("Amount ($)", { exact: true }).fill("250");
  await tile(page, "SELL").click();
  await button(page, "Execute BUY EUR/USD").click();
  expect(await button(page, "Execute BUY EUR/USD").getAttribute("aria-busy")).toBe("true");
  late.resolve();
  const preview = page.getByRole("dialog", { name: "Trade Preview Analysis" });
  await preview.waitFor();
  expect(await openOf(page)).toEqual([]);
  // Both presses, in order.
  await pressed(preview, "Confirm & Execute SELL");
  await until("it is open", async () => (await openOf(page)).length === 1);
  expect(await newest(page)).toMatchObject({ status: "open", type: "sell", amount: "250.00" });
  expect(page.url()).not.toContain("amount");

  const again = Promise.withResolvers<void>();
  await page.unroute(/\/boot-[^/]*\.js$/);
  await page.route(/\/boot-[^/]*\.js$/, async (route) => {
    await again.promise;
    await route.continue();
  });
  await page.goto("/traders-portal", { waitUntil: "commit" });
  await tile(page, "SELL").click();
  again.resolve();
  await eventually(async () => expect(await panelOf(page).getByLabel("Trade Type").inputValue()).toBe("sell"));
  expect(await openOf(page)).toHaveLength(1);
  await page.context().close();
});
