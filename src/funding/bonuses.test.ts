import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Sql } from "../platform/database/db";
import { folders, readTexts } from "../platform/files";
import { type TestApp, testApp } from "../testing/app";
import { counted, deposit, type Signed, times, wallet, withdrawal } from "../testing/money";
import { fundLive, handHeld, order, rowsCounted, tamper, until, waiting, withoutGuard } from "../testing/scenarios";
import type { Deposit, StaffDeposit } from "./schema";

/** The terms of bonuses, and what is typed before much money is let in or out. */

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

/** A person with $5,000 deposited in Bitcoin and the $600 that it earned. */
async function rewarded(): Promise<Signed> {
  const person = await app.trader();
  await admin.post(`/api/admin/approve-registration/${person.id}`);
  const { body } = await deposit(person, { amount: 5000, currency: "BTC", method: "crypto" });
  expect((await admin.post<StaffDeposit>(`/api/admin/deposits/${body.id}/approve`)).body.bonusApplied).toBe("600.00");
  return person;
}
const state = async ({ id }: { id: string }) =>
  (await app.sql<{ locked: string; turnover: string }[]>`select locked::text, turnover::text from bonus_state(${id}::uuid)`)[0];
/** One opening on a live account, closed again. */
async function trade(person: Signed, accountId: string, amount: number) {
  const { body, status } = await person.post<{ id: string }>("/api/trading/positions", { ...order, accountId, amount });
  expect(status).toBe(201);
  expect((await person.post(`/api/trading/positions/${body.id}/close`, { amount: amount / 2 })).status).toBe(200);
  expect((await person.post(`/api/trading/positions/${body.id}/close`)).status).toBe(200);
}

describe("bonus money", () => {
  test("stays in the house until ten times its amount was traded on live accounts", async () => {
    const ann = await rewarded();
    expect((await ann.get("/api/user/bonus")).body).toEqual({ locked: "600.00", turnover: "6000.00" });
    for (const path of ["/dashboard", "/profile"]) expect((await ann.get(path)).text).toContain("after $6,000.00 more turnover");
    const refused = await withdrawal(ann, { amount: 5000.01 });
    expect([refused.status, refused.body as unknown]).toEqual([
      422,
      {
        code: "bonus_locked",
        message: "At most $5,000.00 can be withdrawn now: $600.00 is bonus money, which can be withdrawn after $6,000.00 more turnover on live accounts.",
        fields: { amount: expect.any(String) },
      },
    ]);
    const live = await fundLive(app, ann, "400.00");
    const [demo] = (await ann.get<{ id: string; isDemo: boolean }[]>("/api/trading-accounts")).body.filter(({ isDemo }) => isDemo);
    await trade(ann, demo?.id ?? "", 9000);
    expect(await state(ann)).toEqual({ locked: "600.00", turnover: "6000.00" });
    // The $500 came first of the two, in one approval; turnover counts for it before the $100.
    await trade(ann, live, 5000);
    expect(await state(ann)).toEqual({ locked: "100.00", turnover: "1000.00" });
    await trade(ann, live, 1000);
    expect(await state(ann)).toEqual({ locked: "0.00", turnover: "0.00" });
    expect((await withdrawal(ann, { amount: await wallet(ann) })).status).toBe(201);
  });

  test("is not freed by what was traded before it came", async () => {
    const bob = await app.trader();
    const live = await fundLive(app, bob, "400.00");
    await trade(bob, live, 9000);
    const { body } = await deposit(bob, { amount: 5000 });
    await admin.post(`/api/admin/deposits/${body.id}/approve`);
    expect(await state(bob)).toEqual({ locked: "500.00", turnover: "5000.00" });
  });

  test("asked for twenty times at once leaves with none of them", async () => {
    const ann = await rewarded();
    expect(counted(await times(20, () => withdrawal(ann, { amount: 300 })))).toEqual({ 201: 16, 422: 4 });
    expect(await wallet(ann)).toBe("800.00");
  });

  test("leaves where the guard is taken out", async () => {
    const ann = await rewarded();
    const putBack = await withoutGuard(app.sql, "withdrawal_ask", "if bonus.locked > 0 and", "if false and");
    expect((await withdrawal(ann, { amount: 5600 })).status).toBe(201);
    await putBack();
  });

  test("of a referral has terms too, and those that held when it was paid", async () => {
    const ann = await app.trader();
    const { code } = (await ann.get<{ code: string }>("/api/referrals")).body;
    const bob = await app.trader({ referralCode: code });
    const { body } = await deposit(bob, { amount: 100 });
    await admin.post(`/api/admin/deposits/${body.id}/approve`);
    await app.sql`update promotions set turnover = 3 where id = 'referral_bonus'`;
    expect(await state(ann)).toEqual({ locked: "50.00", turnover: "500.00" });
    await app.sql`update promotions set turnover = 10 where id = 'referral_bonus'`;
  });
});

describe("what was traded", () => {
  const open = (person: Signed, accountId: string, amount: number) => person.post("/api/trading/positions", { ...order, accountId, amount });

  test("is added by orders at once on two accounts, and counts before a bonus that is paid meanwhile, or after it", async () => {
    const ann = await app.trader();
    const accounts = [await fundLive(app, ann, "400.00"), await fundLive(app, ann, "400.00")];
    const { body } = await deposit(ann, { amount: 5000 });
    const [approved, ...opened] = await Promise.all([
      admin.post(`/api/admin/deposits/${body.id}/approve`),
      ...Array.from({ length: 12 }, (_, n) => open(ann, accounts[n % 2] ?? "", 100 + n)),
    ]);
    expect([approved?.status, counted(opened)]).toEqual([200, { 201: 12 }]);
    const [kept] = await app.sql<{ turnover: string }[]>`select sum(turnover)::text as turnover from trading_accounts where id = any (${accounts}::uuid[])`;
    expect(kept?.turnover).toBe("1266.00");
    // Each opening is stamped on one side of the bonus, and counted there.
    expect(await app.faults()).toEqual([]);
  });

  /** What the books say when an order fills before a bonus is paid and is committed after it was asked for. */
  async function dealtBefore(approvalWaits: boolean) {
    const ann = await app.trader();
    const live = await fundLive(app, ann, "400.00");
    const { body } = await deposit(ann, { amount: 5000 });
    const hand = await handHeld(app.db);
    await hand.sql`
      select trade_open(
        ${ann.id}, ${live}, 'EUR/USD', 'buy', 100, null, null, null, null, true, row(0, now(), 0, 1.10002, 1.10002, 0.0001)::deed_quote,
        row('{}', '{}', '{}', '{}')::board, null, null, clock_timestamp()
      )`;
    const approval = admin.post(`/api/admin/deposits/${body.id}/approve`);
    if (approvalWaits) await until("the approval waits for the order", async () => (await waiting(app.sql)) > 0);
    else await approval;
    await hand.commit();
    await hand.end();
    expect((await approval).status).toBe(200);
    return { ann, found: await app.faults() };
  }

  test("by an order that is not written yet is waited for", async () => {
    const { ann, found } = await dealtBefore(true);
    expect(found).toEqual([]);
    expect(await state(ann)).toEqual({ locked: "500.00", turnover: "5000.00" });
  });

  test("counts for a bonus that came after it where nothing is held, and a check says so", async () => {
    const putBack = await withoutGuard(app.sql, "deposit_approve", "perform bonus_hold(array[d.user_id, referrer]);");
    const { ann, found } = await dealtBefore(false);
    expect(found).toEqual([expect.stringContaining("turnover_matches_fills")]);
    expect((await state(ann))?.turnover).toBe("4900.00");
    await tamper(app.sql, (tx) => tx`update bonuses set free_after = free_after + 100 where user_id = ${ann.id}`);
    await putBack();
  });

  test("is filled by its migration for what was dealt and paid before it", async () => {
    const migration = readTexts(folders.migrations, ".sql").find(({ name }) => name.endsWith("_turnover.sql"));
    const fills = migration?.text.match(/^update [^;]*;/gm) ?? [];
    expect(fills).toHaveLength(2);
    const kept = (sql: Sql) => sql<{ subject: string; kept: string }[]>`
      select id::text as subject, turnover::text as kept from trading_accounts union all select entry_id::text, free_after::text from bonuses order by 1 limit 1000
    `;
    const before = await kept(app.sql);
    await tamper(app.sql, async (tx) => {
      await tx`update trading_accounts set turnover = 0`;
      await tx`update bonuses set free_after = 0.01`;
      expect(await kept(tx)).not.toEqual(before);
      for (const fill of fills) await tx.unsafe(fill);
      expect(await kept(tx)).toEqual(before);
    });
  });

  test("is known by as many rows after many orders as after few", async () => {
    const ann = await rewarded();
    const live = await fundLive(app, ann, "400.00");
    const read = () =>
      app.sql.begin(async (tx) => {
        const before = await rowsCounted(tx);
        await tx`select locked from bonus_state(${ann.id})`;
        return (await rowsCounted(tx)) - before;
      });
    await trade(ann, live, 50);
    const few = await read();
    for (let n = 0; n < 20; n++) await trade(ann, live, 50);
    expect(await read()).toBe(few);
    expect(await state(ann)).toEqual({ locked: "600.00", turnover: "4950.00" });
  });
});

describe("above the threshold", () => {
  const approve = (id: string, body: object = {}) => admin.post<{ fields?: object }>(`/api/admin/deposits/${id}/approve`, body);

  test("a deposit is approved with its typed amount alone, euros by what they are worth", async () => {
    const ann = await app.trader();
    const { body } = await deposit(ann, { amount: 5000.01 });
    const refused = await approve(body.id);
    expect([refused.status, refused.body.fields]).toEqual([400, { confirmAmount: "Type the amount" }]);
    expect((await approve(body.id, { confirmAmount: 5000 })).status).toBe(422);
    expect((await approve(body.id, { confirmAmount: 5000.01 })).status).toBe(200);
    await app.quote("EUR/USD", "1.10000", "1.10002");
    const euros = (await deposit(ann, { amount: 4600, currency: "EUR" })).body;
    expect((await approve(euros.id)).status).toBe(400);
    expect((await approve(euros.id, { confirmAmount: 4600 })).status).toBe(200);
  });

  test("a withdrawal is, too; at the threshold nothing is typed", async () => {
    const ann = await app.trader();
    await admin.post(`/api/admin/approve-registration/${ann.id}`);
    for (const confirmAmount of ["4999.00", "4998.00"]) {
      const { body } = await deposit(ann, { amount: confirmAmount });
      expect((await approve(body.id)).status).toBe(200);
    }
    const small = await withdrawal(ann, { amount: 20 + 4977 });
    const large = await withdrawal(ann, { amount: 5000 });
    const decide = (id: string, over: object = {}) => admin.post(`/api/admin/withdrawals/${id}/approve`, { notes: "", ...over });
    expect((await decide(large.body.id)).status).toBe(200);
    expect((await decide(small.body.id)).status).toBe(200);
    await app.sql`update settings set value = '99.99' where key = 'confirm_above'`;
    const { body } = await deposit(ann, { amount: 200 });
    expect((await approve(body.id)).status).toBe(400);
    await app.sql`update settings set value = '5000.00' where key = 'confirm_above'`;
    expect((await approve(body.id)).status).toBe(200);
    const more = await withdrawal(ann, { amount: 150 });
    await app.sql`update settings set value = '149.99' where key = 'confirm_above'`;
    expect((await decide(more.body.id)).body as unknown).toMatchObject({ code: "invalid", fields: { confirmAmount: "Type the amount" } });
    expect((await decide(more.body.id, { confirmAmount: "150" })).status).toBe(200);
    await app.sql`update settings set value = '5000.00' where key = 'confirm_above'`;
  });
});

describe("one transaction on a chain with accounts", () => {
  const hash = () => crypto.randomUUID().replaceAll("-", "").repeat(2);
  /** The same hash by other outputs, networks and coins. */
  const guises = [
    { currency: "ETH", network: "ERC-20" },
    { currency: "ETH", network: "Mainnet", outputIndex: 1 },
    { currency: "ETH", network: "BEP-20" },
    { currency: "USDT", network: "ERC-20" },
    { currency: "USDT", network: "TRC-20", outputIndex: 7 },
    { currency: "BTC", network: "Mainnet" },
  ];
  const claim = (person: Signed, transactionHash: string, guise: object) => deposit(person, { method: "crypto", amount: 10, ...guise, transactionHash });

  test("is claimed once, whatever the coin, the network and the index, and whoever races", async () => {
    const [ann, bob] = [await app.trader(), await app.trader()];
    const transactionHash = hash();
    const answers = await times(12, (n) => claim(n % 2 ? ann : bob, n % 3 ? transactionHash : `0x${transactionHash.toUpperCase()}`, guises[n % 6] ?? {}));
    expect(counted(answers)).toEqual({ 201: 1, 409: 11 });
  });

  test("is credited once, even where two claims of it waited from before", async () => {
    const ann = await app.trader();
    const transactionHash = hash();
    const putBack = await withoutGuard(app.sql, "deposit_request", "if rival.id is not null then", "if false then");
    const ids = [];
    for (const guise of guises.slice(0, 5)) ids.push((await claim(ann, transactionHash, guise)).body.id);
    await putBack();
    const answers = await Promise.all(ids.map((id) => admin.post<Deposit>(`/api/admin/deposits/${id}/approve`)));
    expect(counted(answers)).toEqual({ 200: 1, 409: 4 });
    expect(await wallet(ann)).toBe("10.00");
  });
});
