import { afterAll, beforeAll, expect, test } from "bun:test";
import { money, priceText } from "../lib/money";
import { Refusal } from "../lib/refusal";
import type { Me } from "../platform/app_context";
import { type TestApp, testApp } from "../testing/app";
import { type Dice, dice } from "../testing/dice";
import { type Change, type Kind, type Objection, type Order, ReferenceOrders, type Wish } from "../testing/reference_orders";
import { found, told } from "../testing/reference_orders_book";
import { seed } from "../testing/seed";
import { nextNoon } from "../testing/week";
import type { Changes } from "./commands_waiting";
import type { Position } from "./schema";

/**
 * The engine and its SQL beside a reference that looks at every order on every tick: random orders of all kinds, their edits and cancels, on
 * random walks with gaps, over weekends, with restarts. Every fill, exit, move of a stop loss and end agrees to the last digit and on the tick.
 * Repeat a run with SEED=…, make more orders with CASES=….
 */

const cases = Number(process.env.CASES ?? 5_000);
const STEPS = 70;
const ACCOUNTS = 18;
const MARKETS = [
  { symbol: "EUR/USD", start: 110_000_000, pip: 10_000, gap: 0.02 },
  { symbol: "USD/JPY", start: 15_000_000_000, pip: 1_000_000, gap: 0.02 },
  { symbol: "BTC/USD", start: 10_000_000_000_000, pip: 0, gap: 0.06 },
] as const;
const TIERS = [
  { id: "starter", tenthPips: 33 },
  { id: "platinum", tenthPips: 5 },
] as const;

let app: TestApp;
let me: Me;
beforeAll(async () => {
  app = await testApp({ MARKET_HOURS: "real" });
  me = { id: (await app.trader()).id } as Me;
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

type Market = (typeof MARKETS)[number] & { price: number };
/** An account that trades one market, with its tier's spread in units of 10⁻⁸. */
type Pair = { id: string; market: Market; spread: number; reference: ReferenceOrders; byId: Map<string, Order> };

const text = (price: bigint | null) => (price === null ? null : priceText(Number(price)));
const instant = (at: number | null) => (at === null ? null : new Date(at).toISOString());

/** Moves the clock on to the next noon of this weekday that is no holiday: forex is closed on Saturdays. */
const goTo = (weekday: number) => app.pass(nextNoon(weekday, app.market.clock()) - app.market.clock());

class Round {
  private weekend = false;

  constructor(
    private readonly dice: Dice,
    readonly markets: readonly Market[],
    readonly pairs: readonly Pair[],
  ) {}

  static async begin(dice: Dice): Promise<Round> {
    goTo(1);
    const markets = MARKETS.map((market) => ({ ...market, price: market.start }));
    const pairs: Pair[] = [];
    for (let n = 0; n < ACCOUNTS; n++) {
      const tier = dice.pick(TIERS);
      const market = markets[n % markets.length] as Market;
      const [made] = await app.sql<{ id: string }[]>`select account_open(${me.id}, ${tier.id}, true, 10000) as id`;
      const id = made?.id ?? "";
      // So margin lacks often, and no account is stopped out.
      await app.sql`update trading_accounts set leverage = 1 where id = ${id}`;
      const spread = (tier.tenthPips * market.pip) / 10;
      pairs.push({ id, market, spread, reference: new ReferenceOrders(1_000_000n, 1n, BigInt(spread)), byId: new Map() });
    }
    const round = new Round(dice, markets, pairs);
    // Twice, as a jump from the last round's price must be confirmed.
    for (const market of [...markets, ...markets]) await round.quote(market, market.start);
    return round;
  }

  private isOpen = ({ symbol }: Market) => !this.weekend || symbol === "BTC/USD";

  /** How long until the next tick, in ms: often to the very moment at which an order ends, or one beside it. */
  private pause(): number {
    const { dice } = this;
    const now = app.market.clock();
    const left = this.pairs.flatMap(({ reference }) =>
      reference.orders.flatMap(({ status, expiresAt }) => (status === "pending" && expiresAt !== null ? expiresAt - now : [])),
    );
    const soon = left.filter((ms) => ms > 1 && ms < 3_000);
    return soon.length > 0 && dice.chance(0.3) ? dice.pick(soon) + dice.below(3) - 1 : dice.below(3_000);
  }

  /** A tick; without `ask` the market's spread is drawn. */
  private async quote(market: Market, bid: number, given?: { ask: number }) {
    // Between a tick and the next command no time passes, so that nothing ends unseen.
    app.pass(this.pause());
    market.price = bid;
    const ask = given?.ask ?? bid + (this.dice.chance(0.5) ? this.dice.below(Math.ceil(bid / 3_000)) : 0);
    await app.quote(market.symbol, priceText(bid), priceText(ask));
    const tick = { seq: app.market.board.newest, at: app.market.clock(), bid: BigInt(bid), ask: BigInt(ask), open: this.isOpen(market) };
    for (const { market: its, reference } of this.pairs) {
      if (its === market) reference.next(tick);
      else reference.passTo(tick.at);
    }
  }

  private async tick() {
    const { dice } = this;
    const market = dice.pick(this.markets);
    const aimed = dice.chance(0.3) ? this.aim(market) : null;
    if (aimed !== null && Math.abs(aimed / market.price - 1) < market.gap) return this.quote(market, aimed, { ask: aimed });
    const most = dice.chance(0.12) ? market.gap : 0.002;
    const drift = market.price > 1.15 * market.start ? -1 : market.price < 0.87 * market.start ? 1 : dice.between(-1, 1);
    await this.quote(market, Math.round(market.price * (1 + drift * most)));
  }

  /** A price on which what an account deals at is exactly where something is set off, or a unit beside it; null where nothing is drawn. */
  private aim(market: Market): number | null {
    const { dice } = this;
    const { reference, spread } = dice.pick(this.pairs.filter((pair) => pair.market === market));
    const live = reference.orders.filter(({ status }) => status === "pending" || status === "open");
    const order = live.length > 0 ? dice.pick(live) : null;
    if (!order) return null;
    const { side, open, trigger, limit, stop, target, distance, breakEven } = order;
    const way = side === "buy" ? 1n : -1n;
    const moves = open ? [breakEven && open.price + way * breakEven, stop && distance && stop + way * distance] : [];
    const level = dice.pick(open ? [stop, target, ...moves] : [trigger, limit]);
    if (level === null) return null;
    // A buy opens half a spread above the middle and closes half a spread below it.
    return Number(level) + ((open ? 1 : -1) * Number(way) * spread) / 2 + dice.below(3) - 1;
  }

  /** A program is killed: ticks are on record of which nothing is written that they set off. The next start does it. */
  private async blackout() {
    await app.trading.rest();
    for (let n = 1 + this.dice.below(8); n > 0; n--) await this.tick();
    await app.retake();
    await app.trading.engine.idle();
  }

  /** The forex week ends, and begins again somewhere else. */
  private async turnWeek() {
    this.weekend = !this.weekend;
    goTo(this.weekend ? 6 : 1);
    for (const market of this.markets) await this.quote(market, Math.round(market.price * (1 + this.dice.between(-0.01, 0.01))));
  }

  async step() {
    const { dice } = this;
    if (dice.chance(0.03)) return this.turnWeek();
    if (dice.chance(0.03)) return app.retake();
    if (dice.chance(0.06)) return this.blackout();
    if (dice.chance(0.7)) return this.tick();
    for (const market of this.markets) await this.quote(market, market.price);
    await Promise.all(this.pairs.map((pair) => this.command(pair)));
    await app.trading.engine.idle();
  }

  private command(pair: Pair): Promise<void> {
    const { dice } = this;
    const known = [...pair.byId];
    const some = known.length > 0 && dice.chance(0.25) ? dice.pick(known) : null;
    if (!some) return this.place(pair);
    const [id, order] = some;
    if (order.status === "open" && this.isOpen(pair.market) && dice.chance(0.3)) return this.close(pair, id, order);
    return dice.chance(0.25) ? this.cancel(pair, id, order) : this.change(pair, id, order);
  }

  private away(from: number, most: number): number {
    return Math.max(1, Math.round(from * (1 + this.dice.between(-most, most))));
  }
  private maybe(part: number, price: () => number): bigint | null {
    return this.dice.chance(part) ? BigInt(price()) : null;
  }

  private wish({ market }: Pair): Wish {
    const { dice } = this;
    const side = dice.pick(["buy", "sell"] as const);
    const kind = dice.pick<Kind>(["market", "limit", "limit", "stop", "stop", "stop_limit"]);
    const way = side === "buy" ? 1 : -1;
    const near = dice.chance(0.8) ? 0.003 : 0.02;
    // Mostly on the side where it waits.
    const trigger = kind === "market" ? null : Math.round(market.price * (1 + (kind === "limit" ? -1 : 1) * way * dice.between(-0.0005, near)));
    const from = trigger ?? market.price;
    return {
      side,
      kind,
      amount: BigInt(dice.pick([1_000, 40_000, 150_000, 600_000]) + dice.below(30_000)),
      trigger: trigger === null ? null : BigInt(trigger),
      limit: kind === "stop_limit" ? BigInt(this.away(from, 0.003)) : null,
      expiresAt: dice.chance(0.3) ? app.market.clock() + 1_000 + dice.below(dice.chance(0.8) ? 60_000 : 3 * 86_400_000) : null,
      stop: this.maybe(0.3, () => Math.round(from * (1 - way * dice.between(-0.0005, 0.008)))),
      target: this.maybe(0.3, () => Math.round(from * (1 + way * dice.between(-0.0005, 0.008)))),
      distance: this.maybe(0.4, () => Math.ceil(from * dice.between(0.0001, 0.006))),
      breakEven: this.maybe(0.3, () => Math.ceil(from * dice.between(0.0001, 0.004))),
      group: dice.chance(0.3) ? `${dice.below(3)}0000000-0000-4000-8000-000000000000` : null,
    };
  }

  private async place(pair: Pair) {
    const wish = this.wish(pair);
    const { side, kind, amount, trigger, limit, expiresAt, stop, target, distance, breakEven, group } = wish;
    const plain = kind === "market" && [expiresAt, distance, breakEven, group].every((term) => term === null);
    const terms = {
      orderType: kind,
      triggerPrice: text(trigger),
      limitPrice: text(limit),
      expiresAt: instant(expiresAt),
      trailingDistance: text(distance),
      breakEvenAt: text(breakEven),
      ocoGroup: group,
    };
    const sent = { accountId: pair.id, symbol: pair.market.symbol, type: side, amount: money(amount), stopLoss: text(stop), takeProfit: text(target) };
    const order = { ...sent, currentPrice: null, maxSlippage: null, ...(plain ? {} : { terms }) };
    const { position, refused } = await refusable(app.trading.place(me, order, null).then(({ data }) => data as Position));
    const expected = pair.reference.place(wish);
    expect({ wish, refused }).toEqual({ wish, refused: expected });
    const taken = pair.reference.orders.at(-1);
    if (position && taken) pair.byId.set(position.id, taken);
  }

  private async change(pair: Pair, id: string, order: Order) {
    const { dice } = this;
    const drawn = this.wish(pair);
    const change: Change = {};
    const waits = order.kind !== "market" && (order.status === "pending" || dice.chance(0.1));
    const from = order.status === "pending" && order.trigger !== null ? Number(order.trigger) : pair.market.price;
    const way = order.side === "buy" ? 1 : -1;
    if (waits && dice.chance(0.4)) change.trigger = BigInt(this.away(Number(order.trigger), 0.002));
    if (waits && order.kind === "stop_limit" && dice.chance(0.3)) change.limit = BigInt(this.away(Number(order.limit), 0.002));
    if (order.status === "pending" && dice.chance(0.2)) change.expiresAt = drawn.expiresAt;
    if (order.status === "pending" && dice.chance(0.2)) change.group = drawn.group;
    if (dice.chance(0.3)) change.stop = this.maybe(0.8, () => Math.round(from * (1 - way * dice.between(0, 0.008))));
    if (dice.chance(0.3)) change.target = this.maybe(0.8, () => Math.round(from * (1 + way * dice.between(0, 0.008))));
    if (dice.chance(0.4)) change.distance = drawn.distance;
    if (dice.chance(0.3)) change.breakEven = drawn.breakEven;
    const sent: Changes = {};
    if ("trigger" in change) sent.triggerPrice = text(change.trigger ?? null);
    if ("limit" in change) sent.limitPrice = text(change.limit ?? null);
    if ("expiresAt" in change) sent.expiresAt = instant(change.expiresAt ?? null);
    if ("group" in change) sent.ocoGroup = change.group ?? null;
    if ("stop" in change) sent.stopLoss = text(change.stop ?? null);
    if ("target" in change) sent.takeProfit = text(change.target ?? null);
    if ("distance" in change) sent.trailingDistance = text(change.distance ?? null);
    if ("breakEven" in change) sent.breakEvenAt = text(change.breakEven ?? null);
    const { refused } = await refusable(app.trading.edit(me, id, sent));
    expect({ change, order: told(order), refused }).toEqual({ change, order: told(order), refused: pair.reference.change(order, change) });
  }

  private async cancel({ reference }: Pair, id: string, order: Order) {
    const { refused } = await refusable(app.trading.cancel(me, id));
    expect(refused).toBe(reference.cancel(order));
  }

  private async close({ reference }: Pair, id: string, order: Order) {
    await app.trading.close(me, id, null, null, null);
    reference.closeNow(order);
  }

  /** Leaves nothing to watch. */
  async end() {
    if (this.weekend) await this.turnWeek();
    for (const market of this.markets) await this.quote(market, market.price);
    for (const { id } of this.pairs) {
      await app.trading.cancelAll(me, id);
      await app.trading.closeAll(me, id, null);
    }
  }

  /** Everything that became of the round's orders, in both books. */
  async compare() {
    const seen = await found(
      app.sql,
      this.pairs.flatMap(({ byId }) => [...byId.keys()]),
    );
    for (const { byId } of this.pairs)
      for (const [id, order] of byId) {
        // A plain order that was filled at once says nothing of the tick it was placed on: it is the fill's.
        const row = { ...seen.get(id) } as { placed: number | null };
        row.placed ??= order.placed;
        const expected = told(order);
        if (!Bun.deepEquals(row as object, expected)) expect<object>(row).toEqual(expected);
      }
  }
}

/** The answer, or the field or code of its refusal. */
async function refusable(call: Promise<Position>): Promise<{ position: Position | null; refused: Objection }> {
  try {
    return { position: await call, refused: null };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { position: null, refused: Object.keys(error.fields ?? {})[0] ?? error.code };
  }
}

test("engine and reference agree on every order", async () => {
  const seen: Record<string, number> = {};
  const count = (what: string) => (seen[what] = (seen[what] ?? 0) + 1);
  let orders = 0;
  for (let number = 0; orders < cases; number++) {
    const round = await Round.begin(dice(seed + number));
    for (let step = 0; step < STEPS; step++) {
      try {
        await round.step();
        if (step % 10 === 9) await round.compare();
      } catch (error) {
        throw new Error(`SEED=${seed + number} CASES=1, step ${step}`, { cause: error });
      }
    }
    await round.compare();
    await round.end();
    for (const { byId } of round.pairs) {
      orders += byId.size;
      for (const order of byId.values()) {
        count(`${order.kind} ${order.status}`);
        if (order.cancel) count(order.cancel.code);
        if (order.close) count(order.close.reason);
        for (const { kind } of order.moves) count(kind);
        if (order.setOff !== null && order.open && order.open.seq > order.setOff) count("filled after it was set off");
      }
    }
  }
  console.log(`orders_reference.test.ts: ${orders} orders, ${JSON.stringify(seen)}`);
  // What never happened was not tested.
  const kinds = ["market", "limit", "stop", "stop_limit"].flatMap((kind) => ["open", "closed", "cancelled"].map((status) => `${kind} ${status}`));
  const ways = ["insufficient_margin", "expired", "oco", "trader", "stop_loss", "take_profit", "trail", "break_even", "filled after it was set off"];
  if (cases >= 1_000) for (const what of [...kinds, ...ways]) expect({ what, times: seen[what] ?? 0 }).not.toEqual({ what, times: 0 });
}, 600_000);
