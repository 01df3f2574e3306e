/**
 * Work that an answer need not wait for, say to count it: done in its order, once what can be answered now has left. A piece that fails is told, if
 * not otherwise then as a promise is that nobody looks at, and the others are done all the same. For what no harm comes of where the program ends before.
 */
export class Afterwards {
  private waiting: (() => void)[] = [];

  constructor(private readonly onFault: (error: unknown) => void = (error) => void Promise.reject(error as Error)) {}

  add(work: () => void): void {
    if (this.waiting.push(work) === 1) setImmediate(this.catchUp);
  }

  /** Does now what still waits, for whoever must find it done. */
  readonly catchUp = (): void => {
    const all = this.waiting;
    this.waiting = [];
    for (const work of all) {
      try {
        work();
      } catch (error) {
        this.onFault(error);
      }
    }
  };
}
