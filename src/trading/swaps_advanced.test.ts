import { afterAll, beforeAll, expect, test } from "bun:test";
import type { TradingAccount } from "../accounts/schema";
import type { ProvenStatement } from "../funding/schema";
import { DAY } from "../lib/time";
import { keyOfLog } from "../proof/queries";
import { verify } from "../proof/rules_verify";
import { type TestApp, testApp } from "../testing/app";
import { expectedNights, nightsIn, rule } from "../testing/nights";
import { handHeld, ledgerAccount, order, post, until, waiting } from "../testing/scenarios";
import type { Position, Receipt } from "./schema";
import { chargeNight } from "./swaps";

/** What a night costs can't be saved by having no balance at 17:00: the house advances it, and the next results repay it. */

let app: TestApp;
let group: string;
beforeAll(async () => {
  app = await testApp();
  // $10.00 a night for $10,000 of a coin.
  group = await groupWith({ swaps: [rule({ for: "crypto", unit: "percent", long: "-36", short: "-36", tripleDay: null })] });
});
afterAll(async () => {
  await until("the last night is charged", isCharged);
  expect(await app.faults()).toEqual([]);
  await app.end();
});
const { groupWith, sleptSince, isCharged, nightsOf, balanceOf, asleep } = nightsIn(() => app);

const [OPENED, BEFORE] = [3, 5].map((days) => new Date(Date.now() - days * DAY).toISOString()) as [string, string];
const nights = () => expectedNights(OPENED, null, false).length;
const owed = () => 10 * nights();
const START = 500;
/** Of $10,000 bought at 50,010 and counted at 52,500. */
const PROFIT = 497.9;
const money = (dollars: number) => dollars.toFixed(2);

/** Somebody with $500.00 on a live account of that group and, on the market's price, a position that gains enough to cover its own margin. */
async function gainer() {
  await app.quote("BTC/USD", "50000", "50010");
  const tess = await app.trader();
  await app.sql`update users set registration_status = 'approved' where id = ${tess.id}`;
  await post(app.sql, await ledgerAccount(app.sql, "wallet", tess.id), await ledgerAccount(app.sql, "house_clearing"), money(START));
  const { body: account } = await tess.post<TradingAccount>("/api/trading-accounts", { accountTypeId: group, isDemo: false });
  const move = (from: string | null, to: string | null, amount: number) =>
    tess.post<{ message: string }>("/api/transfers", { fromAccountId: from, toAccountId: to, amount: money(amount) });
  expect((await move(null, account.id, START)).status).toBe(201);
  const open = async (over: object = {}) =>
    (await tess.post<Position>("/api/trading/positions", { ...order, symbol: "BTC/USD", amount: 10_000, accountId: account.id, ...over })).body;
  const position = await open();
  await app.quote("BTC/USD", "52500", "52510");
  const accountNow = async () => (await tess.get<TradingAccount[]>("/api/trading-accounts")).body.find(({ id }) => id === account.id);
  const out = (amount = START) => move(account.id, null, amount);
  const back = (amount = START) => move(null, account.id, amount);
  const close = async (id = position.id) => (await tess.post<Position>(`/api/trading/positions/${id}/close`)).body;
  return { tess, accountId: account.id, position, open, accountNow, out, back, close };
}
/** The nights pass and are charged by the batch. */
async function sleep(...held: Position[]): Promise<void> {
  const wake = await asleep();
  await sleptSince(BEFORE.slice(0, 10), Object.fromEntries(held.map(({ id }) => [id, OPENED])));
  await wake();
  await until("all nights are charged", isCharged);
}

test("whoever moves the balance away before 17:00 and back afterwards has paid each night in the end", async () => {
  const { tess, accountId, position, accountNow, out, back, close } = await gainer();
  expect((await out()).status).toBe(201);
  await sleep(position);
  expect((await nightsOf(position.id)).map(({ due, amount }) => [due, amount])).toEqual(Array.from({ length: nights() }, () => ["-10.00", "0.00"]));
  // It counts at once: no order, and no transfer, rests on it.
  expect(await accountNow()).toMatchObject({ balance: "0.00", advance: money(owed()), equity: money(PROFIT - owed()) });
  await back();
  const free = START + PROFIT - owed() - Number((await accountNow())?.margin);
  expect(await accountNow()).toMatchObject({ balance: money(START), freeMargin: money(free) });
  await close();
  expect(await accountNow()).toMatchObject({ balance: money(START + PROFIT - owed()), advance: "0.00" });

  // What the result repaid is no loss: the day's figures say so where they count it.
  const [closing] = await app.sql<{ day: string }[]>`
    select to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') as day from ledger_entries where kind = 'trade_close' and object_id = ${position.id}
  `;
  const day = await (await (await app.admin()).fetch("GET", `/api/admin/days/${closing?.day}?format=csv`)).text();
  expect(day).toContain(`"Losses beyond balances, less repayments","${money(owed())}","1"`);

  const { body: receipt } = await tess.get<Receipt>(`/api/trading/positions/${position.id}/receipt`);
  expect([receipt.covered, ...receipt.nights.map(({ advanced }) => advanced)]).toEqual([money(-owed()), ...Array.from({ length: nights() }, () => "10.00")]);
  const page = (await tess.get(`/positions/${position.id}/receipt`)).text.replace(/<[^>]*>/g, "");
  for (const words of [
    "the house advanced $10.00, which the account’s next results repay",
    `$${money(owed())} of this result repaid what the house had advanced`,
  ])
    expect(page).toContain(words);
  // A statement's file goes by what moved the balance.
  await app.logbook.wake();
  const month = new Date().toISOString().slice(0, 7);
  const text = await (await tess.fetch("GET", `/api/statements/proof?month=${month}&accountId=${accountId}`)).text();
  expect(verify(text, { key: (await keyOfLog(app.sql)) ?? "" })).toMatchObject({ holds: true, reason: null });
  const { body: statement } = await tess.get<ProvenStatement>(`/api/statements?month=${month}&accountId=${accountId}`);
  expect(statement.lines.filter(({ type }) => type === "swap")).toEqual([]);
});

test("nights that a closing charges itself are repaid by its own result", async () => {
  const { accountId, position, tess, out, close } = await gainer();
  await out();
  const wake = await asleep();
  await sleptSince(BEFORE.slice(0, 10), { [position.id]: OPENED });
  await close();
  expect(await balanceOf(tess, accountId)).toBe(money(PROFIT - owed()));
  await wake();
});

test("a hedge whose losing leg was closed, so that no balance is left, pays the nights of the other", async () => {
  const { position, open, accountNow, close } = await gainer();
  const other = await open({ type: "sell" });
  await app.quote("BTC/USD", "55400", "55410");
  // It lost more than the $500.00.
  const lost = Number((await close(other.id)).profit);
  expect(await accountNow()).toMatchObject({ balance: "0.00" });
  await sleep(position);
  expect((await accountNow())?.advance).toBe(money(-lost - START + owed()));
  const { profit } = await close();
  expect((await accountNow())?.balance).toBe(money(START + lost + Number(profit) - owed()));
});

test("with the last position closed without a gain the rest is forgiven", async () => {
  const { position, accountNow, out, back, close } = await gainer();
  await out();
  await sleep(position);
  await app.quote("BTC/USD", "50010", "50020");
  // Without any equity the engine may have closed it by itself.
  await close();
  expect(await accountNow()).toMatchObject({ balance: "0.00", equity: "0.00", advance: "0.00", margin: "0.00" });
  await back();
  expect(await accountNow()).toMatchObject({ balance: money(START), equity: money(START) });
});

test("transfers, closings and batches at one moment: whichever comes first, each night is paid once", async () => {
  const people = await Promise.all(Array.from({ length: 6 }, gainer));
  await app.quote("BTC/USD", "52500", "52510");
  const back = await asleep();
  await sleptSince(BEFORE.slice(0, 10), Object.fromEntries(people.map(({ position }) => [position.id, OPENED])));
  const hand = await handHeld(app.db);
  await hand.sql`select from trading_accounts where id = any(${people.map(({ accountId }) => accountId)}::uuid[]) order by id for update`;
  const moved = people.map(({ out }) => out());
  const closed = people.slice(0, 3).map(({ close }) => close());
  await back();
  const { bus, log, engineSql: sql } = app.context;
  const batches = Array.from({ length: 2 }, () => chargeNight({ sql, bus, log, epoch: null }));
  await until("they wait", async () => (await waiting(app.sql)) >= 4);
  await hand.commit();
  await hand.end();
  await Promise.all([...moved, ...closed, ...batches]);
  await until("all nights are charged", isCharged);
  for (const { tess, accountId, position, close } of people) {
    await app.quote("BTC/USD", "52500", "52510");
    await close();
    expect(await nightsOf(position.id)).toHaveLength(nights());
    const [wallet] = await app.sql<{ balance: string }[]>`select balance from ledger_accounts where owner_id = ${tess.id} and kind = 'wallet'`;
    const [result] = await app.sql<{ profit: string }[]>`select profit from positions where id = ${position.id}`;
    const all = Number(wallet?.balance) + Number(await balanceOf(tess, accountId));
    expect(money(all)).toBe(money(START + Number(result?.profit) - owed()));
  }
});
