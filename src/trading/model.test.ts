import { afterAll, beforeAll, expect, test } from "bun:test";
import { money, priceText, priceUnits } from "../lib/money";
import { Refusal } from "../lib/refusal";
import { instrumentOf, isForex } from "../market/rules_listed";
import type { Act, Me } from "../platform/app_context";
import { type TestApp, testApp } from "../testing/app";
import { type Dice, dice } from "../testing/dice";
import { type Deal, type Market, ReferenceAccount, type Side, SMALLEST } from "../testing/reference";
import { seed } from "../testing/seed";
import { force } from "./commands_corrections";
import { Engine } from "./engine";
import type { Position } from "./schema";

/**
 * The engine and its SQL beside a reference that computes everything anew: the same random ticks, orders, edits, closings,
 * corrections and restarts; every balance, price, reason and margin figure agrees to the cent. Repeat a run with SEED=…, make more
 * of them with CASES=….
 */

const cases = Number(process.env.CASES ?? 1_500);
/** Accounts that live through the same ticks; each is a case. */
const TOGETHER = 20;
const STEPS = 32;

const START = { "EUR/USD": "1.10000", "USD/JPY": "150.000", "BTC/USD": "100000.00", "SHIB/USD": "0.00001234" };
type Symbol = keyof typeof START;
const SYMBOLS = Object.keys(START) as Symbol[];
const TIERS = [
  { id: "starter", tenthPips: 33n },
  { id: "platinum", tenthPips: 5n },
] as const;

let app: TestApp;
let me: Me;
let staff: Act;
const market: Market = new Map();
beforeAll(async () => {
  app = await testApp();
  const trader = await app.trader();
  me = { id: trader.id } as Me;
  staff = { admin: { id: (await app.admin()).id } as Me, ip: "", userAgent: "" };
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

async function quote(symbol: Symbol, bid: number, spread: number) {
  const instrument = instrumentOf(symbol);
  if (!instrument) throw new Error(symbol);
  market.set(symbol, { bid: BigInt(bid), ask: BigInt(bid + spread), pip: isForex(instrument) ? BigInt(instrument.pipSize) : 0n });
  await app.quote(symbol, priceText(bid), priceText(bid + spread));
}

type Pair = { id: string; reference: ReferenceAccount };

async function openPair(dice: Dice): Promise<Pair> {
  const tier = dice.pick(TIERS);
  const leverage = dice.pick([30, 100, 500]);
  const start = dice.pick([1_000_00n, 10_000_00n, 777_77n]);
  const [made] = await app.sql<{ id: string }[]>`select account_open(${me.id}, ${tier.id}, true, ${money(start)}) as id`;
  const id = made?.id ?? "";
  await app.sql`update trading_accounts set leverage = ${leverage} where id = ${id}`;
  return { id, reference: new ReferenceAccount(market, tier, BigInt(leverage), start) };
}

/** Cases that share their ticks: each step moves a price, or does something on every account at once. */
class Cases {
  constructor(
    private readonly dice: Dice,
    readonly pairs: readonly Pair[],
  ) {}

  /** With `creeping` only prices move, a little each. */
  async step(creeping: boolean) {
    const { dice } = this;
    if (creeping || dice.chance(0.5)) await this.tick(creeping);
    else if (dice.chance(0.04)) await restart();
    else await Promise.all(this.pairs.map((pair) => this.command(pair)));
    await app.trading.engine.idle();
  }

  private command(pair: Pair): Promise<void> {
    const roll = this.dice.below(100);
    if (roll < 56) return this.order(pair);
    if (roll < 72) return this.edit(pair);
    if (roll < 84) return this.close(pair);
    if (roll < 94) return this.correct(pair);
    return this.closeAll(pair);
  }

  private async tick(creeping: boolean) {
    const { dice } = this;
    const symbol = dice.pick(SYMBOLS);
    const now = Number(market.get(symbol)?.bid);
    // Within what the board believes at once; mostly small steps, so that thresholds are approached from nearby.
    const most = !creeping && dice.chance(0.2) ? (symbol === "BTC/USD" || symbol === "SHIB/USD" ? 0.15 : 0.04) : 0.004;
    const start = priceUnits(START[symbol]);
    const drift = now > 2 * start ? -1 : now < start / 2 ? 1 : dice.between(-1, 1);
    await quote(symbol, Math.max(500, Math.round(now * (1 + drift * most))), dice.chance(0.5) ? dice.below(Math.ceil(now / 2_000)) : 0);
    for (const { reference } of this.pairs) reference.tick(symbol);
  }

  private exits(side: Side, now: bigint) {
    const at = (direction: number) =>
      this.dice.chance(0.4) ? BigInt(Math.max(1, Math.round(Number(now) * (1 + direction * this.dice.between(-0.002, 0.015))))) : null;
    return side === "buy" ? { stop: at(-1), target: at(1) } : { stop: at(1), target: at(-1) };
  }

  private async order({ id, reference }: Pair) {
    const { dice } = this;
    const [symbol, side] = [dice.pick(SYMBOLS), dice.pick(["buy", "sell"] as const)];
    const most = Number(reference.equity > 0n ? reference.equity : 1n) * Number(reference.leverage);
    const amount = BigInt(Math.max(1, Math.round(most * dice.pick([0.001, 0.2, 0.5, 0.9, 0.98, 1.1]) * dice.between(0.5, 1))));
    const order = { symbol, side, amount, ...this.exits(side, reference.closingPrice({ symbol, side })) };
    const sent = { accountId: id, symbol, type: side, amount: money(amount), stopLoss: text(order.stop), takeProfit: text(order.target) };
    const answer = await refusable(app.trading.place(me, { ...sent, currentPrice: null, maxSlippage: null }, null));
    expect(answer.refused).toBe(reference.objection(order));
    if (answer.position) reference.take({ id: answer.position.id, ...order });
  }

  private async edit({ reference }: Pair) {
    const deal = reference.open.length > 0 ? this.dice.pick(reference.open) : null;
    if (!deal) return;
    const exits = this.exits(deal.side, reference.closingPrice(deal));
    const sent = app.trading.edit(me, deal.id, { stopLoss: text(exits.stop), takeProfit: text(exits.target) });
    const refused = await sent.then(() => null, codeOf);
    expect(refused).toBe(reference.exitsFit({ ...deal, ...exits }) ? null : "invalid");
    if (refused === null) reference.edit(deal.id, exits);
  }

  private async close({ reference }: Pair) {
    const deal = reference.open.length > 0 ? this.dice.pick(reference.open) : null;
    if (!deal) return;
    const part = this.dice.chance(0.5) ? (deal.amount * BigInt(this.dice.below(100))) / 100n : 0n;
    const amount = part >= SMALLEST || part === deal.amount ? part : null;
    const { position } = await refusable(app.trading.close(me, deal.id, amount === null ? null : money(amount), null, null));
    reference.close(deal.id, amount, position?.id ?? "");
  }

  private async correct({ reference }: Pair) {
    const deal = reference.open.length > 0 ? this.dice.pick(reference.open) : null;
    if (!deal) return;
    const settled = BigInt(this.dice.below(800_000) - 400_000) || 1n;
    const refused = await force({ app: app.context, trading: app.trading }, staff, deal.id, money(settled), "A test", null).then(() => null, codeOf);
    expect(refused).toBe(reference.settle(deal.id, settled));
  }

  private async closeAll({ id, reference }: Pair) {
    await app.trading.closeAll(me, id, null);
    reference.closeAll();
  }
}

/** The engine is built anew from what the database holds. */
async function restart() {
  await app.trading.engine.stop();
  const { sql, market: real, trading } = app;
  const { bus, log } = app.context;
  const engine = new Engine({ sql, market: real, bus, log, board: trading.board });
  Object.assign(trading, { engine });
  await engine.start();
}

const text = (price: bigint | null) => (price === null ? null : priceText(Number(price)));
function codeOf(error: unknown): string {
  if (error instanceof Refusal) return error.code;
  throw error;
}
/** The position of an answer, or why there is none. */
async function refusable(call: Promise<{ data: unknown }>): Promise<{ position: Position | null; refused: string | null }> {
  try {
    return { position: (await call).data as Position, refused: null };
  } catch (error) {
    return { position: null, refused: codeOf(error) };
  }
}

const dealOf = (deal: Deal) => ({ id: deal.id, amount: money(deal.amount), open: text(deal.open), stop: text(deal.stop), target: text(deal.target) });
const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);

async function compareStanding(pairs: readonly Pair[]) {
  const rows = await app.sql<{ id: string }[]>`
    select a.id, l.balance, a.advance, a.margin_called_at is not null as called,
      coalesce((
        select json_agg(json_build_object('id', p.id, 'amount', p.amount::text, 'open', p.open_price::text, 'stop', p.stop_loss::text, 'target', p.take_profit::text) order by p.id)
        from positions p where p.account_id = a.id and p.status = 'open'
      ), '[]') as open
    from trading_accounts a join ledger_accounts l on l.id = a.ledger_account_id where a.id = any (${pairs.map(({ id }) => id)})
  `;
  const found = new Map(rows.map((row) => [row.id, row]));
  for (const { id, reference } of pairs) {
    const { balance, advance, called, open } = reference;
    const expected: object = { id, balance: money(balance), advance: money(advance), called, open: open.map(dealOf).toSorted(byId) };
    // Bun's toEqual is slow on what is equal anyway.
    if (!Bun.deepEquals(found.get(id), expected)) expect<object | undefined>(found.get(id)).toEqual(expected);
  }
}

async function compareHistory(pairs: readonly Pair[]) {
  const ids = pairs.map(({ id }) => id);
  const closed = await app.sql<{ account: string; id: string }[]>`
    select p.account_id as account, p.id, p.amount, p.open_price as open, p.stop_loss as stop, p.take_profit as target, p.close_price as price, p.profit, p.close_reason as reason
    from positions p where p.account_id = any (${ids}) and p.status = 'closed' order by p.id
  `;
  const events = await app.sql<{ account: string }[]>`
    select account_id as account, kind, position_id as position, equity, used from margin_events where account_id = any (${ids}) order by id
  `;
  const without = (rows: readonly { account: string }[], id: string) => rows.flatMap(({ account, ...row }) => (account === id ? [row as object] : []));
  for (const { id, reference } of pairs) {
    const expected = reference.closed.map((deal) => ({ ...dealOf(deal), price: text(deal.price), profit: money(deal.profit), reason: deal.reason }));
    expect(without(closed, id)).toEqual(expected.toSorted(byId));
    expect(without(events, id)).toEqual(reference.events.map((event) => ({ ...event, equity: money(event.equity), used: money(event.used) })));
  }
}

test("engine and reference agree on everything", async () => {
  const seen: Record<string, number> = {};
  for (let number = 0; number * TOGETHER < cases; number++) {
    const random = dice(seed + number);
    // Twice, as a jump from the last round's price must be confirmed.
    for (const symbol of [...SYMBOLS, ...SYMBOLS]) await quote(symbol, priceUnits(START[symbol]), 0);
    const pairs: Pair[] = [];
    for (let n = 0; n < TOGETHER; n++) pairs.push(await openPair(random));
    const run = new Cases(random, pairs);
    for (let step = 0; step < STEPS; step++) {
      try {
        await run.step(number % 2 === 1 && step > STEPS / 4);
        await compareStanding(pairs);
      } catch (error) {
        throw new Error(`SEED=${seed + number} CASES=${TOGETHER}, step ${step}`, { cause: error });
      }
    }
    await compareHistory(pairs);
    await Promise.all(pairs.map(({ id }) => app.trading.closeAll(me, id, null)));
    for (const { reference } of pairs) {
      for (const { reason } of reference.closed) seen[reason] = (seen[reason] ?? 0) + 1;
      for (const { kind } of reference.events) seen[`event ${kind}`] = (seen[`event ${kind}`] ?? 0) + 1;
    }
  }
  console.log(`model.test.ts: ${JSON.stringify(seen)}`);
  // What never happened was not tested.
  for (const what of ["trader", "stop_loss", "take_profit", "stop_out", "admin", "event margin_call"]) if (cases >= 500) expect(seen[what]).toBeGreaterThan(0);
});
