import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Person, TestApp } from "../testing/app";
import { testApp } from "../testing/app";
import { counted, fresh, times } from "../testing/money";
import { type Account, accountsOf, fundLive, handHeld, ledgerAccount, order, post, until, waiting } from "../testing/scenarios";

/** What owners do with their accounts: set a demo one back, name it, close it; alone and all at once. */

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
  await app.quote("EUR/USD", "1.10000", "1.10002");
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

const demoOf = async (person: Person): Promise<Account> => {
  const [account] = await accountsOf(person);
  if (!account) throw new Error("no account");
  return account;
};
const reset = (person: Person, id: string, headers?: Record<string, string>) => person.post<Account>(`/api/trading-accounts/${id}/reset`, {}, headers);
const close = (person: Person, id: string, headers?: Record<string, string>) => person.post<Account>(`/api/trading-accounts/${id}/close`, {}, headers);
const rename = (person: Person, id: string, name: unknown) => person.patch<{ name: string | null }>(`/api/trading-accounts/${id}`, { name });

/** Loses some of a demo account's money by the spread. */
async function lose(person: Person, id: string) {
  const { body } = await person.post<{ id: string }>("/api/trading/positions", { ...order, amount: 100_000, accountId: id });
  expect((await person.post(`/api/trading/positions/${body.id}/close`)).status).toBe(200);
  expect((await demoOf(person)).balance).not.toBe("10000.00");
}
const resetsOf = async (id: string) =>
  (await app.sql<{ amount: string }[]>`select amount from demo_resets where account_id = ${id}`).map(({ amount }) => amount);

describe("a demo account is set back", () => {
  test("to $10,000.00 by one entry, and a second time by none", async () => {
    const tess = await app.trader();
    const { id } = await demoOf(tess);
    await lose(tess, id);
    const lost = (await demoOf(tess)).balance;
    expect(await reset(tess, id)).toMatchObject({ status: 200, body: { id, balance: "10000.00", equity: "10000.00", isDemo: true, status: "active" } });
    expect((await reset(tess, id)).body.balance).toBe("10000.00");
    expect(await resetsOf(id)).toEqual([(10_000 - Number(lost)).toFixed(2)]);
    expect((await tess.get("/api/user/financials")).body).toMatchObject({ accountBalance: "0.00", tradingBalance: "0.00", totalProfit: "0.00" });
  });

  test("also where it won", async () => {
    const tess = await app.trader();
    const { id } = await demoOf(tess);
    const [row] = await app.sql<{ account: number }[]>`select ledger_account_id as account from trading_accounts where id = ${id}`;
    await post(app.sql, row?.account ?? 0, await ledgerAccount(app.sql, "house_demo", null, "demo"), "250.50");
    expect((await reset(tess, id)).body.balance).toBe("10000.00");
    expect(await resetsOf(id)).toEqual(["-250.50"]);
  });

  test("not while it has a position, not if it is live, not if it is another's", async () => {
    const [tess, una] = [await app.trader(), await app.trader()];
    const { id } = await demoOf(tess);
    await tess.post("/api/trading/positions", order);
    expect(await reset(tess, id)).toMatchObject({ status: 409, body: { message: "This account has open positions or waiting orders. Close them first." } });
    const live = await fundLive(app, tess, "400.00");
    expect(await reset(tess, live)).toMatchObject({ status: 422, body: { code: "live_account" } });
    expect((await reset(una, id)).status).toBe(404);
    expect((await reset(app.stranger(), id)).status).toBe(401);
    expect((await reset(tess, "nonsense")).status).toBe(404);
  });

  test("once, however often it is asked for at the same moment", async () => {
    const tess = await app.trader();
    const { id } = await demoOf(tess);
    await lose(tess, id);
    expect(counted(await times(20, () => reset(tess, id)))).toEqual({ 200: 20 });
    expect(await resetsOf(id)).toHaveLength(1);
    expect((await demoOf(tess)).balance).toBe("10000.00");
  });

  test("once for each key: a repeat hears the first answer, whatever happened since", async () => {
    const tess = await app.trader();
    const { id } = await demoOf(tess);
    await lose(tess, id);
    const key = fresh();
    const first = await reset(tess, id, key);
    await lose(tess, id);
    expect((await reset(tess, id, key)).body).toEqual(first.body);
    expect(await resetsOf(id)).toHaveLength(1);
    expect((await tess.post(`/api/trading-accounts/${id}/close`, {}, key)).status).toBe(409);
  });

  test("never under an order that is being placed: the order waits, and so does the reset", async () => {
    const tess = await app.trader();
    const { id } = await demoOf(tess);
    await lose(tess, id);
    const hand = await handHeld(app.db);
    await hand.sql`select from trading_accounts where id = ${id} for update`;
    const opening = tess.post("/api/trading/positions", order);
    await until("the order waits for the account", async () => (await waiting(app.sql)) === 1);
    const setting = reset(tess, id);
    await until("the reset waits too", async () => (await waiting(app.sql)) === 2);
    await hand.commit();
    await hand.end();
    const statuses = [(await opening).status, (await setting).status];
    expect(statuses).toEqual([201, 409]);
    expect(await resetsOf(id)).toEqual([]);
  });
});

describe("an account is named", () => {
  test("and its name is shown, and taken away again", async () => {
    const tess = await app.trader();
    const { id } = await demoOf(tess);
    expect(await rename(tess, id, "  Scalping  ")).toMatchObject({ status: 200, body: { name: "Scalping" } });
    expect(await demoOf(tess)).toMatchObject({ name: "Scalping" });
    expect(await rename(tess, id, "")).toMatchObject({ status: 200, body: { name: null } });
  });

  test("by its owner alone, in at most sixty characters", async () => {
    const [tess, una] = [await app.trader(), await app.trader()];
    const { id } = await demoOf(tess);
    expect((await rename(una, id, "Mine now")).status).toBe(404);
    expect((await rename(tess, id, "x".repeat(61))).status).toBe(400);
    expect((await rename(tess, id, ["a"])).status).toBe(400);
    expect(await demoOf(tess)).toMatchObject({ name: null });
  });
});

describe("an account is closed", () => {
  test("a demo one gives its virtual money back; nothing is done with it any more", async () => {
    const tess = await app.trader();
    const { id } = await demoOf(tess);
    expect(await close(tess, id)).toMatchObject({ status: 200, body: { id, status: "closed", balance: "0.00" } });
    expect((await close(tess, id)).status).toBe(409);
    expect((await reset(tess, id)).status).toBe(409);
    expect((await rename(tess, id, "Late")).status).toBe(409);
    expect((await tess.post("/api/trading/positions", { ...order, accountId: id })).status).toBe(409);
    expect((await tess.post("/api/trading/positions", order)).body).toMatchObject({ message: "Open a trading account first." });
  });

  test("a live one only when it is empty; one's own only", async () => {
    const [tess, una] = [await app.trader(), await app.trader()];
    const live = await fundLive(app, tess, "400.00");
    expect(await close(tess, live)).toMatchObject({ status: 409, body: { message: "This account holds $400.00. Transfer it to your wallet first." } });
    expect((await close(una, live)).status).toBe(404);
    expect((await tess.post("/api/transfers", { fromAccountId: live, toAccountId: null, amount: "400.00" })).status).toBe(201);
    expect((await close(tess, live)).status).toBe(200);
    expect((await tess.post("/api/transfers", { fromAccountId: null, toAccountId: live, amount: "1.00" })).status).toBe(409);
    expect((await tess.get("/api/user/financials")).body).toMatchObject({ accountBalance: "400.00", tradingBalance: "0.00" });
  });

  test("not while a position is open", async () => {
    const tess = await app.trader();
    const { id } = await demoOf(tess);
    await tess.post("/api/trading/positions", order);
    expect((await close(tess, id)).status).toBe(409);
  });

  test("or gets money, but never both: closing races a transfer in, twenty times each", async () => {
    for (let turn = 0; turn < 5; turn++) {
      const tess = await app.trader();
      await app.sql`update users set registration_status = 'approved' where id = ${tess.id}`;
      await post(app.sql, await ledgerAccount(app.sql, "wallet", tess.id), await ledgerAccount(app.sql, "house_clearing"), "1000.00");
      const { body: live } = await tess.post<Account>("/api/trading-accounts", { accountTypeId: "starter", isDemo: false });
      const [moves, closings] = await Promise.all([
        times(20, () => tess.post("/api/transfers", { fromAccountId: null, toAccountId: live.id, amount: "1.00" })),
        times(20, () => close(tess, live.id)),
      ]);
      const moved = counted(moves)[201] ?? 0;
      const closed = counted(closings)[200] ?? 0;
      expect(closed).toBeLessThanOrEqual(1);
      expect(moved === 0).toBe(closed === 1);
      const account = (await accountsOf(tess)).find(({ id }) => id === live.id);
      expect(account).toMatchObject(closed ? { status: "closed", balance: "0.00" } : { status: "active", balance: `${moved}.00` });
    }
  });

  test("a transfer that came first is waited for", async () => {
    const tess = await app.trader();
    const live = await fundLive(app, tess, "300.00");
    await tess.post("/api/transfers", { fromAccountId: live, toAccountId: null, amount: "300.00" });
    const hand = await handHeld(app.db);
    await hand.sql`select transfer_make(${tess.id}, null, ${live}, 5, row('{}', '{}', '{}', '{}')::board, null, null)`;
    const closing = close(tess, live);
    await until("closing waits for the transfer", async () => (await waiting(app.sql)) === 1);
    await hand.commit();
    await hand.end();
    expect(await closing).toMatchObject({ status: 409, body: { message: "This account holds $5.00. Transfer it to your wallet first." } });
  });
});

describe("an account is opened", () => {
  test("once for each key; number and balance from the client are not believed", async () => {
    const tess = await app.trader();
    const key = fresh();
    const body = { accountTypeId: "gold", accountNumber: "ACC1", balance: "99999.00", isDemo: false };
    const answers = await times(10, () => tess.post<Account>("/api/trading-accounts", body, key));
    expect(counted(answers)).toEqual({ 201: 10 });
    expect(new Set(answers.map((each) => each.body.id)).size).toBe(1);
    expect(answers[0]?.body).toMatchObject({ balance: "0.00", isDemo: false });
    expect(answers[0]?.body.accountNumber).not.toBe("ACC1");
    expect(await accountsOf(tess)).toHaveLength(2);
    expect((await tess.post("/api/trading-accounts", { accountTypeId: "silver" }, key)).status).toBe(409);
    const [listed] = (await accountsOf(tess)).filter(({ id }) => id === answers[0]?.body.id);
    expect(answers[0]?.body).toEqual(listed as Account);
  });
});
