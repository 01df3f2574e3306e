import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { add, sum } from "../lib/money";
import { type Answer, type TestApp, testApp } from "../testing/app";
import { counted, deposit, financials, fresh, fundedTrader, type Signed, times, wallet, withdrawal } from "../testing/money";
import { cell } from "../platform/http/csv";
import { linesOf } from "./queries_history";
import type { Statement, Transaction } from "./schema";

let app: TestApp;
let admin: Awaited<ReturnType<TestApp["admin"]>>;
beforeAll(async () => {
  app = await testApp();
  admin = await app.admin();
  await app.quote("EUR/USD", "1.10000", "1.10002");
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

const live = async (person: Signed) =>
  (await person.post<{ id: string; accountNumber: string }>("/api/trading-accounts", { accountTypeId: "starter", isDemo: false })).body;
const move = (person: Signed, fromAccountId: string | null, toAccountId: string | null, amount: unknown, headers?: Record<string, string>) =>
  person.post("/api/transfers", { fromAccountId, toAccountId, amount }, headers);
const lines = async (person: Signed, query = "") => (await person.get<Transaction[]>(`/api/transactions${query}`)).body;

describe("a transfer", () => {
  test("moves money to a live account and back, and its highest net sum opens the tier", async () => {
    const ann = await fundedTrader(app, admin, 1000);
    const account = await live(ann);
    expect((await move(ann, null, account.id, 600)).status).toBe(201);
    expect((await move(ann, account.id, null, 600)).status).toBe(201);
    expect((await move(ann, null, account.id, 600)).status).toBe(201);
    expect(await financials(ann)).toMatchObject({ accountBalance: "400.00", tradingBalance: "600.00", totalProfit: "0.00" });
    const { body } = await ann.get<{ id: string; fundedTotal: string }[]>("/api/trading-accounts");
    expect(body.find(({ id }) => id === account.id)?.fundedTotal).toBe("600.00");
  });

  test("leaves no more than there is, and what open positions need", async () => {
    const ann = await fundedTrader(app, admin, 1000);
    const account = await live(ann);
    expect((await move(ann, null, account.id, 1000.01)).body).toMatchObject({ code: "insufficient_funds", message: "Your wallet holds $1,000.00." });
    await move(ann, null, account.id, 1000);
    const opened = await ann.post("/api/trading/positions", { symbol: "EUR/USD", type: "buy", amount: 50_000, accountId: account.id });
    expect(opened.status).toBe(201);
    const refused = await move(ann, account.id, null, 1000);
    expect(refused.body.message).toMatch(/^At most \$4\d\d\.\d\d of this account is free\.$/);
    const free = String(refused.body.message).replace(/[^\d.]|\.$/g, "");
    expect((await move(ann, account.id, null, add(free, "0.01"))).status).toBe(422);
    // By a frozen price nobody knows what is free.
    app.pass(60_000);
    expect((await move(ann, account.id, null, "1.00")).body.code).toBe("stale_price");
    await app.quote("EUR/USD", "1.10000", "1.10002");
    expect((await move(ann, account.id, null, free)).status).toBe(201);
    await ann.post(`/api/trading/positions/${opened.body.id}/close`);
  });

  test("never touches demo money, closed or foreign accounts, or waits for the registration", async () => {
    const ann = await fundedTrader(app, admin, 1000);
    const [demo] = (await ann.get<{ id: string; isDemo: boolean }[]>("/api/trading-accounts")).body.filter(({ isDemo }) => isDemo);
    const account = await live(ann);
    expect((await move(ann, demo?.id ?? "", null, 10)).body.code).toBe("demo_account");
    expect((await move(ann, null, demo?.id ?? "", 10)).body.code).toBe("demo_account");
    expect((await move(ann, null, null, 10)).status).toBe(400);
    expect((await move(ann, account.id, account.id, 10)).status).toBe(400);
    const other = await fundedTrader(app, admin, 100);
    expect((await move(other, null, account.id, 10)).status).toBe(404);
    expect((await move(other, account.id, null, 10)).status).toBe(404);
    const newcomer = await app.trader();
    const waiting = await live(newcomer);
    expect((await move(newcomer, null, waiting.id, 10)).body.code).toBe("registration_pending");
    expect(await wallet(ann)).toBe("1000.00");
  });

  test("of the whole wallet, asked for twenty times at once, is made once; the same key too", async () => {
    const ann = await fundedTrader(app, admin, 200);
    const account = await live(ann);
    expect(counted(await times(20, () => move(ann, null, account.id, 200)))).toEqual({ 201: 1, 422: 19 });
    const headers = fresh();
    const answers = await times(5, () => move(ann, account.id, null, 20, headers));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await wallet(ann)).toBe("20.00");
  });
});

describe("the balance screen", () => {
  const change = (person: Signed, accountBalance: unknown, tradingBalance: unknown, totalProfit: unknown = "0.00") =>
    person.patch("/api/user/balance", { accountBalance, tradingBalance, totalProfit });

  test("moves money between the wallet and the oldest live account", async () => {
    const ann = await fundedTrader(app, admin, 1000);
    const [first, second] = [await live(ann), await live(ann)];
    const { status, body } = await change(ann, "300.00", "700.00");
    expect([status, body as unknown]).toEqual([200, await financials(ann)]);
    const accounts = (await ann.get<{ id: string; balance: string }[]>("/api/trading-accounts")).body;
    const balances = [first, second].map(({ id }) => accounts.find((each) => each.id === id)?.balance);
    expect(balances).toEqual(["700.00", "0.00"]);
    expect((await change(ann, "1000", 0)).body).toMatchObject({ accountBalance: "1000.00", tradingBalance: "0.00" });
  });

  test.each([
    ["1000000.00", "0.00", "0.00"],
    ["1000.01", "0.00", "0.00"],
    ["1100.00", "-100.00", "0.00"],
    ["-0.01", "1000.01", "0.00"],
    ["1000.00", "0.00", "0.01"],
  ])("mints nothing: %s, %s, %s", async (accountBalance, tradingBalance, totalProfit) => {
    const ann = await fundedTrader(app, admin, 1000);
    await live(ann);
    const { status, body } = await change(ann, accountBalance, tradingBalance, totalProfit);
    expect([status, body.code]).toEqual([403, "balance_mismatch"]);
    expect(body.message).toContain("make a deposit");
    expect(await financials(ann)).toMatchObject({ accountBalance: "1000.00", tradingBalance: "0.00" });
  });

  test("keeps the sum while others move the same money", async () => {
    const ann = await fundedTrader(app, admin, 1000);
    const account = await live(ann);
    const answers = await times(20, (n) => (n % 2 ? change(ann, "500.00", "500.00") : move(ann, null, account.id, 10)));
    for (const { status } of answers) expect(status).toBeOneOf([200, 201]);
    expect(await financials(ann)).toMatchObject({ accountBalance: expect.stringMatching(/^\d+\.00$/) });
    const { accountBalance, tradingBalance } = await financials(ann);
    expect(add(accountBalance, tradingBalance)).toBe("1000.00");
  });
});

describe("the history", () => {
  let ann: Signed;
  let account: { id: string; accountNumber: string };
  beforeAll(async () => {
    ann = await app.trader();
    await admin.post(`/api/admin/approve-registration/${ann.id}`);
    const { body } = await deposit(ann, { amount: 5000, currency: "BTC", method: "crypto" });
    await admin.post(`/api/admin/deposits/${body.id}/approve`);
    account = await live(ann);
    await move(ann, null, account.id, 1000);
    const { body: asked } = await withdrawal(ann, { amount: 500 });
    await admin.post(`/api/admin/withdrawals/${asked.id}/reject`, { reason: '=HYPERLINK("x")' });
    await withdrawal(ann, { amount: 100 });
    const { body: position } = await ann.post("/api/trading/positions", { symbol: "EUR/USD", type: "buy", amount: 1000, accountId: account.id });
    await app.quote("EUR/USD", "1.12000", "1.12002");
    await ann.post(`/api/trading/positions/${position.id}/close`);
  });

  test("tells each movement once, in words, newest first", async () => {
    const told = (await lines(ann)).map(({ type, amount, status, description, account: where, balanceAfter }) => [
      type,
      amount,
      status,
      description,
      where,
      balanceAfter,
    ]);
    expect(told).toEqual([
      ["trade", expect.any(String), "completed", "BUY EUR/USD $1,000.00 closed", account.accountNumber, expect.any(String)],
      ["withdrawal", "-100.00", "pending", "Withdrawal of $100.00 in USD, waiting for approval", "Wallet", "4500.00"],
      ["withdrawal_returned", "500.00", "completed", 'Withdrawal of $500.00 in USD rejected, money returned: =HYPERLINK("x")', "Wallet", "4600.00"],
      ["withdrawal", "-500.00", "returned", "Withdrawal of $500.00 in USD, rejected", "Wallet", "4100.00"],
      ["transfer", "-1000.00", "completed", `Transfer to ${account.accountNumber}`, "Wallet", "4600.00"],
      ["transfer", "1000.00", "completed", "Transfer from your wallet", account.accountNumber, "1000.00"],
      ["bonus", "100.00", "completed", "Sign-up bonus when that deposit is made in Bitcoin", "Wallet", "5600.00"],
      ["bonus", "500.00", "completed", "Bonus on a first deposit of the minimum or more", "Wallet", "5500.00"],
      ["deposit", "5000.00", "completed", "Deposit of $5,000.00 in BTC", "Wallet", "5000.00"],
    ]);
  });

  test("sums to the balances that the screens show", async () => {
    const all = await lines(ann);
    const { accountBalance, tradingBalance } = await financials(ann);
    expect(sum(all.filter((each) => each.accountId === null).map(({ amount }) => amount))).toBe(accountBalance);
    expect(sum(all.filter((each) => each.accountId === account.id).map(({ amount }) => amount))).toBe(tradingBalance);
  });

  test("marks what an administrator settled", async () => {
    const marked = app.sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx`update positions set close_reason = 'admin' where user_id = ${ann.id} and status = 'closed'`;
      await tx`update money_lines set type = 'correction' where type = 'trade'`;
      const told = await linesOf(tx, ann.id, { limit: 100, type: "correction" });
      throw Object.assign(new Error("undo"), { told });
    });
    const told = await marked.catch((error: { told: Transaction[] }) => error.told);
    expect(told).toMatchObject([{ type: "correction", account: account.accountNumber }]);
    expect(await lines(ann, "?type=correction")).toEqual([]);
  });

  test("filters by type, account and day, page after page", async () => {
    const all = await lines(ann);
    expect((await lines(ann, "?type=bonus")).map(({ amount }) => amount)).toEqual(["100.00", "500.00"]);
    expect((await lines(ann, `?accountId=${account.id}`)).map(({ type }) => type)).toEqual(["trade", "transfer"]);
    expect(await lines(ann, "?accountId=wallet")).toEqual(all.filter(({ accountId }) => accountId === null));
    const today = new Date().toISOString().slice(0, 10);
    expect(await lines(ann, `?from=${today}&to=${today}`)).toEqual(all);
    expect(await lines(ann, "?to=2020-01-01")).toEqual([]);
    const paged: Transaction[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const page: Answer<Transaction[]> = await ann.get<Transaction[]>(`/api/transactions?limit=2${cursor && `&cursor=${cursor}`}`);
      paged.push(...page.body);
      cursor = page.headers.get("x-next-cursor");
    }
    expect(paged).toEqual(all);
    for (const bad of ["?type=x", "?cursor=x", "?from=2026-13-01", "?limit=0", "?limit=101", "?accountId=1", "?format=xls"])
      expect([bad, (await ann.get(`/api/transactions${bad}`)).status]).toEqual([bad, 400]);
  });

  test("shows demo money and other people's nowhere", async () => {
    const bob = await app.trader();
    await bob.post("/api/trading/positions", { symbol: "EUR/USD", type: "buy", amount: 1000 });
    await bob.post("/api/trading/positions/close-all");
    expect(await lines(bob)).toEqual([]);
    expect(await lines(bob, `?accountId=${account.id}`)).toEqual([]);
  });

  test("as a file has every line, and no formula", async () => {
    const { headers, text } = await ann.get("/api/transactions?format=csv&limit=1");
    expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(headers.get("content-disposition")).toBe('attachment; filename="transactions.csv"');
    const rows = text.trimEnd().split("\r\n");
    expect(rows).toHaveLength(10);
    expect(rows[3]).toContain('"Withdrawal of $500.00 in USD rejected, money returned: =HYPERLINK(""x"")","500.00"');
  });

  test.each([
    ["=1+1", `"'=1+1"`],
    ["+1-1", `"'+1-1"`],
    ["-1+1", `"'-1+1"`],
    ["@SUM(A1)", `"'@SUM(A1)"`],
    ["\t=1", `"'\t=1"`],
    ["-500.00", `"-500.00"`],
    ['a "b"', `"a ""b"""`],
  ])("a cell %j is written %s", (value, written) => expect(cell(value)).toBe(written));

  test("as a statement adds up to the ledger's own figures", async () => {
    const month = new Date().toISOString().slice(0, 7);
    for (const accountId of ["wallet", account.id]) {
      const { body } = await ann.get<Statement>(`/api/statements?month=${month}&accountId=${accountId}`);
      const { lines: shown, opening, closing, moneyIn, moneyOut } = body;
      expect(opening).toBe("0.00");
      expect(shown.at(-1)?.balanceAfter).toBe(closing);
      expect(sum([opening, ...shown.map(({ amount }) => amount)])).toBe(closing);
      expect(sum([opening, moneyIn, `-${moneyOut}`])).toBe(closing);
      let running = opening;
      for (const line of shown) expect((running = add(running, line.amount))).toBe(line.balanceAfter);
      const [row] = await app.sql<{ balance: string }[]>`
        select l.balance from ledger_accounts l left join trading_accounts t on t.ledger_account_id = l.id
        where l.owner_id = ${ann.id} and l.book = 'live' and (t.id::text = ${accountId} or (l.kind = 'wallet' and ${accountId} = 'wallet'))
      `;
      expect(row?.balance).toBe(closing);
    }
  });

  test("as a statement carries the balance over the month's end, to the instant", async () => {
    const [entry] = await app.sql<{ id: number }[]>`
      select e.id from ledger_entries e join ledger_postings p on p.entry_id = e.id join ledger_accounts a on a.id = p.account_id
      where a.owner_id = ${ann.id} and e.kind = 'transfer' limit 1
    `;
    // Behind the triggers' back: the deposit and its bonuses of the last instant of October, the transfer of the first of November.
    await app.sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx`update ledger_entries set created_at = '2023-10-31T23:59:59.999999Z' where id < ${entry?.id ?? 0} and id in (select p.entry_id from ledger_postings p join ledger_accounts a on a.id = p.account_id where a.owner_id = ${ann.id})`;
      await tx`update ledger_entries set created_at = '2023-11-01T00:00:00Z' where id = ${entry?.id ?? 0}`;
    });
    const of = async (month: string) => (await ann.get<Statement>(`/api/statements?month=${month}`)).body;
    expect(await of("2023-10")).toMatchObject({ opening: "0.00", moneyIn: "5600.00", moneyOut: "0.00", closing: "5600.00" });
    const november = await of("2023-11");
    expect(november).toMatchObject({ from: "2023-11-01T00:00:00.000Z", to: "2023-12-01T00:00:00.000Z", opening: "5600.00", closing: "4600.00" });
    expect(november.lines.map(({ type }) => type)).toEqual(["transfer"]);
    expect(await of("2023-12")).toMatchObject({ opening: "4600.00", closing: "4600.00", lines: [] });
  });

  test("as a statement is one's own, of a live account", async () => {
    const bob = await app.trader();
    const [demo] = (await bob.get<{ id: string }[]>("/api/trading-accounts")).body;
    for (const id of [account.id, demo?.id, crypto.randomUUID()]) expect((await bob.get(`/api/statements?month=2026-11&accountId=${id}`)).status).toBe(404);
    for (const month of ["2026-13", "26-01", "", "1999-01"]) expect((await bob.get(`/api/statements?month=${month}`)).status).toBe(400);
  });
});
