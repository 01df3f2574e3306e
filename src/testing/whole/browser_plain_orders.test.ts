import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { eventually, shot } from "../browser";
import { openOf, ordersSite } from "../browser_orders";
import { inspectHere } from "../inspect";
import { until } from "../scenarios";

/** Every kind of order placed without scripts: a form, what the order will do, and a press. */

const site = ordersSite();

const HOUR = 3_600_000;
const minuteOf = (at: number) => new Date(at).toISOString().slice(0, 16);
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });

async function toForm(page: Page, side: "BUY" | "SELL", from = "/traders-portal") {
  await page.goto(from);
  await page.getByRole("link", { name: new RegExp(`^${side} EUR/USD 1\\.084`) }).click();
  await page.getByRole("heading", { name: "Place an Order" }).waitFor();
}
async function preview(page: Page) {
  await page.getByRole("button", { name: "Preview order" }).click();
  await page.getByRole("heading", { name: "Check Your Order" }).waitFor();
}
async function placed(page: Page, button: string) {
  await page.getByRole("button", { name: button }).click();
  await page.getByRole("heading", { name: "Waiting Orders" }).waitFor();
  return openOf(page);
}

test("market, limit, stop and stop-limit, each with its sentence before it is placed", async () => {
  const page = await site.trader({ javaScriptEnabled: false });
  await toForm(page, "BUY");
  await page.getByText("EUR/USD at", { exact: false }).first().waitFor();
  await field(page, "Stop Loss").fill("1.07");
  await field(page, "Trailing distance").fill("0.0020");
  await field(page, "Break-even at").fill("0.0010");
  await preview(page);
  await page
    .getByText(
      "Buys $1,000 of EUR/USD at the price of this moment. The stop loss then follows 20 pips behind the best bid, and never goes back. With 10 pips of profit the stop loss moves to the opening price, once.",
    )
    .waitFor();
  // Behind the account's bid, 1.084055.
  expect(await placed(page, "Execute BUY EUR/USD")).toMatchObject([
    { status: "open", orderType: "market", stopLoss: "1.08205500", trailingDistance: "0.00200000", breakEvenAt: "0.00100000" },
  ]);

  await toForm(page, "BUY");
  await page.getByRole("radio", { name: "Limit", exact: true }).check();
  expect(await field(page, "Limit price").isVisible()).toBe(false);
  await field(page, "Price").fill("1.0840");
  await field(page, "Take Profit").fill("1.0900");
  await field(page, "Expiry").selectOption("week");
  await preview(page);
  await page.getByText(/^Buys \$1,000 of EUR\/USD when the ask reaches 1\.08400 or less, until Friday( \d+ \w+ \d+)? 17:00 New York\.$/).waitFor();
  const [limit] = await placed(page, "Place BUY limit EUR/USD");
  expect(limit).toMatchObject({ status: "pending", orderType: "limit", triggerPrice: "1.08400000", takeProfit: "1.09000000" });
  const end = new Date(limit?.expiresAt ?? 0);
  expect([end.getUTCDay(), [21, 22].includes(end.getUTCHours()), end.getUTCMinutes()]).toEqual([5, true, 0]);

  // From the platform's page.
  await toForm(page, "SELL", "/trading?tab=trading");
  await page.getByRole("radio", { name: "Stop", exact: true }).check();
  await field(page, "Price").fill("1.0800");
  await field(page, "Amount ($)").fill("250.50");
  await field(page, "Expiry").selectOption("day");
  await preview(page);
  await page
    .getByText(/^Sells \$250\.50 of EUR\/USD at the market when the bid reaches 1\.08000 or less, until \w+( \d+ \w+ \d+)? 17:00 New York\.$/)
    .waitFor();
  expect((await placed(page, "Place SELL stop EUR/USD"))[0]).toMatchObject({ type: "sell", orderType: "stop", triggerPrice: "1.08000000", amount: "250.50" });

  await toForm(page, "BUY");
  await page.getByRole("radio", { name: "Stop-limit" }).check();
  await field(page, "Price").fill("1.0850");
  await field(page, "Limit price").fill("1.0848");
  await field(page, "Expiry").selectOption("at");
  const ends = minuteOf(site.app.market.clock() + 30 * HOUR);
  await field(page, "Ends at (UTC)").fill(ends);
  await preview(page);
  await page.getByText("Buys $1,000 of EUR/USD at 1.08480 or less once the ask reaches 1.08500 or more", { exact: false }).waitFor();
  expect((await placed(page, "Place BUY stop-limit EUR/USD"))[0]).toMatchObject({
    orderType: "stop_limit",
    triggerPrice: "1.08500000",
    limitPrice: "1.08480000",
    expiresAt: `${ends}:00.000Z`,
  });
  await page.context().close();
});

test("a refusal stands at its field and nothing that was written is lost, in the form and after the preview", async () => {
  const page = await site.trader({ javaScriptEnabled: false });
  await toForm(page, "SELL");
  await page.getByRole("radio", { name: "Limit", exact: true }).check();
  const written = {
    Price: "1.0840",
    "Stop Loss": "1.0700",
    "Take Profit": "1.0600",
    "Amount ($)": "300",
    "Trailing distance": "0.0030",
    "Break-even at": "0.0040",
  };
  for (const [label, value] of Object.entries(written)) await field(page, label).fill(value);
  await field(page, "Expiry").selectOption("at");
  await page.getByRole("button", { name: "Preview order" }).click();
  const said = (label: string) =>
    field(page, label).evaluate((input) => document.getElementById(input.getAttribute("aria-describedby")?.split(" ")[0] ?? "")?.textContent);
  await eventually(async () => expect(await said("Ends at (UTC)")).toBe("Choose the date and time at which it ends"));
  await field(page, "Ends at (UTC)").fill(minuteOf(site.app.market.clock() - HOUR));
  await page.getByRole("button", { name: "Preview order" }).click();
  await eventually(async () => expect(await said("Price")).toBe("Price must be above the current price for a sell limit"));
  expect(await said("Stop Loss")).toBe("Stop loss must be above the price for a sell");
  expect(await said("Ends at (UTC)")).toBe("Expiry must be in the future");
  for (const [label, value] of Object.entries(written)) expect(await field(page, label).inputValue()).toBe(value);
  expect([await field(page, "Expiry").inputValue(), await field(page, "Trade Type").inputValue()]).toEqual(["at", "sell"]);
  expect(await page.getByRole("radio", { name: "Limit", exact: true }).isChecked()).toBe(true);

  await field(page, "Price").fill("1.0850");
  await field(page, "Stop Loss").fill("1.0900");
  await field(page, "Expiry").selectOption("");
  await preview(page);
  await page.getByRole("button", { name: "Change it" }).click();
  await eventually(async () => expect(await field(page, "Price").inputValue()).toBe("1.0850"));
  await preview(page);
  // The price passes it while it is looked at.
  await site.price(1.0861);
  await page.getByRole("button", { name: "Place SELL limit EUR/USD" }).click();
  await eventually(async () => expect(await said("Price")).toBe("Price must be above the current price for a sell limit"));
  for (const [label, value] of Object.entries({ ...written, Price: "1.0850", "Stop Loss": "1.0900" }))
    expect(await field(page, label).inputValue()).toBe(value);
  expect(await openOf(page)).toEqual([]);
  await page.context().close();
});

test("paired with an order that waits: the first that fills cancels the other; a form that is sent twice is one order", async () => {
  const page = await site.trader({ javaScriptEnabled: false });
  const first = await site.place(page, { orderType: "limit", triggerPrice: "1.08000" });
  await toForm(page, "BUY");
  await page.getByRole("radio", { name: "Stop", exact: true }).check();
  await field(page, "Price").fill("1.0860");
  await field(page, "One cancels the other").selectOption({ label: "With BUY limit EUR/USD at 1.08000" });
  await preview(page);
  await page.getByText("Of the waiting orders grouped with it the first that fills cancels the others.", { exact: false }).waitFor();
  const form = await page
    .locator("form[action='/positions/new']")
    .evaluate((each) => [...new FormData(each as HTMLFormElement)].map(([name, value]) => [name, String(value)]));
  const open = await placed(page, "Place BUY stop EUR/USD");
  expect(open.map(({ ocoGroup }) => ocoGroup)).toEqual([first.id, first.id]);
  const again = await page.request.post("/positions/new", {
    form: { ...(Object.fromEntries(form) as Record<string, string>), step: "place" },
    headers: { origin: new URL(page.url()).origin },
    maxRedirects: 0,
  });
  expect(again.status()).toBe(303);
  expect(await openOf(page)).toHaveLength(2);
  await site.price(1.0861);
  await until("the stop has filled and the limit has ended", async () => {
    const now = await openOf(page);
    return now.length === 1 && now[0]?.status === "open" && now[0].orderType === "stop";
  });
  await page.goto("/traders-portal?tab=history");
  await page.getByText("Cancelled: another of its group filled").waitFor();
  await page.context().close();
});

test("an open position's stop and target are edited from its row", async () => {
  const page = await site.trader({ javaScriptEnabled: false, width: 360, height: 740 });
  await site.place(page, {});
  await page.goto("/traders-portal?tab=positions");
  await page.getByRole("link", { name: "Edit EUR/USD" }).click();
  await page.getByRole("heading", { name: "Edit BUY EUR/USD" }).waitFor();
  await field(page, "Stop loss").fill("1.07");
  await field(page, "Trailing distance").fill("0.0020");
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByText("trails 20 pips").waitFor();
  await page.context().close();
});

test("an open position is closed from its row, in part and whole, after a question, once however often it is sent", async () => {
  const page = await site.trader({ javaScriptEnabled: false, width: 360, height: 740 });
  await site.place(page, {});
  const question = async () => {
    await page.goto("/traders-portal?tab=positions");
    await page.getByRole("link", { name: "Close EUR/USD" }).click();
    await page.getByRole("heading", { name: "Close BUY EUR/USD" }).waitFor();
  };
  await question();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await field(page, "Amount to close ($)").fill("5");
  await page.getByRole("button", { name: "Close position" }).click();
  expect(await page.locator("#close-amount-error").textContent()).toContain("10");
  expect(await field(page, "Amount to close ($)").inputValue()).toBe("5");
  const [before] = await openOf(page);
  await field(page, "Amount to close ($)").fill("400");
  const form = await page
    .locator("form[action='/positions/close']")
    .evaluate((each) => Object.fromEntries([...new FormData(each as HTMLFormElement)].map(([name, value]) => [name, String(value)])));
  await page.getByRole("button", { name: "Close position" }).click();
  await page.waitForURL("**tab=positions**");
  const left = async () => (await openOf(page)).map(({ amount }) => amount);
  const rest = String(Number(before?.amount) - 400);
  expect((await left()).map(Number)).toEqual([Number(rest)]);
  const again = await page.request.post("/positions/close", { form, headers: { origin: new URL(page.url()).origin }, maxRedirects: 0 });
  expect(again.status()).toBe(303);
  expect((await left()).map(Number)).toEqual([Number(rest)]);
  await question();
  await page.getByRole("button", { name: "Close position" }).click();
  await page.waitForURL("**tab=positions**");
  expect(await left()).toEqual([]);
  const gone = await page.request.get(`/positions/${before?.id}/close`);
  expect(gone.status()).toBe(409);
  await page.context().close();
});

test("at 360 px nothing is wider than the screen; axe finds nothing on the form, refused, nor on what it will do", async () => {
  const page = await site.trader({ bypassCSP: true, width: 360, height: 740 });
  await page.goto("/positions/new?symbol=EUR/USD&side=sell");
  const found = await inspectHere(page, "the form");
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByRole("radio", { name: "Stop-limit" }).check();
  await page.getByRole("button", { name: "Preview order" }).click();
  await page.getByText("Stop price is required: the price that the order waits for").waitFor();
  expect(await page.getByText("Limit price is required: the limit that the order becomes").isVisible()).toBe(true);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  found.push(...(await inspectHere(page, "refused")));
  await page.getByRole("radio", { name: "Market" }).check();
  await preview(page);
  found.push(...(await inspectHere(page, "what it will do")));
  expect(found).toEqual([]);
  await page.context().close();
});

test("a watchlist shows no button that would do nothing, by mouse or keyboard, and all that its buttons say", async () => {
  for (const viewport of [
    { width: 360, height: 740 },
    { width: 1440, height: 900 },
  ]) {
    const page = await site.trader({ javaScriptEnabled: false, viewport });
    for (const watch of ["list", "cards"]) {
      await page.context().addCookies([{ name: "watch", value: watch, url: site.base }]);
      for (const tab of ["forex", "crypto", "lists"]) {
        await page.goto(`/traders-portal?tab=${tab}`);
        // Rows are styled as they come near.
        await eventually(async () => expect([watch, tab, await page.locator(".desk-side button:visible").count()]).toEqual([watch, tab, 0]));
        await page.locator(".desk-side").scrollIntoViewIfNeeded();
        await shot(page, `watchlist-plain-${watch}-${tab}-${viewport.width}`);
      }
    }
    // Playwright finds no text in what browsers show without scripts alone.
    expect(await page.locator(".desk-side").innerText()).toContain("Your own watchlists need JavaScript");
    expect(await page.getByRole("status", { name: "Loading your watchlists" }).count()).toBe(0);
    await page.context().addCookies([{ name: "watch", value: "list", url: site.base }]);
    await page.goto("/traders-portal");
    const row = await page.getByRole("listitem").filter({ hasText: "EUR/USD" }).innerText();
    for (const text of ["EUR/USD", "1.08420", "1.08424"]) expect(row.replaceAll(/\s/g, "")).toContain(text);
    const reached = await page.evaluate(() => {
      const buttons = [...document.querySelectorAll<HTMLButtonElement>(".desk-side button")];
      return buttons.filter((each) => (each.focus(), document.activeElement === each)).length;
    });
    expect(reached).toBe(0);
    await page.context().close();
  }
});
