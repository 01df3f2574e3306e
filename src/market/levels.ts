/** A level that fires once a price crosses it; `alive` turns false when it fired, was moved, or what it stood for is gone. */
export type Level = { readonly price: number; alive: boolean };

/** A binary heap by price; dead entries are passed over when they surface, so removing is free. */
export class Heap<T extends Level> {
  private readonly items: T[] = [];
  /** `direction` 1: the lowest price is on top; −1: the highest. */
  constructor(private readonly direction: 1 | -1) {}

  get size(): number {
    return this.items.length;
  }

  push(item: T) {
    const { items } = this;
    let at = items.length;
    items.push(item);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.before(item, items[parent] as T)) break;
      items[at] = items[parent] as T;
      at = parent;
    }
    items[at] = item;
  }

  /** Takes out the living levels that `price` has reached. */
  reached(price: number, out: T[]) {
    for (let top = this.items[0]; top; top = this.items[0]) {
      if (top.alive && (top.price - price) * this.direction > 0) return;
      this.pop();
      if (!top.alive) continue;
      top.alive = false;
      out.push(top);
    }
  }

  /** Rebuilds without the dead, so that a book edited all day does not grow. */
  sweep() {
    const living = this.items.filter(({ alive }) => alive);
    this.items.length = 0;
    for (const item of living) this.push(item);
  }

  private before(a: T, b: T) {
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
      if (child + 1 < items.length && this.before(items[child + 1] as T, items[child] as T)) child++;
      if (!this.before(items[child] as T, last)) break;
      items[at] = items[child] as T;
      at = child;
    }
    items[at] = last;
  }
}
