import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Person, type TestApp, testApp } from "../testing/app";

const HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>";
const PANELS = ["/admin", "/enhanced-admin", "/admin-comprehensive", "/admin-portal"];
const TABS = ["users", "deposits", "withdrawals", "trades", "visitors", "wallets", "audit"];
const ADDRESS = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq";

let app: TestApp;
let trader: Awaited<ReturnType<TestApp["trader"]>>;
let waiting: Awaited<ReturnType<TestApp["trader"]>>;
let admin: Awaited<ReturnType<TestApp["admin"]>>;

beforeAll(async () => {
  app = await testApp();
  await app.quote("EUR/USD", "1.08000", "1.08020");
  [trader, waiting, admin] = await Promise.all([
    app.trader({ firstName: HOSTILE, lastName: "O'Brien </title>" }),
    app.trader({ firstName: "Wanda", lastName: "Waiting" }),
    app.admin(),
  ]);
  await admin.post(`/api/admin/approve-registration/${trader.id}`);
  await admin.post("/api/admin/wallets", { currency: "BTC", network: "Mainnet", walletAddress: ADDRESS, description: HOSTILE, dailyLimit: "1000" });
  const { body: big } = await trader.post("/api/deposits", { amount: 6789.01, currency: "USD", method: "bank", notes: HOSTILE });
  await admin.post(`/api/admin/deposits/${big.id}/approve`, { notes: HOSTILE, confirmAmount: 6789.01 });
  const { body: small } = await trader.post("/api/deposits", { amount: 98.76, currency: "USD", method: "card", notes: "" });
  await admin.post(`/api/admin/deposits/${small.id}/reject`, { reason: HOSTILE });
  await trader.post("/api/deposits", { amount: 1234.56, currency: "EUR", method: "bank", notes: HOSTILE });
  await trader.post("/api/withdrawals", { amount: 543.21, currency: "USD", walletAddress: `DE89 ${HOSTILE}` });
});
afterAll(() => app.end());

const page = async (path: string, who: Person = admin) => {
  const { status, text } = await who.get(path);
  expect(status).toBe(200);
  return text;
};
const words = (html: string) => html.replace(/<script type="application\/json">.*?<\/script>/gs, "").replace(/<[^>]+>/g, " ");

describe("the gate", () => {
  const paths = [...PANELS, ...TABS.map((tab) => `/admin?tab=${tab}`), "/admin-registrations"];
  for (const path of paths)
    test(`${path} shows strangers and traders no data`, async () => {
      for (const who of [app.stranger(), waiting]) {
        const html = await page(path, who);
        expect(html).toContain("Admin Access Required");
        for (const secret of [trader.email, admin.email, ADDRESS, "6,789.01", "6789.01", "1234.56", "543.21", "tab-deposits", "Brien"])
          expect(html).not.toContain(secret);
        if (who !== waiting) expect(html).not.toContain(waiting.email);
        expect(html).toContain('name="robots" content="noindex"');
      }
    });

  test("sends a visitor of the panel to sign in, and lets one of the registrations be asked", async () => {
    expect(await page("/admin?tab=audit", app.stranger())).toContain('data-island="AdminGate"');
    expect(await page("/admin?tab=audit", app.stranger())).toContain(`href="/api/login?returnTo=${encodeURIComponent("/admin?tab=audit")}"`);
    expect(await page("/admin-registrations", app.stranger())).not.toContain("data-island");
    expect(await page("/admin", waiting)).not.toContain("data-island");
  });

  test("a demoted administrator sees it at the next request", async () => {
    const former = await app.admin();
    expect(await page("/admin", former)).toContain("Control Panel");
    await app.sql`update users set role = 'user' where id = ${former.id}`;
    expect(await page("/admin", former)).toContain("Admin Access Required");
  });
});

describe("the panel", () => {
  for (const tab of TABS)
    test(`${tab} shows hostile texts as text`, async () => {
      const html = await page(`/admin?tab=${tab}`);
      expect(html).toContain(`id="tab-${tab}" aria-selected="true"`);
      for (const evil of ["<script>alert(1)", "<img src=x", "</title> "]) expect(html.slice(html.indexOf("<body"))).not.toContain(evil);
    });

  for (const path of PANELS)
    test(`goes by the name ${path}`, async () => {
      const html = await page(path);
      for (const label of ["Users", "Deposits", "Withdrawals", "Trade Control", "Wallets", "Audit Trail"]) expect(words(html)).toContain(label);
    });

  test("leads only staff to itself", async () => {
    expect(await page("/dashboard")).toContain('href="/admin"');
    expect(await page("/dashboard", waiting)).not.toContain('href="/admin"');
  });

  test("shows what waits first, with what approval would credit", async () => {
    const text = words(await page("/admin?tab=deposits"));
    expect(text).toContain("€1,234.56");
    // 1234.56 × 1.0801 at the middle.
    expect(text).toContain("credits $1,333.45 now");
    expect(text.indexOf("€1,234.56")).toBeLessThan(text.indexOf("$6,789.01"));
    expect(text).toContain("bonus $500.00");
  });

  test("filters and searches by its address", async () => {
    const rejected = words(await page("/admin?tab=deposits&status=rejected"));
    expect(rejected).toContain("$98.76");
    expect(rejected).not.toContain("$6,789.01");
    expect(words(await page("/admin?tab=deposits&q=nobody-at-all"))).toContain("No deposits match this search");
    expect(await page(`/admin?tab=users&q=${waiting.email}`)).not.toContain(trader.email);
    expect(words(await page("/admin?tab=users&status=banned"))).toContain("No users found");
    expect(words(await page("/admin?tab=audit&status=wallet")).split("Audit trail ")[1]).not.toContain("Deposit: approve");
  });

  for (const query of [
    "tab=nothing",
    "tab=deposits&status=deleted",
    "tab=users&limit=-1&cursor=%00",
    "tab=audit&cursor=9e99&status=(select)",
    "tab=withdrawals&cursor=x",
  ])
    test(`a mistyped address (${query}) breaks nothing`, async () => {
      const { status } = await admin.get(`/admin?${query}`);
      expect(status).toBeOneOf([200, 400]);
    });

  test("nobody is offered a decision about oneself", async () => {
    const html = await page(`/admin?tab=users&q=${admin.email}`);
    expect(html).not.toMatch(/aria-label="(Suspend|Ban) /);
    expect(words(html)).toContain("You");
  });
});

test("a page of fifty leads to the older ones, none twice", async () => {
  const { sql } = app;
  await sql`
    insert into deposits (user_id, amount, currency, method, status, decided_at, rejection_reason)
    select ${trader.id}, 10 + n, 'USD', 'card', 'rejected', now(), 'Test' from generate_series(1, 120) n
  `;
  const seen: string[] = [];
  let path: string | undefined = "/admin?tab=deposits&status=rejected";
  while (path) {
    const html = await page(path);
    const list = html.slice(html.indexOf('aria-label="Decided deposits"'));
    seen.push(...[...list.matchAll(/data-row="([^"]+)"/g)].map((match) => match[1] ?? ""));
    path = /href="(\/admin\?[^"]*cursor=[^"]*)"/.exec(list)?.[1]?.replaceAll("&amp;", "&");
  }
  expect(seen.length).toBe(121);
  expect(new Set(seen).size).toBe(121);
});

test("pending registrations are rows with both decisions", async () => {
  const text = await page("/admin-registrations");
  expect(text).toContain(waiting.email);
  expect(text).not.toContain(trader.email);
  for (const label of ["Approve Wanda Waiting", "Reject Wanda Waiting"]) expect(text).toContain(`aria-label="${label}"`);
  expect(text).toContain('href="/admin"');
  await admin.post(`/api/admin/approve-registration/${waiting.id}`);
  expect(words(await page("/admin-registrations"))).toContain("No Pending Registrations");
});
