import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Position } from "../trading/schema";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { FOOT, SIDE } from "../../views/portal/tabs";
import { MINUTE } from "../lib/time";
import { folders } from "../platform/files";
import { manifest } from "../platform/page/assets";
import { classesIn, usedIn } from "../platform/page/page_style";
import { type TestApp, testApp } from "../testing/app";
import { drawnAnew } from "../testing/drawn_anew";
import { accountsOf, order } from "../testing/scenarios";

const HOSTILE = `<script>alert(1)</script><img src=x onerror=alert(2)>`;

let app: TestApp;
let trader: Awaited<ReturnType<TestApp["trader"]>>;
beforeAll(async () => {
  app = await testApp();
  await app.quote("EUR/USD", "1.08420", "1.08425");
  await app.quote("BTC/USD", "90000.00", "90005.00");
  trader = await app.trader({ firstName: HOSTILE, lastName: "O'Brien </title>" });
});
afterAll(() => app.end());

const page = async (path: string) => {
  const { status, text } = await trader.get(path);
  expect(status).toBe(200);
  return text;
};
const place = async (more: Record<string, unknown> = {}) => {
  const { status, body } = await trader.post<Position>("/api/trading/positions", { ...order, ...more });
  expect(status).toBe(201);
  return body;
};

for (const path of ["/dashboard", "/traders-portal", "/traders-portal?tab=crypto", "/dashboard?tab=positions", "/dashboard?tab=transactions"])
  test(`${path} shows a hostile name as text`, async () => {
    const html = await page(path);
    expect(html).not.toContain("<script>alert(1)");
    expect(html).not.toContain("<img src=x");
  });

test("the dashboard says what waits for the approval, and keeps demo money apart", async () => {
  const html = await page("/dashboard");
  expect(html).toContain("Your registration is awaiting approval.");
  for (const label of ["Account Balance", "Trading Balance", "Total Profit", "Active Accounts", "Monthly P&amp;L"])
    expect(html).toContain(`aria-label="${label}"`);
  expect(html).toContain("$10,000.00");
  expect(html.replaceAll("<!-- -->", "")).toContain("It is in none of the figures below.");
});

test("the portal is drawn whole by the server: the account's own prices, the form by its labels", async () => {
  const html = await page("/traders-portal");
  for (const label of ["Currency Pair", "Trade Type", "Amount ($)", "Stop Loss", "Take Profit"]) expect(html).toContain(`>${label}</label>`);
  for (const words of ["Execute BUY EUR/USD", "Preview Trade", "Forex Watchlist", "Cryptocurrency", "No-such"])
    expect(html.includes(words)).toBe(words !== "No-such");
  expect(html.replace(/<[^>]+>/g, "")).toContain("BUY1.084390");
});

test("parts of the screens that were drawn before are those that would be drawn now, by price, choice and standing", async () => {
  const paths = [
    "/traders-portal",
    "/trading",
    "/trading?pairs=minor",
    "/trading?tab=trading",
    "/trading?tab=trading&symbol=BTC/USD&side=sell",
    "/traders-portal?tab=crypto",
    "/traders-portal?symbol=BTC/USD",
    "/traders-portal?tab=lists",
  ];
  const cards = { headers: { cookie: `${trader.cookie}; watch=cards` } };
  const pages = async () => {
    const all = [...paths.map((path) => trader.get(path)), trader.get("/traders-portal", cards)];
    return (await Promise.all(all)).map(({ status, text }) => `${status} ${text}`);
  };
  const anew = () => drawnAnew(pages);
  const first = await pages();
  for (const text of first) expect(text).toStartWith("200 ");
  expect(await pages()).toEqual(first);
  expect(first).toEqual(await anew());
  await app.quote("EUR/USD", "1.08440", "1.08445");
  const moved = await pages();
  expect(moved).toEqual(await anew());
  expect(moved[0]).not.toBe(first[0]);
  app.pass(10 * MINUTE);
  const old = await pages();
  expect(old).toEqual(await anew());
  expect(old[0]).toContain("Stale price");
  await app.quote("EUR/USD", "1.08420", "1.08425");
  await app.quote("BTC/USD", "90000.00", "90005.00");
});

test("each tab is drawn for its address", async () => {
  const position = await place();
  expect(await page("/traders-portal?tab=positions")).toContain(`data-row="${position.id}"`);
  expect(await page("/dashboard?tab=positions")).toContain(`data-row="${position.id}"`);
  expect(await page("/traders-portal?tab=history")).toContain("No trade history");
  const closed = await trader.post(`/api/trading/positions/${position.id}/close`);
  expect(closed.status).toBe(200);
  expect(await page("/traders-portal?tab=positions")).toContain("No open positions");
  const history = await page("/traders-portal?tab=history");
  expect(history).toContain("Closed by you");
  expect(history).toContain(`href="/positions/${position.id}/receipt"`);
});

test("?account= and ?symbol= choose, and nonsense in them changes nothing", async () => {
  const [account] = await accountsOf(trader);
  const second = await trader.post<{ id: string; accountNumber: string }>("/api/trading-accounts", { accountTypeId: "gold", isDemo: true });
  const html = await page(`/traders-portal?account=${second.body.id}&symbol=BTC/USD`);
  expect(html).toContain("Execute BUY BTC/USD");
  expect(html).toContain(`aria-label="Account ${second.body.accountNumber}"`);
  const fallen = await page(`/traders-portal?account=${encodeURIComponent(HOSTILE)}&symbol=${encodeURIComponent(HOSTILE)}&tab=${encodeURIComponent(HOSTILE)}`);
  expect(fallen).toContain(`aria-label="Account ${account?.accountNumber}"`);
  expect(fallen).toContain("Execute BUY EUR/USD");
});

test("the account that an address names is the one of every trading screen from there on, in this browser alone", async () => {
  const own = await app.trader();
  const { body: live } = await own.post<{ id: string }>("/api/trading-accounts", { accountTypeId: "starter", isDemo: false });
  const { body: demo } = await own.post<{ id: string }>("/api/trading-accounts", { accountTypeId: "gold", isDemo: true });
  /** As a browser would: the session's cookie, and what the page asked it to keep. */
  const shown = async (path: string, account?: string) => {
    const { text, headers } = await own.get(path, account ? { headers: { cookie: `${own.cookie}; account=${account}` } } : {});
    return { text, kept: headers.getSetCookie() };
  };
  const choosing = await shown(`/traders-portal?account=${demo.id}`);
  expect(choosing.kept).toEqual([`account=${demo.id}; Path=/; SameSite=Lax`]);
  for (const path of ["/traders-portal", "/trading?tab=trading", "/traders-portal?account=nonsense"]) {
    const { text, kept } = await shown(path, demo.id);
    expect([path, text.includes(`account=${demo.id}&amp;`), text.includes("Demo account: virtual money"), kept]).toEqual([path, true, true, []]);
  }
  const other = await shown(`/trading?tab=trading&account=${live.id}`, demo.id);
  expect(other.text).toContain("Live account: real money");
  expect(other.text).toContain(">Execute Trade (live)</button>");
  expect(other.kept).toEqual([`account=${live.id}; Path=/; SameSite=Lax`]);
  expect((await shown("/traders-portal", live.id)).text).toContain("Execute BUY EUR/USD (live)</button>");
  const [strange] = await accountsOf(trader);
  expect((await shown("/traders-portal", strange?.id)).text).not.toContain(strange?.id ?? "");
});

test("a live account that can't trade yet says why", async () => {
  const live = await trader.post<{ id: string }>("/api/trading-accounts", { accountTypeId: "starter", isDemo: false });
  const html = await page(`/traders-portal?account=${live.body.id}`);
  expect(html).toContain("This account can&#x27;t trade yet.");
});

test("a receipt shows every fill; another person's does not exist", async () => {
  const { id } = await place({ currentPrice: "1.0840" });
  const html = await page(`/positions/${id}/receipt`);
  for (const words of ["Opening fill", "3.3 pips", "against you", "Still open"]) expect(html).toContain(words);
  // A deal's price with its half point, the market's as it was quoted.
  const fact = (name: string) => new RegExp(`>${name}</dt><dd[^>]*>([^<]*)`).exec(html)?.[1];
  expect(["Filled at", "Requested price", "Market bid", "Market ask"].map(fact)).toEqual(["1.084390", "1.084000", "1.08420", "1.08425"]);
  const other = await app.trader();
  expect((await other.get(`/positions/${id}/receipt`)).status).toBe(404);
  for (const path of ["/positions/nonsense/receipt", `/positions/${encodeURIComponent("' or 1=1")}/receipt`]) expect((await trader.get(path)).status).toBe(404);
});

test("demo results are in no statement and in no month", async () => {
  expect(await page("/dashboard?tab=transactions")).toContain("No transactions yet");
});

const LEADS: [path: string, to: string][] = [
  ["/positions", "/traders-portal?tab=positions#lists"],
  ["/markets", "/traders-portal?tab=forex#lists"],
  ["/crypto-trading", "/traders-portal?tab=crypto#lists"],
  ["/charts", "/trading?tab=charts"],
  ["/demo", "/traders-portal"],
  ["/auth", "/dashboard"],
];
for (const [path, to] of LEADS)
  test(`${path} leads to ${to}`, async () => {
    const { status, headers } = await trader.get(path);
    expect([status, headers.get("location")]).toEqual([302, to]);
  });

test("a visitor is asked to sign in and comes back", async () => {
  const { status, headers } = await app.stranger().get("/traders-portal?tab=history");
  expect([status, headers.get("location")]).toEqual([302, `/login?returnTo=${encodeURIComponent("/traders-portal?tab=history")}`]);
});

test("the trading screen's own style sheet, two thirds of the whole one, styles every class that any of its tabs holds", async () => {
  const [desk, whole] = [manifest().desk, manifest().style].map((name) => readFileSync(join(folders.client, name), "utf8")) as [string, string];
  expect(desk.length).toBeLessThan(whole.length * 0.67);
  const [own, all] = [new Set(classesIn(desk)), new Set(classesIn(whole))];
  // What comes under a press alone, too.
  for (const name of ["desk-bar", "fold-rows", "watch-row", "[scrollbar-width:none]"]) expect(own).toContain(name);
  await place();
  for (const tab of [...SIDE, ...FOOT]) {
    const html = await page(`/traders-portal?tab=${tab}`);
    expect(html).toContain(`href="/assets/${manifest().desk}"`);
    expect(html).not.toContain(manifest().style);
    expect(
      [...usedIn(html)].filter((name) => all.has(name) && !own.has(name)),
      tab,
    ).toEqual([]);
  }
  // Others fetch it when there is time, for whoever goes on to it.
  expect(await page("/dashboard")).toContain(`data-next="/assets/${manifest().desk}"`);
});
