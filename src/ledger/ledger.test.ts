import { afterAll, beforeAll, expect, test } from "bun:test";
import { refusalOf } from "../platform/database/db";
import { type TestApp, testApp } from "../testing/app";
import { accountsOf, faultOfEmptying, handHeld, ledgerAccount, order, post, tamper, until, waiting } from "../testing/scenarios";
import { checkBooks, watchBooks } from "./ledger";

let app: TestApp;
let clearing: number;
beforeAll(async () => {
  app = await testApp();
  clearing = await ledgerAccount(app.sql, "house_clearing");
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

const balance = async (account: number) => (await app.sql<{ balance: string }[]>`select balance from ledger_accounts where id = ${account}`)[0]?.balance;
const walletOf = async (person: { id: string }) => ledgerAccount(app.sql, "wallet", person.id);
const release = () => app.sql`update ledger_state set halted = false, reason = null`;

test("two sessions interleaved at the read lose no update", async () => {
  const wallet = await walletOf(await app.trader());
  const first = await handHeld(app.db);
  const second = await handHeld(app.db);
  try {
    // Both have read the balance before either writes.
    for (const { sql } of [first, second]) await sql`select balance from ledger_accounts where id = ${wallet}`;
    await post(first.sql, wallet, clearing, "100.00");
    const late = post(second.sql, wallet, clearing, "11.11");
    await until("the second session waits for the first", async () => (await waiting(app.sql)) === 1);
    await first.commit();
    await late;
    await second.commit();
  } finally {
    await Promise.all([first.end(), second.end()]);
  }
  expect(await balance(wallet)).toBe("111.11");
});

test("commands that name the same accounts in opposite orders do not wait for each other for ever", async () => {
  const [a, b] = [await walletOf(await app.trader()), await walletOf(await app.trader())];
  for (const wallet of [a, b]) await post(app.sql, wallet, clearing, "100.00");
  await Promise.all(Array.from({ length: 40 }, (_, i) => (i % 2 ? post(app.sql, a, b, "1.00") : post(app.sql, b, a, "1.00"))));
  expect([await balance(a), await balance(b)]).toEqual(["100.00", "100.00"]);
});

test("a customer's account can't go below zero, however many try at once", async () => {
  const wallet = await walletOf(await app.trader());
  await post(app.sql, wallet, clearing, "100.00");
  const tries = await Promise.allSettled(Array.from({ length: 20 }, () => post(app.sql, clearing, wallet, "100.00")));
  expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const one of tries) if (one.status === "rejected") expect(refusalOf(one.reason)).toMatchObject({ code: "insufficient_funds" });
  expect(await balance(wallet)).toBe("0.00");
});

test("the same command is posted once", async () => {
  const wallet = await walletOf(await app.trader());
  const object = crypto.randomUUID();
  const tries = await Promise.allSettled(Array.from({ length: 10 }, () => post(app.sql, wallet, clearing, "5.00", object)));
  expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await balance(wallet)).toBe("5.00");
});

test("a tenth and two tenths are three, and a sum is split to the last cent", async () => {
  const wallet = await walletOf(await app.trader());
  await post(app.sql, wallet, clearing, "0.10");
  await post(app.sql, wallet, clearing, "0.20");
  await post(app.sql, clearing, wallet, "0.30");
  expect(await balance(wallet)).toBe("0.00");
  await post(app.sql, wallet, clearing, "100.00");
  for (const part of ["33.33", "33.33", "33.34"]) await post(app.sql, clearing, wallet, part);
  expect(await balance(wallet)).toBe("0.00");
});

test("the journal, the receipts and the audit book refuse every change", async () => {
  const admin = await app.admin();
  const trader = await app.trader();
  await admin.post(`/api/admin/users/${trader.id}/kyc`, { status: "verified", reason: "Passport seen" });
  await app.quote("EUR/USD", "1.10000", "1.10002");
  expect((await trader.post("/api/trading/positions", order)).status).toBe(201);
  for (const [table, column] of [
    ["ledger_entries", "memo = memo"],
    ["ledger_postings", "amount = amount"],
    ["fills", "price = price"],
    ["admin_actions", "reason = reason"],
  ] as const) {
    const [row] = await app.sql.unsafe<{ rows: number }[]>(`select count(*)::integer as rows from ${table}`);
    expect(row?.rows).toBeGreaterThan(0);
    expect(await faultOfEmptying(app.sql, table)).toMatchObject({ code: "42501" });
    for (const change of [`update ${table} set ${column}`, `delete from ${table}`])
      await expect(app.sql.unsafe(change).then(() => change)).rejects.toMatchObject({ code: "42501" });
  }
  expect(await faultOfEmptying(app.sql, "ledger_accounts")).toMatchObject({ code: "42501" });
});

test("an entry that does not balance is refused at the commit, however it was written", async () => {
  const wallet = await walletOf(await app.trader());
  const forged = app.sql.begin(async (tx) => {
    const [entry] = await tx<{ id: number }[]>`insert into ledger_entries (kind, object_id, memo) values ('forged', ${crypto.randomUUID()}, '') returning id`;
    await tx`insert into ledger_postings (entry_id, account_id, amount, balance_after) values (${entry?.id ?? 0}, ${wallet}, 10, 10)`;
  });
  await expect(forged).rejects.toMatchObject({ code: "23514" });
  // A leg in each book: zero in all, but not in each.
  const demo = await ledgerAccount(app.sql, "house_demo", null, "demo");
  await expect(post(app.sql, wallet, demo, "10.00")).rejects.toMatchObject({ code: "23514" });
  await expect(
    app.sql`select ledger_post('test', ${crypto.randomUUID()}, '', array[${wallet}::bigint], array['NaN'::numeric])`.then(() => "posted"),
  ).rejects.toMatchObject({
    code: "22004",
  });
});

test("an amount beyond the column is a clear refusal, not a fault", async () => {
  const tess = await app.trader();
  const trading = await ledgerAccount(app.sql, "trading", tess.id, "demo");
  // The account now holds as much as its column takes; what the house lacks two of its stripes bear.
  const halves = ["5000000000000.00", "4999999989999.99"];
  const banks = await app.sql<{ id: number }[]>`select id from ledger_accounts where kind = 'house_demo' order by stripe limit 2`;
  for (const [n, { id }] of banks.entries()) await post(app.sql, trading, id, halves[n] ?? "");
  await app.quote("EUR/USD", "1.10000", "1.10002");
  const { body } = await tess.post<{ id: string }>("/api/trading/positions", order);
  await app.quote("EUR/USD", "1.14000", "1.14002");
  expect(await tess.post(`/api/trading/positions/${body.id}/close`)).toMatchObject({
    status: 400,
    body: { code: "invalid", message: "The amount is too large." },
  });
  expect((await accountsOf(tess))[0]?.balance).toBe("9999999999999.99");
  for (const [n, { id }] of banks.entries()) await post(app.sql, id, trading, halves[n] ?? "");
  expect((await tess.post(`/api/trading/positions/${body.id}/close`)).status).toBe(200);
});

test("books that are off halt all money commands until an operator releases them", async () => {
  const tess = await app.trader();
  await app.quote("EUR/USD", "1.10000", "1.10002");
  const { body: open } = await tess.post<{ id: string }>("/api/trading/positions", order);
  await app.quote("EUR/USD", "1.11000", "1.11002");
  expect(await checkBooks(app.context)).toEqual([]);
  const wallet = await walletOf(tess);
  await tamper(app.sql, (tx) => tx`update ledger_accounts set balance = 0.01 where id = ${wallet}`);
  expect(await checkBooks(app.context)).toContainEqual({ subject: "book live", offBy: "0.01" });
  const paused = { status: 503, body: { code: "unavailable" } };
  try {
    expect(await tess.post(`/api/trading/positions/${open.id}/close`)).toMatchObject(paused);
    expect(await tess.post("/api/trading/positions", order)).toMatchObject(paused);
    expect(await tess.post("/api/trading-accounts", { accountTypeId: "starter", isDemo: true })).toMatchObject(paused);
    expect(app.lines.filter((line) => line.includes("the books do not balance") && line.includes('"error"')).length).toBeGreaterThan(0);
    // Set right again, they stay halted: that is for a person to decide.
    await tamper(app.sql, (tx) => tx`update ledger_accounts set balance = 0 where id = ${wallet}`);
    expect(await checkBooks(app.context)).toEqual([]);
    expect(await tess.post(`/api/trading/positions/${open.id}/close`)).toMatchObject(paused);
  } finally {
    await release();
  }
  expect((await tess.post(`/api/trading/positions/${open.id}/close`)).status).toBe(200);
});

test("an account whose last posting disagrees with it is found too, while its book still sums to zero", async () => {
  const wallet = await walletOf(await app.trader());
  await post(app.sql, wallet, clearing, "7.00");
  const shift = (by: number) =>
    tamper(
      app.sql,
      (tx) => tx`update ledger_accounts set balance = balance + case when id = ${wallet} then 1 else -1 end * ${by} where id in (${wallet}, ${clearing})`,
    );
  await shift(1);
  const stop = watchBooks(app.context);
  await stop();
  const [state] = await app.sql<{ halted: boolean; reason: string }[]>`select halted, reason from ledger_state`;
  await shift(-1);
  await release();
  expect(state).toMatchObject({ halted: true, reason: expect.stringMatching(/^account \d+ is off by -?1\.00$/) });
});

test("a balance without any posting is found, while its book sums to zero", async () => {
  const wallet = await walletOf(await app.trader());
  expect(await checkBooks(app.context)).toEqual([]);
  // What one holds too much a house's account lacks.
  const set = (by: number) =>
    tamper(
      app.sql,
      (tx) => tx`update ledger_accounts set balance = balance + case id when ${clearing} then -1 else 1 end * ${by} where id in (${wallet}, ${clearing})`,
    );
  await set(5);
  const found = await checkBooks(app.context);
  await set(-5);
  await release();
  expect(found).toContainEqual({ subject: `account ${wallet}`, offBy: "5.00" });
});
