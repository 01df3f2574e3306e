import { afterAll, beforeAll, expect, test } from "bun:test";
import { money, priceText, priceUnits } from "../lib/money";
import { Refusal } from "../lib/refusal";
import { instrumentOf, isForex } from "../market/schema";
import type { Act, Me } from "../platform/house";
import { type TestHouse, testHouse } from "../testing/house";
import { type Deal, type Market, ReferenceAccount, type Side } from "../testing/reference";
import { force } from "./commands_corrections";
import { Engine } from "./engine";
import type { Position } from "./schema";

/**
 * The engine and its SQL beside a reference that computes everything anew: the same random ticks, orders, edits, closings,
 * corrections and restarts; every balance, price, reason and margin figure agrees to the cent. Repeat a run with SEED=…, make more
 * of them with CASES=….
 */

const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
const cases = Number(process.env.CASES ?? 120);
const STEPS = 40;
console.log(`model.test.ts: SEED=${seed} CASES=${cases}`);

const START = { "EUR/USD": "1.10000", "USD/JPY": "150.000", "BTC/USD": "100000.00", "SHIB/USD": "0.00001234" };
type Symbol = keyof typeof START;
const SYMBOLS = Object.keys(START) as Symbol[];
const TIERS = [
  { id: "starter", tenthPips: 33n },
  { id: "platinum", tenthPips: 5n },
] as const;

/** mulberry32: small, and the same everywhere. */
function dice(from: number) {
  let state = from >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    below: (limit: number) => Math.floor(next() * limit),
    chance: (part: number) => next() < part,
    pick: <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T,
    between: (low: number, high: number) => low + next() * (high - low),
  };
}
type Dice = ReturnType<typeof dice>;

let house: TestHouse;
let me: Me;
let staff: Act;
const market: Market = new Map();
beforeAll(async () => {
  house = await testHouse();
  const trader = await house.trader();
  me = { id: trader.id } as Me;
  staff = { admin: { id: (await house.admin()).id } as Me, ip: "", userAgent: "" };
}, 30_000);
afterAll(async () => {
  expect(await house.faults()).toEqual([]);
  await house.end();
});

async function quote(symbol: Symbol, bid: number, spread: number) {
  const instrument = instrumentOf(symbol);
  if (!instrument) throw new Error(symbol);
  market.set(symbol, { bid: BigInt(bid), ask: BigInt(bid + spread), pip: isForex(instrument) ? BigInt(instrument.pipSize) : 0n });
  await house.quote(symbol, priceText(bid), priceText(bid + spread));
}

type Pair = { id: string; reference: ReferenceAccount };

async function openPair(dice: Dice): Promise<Pair> {
  const tier = dice.pick(TIERS);
  const leverage = dice.pick([30, 100, 500]);
  const start = dice.pick([1_000_00n, 10_000_00n, 777_77n]);
  const [made] = await house.sql<{ id: string }[]>`select account_open(${me.id}, ${tier.id}, true, ${money(start)}) as id`;
  const id = made?.id ?? "";
  await house.sql`update trading_accounts set leverage = ${leverage} where id = ${id}`;
  return { id, reference: new ReferenceAccount(market, tier, BigInt(leverage), start) };
}

/** One case: three accounts, on which each step does something. */
class Case {
  constructor(
    private readonly dice: Dice,
    readonly pairs: readonly Pair[],
  ) {}

  /** With `creeping` only prices move, a little each. */
  async step(creeping: boolean) {
    const { dice } = this;
    const pair = dice.pick(this.pairs);
    const roll = creeping ? 0 : dice.below(100);
    if (roll < 50) await this.tick(creeping);
    else if (roll < 78) await this.order(pair);
    else if (roll < 86) await this.edit(pair);
    else if (roll < 92) await this.close(pair);
    else if (roll < 96) await this.correct(pair);
    else if (roll < 98) await this.closeAll(pair);
    else await restart();
    await house.trading.engine.idle();
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
    const answer = await refusable(house.trading.place(me, { ...sent, currentPrice: null, maxSlippage: null }, null));
    expect(answer.refused).toBe(reference.objection(order));
    if (answer.position) reference.take({ id: answer.position.id, ...order });
  }

  private async edit({ reference }: Pair) {
    const deal = reference.open.length > 0 ? this.dice.pick(reference.open) : null;
    if (!deal) return;
    const exits = this.exits(deal.side, reference.closingPrice(deal));
    const sent = house.trading.edit(me, deal.id, { stopLoss: text(exits.stop), takeProfit: text(exits.target) });
    const refused = await sent.then(() => null, codeOf);
    expect(refused).toBe(reference.exitsFit({ ...deal, ...exits }) ? null : "invalid");
    if (refused === null) reference.edit(deal.id, exits);
  }

  private async close({ reference }: Pair) {
    const deal = reference.open.length > 0 ? this.dice.pick(reference.open) : null;
    if (!deal) return;
    const part = this.dice.chance(0.5) ? (deal.amount * BigInt(this.dice.below(100))) / 100n : 0n;
    const amount = part > 0n ? part : null;
    const { position } = await refusable(house.trading.close(me, deal.id, amount === null ? null : money(amount), null, null));
    reference.close(deal.id, amount, position?.id ?? "");
  }

  private async correct({ reference }: Pair) {
    const deal = reference.open.length > 0 ? this.dice.pick(reference.open) : null;
    if (!deal) return;
    const settled = BigInt(this.dice.below(800_000) - 400_000) || 1n;
    const refused = await force({ house: house.house, trading: house.trading }, staff, deal.id, money(settled), "A test", null).then(() => null, codeOf);
    expect(refused).toBe(reference.settle(deal.id, settled));
  }

  private async closeAll({ id, reference }: Pair) {
    await house.trading.closeAll(me, id, null);
    reference.closeAll();
  }
}

/** The engine is built anew from what the database holds. */
async function restart() {
  await house.trading.engine.stop();
  const { sql, market: real, trading } = house;
  const { bus, log } = house.house;
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

async function compareStanding({ id, reference }: Pair) {
  const [row] = await house.sql<object[]>`
    select l.balance, a.advance, a.margin_called_at is not null as called,
      coalesce((
        select json_agg(json_build_object('id', p.id, 'amount', p.amount::text, 'open', p.open_price::text, 'stop', p.stop_loss::text, 'target', p.take_profit::text) order by p.id)
        from positions p where p.account_id = a.id and p.status = 'open'
      ), '[]') as open
    from trading_accounts a join ledger_accounts l on l.id = a.ledger_account_id where a.id = ${id}
  `;
  const { balance, advance, called, open } = reference;
  expect(row).toEqual({ balance: money(balance), advance: money(advance), called, open: open.map(dealOf).toSorted(byId) });
}

async function compareHistory({ id, reference }: Pair) {
  const closed = await house.sql<{ id: string }[]>`
    select p.id, p.amount, p.open_price as open, p.stop_loss as stop, p.take_profit as target, p.close_price as price, p.profit, p.close_reason as reason
    from positions p where p.account_id = ${id} and p.status = 'closed' order by p.id
  `;
  const expected = reference.closed.map((deal) => ({ ...dealOf(deal), price: text(deal.price), profit: money(deal.profit), reason: deal.reason }));
  expect([...closed]).toEqual(expected.toSorted(byId));
  const events = await house.sql`select kind, position_id as position, equity, used from margin_events where account_id = ${id} order by id`;
  expect([...events] as unknown[]).toEqual(reference.events.map((event) => ({ ...event, equity: money(event.equity), used: money(event.used) })));
}

test("engine and reference agree on everything", async () => {
  const seen: Record<string, number> = {};
  for (let number = 0; number < cases; number++) {
    const random = dice(seed + number);
    // Twice, as a jump from the last case's price must be confirmed.
    for (const symbol of [...SYMBOLS, ...SYMBOLS]) await quote(symbol, priceUnits(START[symbol]), 0);
    const pairs = [await openPair(random), await openPair(random), await openPair(random)];
    const run = new Case(random, pairs);
    for (let step = 0; step < STEPS; step++) {
      try {
        await run.step(number % 2 === 1 && step > STEPS / 4);
        for (const pair of pairs) await compareStanding(pair);
      } catch (error) {
        throw new Error(`SEED=${seed + number} CASES=1, step ${step}`, { cause: error });
      }
    }
    for (const pair of pairs) {
      await compareHistory(pair);
      await house.trading.closeAll(me, pair.id, null);
      for (const { reason } of pair.reference.closed) seen[reason] = (seen[reason] ?? 0) + 1;
      for (const { kind } of pair.reference.events) seen[`event ${kind}`] = (seen[`event ${kind}`] ?? 0) + 1;
    }
  }
  console.log(`model.test.ts: ${JSON.stringify(seen)}`);
  // What never happened was not tested.
  for (const what of ["trader", "stop_loss", "take_profit", "stop_out", "admin", "event margin_call"]) if (cases >= 100) expect(seen[what]).toBeGreaterThan(0);
}, 600_000);
