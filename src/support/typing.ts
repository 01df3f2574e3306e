/** The other side hears at most this often, in ms, that somebody is typing. */
const REST_MS = 2000;
const MOST = 10_000;

/** Lets a word through once in a while for each key. Keeps nothing but who spoke last, and no more than so many of them. */
export class Typing {
  private readonly at = new Map<string, number>();

  constructor(private readonly clock: () => number) {}

  mayTell(key: string): boolean {
    const now = this.clock();
    const last = this.at.get(key);
    if (last !== undefined && now - last < REST_MS) return false;
    this.at.delete(key);
    this.at.set(key, now);
    const [oldest] = this.at.keys();
    if (this.at.size > MOST && oldest !== undefined) this.at.delete(oldest);
    return true;
  }

  /** Who has said something begins anew: the next word goes through at once. */
  forget(key: string): void {
    this.at.delete(key);
  }
}
