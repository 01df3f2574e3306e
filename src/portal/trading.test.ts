import { afterAll, beforeAll, expect, test } from "bun:test";
import { type TestApp, testApp } from "../testing/app";
import { accountsOf, order } from "../testing/scenarios";

/** The trading platform page as the server draws it, which is what a browser without scripts shows. */

const HOSTILE = `<script>alert(1)</script><img src=x onerror=alert(2)>`;

let app: TestApp;
let trader: Awaited<ReturnType<TestApp["trader"]>>;
beforeAll(async () => {
  app = await testApp();
  await app.quote("EUR/USD", "1.08420", "1.08425");
  await app.quote("EUR/GBP", "0.85000", "0.85009");
  trader = await app.trader();
});
afterAll(() => app.end());

const page = async (path: string, person = trader) => {
  const { status, text } = await person.get(path);
  expect(status).toBe(200);
  return text;
};
const plain = (html: string) =>
  html
    .replace(/<script[\s\S]*?<\/script>/g, "")
    .replace(/<[^>]+>/g, "")
    .replaceAll("&amp;", "&");
const region = (html: string, name: string) =>
  plain(new RegExp(`<section aria-label="${name}".*?</section>`).exec(html.replace(/<script[\s\S]*?<\/script>/g, ""))?.[0] ?? "");

test("the Market Watch lists six pairs, with the prices that the account gets", async () => {
  const html = await page("/trading");
  const watch = region(html, "Market Watch");
  expect(["EUR/USD", "GBP/USD", "USD/JPY", "AUD/USD", "USD/CHF", "USD/CAD"].every((pair) => watch.includes(pair))).toBe(true);
  expect(watch).not.toContain("NZD/USD");
  expect(watch).toContain("1.0840601.084390");
});

test("the screener shows the account's own: bid, ask, spread in pips, the day's range; majors as a table, minors as cards", async () => {
  const majors = await page("/trading");
  const row = plain(/<tr data-row="EUR\/USD".*?<\/tr>/.exec(majors)?.[0] ?? "");
  expect(row).toContain("Bid1.084060");
  expect(row).toContain("Ask1.084390");
  expect(row).toContain("Spread (pips)3.30");
  expect(majors).toContain(`aria-label="BUY EUR/USD"`);
  expect(majors).not.toContain(`data-row="EUR/GBP"`);
  const minors = await page("/trading?pairs=minor");
  expect(plain(/<li data-row="EUR\/GBP".*?<\/li>/.exec(minors)?.[0] ?? "")).toContain("Spread3.30 pips");
  expect(minors).not.toContain(`data-row="EUR/USD"`);
});

test("every tab has an address, and takes account and pair along", async () => {
  const [account] = await accountsOf(trader);
  const html = await page("/trading?symbol=USD/JPY");
  for (const id of ["screener", "trading", "charts", "positions", "support"])
    expect(html).toContain(
      `href="/trading?account=${account?.id}&amp;symbol=USD/JPY&amp;tab=${id}" role="tab" id="tab-${id}" aria-selected="${id === "screener"}"`,
    );
  for (const words of ["Live Screener", "Trading", "Charts", "Positions", "Support"]) expect(plain(html)).toContain(words);
  const order = await page("/trading?tab=trading&symbol=BTC/USD&side=sell");
  expect(order).toMatch(/<option selected="">BTC\/USD</);
  expect(order).toMatch(/aria-pressed="true"[^>]*><span[^>]*>SELL/);
  expect(order).toContain(`value="100"`);
  expect(order).toContain(">Execute Trade</button>");
  expect((await page("/trading?tab=charts")).match(/aria-label="Pair of chart \d"/g)).toHaveLength(4);
});

test("Support is the ticket portal, whose own tabs stay on this page", async () => {
  const html = await page("/trading?tab=support&symbol=USD/JPY");
  expect(html).toContain("No support tickets yet");
  expect(html).toMatch(/href="\/trading\?account=[0-9a-f-]+&amp;symbol=USD\/JPY&amp;tab=support&amp;view=new"/);
});

test("positions and figures are the chosen account's alone", async () => {
  const { body: second } = await trader.post<{ id: string }>("/api/trading-accounts", { accountTypeId: "gold", isDemo: true });
  const { body: placed } = await trader.post<{ id: string }>("/api/trading/positions", { ...order, accountId: second.id });
  const [first] = (await accountsOf(trader)).filter(({ id }) => id !== second.id);
  expect(await page(`/trading?tab=positions&account=${second.id}`)).toContain(`data-row="${placed.id}"`);
  const other = await page(`/trading?tab=positions&account=${first?.id}`);
  expect(other).toContain("No open positions");
  const account = (await accountsOf(trader)).find(({ id }) => id === second.id);
  const overview = region(await page(`/trading?account=${second.id}`), "Account Overview");
  expect(overview).toContain(`Equity$${Number(account?.equity).toLocaleString("en-US", { minimumFractionDigits: 2 })}`);
});

test("nonsense in the address changes nothing, and a hostile name is text", async () => {
  const [account] = await accountsOf(trader);
  await trader.patch(`/api/trading-accounts/${account?.id}`, { name: HOSTILE.slice(0, 60) });
  const nonsense = encodeURIComponent(HOSTILE);
  for (const path of ["/trading", `/trading?tab=${nonsense}&symbol=${nonsense}&side=${nonsense}&pairs=${nonsense}&account=${nonsense}`]) {
    const html = await page(path);
    expect(html).not.toContain("<script>alert(1)");
    expect(html).not.toContain("<img src=x");
    expect(html).toContain("Forex Screener");
  }
});

test("without an account it leads to one, on every tab", async () => {
  const person = await app.trader();
  const [only] = await accountsOf(person);
  await person.post(`/api/trading-accounts/${only?.id}/close`);
  for (const tab of ["screener", "trading", "charts", "positions"])
    expect(await page(`/trading?tab=${tab}`, person)).toContain("You have no trading account yet");
});
