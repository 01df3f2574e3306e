/** Exit levels of one symbol and tier, ordered so that a tick costs by what it fires, not by what is open. */

/** A level that fires once a price crosses it; `alive` turns false when it is moved or its position is gone. */
export type Trigger = { price: number; alive: boolean; positionId: string; reason: "stop_loss" | "take_profit" };

/** A binary heap by price; dead entries are passed over when they surface, so removing is free. */
class Heap {
  private readonly items: Trigger[] = [];
  /** `direction` 1: the lowest price is on top; −1: the highest. */
  constructor(private readonly direction: 1 | -1) {}

  get size(): number {
    return this.items.length;
  }

  push(item: Trigger) {
    const { items } = this;
    let at = items.length;
    items.push(item);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.before(item, items[parent] as Trigger)) break;
      items[at] = items[parent] as Trigger;
      at = parent;
    }
    items[at] = item;
  }

  /** Takes out the living triggers that `price` has reached. */
  reached(price: number, out: Trigger[]) {
    for (let top = this.items[0]; top; top = this.items[0]) {
      if (top.alive && (top.price - price) * this.direction > 0) return;
      this.pop();
      if (top.alive) out.push(top);
    }
  }

  /** Rebuilds without the dead, so that a book edited all day does not grow. */
  sweep() {
    const living = this.items.filter(({ alive }) => alive);
    this.items.length = 0;
    for (const item of living) this.push(item);
  }

  private before(a: Trigger, b: Trigger) {
    return (a.price - b.price) * this.direction < 0;
  }

  private pop() {
    const { items } = this;
    const last = items.pop();
    if (!last || items.length === 0) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && this.before(items[child + 1] as Trigger, items[child] as Trigger)) child++;
      if (!this.before(items[child] as Trigger, last)) break;
      items[at] = items[child] as Trigger;
      at = child;
    }
    items[at] = last;
  }
}

/** All exits of one symbol at one tier's prices. A long closes at the bid, a short at the ask. */
export class TriggerBook {
  /** Fire when the bid rises to them: targets of longs. */
  private readonly bidRises = new Heap(1);
  /** Fire when the bid falls to them: stops of longs. */
  private readonly bidFalls = new Heap(-1);
  /** Fire when the ask rises to them: stops of shorts. */
  private readonly askRises = new Heap(1);
  /** Fire when the ask falls to them: targets of shorts. */
  private readonly askFalls = new Heap(-1);
  private dead = 0;

  add(side: "buy" | "sell", trigger: Trigger) {
    this.heapOf(side, trigger.reason).push(trigger);
  }

  /** Marks a trigger as gone; sweeps once most of the book is. */
  kill(trigger: Trigger) {
    if (!trigger.alive) return;
    trigger.alive = false;
    this.dead++;
    if (this.dead > 1_000 && this.dead * 2 > this.size) this.sweep();
  }

  /** Takes out what a bid and an ask have reached. */
  reached(bid: number, ask: number): Trigger[] {
    const out: Trigger[] = [];
    this.bidFalls.reached(bid, out);
    this.bidRises.reached(bid, out);
    this.askRises.reached(ask, out);
    this.askFalls.reached(ask, out);
    return out;
  }

  get size(): number {
    return this.bidRises.size + this.bidFalls.size + this.askRises.size + this.askFalls.size;
  }

  private heapOf(side: "buy" | "sell", reason: Trigger["reason"]) {
    if (side === "buy") return reason === "stop_loss" ? this.bidFalls : this.bidRises;
    return reason === "stop_loss" ? this.askRises : this.askFalls;
  }

  private sweep() {
    this.dead = 0;
    for (const heap of [this.bidRises, this.bidFalls, this.askRises, this.askFalls]) heap.sweep();
  }
}
