import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Me } from "../platform/app_context";
import { type TestApp, testApp } from "../testing/app";
import { handHeld, order, until } from "../testing/scenarios";
import type { Position } from "./schema";

/** Exits that fire on one tick are written in one statement, and none of them waits for another's trouble. */

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

type Trader = Awaited<ReturnType<TestApp["trader"]>>;
const ETHER = "ETH/USD";

/** Accounts of one trader, each with as many positions as asked for, all with the same stop. */
async function stops(tess: Trader, accounts: number, each = 1): Promise<Position[][]> {
  await app.quote(ETHER, "3000.00", "3000.00");
  const me = { id: tess.id } as Me;
  const made: Position[][] = [];
  for (let n = 0; n < accounts; n++) {
    const [row] = await app.sql<{ id: string }[]>`select account_open(${tess.id}, 'starter', true) as id`;
    const own: Position[] = [];
    for (let k = 0; k < each; k++) {
      const sent = { ...order, symbol: ETHER, type: "buy" as const, accountId: row?.id ?? "", amount: "1000.00", stopLoss: "2990", maxSlippage: null };
      own.push((await app.trading.place(me, sent, null)).data as Position);
    }
    made.push(own);
  }
  await app.trading.engine.idle();
  return made;
}
const fall = () => app.quote(ETHER, "2985.00", "2985.00");
const openIds = async (tess: Trader) => (await tess.get<Position[]>("/api/trading/positions/open")).body.map(({ id }) => id);
const closedOnce = async (ids: string[]) => {
  const [row] = await app.sql<{ fills: number; entries: number; stopped: number }[]>`
    select (select count(*)::integer from fills where kind = 'close' and position_id = any (${ids})) as fills,
      (select count(*)::integer from ledger_entries where kind = 'trade_close' and object_id = any (${ids})) as entries,
      (select count(*)::integer from positions where close_reason = 'stop_loss' and close_price = 2985 and profit = -5 and id = any (${ids})) as stopped
  `;
  expect(row).toEqual({ fills: ids.length, entries: ids.length, stopped: ids.length });
};
/** The transactions that closed these positions. */
const transactions = async (ids: string[]) =>
  (await app.sql`select distinct a.updated_at from trading_accounts a join positions p on p.account_id = a.id where p.id = any (${ids})`).length;
/** Makes the closing of this position fail for a reason of its own. */
const sabotage = (id: string) => app.sql.unsafe(`alter table fills add constraint sabotage check (kind <> 'close' or position_id <> '${id}') not valid`);
const repair = () => app.sql`alter table fills drop constraint sabotage`;
const logged = (text: string) => app.lines.filter((line) => line.includes(text)).length;

test("fifty stops of fifty accounts are one transaction, each with its fill, its entry and its reason", async () => {
  const tess = await app.trader();
  const ids = (await stops(tess, 50)).flat().map(({ id }) => id);
  await fall();
  await closedOnce(ids);
  expect(await transactions(ids)).toBe(1);
  expect(await openIds(tess)).toEqual([]);
});

test("one that fails for its own reason stops none of the others, and lands once when it can", async () => {
  const tess = await app.trader();
  const made = (await stops(tess, 20)).flat().map(({ id }) => id);
  const [bad = "", ...good] = made;
  await sabotage(bad);
  const before = logged("exits could not be written yet");
  const fired = fall();
  await until("the others are closed", async () => (await openIds(tess)).length === 1);
  await until("it is tried again", () => logged("exits could not be written yet") >= before + 3);
  await closedOnce(good);
  await repair();
  await fired;
  await closedOnce(made);
});

test("it does not hold up the other exits of its own account, nor the account's margin", async () => {
  const tess = await app.trader();
  const [own = []] = await stops(tess, 1, 4);
  const [bad = "", ...good] = own.map(({ id }) => id);
  await sabotage(bad);
  const fired = fall();
  await until("the others of the account are closed", async () => (await openIds(tess)).length === 1);
  await closedOnce(good);
  // The house takes money out, so that the level is below 100 %: the account is still watched.
  await app.sql`
    select ledger_post('test', gen_random_uuid(), 'A test', array[l.id, house_account('demo', '')], array[6 - l.balance, l.balance - 6])
    from ledger_accounts l join trading_accounts a on a.ledger_account_id = l.id where a.id = ${own[0]?.accountId ?? ""}
  `;
  app.context.bus.publish("account", { userId: tess.id, accountId: own[0]?.accountId ?? null });
  await until("the margin is called", async () => (await app.sql`select 1 from margin_events where account_id = ${own[0]?.accountId ?? ""}`).length > 0);
  await repair();
  await fired;
  await app.trading.engine.idle();
  expect(await openIds(tess)).toEqual([]);
});

test("more failing exits than there are hands hold up nobody", async () => {
  const tess = await app.trader();
  const made = (await stops(tess, 24)).flat().map(({ id }) => id);
  const bad = made.slice(0, 12);
  await app.sql.unsafe(
    `alter table fills add constraint sabotage check (kind <> 'close' or position_id not in (${bad.map((id) => `'${id}'`).join()})) not valid`,
  );
  const fired = fall();
  await until("the good ones are closed", async () => (await openIds(tess)).length === bad.length);
  await repair();
  await fired;
  await closedOnce(made);
});

test("an account that another command holds is left for later, and waits for nobody else", async () => {
  const tess = await app.trader();
  const made = (await stops(tess, 10)).flat();
  const hand = await handHeld(app.db);
  try {
    await hand.sql`select from trading_accounts where id = ${made[3]?.accountId ?? ""} for update`;
    const fired = fall();
    await until("the others are closed", async () => (await openIds(tess)).length === 1);
    expect(await openIds(tess)).toEqual([made[3]?.id ?? ""]);
    await hand.commit();
    await fired;
  } finally {
    await hand.end();
  }
  await closedOnce(made.map(({ id }) => id));
});

test("traders who close by hand in the same moment win or lose each for one position", async () => {
  const tess = await app.trader();
  const made = (await stops(tess, 30)).flat().map(({ id }) => id);
  const fired = fall();
  const answers = await Promise.all(made.map((id) => tess.post(`/api/trading/positions/${id}/close`)));
  await fired;
  const byHand = answers.filter(({ status }) => status === 200).length;
  const [row] = await app.sql<{ fills: number; trader: number }[]>`
    select (select count(*)::integer from fills where kind = 'close' and position_id = any (${made})) as fills,
      (select count(*)::integer from positions where close_reason = 'trader' and id = any (${made})) as trader
  `;
  expect(row).toEqual({ fills: 30, trader: byHand });
});

test("a loss beyond the balance, and a debt to the house, are booked as they are one by one", async () => {
  const tess = await app.trader();
  await app.quote(ETHER, "3000.00", "3000.00");
  const [row] = await app.sql<{ id: string }[]>`select account_open(${tess.id}, 'starter', true, 1000) as id`;
  const me = { id: tess.id } as Me;
  const sent = { ...order, symbol: ETHER, type: "buy" as const, accountId: row?.id ?? "", amount: "90000.00", stopLoss: "2999", maxSlippage: null };
  await app.trading.place(me, sent, null);
  await app.quote(ETHER, "2900.00", "2900.00");
  const [account] = await app.sql<{ balance: string; advance: string; profit: string; covered: string }[]>`
    select l.balance, a.advance, p.profit, p.covered
    from trading_accounts a join ledger_accounts l on l.id = a.ledger_account_id join positions p on p.account_id = a.id where a.id = ${row?.id ?? ""}
  `;
  expect(account).toEqual({ balance: "0.00", advance: "0.00", profit: "-3000.00", covered: "2000.00" });
});

test("while the database refuses all, exits keep their order and land once each", async () => {
  const tess = await app.trader();
  const made = (await stops(tess, 6, 3)).flat().map(({ id }) => id);
  const before = logged("exits could not be written yet");
  await app.sql`update ledger_state set halted = true`;
  const fired = fall();
  await until("the engine is refused", () => logged("exits could not be written yet") > before);
  await app.sql`update ledger_state set halted = false`;
  await fired;
  await closedOnce(made);
});
