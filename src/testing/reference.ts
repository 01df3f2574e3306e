/**
 * A broker as slow and obvious as it can be: lists, whole numbers, the rules as they are written, everything computed
 * anew each time. What the real one does is held against it. Money in cents, prices in units of 10⁻⁸.
 */

export type Side = "buy" | "sell";
export type Tier = { tenthPips: bigint };
export type Market = Map<string, { bid: bigint; ask: bigint; pip: bigint }>;
export type Deal = {
  id: string;
  symbol: string;
  side: Side;
  amount: bigint;
  open: bigint;
  stop: bigint | null;
  target: bigint | null;
  /** Amount × move in the deal's favour of the parts that are closed; none where it is missing. */
  moved?: bigint;
};
/** The smallest order, and part of a position, in cents. */
export const SMALLEST = 1_000n;
export type Closed = Deal & { price: bigint; profit: bigint; reason: string };
/** What the trader is told about margin: the figures at that moment. */
type MarginEvent = { kind: "margin_call" | "stop_out"; position: string | null; equity: bigint; used: bigint };

const rounded = (numerator: bigint, denominator: bigint) => {
  const size = numerator < 0n ? -numerator : numerator;
  const whole = (2n * size + denominator) / (2n * denominator);
  return numerator < 0n ? -whole : whole;
};

export class ReferenceAccount {
  open: Deal[] = [];
  readonly closed: Closed[] = [];
  readonly events: MarginEvent[] = [];
  called = false;
  /** Below zero: what the house has advanced. */
  private worth: bigint;

  constructor(
    private readonly market: Market,
    private readonly tier: Tier,
    readonly leverage: bigint,
    start: bigint,
  ) {
    this.worth = start;
  }

  get balance(): bigint {
    return this.worth > 0n ? this.worth : 0n;
  }
  get advance(): bigint {
    return this.worth < 0n ? -this.worth : 0n;
  }
  get equity(): bigint {
    return this.open.reduce((sum, deal) => sum + this.profitOf(deal, deal.amount, this.closingPrice(deal)), this.worth);
  }
  get used(): bigint {
    return this.open.reduce((sum, { amount }) => sum + this.marginOf(amount), 0n);
  }
  marginOf(amount: bigint): bigint {
    return (amount + this.leverage - 1n) / this.leverage;
  }

  prices(symbol: string): { bid: bigint; ask: bigint } {
    const quote = this.market.get(symbol);
    if (!quote) throw new Error(`${symbol} has no price`);
    const spread = (quote.pip * this.tier.tenthPips) / 10n;
    if (spread <= quote.ask - quote.bid) return quote;
    const mid = (quote.bid + quote.ask + 1n) / 2n;
    return { bid: mid - spread / 2n, ask: mid + spread / 2n };
  }
  closingPrice({ symbol, side }: { symbol: string; side: Side }): bigint {
    return side === "buy" ? this.prices(symbol).bid : this.prices(symbol).ask;
  }
  openingPrice({ symbol, side }: { symbol: string; side: Side }): bigint {
    return side === "buy" ? this.prices(symbol).ask : this.prices(symbol).bid;
  }
  /** Parts are rounded with those before them. */
  private profitOf(deal: Deal, amount: bigint, price: bigint): bigint {
    const { open, moved = 0n } = deal;
    return rounded(moved + this.moveOf(deal, amount, price), open) - rounded(moved, open);
  }
  private moveOf({ side, open }: Deal, amount: bigint, price: bigint): bigint {
    return amount * (side === "buy" ? price - open : open - price);
  }

  /** Why an order is refused; null where it is not. */
  objection(order: Omit<Deal, "id" | "open">): "invalid" | "insufficient_margin" | null {
    if (order.amount < SMALLEST || !this.exitsFit(order)) return "invalid";
    return this.equity - this.used < this.marginOf(order.amount) ? "insufficient_margin" : null;
  }
  exitsFit({ symbol, side, stop, target }: Omit<Deal, "id" | "open" | "amount">): boolean {
    const now = this.closingPrice({ symbol, side });
    const [below, above] = side === "buy" ? [stop, target] : [target, stop];
    return (below === null || below < now) && (above === null || above > now);
  }

  take(deal: Omit<Deal, "open">) {
    this.open.push({ ...deal, open: this.openingPrice(deal) });
    this.watchMargin();
  }
  edit(id: string, exits: { stop: bigint | null; target: bigint | null }) {
    this.open = this.open.map((deal) => (deal.id === id ? { ...deal, ...exits } : deal));
  }
  /** Closes a part, which goes by its own id, or the whole. */
  close(id: string, part: bigint | null, partId: string) {
    const deal = this.open.find((each) => each.id === id);
    if (!deal) throw new Error("there is no such deal");
    if (part === null || deal.amount - part < SMALLEST) this.book(deal, "trader");
    else {
      const moved = (deal.moved ?? 0n) + this.moveOf(deal, part, this.closingPrice(deal));
      this.open = this.open.map((each) => (each.id === id ? { ...each, amount: each.amount - part, moved } : each));
      this.book({ ...deal, id: partId, amount: part }, "trader");
    }
    this.watchMargin();
  }
  /** An administrator settles a deal with this result, whatever the market says; a loss is at most the balance. */
  settle(id: string, result: bigint): "insufficient_funds" | "invalid" | null {
    const deal = this.open.find((each) => each.id === id);
    if (!deal || -result > this.balance) return "insufficient_funds";
    if (result > deal.amount || -result > deal.amount) return "invalid";
    this.book(deal, "admin", result);
    this.watchMargin();
    return null;
  }
  closeAll() {
    for (const deal of this.open.slice()) this.book(deal, "trader");
    this.watchMargin();
  }

  /** A new price of this symbol: exits first, then margin. */
  tick(symbol: string) {
    for (const deal of this.open.slice()) {
      const price = this.closingPrice(deal);
      const lossSide = deal.side === "buy" ? deal.stop : deal.target;
      const gainSide = deal.side === "buy" ? deal.target : deal.stop;
      if (deal.symbol !== symbol) continue;
      if (lossSide !== null && price <= lossSide) this.book(deal, deal.side === "buy" ? "stop_loss" : "take_profit");
      else if (gainSide !== null && price >= gainSide) this.book(deal, deal.side === "buy" ? "take_profit" : "stop_loss");
    }
    this.watchMargin();
  }

  private book(deal: Deal, reason: string, settled: bigint | null = null) {
    const price = this.closingPrice(deal);
    const profit = settled ?? this.profitOf(deal, deal.amount, price);
    this.open = this.open.filter(({ id }) => id !== deal.id);
    this.closed.push({ ...deal, price, profit, reason });
    this.worth += profit;
    if (this.open.length > 0) return;
    if (this.worth < 0n) this.worth = 0n;
    this.called = false;
  }

  private watchMargin() {
    for (;;) {
      const { equity, used } = this;
      if (equity >= used) {
        this.called = false;
        return;
      }
      if (!this.called) this.events.push({ kind: "margin_call", position: null, equity, used });
      this.called = true;
      if (equity * 2n >= used) return;
      const results = this.open.map((deal) => ({ deal, profit: this.profitOf(deal, deal.amount, this.closingPrice(deal)) }));
      const [worst] = results.toSorted((a, b) => (a.profit < b.profit ? -1 : a.profit > b.profit ? 1 : a.deal.id < b.deal.id ? -1 : 1));
      if (!worst) return;
      this.events.push({ kind: "stop_out", position: worst.deal.id, equity, used });
      this.book(worst.deal, "stop_out");
    }
  }
}
