import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { deposit, fundedTrader, withdrawal } from "../testing/money";
import { type Person, type TestApp, testApp } from "../testing/app";

/** A client's page, and the overview: what they show, and to whom. */

const HOSTILE = "<script>alert(1)</script>";
const TABS = ["timeline", "profile", "accounts", "positions", "ledger", "deposits", "withdrawals", "tickets", "sessions", "audit", "notes"];

let app: TestApp;
let admin: Awaited<ReturnType<TestApp["admin"]>>;
let tess: Awaited<ReturnType<TestApp["trader"]>>;
beforeAll(async () => {
  app = await testApp();
  await app.quote("EUR/USD", "1.10000", "1.10002");
  admin = await app.admin();
  tess = await fundedTrader(app, admin, 900);
  await tess.post("/api/trading/positions", { symbol: "EUR/USD", type: "buy", amount: 777 });
  const { body } = await tess.post<{ id: string }>("/api/trading/positions", { symbol: "EUR/USD", type: "sell", amount: 333 });
  await tess.post(`/api/trading/positions/${body.id}/close`, {});
  await deposit(tess, { amount: 123.45, notes: HOSTILE });
  await withdrawal(tess, { amount: 54.32, walletAddress: `DE02 ${HOSTILE}` });
  await tess.post("/api/support/tickets", { subject: "Where is my money?", message: HOSTILE, category: "financial" });
  await admin.post(`/api/admin/users/${tess.id}/notes`, { body: `Knows ${HOSTILE}` });
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

const pageOf = async (by: Person, tab = "profile", id = tess.id) => (await by.get(`/admin/users/${id}?tab=${tab}`)).text.replaceAll("<!-- -->", "");

describe("a client's page", () => {
  const SHOWN: Record<string, string[]> = {
    timeline: ["Ticket: Where is my money?", "Withdrawal asked for, by bank", "Waits for staff:"],
    profile: ["Referral code", "Credit score"],
    accounts: ["Starter", "Demo", "1:100"],
    positions: ["BUY EUR/USD $777.00", "SELL EUR/USD $333.00", "by the trader"],
    ledger: ["Deposit", "+$900.00", "Withdrawal"],
    deposits: ["$123.45", "Pending", "$900.00", "Approved"],
    withdrawals: ["$54.32", "Bank transfer"],
    tickets: ["Where is my money?", "Financial/Deposits"],
    sessions: ["End session"],
    audit: ["Registration: approve", "Deposit: approve"],
    notes: ["Knows &lt;script&gt;", "Site Administrator ("],
  };
  for (const tab of TABS)
    test(`${tab} shows what there is, and hostile text as text`, async () => {
      const html = await pageOf(admin, tab);
      expect(html).toContain(`id="tab-client-${tab}" aria-selected="true"`);
      for (const words of SHOWN[tab] ?? []) expect(html).toContain(words);
      expect(html.slice(html.indexOf("<body"))).not.toContain(HOSTILE);
    });

  test("shows a gate without data to everyone else, whoever it is asked for", async () => {
    for (const by of [app.stranger(), tess])
      for (const id of [tess.id, admin.id, crypto.randomUUID(), "nonsense"]) {
        const html = await pageOf(by, "ledger", id);
        expect(html).toContain("Admin Access Required");
        for (const secret of ["$900.00", admin.email, "123.45", "tab-ledger"]) expect(html).not.toContain(secret);
        if (by !== tess) expect(html).not.toContain(tess.email);
      }
  });

  test("is not found for nobody", async () => {
    for (const id of [crypto.randomUUID(), "nonsense", "%00", tess.id.toUpperCase()]) expect((await admin.get(`/admin/users/${id}`)).status).toBe(404);
    expect((await admin.get(`/api/admin/users/${crypto.randomUUID()}`)).status).toBe(404);
  });

  test("pages through a long ledger once", async () => {
    const rich = await fundedTrader(app, admin, 1000);
    for (let n = 0; n < 55; n++) await withdrawal(rich, { amount: 50 }).then(({ body }) => rich.post(`/api/withdrawals/${body.id}/cancel`, {}));
    const seen: string[] = [];
    let at: string | null = `/admin/users/${rich.id}?tab=ledger`;
    while (at) {
      const { text }: { text: string } = await admin.get(at);
      seen.push(...[...text.matchAll(/data-row="(\d+-\d+)"/g)].map(([, id]) => id ?? ""));
      at = /href="([^"]*cursor=[^"]*)"[^>]*>(?:Older|Next)/.exec(text)?.[1]?.replaceAll("&amp;", "&") ?? null;
    }
    expect([seen.length, new Set(seen).size]).toEqual([111, 111]);
  });
});

describe("the overview", () => {
  test("shows the figures that the tables hold", async () => {
    const { text } = await admin.get("/admin?tab=overview");
    const words = text
      .replaceAll("<!-- -->", "")
      .replace(/<[^>]+>/g, " ")
      .replace(/\s+/g, " ");
    const [truth] = await app.sql<Record<"users" | "deposits" | "withdrawals" | "open", number>[]>`
      select (select count(*) from users where role = 'user') as users, (select count(*) from deposits where status = 'pending') as deposits,
        (select count(*) from withdrawals where status = 'pending') as withdrawals, (select count(*) from positions where status = 'open') as open
    `;
    for (const figure of [
      `Users ${truth?.users} `,
      `Pending Deposits ${truth?.deposits} `,
      `Pending Withdrawals ${truth?.withdrawals} $54.32 held`,
      `Open Positions ${truth?.open} 0 live, 1 demo`,
    ])
      expect(words).toContain(figure);
    expect(words).toContain("Deposits, last 30 days $1,900.00");
  });

  test("counts as revenue what clients lost on live accounts, less their profits and bonuses, on the day of the booking", async () => {
    const lucy = await fundedTrader(app, admin, 4000);
    const { body: live } = await lucy.post<{ id: string }>("/api/trading-accounts", { accountTypeId: "starter", isDemo: false });
    await lucy.post("/api/transfers", { fromAccountId: null, toAccountId: live.id, amount: 1000 });
    const order = { symbol: "EUR/USD", type: "buy", amount: 10_000, accountId: live.id };
    const { body: position } = await lucy.post<{ id: string }>("/api/trading/positions", order);
    const { body: closed } = await lucy.post<{ profit: string }>(`/api/trading/positions/${position.id}/close`, {});
    expect(Number(closed.profit)).toBeLessThan(0);
    const { text } = await admin.get("/admin?tab=overview");
    const words = text
      .replaceAll("<!-- -->", "")
      .replace(/<[^>]+>/g, " ")
      .replace(/\s+/g, " ");
    expect(words).toContain(`Revenue, last 30 days +$${(-Number(closed.profit)).toFixed(2)}`);
    expect(words).toContain(`${new Date().toISOString().slice(0, 10)} `);
  });
});
