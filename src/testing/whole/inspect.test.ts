import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { ADMIN, openSite, register, type Site } from "../browser";
import { inspect } from "../inspect";

/** Every page of the signed-in in both themes: nothing that axe finds, nothing that is wider than the narrowest phone. */

const TRADER = [
  "/",
  "/dashboard",
  "/dashboard?tab=positions",
  "/dashboard?tab=transactions",
  "/dashboard?tab=requests",
  "/traders-portal",
  "/traders-portal?tab=crypto",
  "/traders-portal?tab=positions",
  "/traders-portal?tab=history",
  "/traders-portal?tab=profile",
  "/trading",
  "/trading?pairs=minor",
  "/trading?tab=trading",
  "/trading?tab=charts",
  "/trading?tab=positions",
  "/trading?tab=support",
  "/deposit",
  "/mobile-deposit",
  "/profile",
  "/two-factor",
  "/accounts",
  "/analytics?book=demo",
  "/support",
  "/support?view=new",
  "/support?view=chat",
  "/accounts/create",
  "/statements/wallet",
  "/execution-quality",
  "/market-analysis",
  "/market-analysis?tab=crypto",
  "/economic-calendar",
  "/economic-calendar?currency=BTC&impact=high",
];
const STAFF = [
  "/admin?tab=today",
  "/admin?tab=today&part=in",
  "/admin?tab=users",
  "/admin?tab=deposits",
  "/admin?tab=withdrawals",
  "/admin?tab=trades",
  "/admin?tab=trades&status=waiting",
  "/admin?tab=trades&status=corrections",
  "/admin?tab=trades&status=disputes",
  "/admin?tab=visitors",
  "/admin?tab=support",
  "/admin?tab=support&view=tickets",
  "/admin?tab=support&view=chat",
  "/admin?tab=support&view=answers",
  "/admin?tab=support&view=contact",
  "/admin?tab=wallets",
  "/admin?tab=audit",
  "/admin?tab=overview",
  "/admin/search?q=lovelace",
  "/admin?tab=system&checks=run",
  "/admin-registrations",
  ...["dashboard", "visitors", "users", "deposits", "withdrawals", "trades", "support", "settings"].map((tab) => `/admin-app?tab=${tab}`),
];

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

/** The policy of our pages refuses the tool's own script and style. */
const visit = () => site.visit({ bypassCSP: true });

/** An administrator settles the position, and its trader objects. */
async function settleAndDispute(page: Page, positionId: string) {
  const headers = { origin: site.base };
  const staff = await site.visit();
  await staff.request.post("/api/auth/login", { data: ADMIN, headers });
  const data = { reason: "A wrong price of the feed", profit: 12.5 };
  expect((await staff.request.post(`/api/admin/trades/${positionId}/force-win`, { data, headers })).status()).toBe(200);
  const message = { message: "It was the right price." };
  expect((await page.request.post(`/api/trading/positions/${positionId}/dispute`, { data: message, headers })).status()).toBe(201);
}

/** Looks at one page after the other in the same visit. */
const inspectsAt = (paths: readonly string[], page: () => Page) => test.each(paths)("%s", async (path) => expect(await inspect(page(), [path])).toEqual([]));

describe("no page is hard to read or wider than its screen: for a trader with a position and a request", () => {
  let page: Page;
  const own: string[] = [];
  beforeAll(async () => {
    page = await visit();
    await register(page);
    const headers = { origin: site.base };
    const order = { symbol: "EUR/USD", type: "buy", amount: 1000, stopLoss: 0.5, takeProfit: 2 };
    const opened = await page.request.post("/api/trading/positions", { data: order, headers });
    expect(opened.status()).toBe(201);
    const again = await page.request.post("/api/trading/positions", { data: { ...order, amount: 50 }, headers });
    const { id, accountId } = (await again.json()) as { id: string; accountId: string };
    await page.request.post(`/api/trading/positions/${id}/close`, { data: {}, headers });
    const settled = await page.request.post("/api/trading/positions", { data: { ...order, amount: 70 }, headers });
    const corrected = (await settled.json()) as { id: string };
    await settleAndDispute(page, corrected.id);
    await page.request.post("/api/deposits", { data: { amount: 5000, currency: "BTC", method: "crypto" }, headers });
    const disputed = await page.request.get("/api/support/tickets");
    const [ticket] = (await disputed.json()) as { id: string }[];
    await page.request.post(`/api/support/tickets/${ticket?.id}/replies`, { data: { message: "Nobody answers." }, headers });
    await page.request.post("/api/chat/messages", { data: { message: "Is anybody at the desk?" }, headers });
    own.push(`/dashboard?account=${accountId}`, `/positions/${id}/receipt`, `/positions/${corrected.id}/receipt`, `/support?ticket=${ticket?.id}`);
  });
  afterAll(() => page.context().close());

  inspectsAt(TRADER, () => page);
  test("what is the trader's own", async () => expect(await inspect(page, own)).toEqual([]));
});

describe("no page is hard to read or wider than its screen: for staff with something to decide", () => {
  let page: Page;
  beforeAll(async () => {
    page = await visit();
    const headers = { origin: site.base };
    await page.request.post("/api/auth/login", { data: ADMIN, headers });
    await page.request.post("/api/admin/canned-answers", { data: { title: "Greeting", body: "Thank you for writing." }, headers });
  });
  const first = async (path: string) => ((await (await page.request.get(path)).json()) as { id: string }[])[0]?.id;

  inspectsAt(STAFF, () => page);
  test("a ticket and a chat", async () => {
    const ticket = `/admin?tab=support&ticket=${await first("/api/admin/support-tickets")}`;
    const chat = `/admin?tab=support&view=chat&session=${await first("/api/admin/chat/sessions")}`;
    expect(await inspect(page, [ticket, chat, chat.replace("view=chat", "view=inbox")])).toEqual([]);
  });
  test.each(["profile", "accounts", "positions", "deposits", "tickets", "sessions", "notes"])("a client's %s", async (tab) => {
    const client = await first("/api/admin/users?status=active&sort=-role&limit=1");
    expect(await inspect(page, [`/admin/users/${client}?tab=${tab}`])).toEqual([]);
  });
});
