import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { LiveStream } from "../testing/live_stream";
import { type TestApp, testApp } from "../testing/app";
import { until } from "../testing/scenarios";
import { sentBy } from "../testing/statements";
import type { Realtime, Stats } from "./schema_app";

let app: TestApp;
let admin: Awaited<ReturnType<TestApp["admin"]>>;
let trader: Awaited<ReturnType<TestApp["trader"]>>;
beforeAll(async () => {
  app = await testApp();
  await app.quote("EUR/USD", "1.10000", "1.10000");
  admin = await app.admin();
  trader = await app.trader({ firstName: "Vera", lastName: "Ventriloquist" });
  await admin.post(`/api/admin/approve-registration/${trader.id}`);
});
afterAll(() => app.end());

const stats = async () => (await admin.get<Stats>("/api/admin/stats")).body;
const deposit = async (amount: number, currency = "USD") => {
  const { body } = await trader.post<{ id: string }>("/api/deposits", { amount, currency, method: currency === "BTC" ? "crypto" : "bank", notes: "" });
  return body.id;
};

describe("the house's day", () => {
  test("is what live clients lost, less what they won, less bonuses; demo money and deposits are none of it", async () => {
    expect((await stats()).todayRevenue).toBe("0.00");
    await admin.post(`/api/admin/deposits/${await deposit(4_000)}/approve`, {});
    const { body: account } = await trader.post<{ id: string }>("/api/trading-accounts", { accountTypeId: "starter", isDemo: false });
    await trader.post("/api/transfers", { fromAccountId: null, toAccountId: account.id, amount: "1000.00" });
    expect((await stats()).todayRevenue).toBe("0.00");

    const deal = async (accountId: string | undefined, bid: string) => {
      await app.quote("EUR/USD", "1.10000", "1.10000");
      const { body } = await trader.post<{ id: string }>("/api/trading/positions", { symbol: "EUR/USD", type: "buy", amount: 10_000, accountId });
      // Counted once in a while for all who look.
      await until("it is counted", async () => (await stats()).openTrades === 1);
      await app.quote("EUR/USD", bid, bid);
      const { body: closed } = await trader.post<{ profit: string }>(`/api/trading/positions/${body.id}/close`, {});
      return Number(closed.profit);
    };
    const lost = await deal(account.id, "1.09000");
    expect(lost).toBeLessThan(0);
    expect((await stats()).todayRevenue).toBe((-lost).toFixed(2));
    const won = await deal(account.id, "1.10500");
    expect(won).toBeGreaterThan(0);
    expect((await stats()).todayRevenue).toBe((-lost - won).toFixed(2));
    const { body: accounts } = await trader.get<{ id: string; isDemo: boolean }[]>("/api/trading-accounts");
    await deal(accounts.find(({ isDemo }) => isDemo)?.id, "1.09000");
    expect((await stats()).todayRevenue).toBe((-lost - won).toFixed(2));

    await admin.post(`/api/admin/deposits/${await deposit(5_000, "BTC")}/approve`, {});
    expect((await stats()).todayRevenue).toBe((-lost - won - 600).toFixed(2));
    // Tomorrow it begins anew.
    await app.sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx`update ledger_entries set created_at = created_at - interval '1 day'`;
    });
    expect((await stats()).todayRevenue).toBe("0.00");
  });

  test("has what is open counted once for all who look", async () => {
    const sent = await sentBy(app.context.sql, () => Promise.all(Array.from({ length: 12 }, stats)));
    expect(sent.filter(({ text }) => text.includes("house_earned_since"))).toHaveLength(12);
    // On a very slow machine its moment may pass meanwhile.
    expect(sent.filter(({ text }) => text.includes("from positions")).length).toBeLessThan(6);
  });

  test("counts people, their sessions and what they did last", async () => {
    const { totalUsers, activeSessions, recentActivity } = await stats();
    expect([totalUsers, activeSessions]).toEqual([1, 2]);
    await app.sql`update sessions set seen_at = now() - interval '16 minutes' where user_id = ${trader.id}`;
    expect((await stats()).activeSessions).toBe(1);
    expect(recentActivity.length).toBeLessThanOrEqual(10);
    await deposit(77);
    await app.notifications.wake();
    expect((await stats()).recentActivity[0]).toEqual({ action: "New deposit request", user: "Vera Ventriloquist", timestamp: expect.any(String) });
  });
});

test("the strip's figures come by call, and by stream when they change", async () => {
  app.router.listen({ port: 0, hostname: "127.0.0.1", reusePort: false, idleTimeout: 30 });
  const stream = await LiveStream.open(`http://127.0.0.1:${app.router.server?.port}/api/stream`, { Cookie: admin.cookie });
  const { body: before } = await admin.get<Realtime>("/api/admin/realtime-data");
  await stream.has(`event: realtime\ndata: {"onlineVisitors":${before.onlineVisitors},"pendingDeposits":${before.pendingDeposits}}`);
  await deposit(78);
  await app.notifications.wake();
  const { body: after } = await admin.get<Realtime>("/api/admin/realtime-data");
  expect(after).toEqual({ onlineVisitors: before.onlineVisitors, pendingDeposits: (before.pendingDeposits ?? 0) + 1, alerts: before.alerts + 1 });
  await stream.has(`"pendingDeposits":${after.pendingDeposits}}`);
  stream.close();
  void app.router.server?.stop(true);
});

describe("the app", () => {
  const HOSTILE = "<script>alert(1)</script>";
  const TABS = ["dashboard", "visitors", "users", "deposits", "withdrawals", "trades", "support", "settings"];
  const body = (html: string) => html.slice(html.indexOf("<body"));
  let shown: Awaited<ReturnType<TestApp["trader"]>>;
  beforeAll(async () => {
    shown = await app.trader({ firstName: HOSTILE, lastName: "</title>" });
    await shown.post("/api/deposits", { amount: 123.45, currency: "USD", method: "bank", notes: "" });
    await shown.post("/api/trading/positions", { symbol: "EUR/USD", type: "buy", amount: 543.21 });
    await shown.post("/api/support/tickets", { subject: HOSTILE, message: HOSTILE, category: "general", priority: "high" });
    await app.stranger().post("/api/admin/visitors/track", { page: `/${HOSTILE}` });
    await app.stranger().post("/api/contact", { name: HOSTILE, email: "a@b.test", subject: HOSTILE, message: HOSTILE });
    while ((await app.sql`select from visits`).length === 0) await Bun.sleep(20);
  });

  for (const tab of TABS)
    test(`${tab} has its content, and texts of others as text`, async () => {
      const { status, text } = await admin.get(`/admin-app?tab=${tab}`);
      expect(status).toBe(200);
      expect(text).toMatch(new RegExp(`<h2 id="app-title"[^>]*>${tab.charAt(0).toUpperCase()}${tab.slice(1)}</h2>`));
      for (const evil of ["<script>alert(1)", "</title> "]) expect(body(text)).not.toContain(evil);
      for (const label of TABS) expect(text).toContain(`href="/admin-app?tab=${label}"`);
    });

  test("an address without a tab, or with none of ours, is the dashboard", async () => {
    for (const path of ["/admin-app", "/admin-app?tab=nothing"]) expect((await admin.get(path)).text).toContain("Today Revenue");
  });

  for (const tab of TABS)
    test(`${tab} shows a stranger and a trader the way in, and no data`, async () => {
      for (const who of [app.stranger(), trader]) {
        const { status, text } = await who.get(`/admin-app?tab=${tab}`);
        expect(status).toBe(200);
        expect(text).toContain("Admin Access Required");
        expect(text).toContain("Login as Admin");
        for (const secret of [shown.email, "123.45", "543.21", 'data-island="AdminApp', "Total Users"]) expect(text).not.toContain(secret);
      }
    });

  test("who is signed in as somebody else is signed out on the way to the app", async () => {
    const other = await app.trader();
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const answer = await other.call("POST", "/sign-out", { raw: "returnTo=%2Fadmin-app%3Ftab%3Dusers", headers });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/login?returnTo=%2Fadmin-app%3Ftab%3Dusers"]);
    expect((await other.get("/api/auth/user")).status).toBe(401);
    const evil = await other.call("POST", "/sign-out", { raw: "returnTo=%2F%2Fevil.example", headers });
    expect(evil.headers.get("location")).toBe("/login?returnTo=%2Fdashboard");
  });
});

test("the app's menu says how much waits behind each entry", async () => {
  const counted = async () => {
    const { text } = await admin.get("/admin-app");
    const [menu = ""] = /<ul class="flex flex-col gap-1">.*?<\/ul>/s.exec(text) ?? [];
    return Object.fromEntries(
      [...menu.matchAll(/<\/svg>([^<]+)(?:<span[^>]*>(\d+)<\/span>)?<\/a>/g)].map(([, label = "", count = "0"]) => [label, Number(count)]),
    );
  };
  const before = await counted();
  await deposit(750);
  await trader.post("/api/support/tickets", { subject: "Help", message: "Please", category: "general" });
  const after = await counted();
  expect([after.Deposits, after.Support, after.Withdrawals]).toEqual([(before.Deposits ?? NaN) + 1, (before.Support ?? NaN) + 1, before.Withdrawals ?? NaN]);
});
