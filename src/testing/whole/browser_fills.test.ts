import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { eventually } from "../browser";
import { HISTORY, openCharts, openTools } from "../browser_chart";

/** Past fills on the chart of somebody who deals a lot. */

let site: Awaited<ReturnType<typeof openCharts>>;
beforeAll(async () => void (site = await openCharts()));
afterAll(() => site.end());

const fillsOn = (page: Page, name: RegExp) => page.locator("[data-island=PriceChart]").getByRole("link", { name });
const BUSY = 2_000;

/** A trader who dealt 2,000 times since the first candle; the first time, of $77, in that candle, when he also began what he held for days, of $88. */
async function busyTrader(): Promise<Page> {
  const page = await site.trader();
  const { sql, market } = site.app;
  const { id } = (await (await page.request.get("/api/auth/user")).json()) as { id: string };
  const now = new Date(market.clock()).toISOString();
  await sql`
    insert into positions (
      account_id, user_id, symbol, side, amount, volume, leverage, margin, open_price, close_price, profit, status, close_reason, created_at, opened_at, closed_at, since_seq
    )
    select a.id, a.user_id, 'EUR/USD', 'buy', d.amount, round(d.amount / 1.085, 8), 100, margin_of(d.amount, 100), 1.085, 1.085, 0, 'closed', 'trader', d.opened, d.opened, d.closed, 1
    from trading_accounts a
    cross join lateral (
      select c.first + n * (${now}::timestamptz - interval '1 hour' - c.first) / ${BUSY} as opened, interval '1 minute' as held, case n when 0 then 77 else 100 end as amount
      from (select min(time) as first from candles where symbol = 'EUR/USD' and interval = '5m') c, generate_series(0, ${BUSY - 1}) n
      union all
      select min(time), ${now}::timestamptz - min(time) - interval '1 hour', 88 from candles where symbol = 'EUR/USD' and interval = '5m'
    ) h
    cross join lateral (select h.opened, h.opened + h.held as closed, h.amount) d
    where a.user_id = ${id}
  `;
  return page;
}

/** To the first candle there is. */
async function goBack(page: Page) {
  await page.locator("[data-island=PriceChart]").getByRole("application").focus();
  for (let press = 0; press < HISTORY / 10 + 5; press++) await page.keyboard.press("Shift+ArrowLeft");
  await eventually(async () => expect(await page.locator("[data-island=PriceChart] .chart-told").textContent()).toContain("The first candle."));
}

test("whatever time one scrolls to has its fills, of 2,000 too, also of what was held for days; each stretch is asked for once", async () => {
  const page = await busyTrader();
  const asked: string[] = [];
  page.on("request", (request) => request.url().includes("since=") && asked.push(request.url()));
  const tools = await openTools(page);
  await tools.getByRole("button", { name: "Past fills" }).click();
  await fillsOn(page, /^Bought \$100\.00 of EUR\/USD/)
    .first()
    .waitFor();
  await goBack(page);
  await fillsOn(page, /^Bought \$77\.00 of EUR\/USD at .*: receipt$/).waitFor();
  await fillsOn(page, /^Bought \$88\.00 of EUR\/USD at .*: receipt$/).waitFor();
  // None came twice. A machine that is slow rests on the way, and asks for what it passes, too.
  expect(asked.length).toBeLessThan(BUSY / 50);
  expect(new Set(asked).size).toBe(asked.length);
  const known = asked.length;
  await page.keyboard.press("ArrowRight");
  await Bun.sleep(1_000);
  expect(asked.length).toBe(known);
  await page.context().close();
});

test("a fetch that failed is tried again by itself and told once; it comes back without a press", async () => {
  const page = await busyTrader();
  let refused = 0;
  await page.route(/positions\/history\?.*since=/, (route) =>
    refused++ < 2 ? route.fulfill({ status: 429, json: { error: "too_many_requests", message: "Wait." } }) : route.continue(),
  );
  const tools = await openTools(page);
  await tools.getByRole("button", { name: "Past fills" }).click();
  await eventually(async () => expect(refused).toBeGreaterThan(2));
  await fillsOn(page, /^Bought \$100\.00 of EUR\/USD/)
    .first()
    .waitFor();
  const said = await page.evaluate(() => (window as unknown as { said: string[][] }).said.map((parts) => parts.join(" ")));
  expect(said.filter((words) => words.includes("Past fills could not be loaded"))).toHaveLength(1);
  await page.context().close();
});
