import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { GroupTerms, GroupVersion } from "../accounts/schema_groups";
import type { TradingAccount } from "../accounts/schema";
import type { ProvenStatement, Transaction } from "../funding/schema";
import { type TestApp, testApp } from "../testing/app";
import { counted } from "../testing/money";
import { fundLive, heardBy, order, tamper, until, withoutGuard } from "../testing/scenarios";
import type { Position, Receipt } from "./schema";

/** Groups and what they cost: a commission is taken with the fill, written on the receipt, and is the house's. */

let app: TestApp;
let admin: Awaited<ReturnType<TestApp["admin"]>>;
beforeAll(async () => {
  app = await testApp();
  admin = await app.admin();
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

type Trader = Awaited<ReturnType<TestApp["trader"]>>;
type Refused = { code?: string; message?: string; fields?: Record<string, string> };
const groups = async () => (await admin.get<GroupVersion[]>("/api/admin/groups")).body;
const newest = async (id = "starter") => (await groups()).find((group) => group.id === id) as GroupVersion;
const change = async (body: object, id = "starter") =>
  admin.patch<GroupTerms & Refused>("/api/admin/groups", { id, version: (await newest(id)).version, reason: "A test", ...body });
const account = async (trader: Trader) => (await trader.get<TradingAccount[]>("/api/trading-accounts")).body[0] as TradingAccount;
const balance = async (trader: Trader) => (await account(trader)).balance;
const buy = (trader: Trader, more: object = {}) => trader.post<Position & Refused>("/api/trading/positions", { ...order, amount: 20_000, ...more });
const receipt = async (trader: Trader, id: string) => (await trader.get<Receipt>(`/api/trading/positions/${id}/receipt`)).body;
const charged = async (trader: Trader, id: string) =>
  (await receipt(trader, id)).fills.map(({ kind, commission, groupTerms }) => [kind, commission, groupTerms]);
/** Sets what a side costs for each $100,000; at once, since those who hold something are told first. */
const costs = async (commission: string) => (await change({ commission })).body.version;
const quote = (bid = "1.10000", ask = "1.10002") => app.quote("EUR/USD", bid, ask);

describe("a commission", () => {
  test("is taken on opening and on closing, and is on receipt, history and the account's list, by the version of its terms", async () => {
    const [tess, free] = [await app.trader(), await app.trader()];
    await quote();
    const before = (await buy(free)).body;
    await free.post(`/api/trading/positions/${before.id}/close`);
    expect(await charged(free, before.id)).toEqual([
      ["open", null, "starter v1"],
      ["close", null, "starter v1"],
    ]);

    const version = await costs("3.52");
    expect((await account(tess)).commission).toBe("3.52");
    const opened = (await buy(tess)).body;
    expect([opened.charges, await balance(tess)]).toEqual(["0.71", "9999.29"]);
    const part = (await tess.post<Position>(`/api/trading/positions/${opened.id}/close`, { amount: 5000 })).body;
    expect(part).toMatchObject({ charges: "0.18" });
    const rest = (await tess.post<Position>(`/api/trading/positions/${opened.id}/close`)).body;
    expect(rest).toMatchObject({ charges: "1.24" });
    const kept =
      await app.sql`select sum(s.charges)::text as charges from account_symbols s join trading_accounts a on a.id = s.account_id where a.user_id = ${tess.id}`;
    expect(kept[0]).toEqual({ charges: "1.42" });
    const terms = `starter v${version}`;
    expect(await charged(tess, opened.id)).toEqual([
      ["open", "0.71", terms],
      ["close", "0.53", terms],
    ]);
    expect(await charged(tess, part.id)).toEqual([
      ["open", "0.71", terms],
      ["close", "0.18", terms],
    ]);
    expect(await balance(tess)).toBe((10_000 + Number(part.profit) + Number(rest.profit) - 1.42).toFixed(2));
    expect((await tess.get(`/positions/${opened.id}/receipt`)).text).toContain("$0.53 at $3.52 for each $100,000");
    await costs("0");
    expect(await charged(tess, opened.id)).toEqual([
      ["open", "0.71", terms],
      ["close", "0.53", terms],
    ]);
  });

  test("comes with exits, with a stop-out and with an order that waited; it needs room in the balance", async () => {
    await costs("50");
    const tess = await app.trader();
    await quote();
    const stopped = (await buy(tess, { stopLoss: 1.09, amount: 100_000 })).body;
    const limit = (await buy(tess, { orderType: "limit", triggerPrice: "1.08500" })).body;
    expect([stopped.charges, limit.charges]).toEqual(["50.00", null]);
    await quote("1.08470", "1.08472");
    expect(await charged(tess, stopped.id)).toEqual([
      ["open", "50.00", expect.any(String)],
      ["close", "50.00", expect.any(String)],
    ]);
    expect(await charged(tess, limit.id)).toEqual([["open", "10.00", expect.any(String)]]);
    await tess.post("/api/trading/positions/close-all");

    const lost = await app.trader();
    await quote();
    const all = (await buy(lost, { amount: 900_000 })).body;
    await quote("1.09200", "1.09202");
    expect((await receipt(lost, all.id)).position).toMatchObject({ closeReason: "stop_out", charges: "900.00" });

    // What is left pays no more than there is, and nobody owes.
    const ruined = await app.trader();
    await quote();
    const gone = (await buy(ruined, { amount: 900_000 })).body;
    await quote("1.08900", "1.08902");
    expect((await receipt(ruined, gone.id)).position).toMatchObject({ closeReason: "stop_out" });
    expect(Number(await balance(ruined))).toBeGreaterThanOrEqual(0);

    const poor = await app.trader();
    await quote();
    const refused = await buy(poor, { amount: 1_000_000 });
    expect([refused.status, refused.body.code, refused.body.fields]).toEqual([422, "insufficient_margin", { amount: expect.any(String) }]);
    expect(refused.body.message).toBe("This order needs $10,000.00 of margin and $500.00 of commission; $10,000.00 is free.");
    await costs("0");
  });

  test("of live money is the house's income, and a line of its own on the statement", async () => {
    await costs("10");
    const tess = await app.trader();
    const accountId = await fundLive(app, tess, "1000");
    await quote();
    const opened = (await buy(tess, { accountId })).body;
    expect(opened.charges).toBe("2.00");
    const lines = (await tess.get<Transaction[]>("/api/transactions?type=commission")).body;
    expect(lines).toMatchObject([{ type: "commission", amount: "-2.00", description: "Commission, BUY EUR/USD opened", accountId }]);
    const month = new Date().toISOString().slice(0, 7);
    const { body } = await tess.get<ProvenStatement>(`/api/statements?month=${month}&accountId=${accountId}`);
    // The log has it within a second.
    expect(body.lines.find(({ type }) => type === "commission")).toMatchObject({ amount: "-2.00" });
    const [house] = await app.sql<{ amount: string }[]>`
      select sum(p.amount)::text as amount from ledger_postings p join ledger_accounts a on a.id = p.account_id and a.kind = 'house_pnl'
      join ledger_entries e on e.id = p.entry_id and e.kind = 'commission' where a.book = 'live'`;
    expect(house?.amount).toBe("2.00");
    await tess.post(`/api/trading/positions/${opened.id}/close`);
    await costs("0");
  });
});

describe("a group", () => {
  test("opens, changes by one of many who saw the same version, and keeps its versions; without the guard by all", async () => {
    const made = await admin.post<GroupTerms>("/api/admin/groups", {
      ...{ id: "raw", name: "Raw", spreadPips: "0.2", commission: "3.50", minimumDeposit: "100", leverage: 50, isOpen: "yes", reason: "A test" },
    });
    expect([made.status, made.body]).toEqual([201, expect.objectContaining({ version: 1, commission: "3.50", leverage: 50, isOpen: true })]);
    const again = await admin.post<Refused>("/api/admin/groups", { ...made.body, reason: "A test" });
    expect([again.status, again.body.fields]).toEqual([409, { id: expect.any(String) }]);
    const tess = await app.trader();
    const opened = await tess.post<TradingAccount>("/api/trading-accounts", { accountTypeId: "raw", isDemo: true });
    expect(opened.body).toMatchObject({ accountType: "Raw", leverage: "1:50", commission: "3.50" });
    await change({ leverage: 30 }, "raw");
    expect((await tess.get<TradingAccount[]>("/api/trading-accounts")).body.find(({ id }) => id === opened.body.id)?.leverage).toBe("1:30");

    const { version } = await newest("raw");
    const tries = () =>
      Promise.all(Array.from({ length: 8 }, (_, n) => admin.patch("/api/admin/groups", { id: "raw", version, commission: n, reason: "A test" })));
    expect(counted(await tries())).toEqual({ 200: 1, 409: 7 });
    const putBack = await withoutGuard(app.sql, "group_set", "if newest.version <> seen then", "if false then");
    expect(counted(await tries())).toEqual({ 200: 8 });
    await putBack();
    const all = (await groups()).filter(({ id }) => id === "raw");
    expect(all.map((each) => each.version)).toEqual(Array.from({ length: 11 }, (_, n) => 11 - n));
    expect(all[0]).toMatchObject({ isInForce: true, reason: "A test", administrator: expect.stringContaining(" ") });
    await expect(app.sql`update group_versions set commission = 1`).rejects.toThrow();
    const [line] = await app.sql`select action, reason, previous_state, new_state from admin_actions order by id desc limit 1`;
    expect(line).toMatchObject({ action: "group.set", reason: "A test", new_state: { id: "raw" }, previous_state: { id: "raw" } });
  });

  test("gets worse for what is open only after the notice, of which its holders are told; better at once", async () => {
    const tess = await app.trader();
    await quote();
    await buy(tess);
    const heard = heardBy(app, tess);
    const { body: worse } = await change({ commission: "7" });
    const days = (Date.parse(worse.appliesAt ?? "") - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(0.99);
    expect((await account(tess)).commission).toBe("7.00");
    await until("its holder is told", () => heard.some((told) => told.includes("commission $7.00 a side for each $100,000")));
    const { body: better } = await change({ commission: "0", spreadPips: "3.0" });
    expect([better.appliesAt, await account(tess)]).toEqual([null, expect.objectContaining({ spreadsFrom: "3.0", held: null })]);
    const { version } = better;
    await change({ spreadPips: "3.3" });
    expect(await account(tess)).toMatchObject({ spreadsFrom: "3.3", held: { [version]: { spreadsFrom: "3.0" } } });
  });

  test("comes into force at its time, by the program that leads", async () => {
    const { body } = await change({ name: "Gold plus", effectiveAt: new Date(Date.now() + 3_600_000).toISOString() }, "gold");
    expect((await groups()).find(({ id, isInForce }) => id === "gold" && isInForce)?.name).toBe("Gold");
    await tamper(
      app.sql,
      (tx) => tx`
      update group_versions set effective_at = now(), applies_at = now() where group_id = 'gold' and version = ${body.version}
    `,
    );
    await until("the later terms are in force", async () =>
      (await groups()).some(({ id, isInForce, version }) => id === "gold" && isInForce && version === body.version),
    );
  });

  test("is refused with the field where it makes no sense", async () => {
    const cases: [object, string][] = [
      [{ spreadPips: -1 }, "spreadPips"],
      [{ commission: "-0.01" }, "commission"],
      [{ commission: "NaN" }, "commission"],
      [{ minimumDeposit: -5 }, "minimumDeposit"],
      [{ leverage: 0 }, "leverage"],
      [{ leverage: 5001 }, "leverage"],
      [{ name: " " }, "name"],
      [{ reason: "" }, "reason"],
      [{ effectiveAt: "soon" }, "effectiveAt"],
    ];
    for (const [body, field] of cases) {
      const refused = await change(body);
      expect([body, refused.status, Object.keys(refused.body.fields ?? {})]).toEqual([body, 400, [field]]);
    }
  });
});
