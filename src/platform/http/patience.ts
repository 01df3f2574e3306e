/** `inTime` (lib/time) for many promises with the same patience, in ms, which share one timer. It keeps no program from its end. */
export class Patience {
  /** Those waited for, the oldest first. */
  private readonly waiting = new Set<{ until: number; give(): void }>();
  private timer: ReturnType<typeof setTimeout> | null = null;

  constructor(private readonly ms: number) {}

  /** What a promise brings in time, else null. Whoever stops waiting is not told how it ended. */
  wait<T>(promise: Promise<T>): Promise<T | null> {
    return new Promise((resolve, reject) => {
      const one = { until: performance.now() + this.ms, give: () => resolve(null) };
      this.waiting.add(one);
      if (this.timer === null) this.watch(this.ms);
      promise.then(
        (value) => {
          this.waiting.delete(one);
          resolve(value);
        },
        (error: unknown) => {
          this.waiting.delete(one);
          reject(error as Error);
        },
      );
    });
  }

  private watch(ms: number) {
    this.timer = setTimeout(() => this.look(), ms);
    this.timer.unref();
  }

  private look() {
    this.timer = null;
    const now = performance.now();
    for (const one of this.waiting) {
      if (one.until > now) return this.watch(one.until - now);
      this.waiting.delete(one);
      one.give();
    }
  }
}
