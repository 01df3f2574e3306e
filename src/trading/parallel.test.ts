import { afterAll, beforeAll, expect, test } from "bun:test";
import { cents, priceText, priceUnits } from "../lib/money";
import { Refusal } from "../lib/refusal";
import type { Me } from "../platform/app_context";
import { type TestApp, testApp } from "../testing/app";
import { seed } from "../testing/seed";
import type { Books } from "./books";
import type { Account } from "./margin";
import { openPositionsOf } from "./queries";
import { watchedPositions } from "./queries_watch";

/**
 * Commands and ticks at once, on few accounts: whatever overtook what, in the end the engine knows each account as the
 * database holds it. Repeat a run with SEED=….
 */

let state = seed;
const random = (below: number) => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
};

let app: TestApp;
let me: Me;
const accounts: string[] = [];
beforeAll(async () => {
  app = await testApp();
  me = { id: (await app.trader()).id } as Me;
  for (let n = 0; n < 3; n++) {
    const [row] = await app.sql<{ id: string }[]>`select account_open(${me.id}, 'starter', true, 10000) as id`;
    accounts.push(row?.id ?? "");
  }
  await app.quote("BTC/USD", "100000", "100010");
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

let price = priceUnits("100000");
const account = () => accounts[random(accounts.length)] as string;
const exits = () => {
  const kind = random(4);
  return { stopLoss: kind === 0 ? priceText(Math.round(price * 0.995)) : null, takeProfit: kind === 1 ? priceText(Math.round(price * 1.004)) : null };
};

async function command(): Promise<unknown> {
  const { trading, sql } = app;
  const kind = random(10);
  if (kind < 4) {
    const order = { accountId: account(), symbol: "BTC/USD", type: "buy" as const, amount: String(1_000 + random(600_000)), ...exits() };
    return trading.place(me, { ...order, currentPrice: null, maxSlippage: null }, null);
  }
  if (kind === 4) return trading.closeAll(me, account(), null);
  if (kind < 7) {
    price = Math.min(priceUnits("110000"), Math.max(priceUnits("90000"), Math.round(price * (0.99 + random(21) / 1_000))));
    return app.quote("BTC/USD", priceText(price), priceText(price + 1_000_000_000));
  }
  const open = await openPositionsOf(sql, me.id, trading.board());
  const position = open[random(open.length)];
  if (!position) return null;
  if (kind === 7) return trading.edit(me, position.id, exits());
  return trading.close(me, position.id, kind === 8 ? "500.00" : null, null, null);
}

async function refusable(run: Promise<unknown>) {
  try {
    await run;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}

/** Money comes and goes by another way than a deal: the balance is 9,000 again, neither too poor for orders nor too rich for a stop-out. */
async function evenOut(accountId: string) {
  await app.sql`
    select ledger_post('test', gen_random_uuid(), 'A test', array[l.id, house_account('demo', '')], array[9000 - balance, balance - 9000])
    from trading_accounts a join ledger_accounts l on l.id = a.ledger_account_id
    where a.id = ${accountId} and balance <> 9000
  `;
  app.context.bus.publish("account", { userId: me.id, accountId: random(2) ? accountId : null });
}

const known = (found: Account | undefined) => found && { net: found.net, called: found.called, stakes: [...found.stakes.values()].toSorted(byId) };
const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);

/** The account as a new engine would read it; undefined where nothing is open. */
async function held(accountId: string) {
  const rows = await watchedPositions(app.sql, accountId);
  const [first] = rows;
  const stakes = rows.map(({ id, symbol, side, amount, openPrice, margin, spreadsFrom }) => ({
    id,
    symbol,
    side,
    amount: cents(amount),
    open: priceUnits(openPrice ?? ""),
    margin: Number(cents(margin)),
    tierPips: spreadsFrom,
    opened: null,
  }));
  return first && { net: Number(cents(first.net)), called: first.called, stakes: stakes.toSorted(byId) };
}

const ROUNDS = 150;

async function reasons(): Promise<string[]> {
  const rows = await app.sql<{ reason: string }[]>`select distinct close_reason as reason from positions where status = 'closed' order by 1`;
  return rows.map(({ reason }) => reason);
}

test("after commands in parallel the engine knows what the database holds", async () => {
  const margin = (Reflect.get(app.trading.engine, "books") as Books).margin;
  let open = 0;
  // Chance decides what happens in a round; it goes on until each way of closing has happened.
  for (let round = 0; round < ROUNDS || (await reasons()).length < 4; round++) {
    await Promise.all(Array.from({ length: 2 + random(8) }, () => refusable(command())));
    await app.trading.engine.idle();
    for (const id of accounts) {
      const expected = await held(id);
      expect({ round, account: known(margin.get(id)) }).toEqual({ round, account: expected });
      open += expected?.stakes.length ?? 0;
    }
    if (round % 10 === 9) await evenOut(account());
  }
  expect(await reasons()).toEqual(["stop_loss", "stop_out", "take_profit", "trader"]);
  expect(open).toBeGreaterThan(ROUNDS);
});
