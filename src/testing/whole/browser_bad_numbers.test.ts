import { expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { eventually, told } from "../browser";
import { limit, openOf, ordersSite, rowOf, toPositions } from "../browser_orders";

/** What is no number, in a field that may be empty: it is refused where it stands, and nothing is taken away or left out for it. */

const site = ordersSite();

const HOUR = 3_600_000;
const exits = { stopLoss: "1.07", takeProfit: "1.09" };
/** Key by key, as a person does: what a field does not take does not arrive there. */
async function types(field: Locator, text: string) {
  await field.click();
  await field.press("Control+a");
  await field.pressSequentially(text);
}
const said = (field: Locator) =>
  field.evaluate((input) => document.getElementById(input.getAttribute("aria-describedby")?.split(" ")[0] ?? "")?.textContent ?? "");
const exitsOf = async (page: Page) => {
  const [position] = await openOf(page);
  return [position?.stopLoss, position?.takeProfit, position?.trailingDistance].map((value) => value && Number(value));
};

test("the edit of a position without scripts: the stop stays, and what was typed comes back; only an emptied field takes it away", async () => {
  const page = await site.trader({ javaScriptEnabled: false, width: 360, height: 740 });
  const { id } = await site.place(page, exits);
  const stop = page.getByLabel("Stop loss");
  await page.goto(`/positions/${id}/edit`);
  for (const typed of ["1e", "-", "abc", "1,06", "1.0.6", "1.06x", "-1.06", "１.０６"]) {
    await types(stop, typed);
    const [answer] = await Promise.all([
      page.waitForResponse((each) => each.request().method() === "POST"),
      page.getByRole("button", { name: "Save changes" }).click(),
    ]);
    await page.waitForLoadState();
    expect([typed, answer.status(), await stop.inputValue(), await stop.getAttribute("aria-invalid")]).toEqual([typed, 400, typed, "true"]);
    expect((await said(stop)).length).toBeGreaterThan(5);
    expect([typed, ...(await exitsOf(page))]).toEqual([typed, 1.07, 1.09, null]);
  }
  await stop.fill("");
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.waitForURL("**tab=positions**");
  expect(await exitsOf(page)).toEqual([null, 1.09, null]);
  await page.context().close();
});

test("half a moment is not sent at all: the order goes on ending when it did", async () => {
  const page = await site.trader({ javaScriptEnabled: false });
  const expiresAt = new Date(Math.floor(site.app.market.clock() / 60_000) * 60_000 + HOUR).toISOString();
  const { id } = await site.place(page, limit("1.08000", { expiresAt }));
  await page.goto(`/positions/${id}/edit`);
  const ends = page.getByLabel("Expires (UTC)");
  await ends.focus();
  await page.keyboard.press("Delete");
  expect(await ends.evaluate((field: HTMLInputElement) => [field.value, field.validity.badInput])).toEqual(["", true]);
  await page.getByRole("button", { name: "Save changes" }).click();
  await eventually(async () => expect(await page.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("expiresAt"));
  expect([new URL(page.url()).pathname, (await openOf(page))[0]?.expiresAt]).toEqual([`/positions/${id}/edit`, expiresAt]);
  await page.context().close();
});

test("a new order without scripts: it is not shown, far less placed, without the stop that was meant", async () => {
  const page = await site.trader({ javaScriptEnabled: false });
  await page.goto("/positions/new?symbol=EUR/USD&side=buy");
  for (const label of ["Stop Loss", "Take Profit", "Trailing distance", "Break-even at", "Amount ($)"]) {
    const field = page.getByLabel(label, { exact: true });
    const before = await field.inputValue();
    await types(field, "1,07x");
    await page.getByRole("button", { name: "Preview order" }).click();
    await eventually(async () => expect([label, await field.getAttribute("aria-invalid"), await field.inputValue()]).toEqual([label, "true", "1,07x"]));
    await field.fill(before);
  }
  expect(await openOf(page)).toEqual([]);
  await page.context().close();
});

test("with scripts, in the dialog and in the order panel", async () => {
  const page = await site.trader();
  const position = await site.place(page, exits);
  await toPositions(page);
  await rowOf(page, position).getByRole("link", { name: "Edit EUR/USD" }).click();
  const dialog = page.getByRole("dialog", { name: "BUY EUR/USD" });
  const stop = dialog.getByLabel("Stop loss");
  await types(stop, "1e");
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await eventually(async () => expect(await said(stop)).toContain("This is no number."));
  expect(await exitsOf(page)).toEqual([1.07, 1.09, null]);
  await stop.fill("");
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await told(page, "Position changed");
  expect(await exitsOf(page)).toEqual([null, 1.09, null]);

  await page.goto("/traders-portal");
  const panel = page.locator("#execute-trade");
  await page.locator("[data-island=OrderPanel][data-awake]").waitFor({ state: "attached" });
  const exit = panel.getByLabel("Stop Loss");
  await types(exit, "1e");
  await panel.getByRole("button", { name: /^Execute BUY EUR\/USD/ }).click();
  await eventually(async () => expect(await said(exit)).toContain("This is no number."));
  expect(await openOf(page)).toHaveLength(1);
  await types(exit, "1.07");
  await panel.getByRole("button", { name: /^Execute BUY EUR\/USD/ }).click();
  await told(page, "Trade Executed");
  expect((await openOf(page)).map(({ stopLoss }) => stopLoss && Number(stopLoss)).sort()).toEqual([1.07, null]);
  await page.context().close();
});
