import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { eventually, noteToasts, pressed, told } from "../browser";
import { wrongField } from "../browser_faults";
import { handleOf, letGo, limit, listOf, openOf, ordersSite, rowOf, toPositions } from "../browser_orders";
import { inspectHere } from "../inspect";
import { until } from "../scenarios";

/** Orders that wait, as a list in a browser: followed, edited, cancelled, and without scripts. */

const site = ordersSite();

const HOUR = 3_600_000;

test("listed with all its terms; edited in the dialog; cancelled; all cancelled after a question that counts them", async () => {
  const page = await site.trader();
  await toPositions(page);
  await page.getByText("No order waits.").waitFor();
  const group = crypto.randomUUID();
  const terms = { stopLoss: "1.07000", takeProfit: "1.09000", trailingDistance: "0.0020", breakEvenAt: "0.0010", ocoGroup: group };
  const order = await site.place(page, limit("1.08000", { ...terms, expiresAt: new Date(site.app.market.clock() + HOUR).toISOString() }));
  const row = rowOf(page, order);
  await row.waitFor();
  const words = await row.innerText();
  for (const each of [
    "EUR/USD",
    "BUY",
    "Limit",
    "OCO",
    "$1,000.00",
    "1.080000",
    "1.070000",
    "target 1.090000",
    "trails 20 pips",
    "break-even at 10 pips",
    "placed",
  ])
    expect(words).toContain(each);
  const away = row.locator("[data-cell=distance]");
  // What is scrolled out of sight does not follow the price.
  await row.scrollIntoViewIfNeeded();
  // The account's ask is 1.084385.
  await until("the distance is known", async () => (await away.innerText()) === "43.85 pips");
  await site.price(1.083);
  await until("the distance follows", async () => (await away.innerText()) === "31.85 pips");

  await row.getByRole("link", { name: "Edit BUY limit EUR/USD" }).click();
  const dialog = page.getByRole("dialog", { name: "BUY limit EUR/USD" });
  await dialog.getByLabel("Price", { exact: true }).fill("1.09500");
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await dialog.getByText("Price must be below the current price for a buy limit").waitFor();
  await dialog.getByLabel("Price", { exact: true }).fill("1.08100");
  await dialog.getByLabel("Trailing distance").fill("");
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await told(page, "Order changed");
  expect(await openOf(page)).toMatchObject([
    { triggerPrice: "1.08100000", trailingDistance: null, breakEvenAt: "0.00100000", stopLoss: "1.07000000", ocoGroup: group },
  ]);
  await until("the row follows", async () => (await row.innerText()).includes("1.081000"));

  const other = await site.place(page, limit("1.07000"));
  await letGo(page);
  await rowOf(page, other).waitFor();
  await rowOf(page, other).getByRole("button", { name: "Cancel BUY limit EUR/USD" }).click();
  await told(page, "Order cancelled");
  // Under the pointer it stays, marked; without it, it goes.
  await rowOf(page, other).getByText("Cancelled by you").waitFor();
  await letGo(page);
  await rowOf(page, other).waitFor({ state: "detached" });

  await site.place(page, limit("1.06000"));
  await until("both are listed", async () => (await listOf(page).locator("tr[data-row]").count()) === 2);
  await page.getByRole("link", { name: "Cancel All Orders" }).click();
  const question = page.getByRole("dialog", { name: "Cancel All Orders" });
  await question.getByText("2 waiting orders of this account are cancelled. What has filled stays open.").waitFor();
  await question.getByRole("button", { name: "Cancel 2 orders" }).click();
  await told(page, "2 orders cancelled");
  await letGo(page);
  await page.getByText("No order waits.").waitFor();
  expect(await openOf(page)).toEqual([]);

  await page.getByRole("tab", { name: "Trade History" }).click();
  const cancelled = page.getByRole("table", { name: "Cancelled orders, newest first" });
  await cancelled.waitFor();
  await eventually(async () => expect(await cancelled.locator("[data-cell=reason]").allInnerTexts()).toEqual(Array(3).fill("Cancelled by you")));
  await page.context().close();
});

test("what fills, runs out, lacks margin or ends with its pair leaves by itself; a toast says why, and the history", async () => {
  const page = await site.trader();
  await toPositions(page);
  const group = crypto.randomUUID();
  const first = await site.place(page, limit("1.08000", { ocoGroup: group }));
  const second = await site.place(page, { orderType: "stop", type: "sell", triggerPrice: "1.07000", ocoGroup: group });
  const short = await site.place(page, limit("1.07900", { amount: 5_000_000 }));
  const late = await site.place(page, limit("1.06000", { expiresAt: new Date(site.app.market.clock() + HOUR).toISOString() }));
  for (const order of [first, second, short, late]) await rowOf(page, order).waitFor();
  const toasts = await noteToasts(page);
  await letGo(page);

  await site.price(1.0798);
  await rowOf(page, second).waitFor({ state: "detached" });
  await page.getByRole("table", { name: "Open positions, newest first" }).locator(`tr[data-row="${first.id}"]`).waitFor();
  await site.price(1.0787);
  await rowOf(page, short).waitFor({ state: "detached" });
  site.app.pass(2 * HOUR);
  await site.price(1.0786);
  await rowOf(page, late).waitFor({ state: "detached" });
  await page.getByText("No order waits.").waitFor();
  await eventually(async () =>
    expect((await toasts()).filter((each) => each.startsWith("Order cancelled"))).toEqual([
      "Order cancelledYour waiting SELL EUR/USD order was cancelled. Another order of its group was filled.",
      expect.stringMatching(/^Order cancelledYour waiting BUY EUR\/USD order was cancelled\. .*It needed \$50,000\.00 of margin; \$[\d,.]+ was free\.$/),
      "Order cancelledYour waiting BUY EUR/USD order was cancelled. Its time was over.",
    ]),
  );

  await page.getByRole("tab", { name: "Trade History" }).click();
  const reasons = page.getByRole("table", { name: "Cancelled orders, newest first" }).locator("[data-cell=reason]");
  await until("all three are listed", async () => (await reasons.count()) === 3);
  const words = await reasons.allInnerTexts();
  expect(words[0]).toBe("Expired");
  expect(words[1]).toMatch(/^Not enough margin: needed \$50,000\.00, free \$[\d,.]+$/);
  expect(words[2]).toBe("Cancelled: another of its group filled");
  await page.context().close();
});

test("an edit that comes after the fill is refused in the dialog, in words", async () => {
  const page = await site.trader();
  await toPositions(page);
  const order = await site.place(page, limit("1.08000"));
  await rowOf(page, order).getByRole("link", { name: "Edit BUY limit EUR/USD" }).click();
  const dialog = page.getByRole("dialog", { name: "BUY limit EUR/USD" });
  await dialog.getByLabel("Price", { exact: true }).fill("1.07900");
  await site.price(1.0797);
  await dialog.getByText("This order was filled meanwhile: it is an open position now.").waitFor();
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await dialog.getByText("This order no longer waits, so what it waited for can't be changed.").waitFor();
  expect(await openOf(page)).toMatchObject([{ id: order.id, status: "open" }]);
  await page.context().close();
});

test("a form that was open says what another tab changed meanwhile, and writes over none of it that it was not told to", async () => {
  const page = await site.trader();
  const order = await site.place(page, limit("1.08000", { stopLoss: "1.07000" }));
  const other = await page.context().newPage();
  const form = (tab: Page) => tab.getByRole("dialog", { name: "BUY limit EUR/USD" });
  for (const tab of [page, other]) {
    await toPositions(tab);
    await rowOf(tab, order).getByRole("link", { name: "Edit BUY limit EUR/USD" }).click();
    await form(tab).waitFor();
  }
  await form(page).getByLabel("Price", { exact: true }).fill("1.0790");
  await form(page).getByLabel("Stop loss").fill("");
  await pressed(form(page), "Save changes");
  await form(other).getByText("It was changed meanwhile. Price: 1.079000, Stop loss: none. This form changes only what you write in it.").waitFor();
  await form(other).getByLabel("Take profit").fill("1.0900");
  await pressed(form(other), "Save changes");
  expect(await openOf(page)).toMatchObject([{ triggerPrice: "1.07900000", stopLoss: null, takeProfit: "1.09000000" }]);
  await page.context().close();
});

test("on a phone a position's dialog leads to the first wrong field, and says of an amount to close before it is sent what the server would", async () => {
  const page = await site.trader({ touch: true });
  const position = await site.place(page, {});
  const closings: string[] = [];
  page.on("request", (request) => void (request.url().endsWith("/close") && closings.push(request.postData() ?? "")));
  await page.goto("/traders-portal?tab=positions");
  await rowOf(page, position).getByRole("button", { name: "Details" }).tap();
  await rowOf(page, position).getByRole("link", { name: "Edit EUR/USD" }).tap();
  const dialog = page.getByRole("dialog", { name: "BUY EUR/USD" });
  const refused = async (label: string, text: string, deed: string, words: string) => {
    const field = dialog.getByLabel(label, { exact: true });
    await field.fill(text);
    // From wherever it was pressed.
    await dialog.getByRole("button", { name: deed }).press("Enter");
    await dialog.getByText(words, { exact: true }).waitFor();
    await eventually(async () => expect(await wrongField(page)).toEqual({ id: (await field.getAttribute("id")) ?? "", hidden: [] }));
  };
  // Found by the server, and by the page.
  await refused("Stop loss", "1.2", "Save changes", "Stop loss must be below the current price for a buy");
  await dialog.getByLabel("Stop loss", { exact: true }).fill("");
  await refused("Trailing distance", "-4", "Save changes", "Trailing distance must be a price distance above zero");
  await refused("Amount to close ($)", "5", "Close this amount", "The amount to close must be at least $10.00, or the whole position.");
  await refused("Amount to close ($)", "1000.01", "Close this amount", "The amount to close must be at most $1,000.00.");
  expect(closings).toEqual([]);
  expect(await openOf(page)).toMatchObject([{ id: position.id, amount: "1000.00", stopLoss: null, trailingDistance: null }]);
  await page.context().close();
});

test("without scripts: edited and cancelled by forms, all cancelled after a question on a page of its own", async () => {
  const page = await site.trader({ javaScriptEnabled: false, width: 768, height: 1024 });
  for (const at of ["1.08000", "1.07000", "1.06000"]) await site.place(page, limit(at));
  await page.goto("/traders-portal?tab=positions");
  const rows = listOf(page).locator("tr[data-row]");
  await rows.first().getByRole("link", { name: "Edit BUY limit EUR/USD" }).click();
  await page.getByRole("heading", { name: "Edit BUY limit EUR/USD" }).waitFor();
  await page.getByLabel("Price", { exact: true }).fill("1.2");
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByText("Price must be below the current price for a buy limit").waitFor();
  await eventually(async () => expect(await page.getByLabel("Price", { exact: true }).inputValue()).toBe("1.2"));
  await page.getByLabel("Price", { exact: true }).fill("1.065");
  await page.getByLabel("Stop loss").fill("1.05");
  await page.getByRole("button", { name: "Save changes" }).click();
  await eventually(async () => expect((await openOf(page))[0]).toMatchObject({ triggerPrice: "1.06500000", stopLoss: "1.05000000" }));
  await rows.first().waitFor();
  await rows.first().getByRole("button", { name: "Cancel BUY limit EUR/USD" }).click();
  await until("it has gone", async () => (await rows.count()) === 2);
  await page.getByRole("link", { name: "Cancel All Orders" }).click();
  await page.getByRole("button", { name: "Cancel 2 orders" }).click();
  await page.getByText("No order waits.").waitFor();
  expect(await openOf(page)).toEqual([]);
  await page.goto("/traders-portal?tab=history");
  expect(await page.locator("[data-cell=reason]").allInnerTexts()).toEqual(Array(3).fill("Cancelled by you"));
  await page.context().close();
});

test("axe finds nothing in the list, the dialog, the question and the menu, nor on the pages without scripts", async () => {
  const page = await site.trader({ bypassCSP: true });
  const order = await site.place(page, limit("1.08000", { ocoGroup: crypto.randomUUID(), trailingDistance: "0.0020", breakEvenAt: "0.0010" }));
  await site.place(page, { orderType: "stop_limit", triggerPrice: "1.08500", limitPrice: "1.08480" });
  await site.place(page, { type: "sell", trailingDistance: "0.0010" });
  await toPositions(page);
  await handleOf(page, /^Limit price of/);
  const found = await inspectHere(page, "the list");
  // A price that nobody vouches for is shown grey, and can be read.
  site.app.pass(11_000);
  await page
    .getByText(/^Stale price/)
    .first()
    .waitFor({ state: "attached" });
  found.push(...(await inspectHere(page, "the list at an old price")));
  await site.price(1.0842);
  await page.setViewportSize({ width: 1440, height: 900 });
  await rowOf(page, order).getByRole("link", { name: "Edit BUY limit EUR/USD" }).click();
  await page.getByRole("dialog").getByLabel("Price", { exact: true }).waitFor();
  found.push(...(await inspectHere(page, "the dialog")));
  await page.keyboard.press("Escape");
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole("link", { name: "Cancel All Orders" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel 2 orders" }).waitFor();
  found.push(...(await inspectHere(page, "the question")));
  await page.keyboard.press("Escape");
  for (const path of [`/positions/${order.id}/edit`, "/positions/cancel"]) {
    await page.goto(path);
    found.push(...(await inspectHere(page, path)));
  }
  expect(found).toEqual([]);
  await page.context().close();
});
