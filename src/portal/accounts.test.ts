import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { displayMoney } from "../lib/money";
import { type TestApp, testApp } from "../testing/app";
import { accountsOf, fundLive, handHeld, order } from "../testing/scenarios";

/** Accounts and profile as the server draws them. */

const HOSTILE = `<script>alert(1)</script><img src=x onerror=alert(2)>`;

let app: TestApp;
let trader: Awaited<ReturnType<TestApp["trader"]>>;
beforeAll(async () => {
  app = await testApp();
  await app.quote("EUR/USD", "1.10000", "1.10002");
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
    .replace(/<[^>]+>/g, " ")
    .replaceAll("&amp;", "&")
    .replaceAll("&#x27;", "'")
    .replace(/\s+/g, " ");

describe("/accounts", () => {
  test("shows each account: type, the id's beginning, status, mode, balance, dates, and where to go", async () => {
    const [account] = await accountsOf(trader);
    const html = await page("/accounts");
    const card = new RegExp(`<li data-account="${account?.id}".*?</li>`).exec(html)?.[0] ?? "";
    expect(plain(card)).toMatch(
      new RegExp(
        `Starter ${account?.accountNumber}, ID ${account?.id.slice(0, 8)} Demo active Current Balance \\$10,000\\.00 Created \\w{3} \\d+, \\d{4} Last Update .* Trade Details`,
      ),
    );
    expect(card).toContain(`href="/trading?account=${account?.id}"`);
    expect(card).toContain(`href="/dashboard?account=${account?.id}"`);
  });

  test("lists the types with their minimum, spread and leverage", async () => {
    const words = plain(await page("/accounts"));
    expect(words).toContain("Available Account Types");
    expect(words).toMatch(/Starter Minimum deposit \$300\.00 Spreads from 3\.3 pips Leverage 1:500/);
    expect(words).toMatch(/Platinum Minimum deposit \$75,000\.00 Spreads from 0\.5 pips Leverage 1:5000/);
  });

  test("keeps closed accounts apart, and shows names as text", async () => {
    const person = await app.trader();
    const { body } = await person.post<{ id: string }>("/api/trading-accounts", { accountTypeId: "gold", isDemo: true });
    await person.patch(`/api/trading-accounts/${body.id}`, { name: HOSTILE.slice(0, 60) });
    await person.post(`/api/trading-accounts/${body.id}/close`);
    const html = await page("/accounts", person);
    expect(html).toContain("Closed accounts (1)");
    expect(html).not.toContain("<script>alert(1)");
    expect(html).not.toContain("<img src=x");
  });

  test("comes without the accounts where the database is slow, and says that they are loading", async () => {
    const hand = await handHeld(app.db);
    await hand.sql.unsafe("lock table trading_accounts in access exclusive mode");
    try {
      expect(await page("/accounts")).toContain("Loading your accounts...");
      expect(await page("/profile")).toContain("Loading profile...");
    } finally {
      await hand.end();
    }
    expect(await page("/accounts")).not.toContain("Loading your accounts...");
  });
});

describe("an account's details", () => {
  test("are its own figures, as SQL has them", async () => {
    const live = await fundLive(app, trader, "1000.00");
    const place = async (type: string, amount: number) =>
      (await trader.post<{ id: string }>("/api/trading/positions", { ...order, type, amount, accountId: live })).body.id;
    const [won, lost] = [await place("buy", 30_000), await place("sell", 10_000)];
    await app.quote("EUR/USD", "1.10700", "1.10702");
    for (const id of [won, lost]) await trader.post(`/api/trading/positions/${id}/close`);
    const kept = await place("buy", 700);
    const [sums] = await app.sql<{ realised: string; balance: string }[]>`
      select (select sum(profit) from positions where account_id = ${live} and status = 'closed')::text as realised, l.balance
      from trading_accounts a join ledger_accounts l on l.id = a.ledger_account_id where a.id = ${live}
    `;
    const html = await page(`/dashboard?account=${live}`);
    const words = plain(html);
    expect(words).toContain(`Balance ${displayMoney(sums?.balance ?? "")}`);
    expect(words.replaceAll(" ", "")).toContain(`RealisedP&L▲+${displayMoney(sums?.realised ?? "")}`);
    expect(words).toContain("Win rate 50%, 1 of 2");
    expect((await trader.get<{ realised: string }>(`/api/trading-accounts/${live}/result`)).body.realised).toBe(sums?.realised ?? "");
    expect((await (await app.trader()).get(`/api/trading-accounts/${live}/result`)).status).toBe(404);
    expect(words).toContain("Moved in, of the minimum $1,000.00 of $300.00");
    expect(html).toContain(`data-row="${kept}"`);
    expect(html).toContain(`href="/statements/${live}`);
  });

  test("of another's account are not there", async () => {
    const [theirs] = await accountsOf(await app.trader());
    for (const id of [theirs?.id ?? "", "nonsense", encodeURIComponent(HOSTILE)]) {
      const html = await page(`/dashboard?account=${id}`);
      expect(html).not.toContain("Realised P&amp;L");
      expect(html).toContain("Your trading accounts");
    }
  });
});

describe("the profile", () => {
  test("has what a person may look after", async () => {
    const html = await page("/profile");
    for (const title of ["Personal Information", "Account Balance", "Sessions", "Password", "Notifications", "Appearance", "Referrals", "Statements"])
      expect(html).toContain(`>${title}</h2>`);
    for (const words of ["Make a Deposit", "Request Withdrawal", "Light", "Dark", "System"]) expect(html).toContain(words);
  });

  test("says how far the identity check is, and what comes next", async () => {
    const person = await app.trader();
    const admin = await app.admin();
    expect(plain(await page("/profile", person))).toContain("Your identity has not been checked yet.");
    for (const [status, words] of [
      ["rejected", "What you sent was not accepted."],
      ["verified", "Your identity was checked."],
    ]) {
      expect((await admin.post(`/api/admin/users/${person.id}/kyc`, { status, reason: "Looked at it" })).status).toBe(200);
      expect(plain(await page("/profile", person))).toContain(words as string);
    }
  });

  test("shows the choice of notices as it is kept", async () => {
    const person = await app.trader();
    await person.patch("/api/user/notices", { margin: false });
    const html = await page("/profile", person);
    const box = (name: string) => new RegExp(`<input id="notice-${name}"[^>]*>`).exec(html)?.[0] ?? "";
    expect(box("trades")).toContain("checked");
    expect(box("margin")).not.toContain("checked");
    expect(box("security")).toContain("disabled");
  });
});
