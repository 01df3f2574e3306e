import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { displayMoney } from "../lib/money";
import { type TestApp, testApp } from "../testing/app";
import { fundLive, order } from "../testing/scenarios";

/** The signed-in home and the dashboard's figures: what they show is what SQL sums, and demo money is in none of it. */

const HOSTILE = `<script>alert(1)</script><img src=x onerror=alert(2)>`;

let app: TestApp;
let trader: Awaited<ReturnType<TestApp["trader"]>>;
let live: string;

beforeAll(async () => {
  app = await testApp();
  await app.quote("EUR/USD", "1.10000", "1.10002");
  await app.quote("BTC/USD", "90000.00", "90005.50");
  trader = await app.trader({ firstName: "Ada" });
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

const plain = (html: string) =>
  html
    .replace(/<script[\s\S]*?<\/script>/g, "")
    .replace(/<[^>]+>/g, " ")
    .replaceAll("&amp;", "&")
    .replaceAll("&#x27;", "'")
    .replace(/\s+/g, " ");
const page = async (path = "/", person = trader) => {
  const { status, text } = await person.get(path);
  expect(status).toBe(200);
  return text;
};
/** The text of a figure by its name. */
const figure = (html: string, name: string) => {
  const from = html.split(`aria-label="${name.replace("&", "&amp;")}"`)[1] ?? "";
  const found = from.slice(from.indexOf(">") + 1).split(/role="group"|<\/section>/)[0] ?? "";
  return plain(`${found}>`.replace(/<[^>]*>?>$/, ""))
    .trim()
    .replace(name, "")
    .trim();
};

describe("a newcomer's home", () => {
  test("greets, and shows the demo money before the zeros of live money", async () => {
    const html = await page();
    expect(html).toContain("Welcome back, Ada");
    expect(figure(html, "Equity")).toStartWith("$10,000.00");
    expect(figure(html, "Balance")).toStartWith("$10,000.00");
    expect(figure(html, "P&L")).toStartWith("$0.00");
    expect(figure(html, "Open Positions")).toStartWith("0 ");
    expect(figure(html, "Win Rate")).toStartWith("0% No closed trades yet, demo");
    expect(html).toContain("No recent activity");
    expect(figure(html, "Live accounts")).toContain("$0.00 in your wallet and on live accounts, 0 open, win rate 0%");
    const dashboard = plain(await page("/dashboard"));
    expect(dashboard.indexOf("Demo balance, virtual money: $10,000.00")).toBeGreaterThan(0);
    expect(dashboard.indexOf("Demo balance")).toBeLessThan(dashboard.indexOf("Account Balance $0.00"));
  });

  test("says in its first line what it is for, and the dashboard what it is for", async () => {
    expect(plain(await page())).toContain("Welcome back, Ada The account you trade on, the market at this moment, and what you did last.");
    expect(plain(await page("/dashboard"))).toContain("Welcome, Ada All your money: balances, accounts, requests and every movement.");
  });

  test("a visitor's first page is another", async () => {
    const { text } = await app.stranger().get("/");
    expect(text).not.toContain("Welcome back");
    expect(text).toContain("Register Now");
  });

  test("shows the account that orders go to, as it is", async () => {
    const html = plain(await page());
    expect(html).toMatch(/Starter Demo ACC\d+, leverage 1:100 All accounts Equity \$10,000\.00/);
  });

  test("lists the coins alone, with the ask as High and the bid as Low, and says so", async () => {
    const html = await page();
    const row = /<tr data-symbol="BTC\/USD".*?<\/tr>/.exec(html)?.[0] ?? "";
    const cell = (name: string) => plain(new RegExp(`data-cell="${name}".*?</td>`).exec(row)?.[0] ?? "").replaceAll(" ", "");
    expect([cell("bid"), cell("ask"), cell("high"), cell("low")].map((text) => text.replace(/^[^>]*>/, ""))).toEqual([
      "Bid90,000.00",
      "Ask90,005.50",
      "High90,005.50",
      "Low90,000.00",
    ]);
    expect(row).toContain(">Live</span>");
    expect(html).not.toContain(`data-symbol="EUR/USD"`);
    expect(plain(html)).toContain("High shows the ask and Low the bid");
  });

  test("leads with five packages, Starter from $300, to the account's opening", async () => {
    const html = await page();
    expect([...html.matchAll(/href="\/accounts\/create\?type=(\w+)"/g)].map(([, id]) => id)).toEqual(["starter", "bronze", "silver", "gold", "platinum"]);
    expect(plain(html)).toMatch(/Starter \$300 minimum deposit/);
    for (const figures of ["5+", "10k+", "50k+", "100+", "200+"]) expect(plain(html)).toContain(figures);
    expect(plain(html)).toContain("Sample Figures that show how a broker");
  });

  test("promises what approval pays, and only to whom it pays it", async () => {
    const [newcomer, old, admin] = [await app.trader(), await app.trader(), await app.admin()];
    const { body } = await old.post<{ id: string }>("/api/deposits", { amount: 100, currency: "USD", method: "bank" });
    expect((await admin.post(`/api/admin/deposits/${body.id}/approve`)).status).toBe(200);
    expect(plain(await page("/", newcomer))).toContain("A first deposit of $5,000 or more earns $500 on top.");
    expect(plain(await page("/", newcomer))).toContain("A first deposit of $5,000 or more in Bitcoin earns another $100.");
    expect(await page("/", old)).not.toContain("A first deposit of");
    expect(plain(await page("/deposit", newcomer))).toContain("For a first deposit of $5,000.00 or more");
    expect(plain(await page("/deposit", old))).not.toContain("For a first deposit of");
  });

  test("shows a hostile name as text", async () => {
    const html = await page("/", await app.trader({ firstName: HOSTILE }));
    expect(html).not.toContain("<script>alert(1)");
    expect(html).not.toContain("<img src=x");
  });

  test("says that the prices are being loaded while there are none", async () => {
    const quiet = await testApp();
    try {
      const person = await quiet.trader();
      expect((await person.get("/")).text).toContain("Loading live market data...");
    } finally {
      await quiet.end();
    }
  });
});

describe("after trades on a demo and on a live account", () => {
  beforeAll(async () => {
    live = await fundLive(app, trader, "1000.00");
    const open = async (accountId: string | null, type: string, amount: number) =>
      (await trader.post<{ id: string }>("/api/trading/positions", { ...order, type, amount, accountId })).body.id;
    const [demo] = (await trader.get<{ id: string; isDemo: boolean }[]>("/api/trading-accounts")).body.filter(({ isDemo }) => isDemo);
    const won = await open(live, "buy", 20_000);
    const lost = await open(live, "sell", 7_000);
    const lostToo = await open(live, "sell", 5_000);
    const virtual = await open(demo?.id ?? "", "buy", 90_000);
    await open(demo?.id ?? "", "buy", 500);
    await app.quote("EUR/USD", "1.10500", "1.10502");
    for (const id of [won, lost, lostToo, virtual]) expect((await trader.post(`/api/trading/positions/${id}/close`)).status).toBe(200);
    await open(live, "buy", 600);
    await trader.post("/api/deposits", { amount: 250, currency: "USD", method: "bank" });
  });

  const one = async (query: PromiseLike<readonly Record<string, unknown>[]>) => String(Object.values((await query)[0] ?? {})[0]);

  test("every figure is SQL's", async () => {
    const html = await page();
    const { sql } = app;
    const money = await one(sql`select l.balance from ledger_accounts l join trading_accounts a on a.ledger_account_id = l.id where a.id = ${live}`);
    expect(figure(html, "Balance")).toStartWith(displayMoney(money));
    const [held] = (await trader.get<{ profit: string; accountId: string }[]>("/api/trading/positions/open")).body.filter(
      ({ accountId }) => accountId === live,
    );
    expect(figure(html, "P&L").replaceAll(" ", "")).toContain(displayMoney(held?.profit ?? "", { sign: true }));
    expect(figure(html, "Open Positions")).toStartWith("1 ");
    expect(figure(html, "Win Rate")).toStartWith("33.3% 1 of 3 closed with a profit, live");
    expect(figure(html, "Demo accounts")).toContain("1 open, win rate 100%");
  });

  test("the month's result is what the ledger booked, and its share of the money without it", async () => {
    const html = await page("/dashboard");
    const { sql } = app;
    const profit = await one(sql`
      select sum(p.amount) from ledger_postings p join ledger_entries e on e.id = p.entry_id join ledger_accounts a on a.id = p.account_id
      where a.owner_id = ${trader.id} and a.book = 'live' and e.kind = 'trade_close' and e.created_at >= date_trunc('month', now())
    `);
    const percent = ((Number(profit) / 1000) * 100).toFixed(1);
    expect(figure(html, "Monthly P&L").replaceAll(" ", "")).toBe(`▲${displayMoney(profit, { sign: true })}▲+${percent}%,bookedonliveaccounts,UTCmonth`);
  });

  test("the newest commands are told, demo ones marked, each leading to more", async () => {
    const html = await page();
    const list = plain(/aria-label="Recent Activity".*?<\/section>/.exec(html)?.[0] ?? "");
    expect(list).toContain("Deposit in USD");
    expect(list).toContain("BUY EUR/USD opened");
    expect(list).toContain("SELL EUR/USD closed");
    expect(list).toContain("Transfer from your wallet to ACC");
    expect(list.match(/ Demo /g)).toHaveLength(2);
    expect(html).toMatch(/href="\/positions\/[0-9a-f-]{36}\/receipt"/);
  });

  test("an order that waits for its price is not said to wait for the market, and leads to the waiting orders", async () => {
    const waiter = await app.trader();
    expect((await waiter.post("/api/trading/positions", { ...order, orderType: "limit", triggerPrice: "1.05000" })).status).toBe(201);
    const list = /aria-label="Recent Activity".*?<\/section>/.exec(await page("/", waiter))?.[0] ?? "";
    expect(plain(list)).toContain("BUY EUR/USD order waits");
    expect(list).toContain('href="/traders-portal?tab=waiting#lists"');
  });

  test("nobody else sees any of it", async () => {
    const html = await page("/", await app.trader());
    expect(html).toContain("No recent activity");
    expect(figure(html, "Live accounts")).toStartWith("Live money: $0.00");
  });
});
