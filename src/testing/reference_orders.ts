/**
 * What waiting orders and moving stop losses come to on one account and one symbol, worked out the plain way: every order is looked at on
 * every tick, by the rules as they are written. The engine is held against it. Money in cents, prices in units of 10⁻⁸, times in ms.
 */

type Side = "buy" | "sell";
export type Kind = "market" | "limit" | "stop" | "stop_limit";
/** `open`: whether the market is. */
export type Tick = { seq: number; at: number; bid: bigint; ask: bigint; open: boolean };
export type Wish = {
  side: Side;
  amount: bigint;
  kind: Kind;
  trigger: bigint | null;
  limit: bigint | null;
  expiresAt: number | null;
  stop: bigint | null;
  target: bigint | null;
  distance: bigint | null;
  breakEven: bigint | null;
  group: string | null;
};
export type Change = Partial<Pick<Wish, "trigger" | "limit" | "expiresAt" | "stop" | "target" | "distance" | "breakEven" | "group">>;
export type Move = { kind: "trail" | "break_even"; seq: number; level: bigint };
export type Order = Wish & {
  status: "pending" | "open" | "closed" | "cancelled";
  placed: number;
  setOff: number | null;
  open: { seq: number; price: bigint } | null;
  close: { seq: number; price: bigint; reason: string; profit: bigint } | null;
  cancel: { code: string; needed: bigint | null; free: bigint | null } | null;
  brokeEven: boolean;
  moves: Move[];
};

/** What refuses an order or a change: the field at fault, or the code where there is none. */
export type Objection = string | null;

export class ReferenceOrders {
  readonly orders: Order[] = [];
  private now: Tick | null = null;

  constructor(
    private balance: bigint,
    private readonly leverage: bigint,
    /** The tier's spread; 0 for none. */
    private readonly spread: bigint,
  ) {}

  private get tick(): Tick {
    if (!this.now) throw new Error("no tick yet");
    return this.now;
  }
  private prices(): { bid: bigint; ask: bigint } {
    const { bid, ask } = this.tick;
    if (ask - bid >= this.spread) return { bid, ask };
    const mid = (bid + ask + 1n) / 2n;
    return { bid: mid - this.spread / 2n, ask: mid + this.spread / 2n };
  }
  opening(side: Side): bigint {
    return side === "buy" ? this.prices().ask : this.prices().bid;
  }
  closing(side: Side): bigint {
    return side === "buy" ? this.prices().bid : this.prices().ask;
  }
  private marginOf = (amount: bigint) => (amount + this.leverage - 1n) / this.leverage;
  private profitOf({ side, amount, open }: Order, price: bigint): bigint {
    if (!open) return 0n;
    const move = side === "buy" ? price - open.price : open.price - price;
    const size = (2n * amount * (move < 0n ? -move : move) + open.price) / (2n * open.price);
    return move < 0n ? -size : size;
  }
  private get free(): bigint {
    const standing = this.orders.filter(({ status }) => status === "open");
    return standing.reduce((sum, order) => sum + this.profitOf(order, this.closing(order.side)) - this.marginOf(order.amount), this.balance);
  }

  /** On which side of the price an order's level must lie: it would fill at once on the other. */
  private levelObjection({ side, kind, trigger, limit }: Wish, setOff: boolean): Objection {
    if (kind === "market") return null;
    const level = (setOff ? limit : trigger) as bigint;
    const below = (side === "buy") === (kind === "limit" || setOff);
    const price = this.opening(side);
    return (below ? level < price : level > price) ? null : setOff ? "limitPrice" : "triggerPrice";
  }

  private exitsObjection({ side, stop, target }: Wish, from: bigint): Objection {
    const above = (a: bigint, b: bigint) => (side === "buy" ? a > b : a < b);
    if (stop !== null && !above(from, stop)) return "stopLoss";
    return target !== null && !above(target, from) ? "takeProfit" : null;
  }

  place(wish: Wish): Objection {
    const from = wish.kind === "market" ? this.closing(wish.side) : (wish.trigger as bigint);
    if (wish.distance !== null && wish.distance >= from) return "trailingDistance";
    const wrong = this.levelObjection(wish, false) ?? this.exitsObjection(wish, from);
    if (wrong) return wrong;
    if (wish.kind === "market" && this.marginOf(wish.amount) > this.free) return "amount";
    const order: Order = {
      ...wish,
      status: "pending",
      placed: this.tick.seq,
      setOff: null,
      open: null,
      close: null,
      cancel: null,
      brokeEven: false,
      moves: [],
    };
    this.orders.push(order);
    if (wish.kind === "market" && this.tick.open) this.fill(order);
    return null;
  }

  change(order: Order, change: Change): Objection {
    if (order.status === "closed" || order.status === "cancelled") return "conflict";
    const waits = order.status === "pending";
    if (!waits && ["trigger", "limit", "expiresAt", "group"].some((name) => name in change)) return "conflict";
    const after = { ...order, ...change };
    if (waits && order.kind !== "market") {
      const moved = after.trigger !== order.trigger || after.limit !== order.limit;
      const wrong = (moved ? this.levelObjection(after, order.setOff !== null) : null) ?? this.exitsObjection(after, after.trigger as bigint);
      if (wrong) return wrong;
    } else {
      const wrong = this.exitsObjection({ ...after, stop: change.stop ?? null, target: change.target ?? null }, this.closing(order.side));
      if (wrong) return wrong;
    }
    if (after.distance !== null && after.distance >= (waits && order.kind !== "market" ? (after.trigger as bigint) : this.closing(order.side)))
      return "trailingDistance";
    Object.assign(order, change);
    if (change.breakEven) order.brokeEven = false;
    if (!waits) this.moveStop(order);
    return null;
  }

  cancel(order: Order): Objection {
    if (order.status !== "pending") return "conflict";
    this.end(order, "trader");
    return null;
  }

  closeNow(order: Order): void {
    this.close(order, "trader");
  }

  /** The next tick: ends, exits, stop losses, then orders as they were placed. */
  next(tick: Tick): void {
    this.now = tick;
    this.passTo(tick.at);
    if (!tick.open) return;
    const standing = this.orders.filter(({ status }) => status === "open");
    for (const order of standing) {
      const price = this.closing(order.side);
      const beyond = (level: bigint, up: boolean) => (up ? price >= level : price <= level);
      if (order.stop !== null && beyond(order.stop, order.side === "sell")) this.close(order, "stop_loss");
      else if (order.target !== null && beyond(order.target, order.side === "buy")) this.close(order, "take_profit");
    }
    for (const order of standing) if (order.status === "open") this.moveStop(order);
    for (const order of this.orders) if (order.status === "pending") this.look(order);
  }

  /** Time passes, without a tick of this symbol. */
  passTo(at: number): void {
    for (const order of this.orders) if (order.status === "pending" && order.expiresAt !== null && order.expiresAt <= at) this.end(order, "expired");
  }

  private look(order: Order): void {
    const price = this.opening(order.side);
    const dear = (level: bigint) => (order.side === "buy" ? price >= level : price <= level);
    const cheap = (level: bigint) => (order.side === "buy" ? price <= level : price >= level);
    if (order.kind === "limit" && !cheap(order.trigger as bigint)) return;
    if (order.kind === "stop" && !dear(order.trigger as bigint)) return;
    if (order.kind === "stop_limit") {
      if (order.setOff === null && dear(order.trigger as bigint)) order.setOff = this.tick.seq;
      if (order.setOff === null || !cheap(order.limit as bigint)) return;
    }
    const needed = this.marginOf(order.amount);
    const { free } = this;
    if (free < needed) this.end(order, "insufficient_margin", { needed, free });
    else this.fill(order);
  }

  private fill(order: Order): void {
    order.open = { seq: this.tick.seq, price: this.opening(order.side) };
    order.status = "open";
    this.moveStop(order);
    if (order.group === null) return;
    for (const other of this.orders) if (other !== order && other.group === order.group && other.status === "pending") this.end(other, "oco");
  }

  private moveStop(order: Order): void {
    if (!order.open) return;
    const price = this.closing(order.side);
    const closer = (a: bigint, b: bigint | null) => b === null || (order.side === "buy" ? a > b : a < b);
    let found: Omit<Move, "seq"> | null = null;
    if (order.distance !== null) {
      const level = order.side === "buy" ? price - order.distance : price + order.distance;
      if (level > 0n) found = { kind: "trail", level };
    }
    const gained = order.side === "buy" ? price - order.open.price : order.open.price - price;
    if (order.breakEven !== null && !order.brokeEven && gained >= order.breakEven) {
      order.brokeEven = true;
      if (closer(order.open.price, found && found.level)) found = { kind: "break_even", level: order.open.price };
    }
    if (!found || !closer(found.level, order.stop)) return;
    order.stop = found.level;
    order.moves.push({ ...found, seq: this.tick.seq });
  }

  private close(order: Order, reason: string): void {
    const price = this.closing(order.side);
    const profit = this.profitOf(order, price);
    this.balance += profit;
    order.status = "closed";
    order.close = { seq: this.tick.seq, price, reason, profit };
  }

  private end(order: Order, code: string, figures: { needed: bigint; free: bigint } | null = null): void {
    order.status = "cancelled";
    order.cancel = { code, needed: figures?.needed ?? null, free: figures?.free ?? null };
  }
}
