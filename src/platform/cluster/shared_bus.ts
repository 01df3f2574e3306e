import { type Bus, type Messages, localBus } from "./bus";
import { type Db, connect } from "../database/db";
import type { Log } from "../log";
import { StartError } from "../start_error";

/** What this process tells itself alone: others have it from their own boards. */
const OWN: ReadonlySet<keyof Messages> = new Set(["quotes", "renewed"]);
/** What somebody waits for goes at once. */
const URGENT: ReadonlySet<keyof Messages> = new Set(["askPrices", "renewedPrices"]);
const CHANNEL = "halyard";
/** PostgreSQL takes payloads of less than 8,000 bytes. */
const LARGEST = 7_500;
/** So long, in ms, are messages gathered to travel together. */
const GATHER = 15;
/** So many messages wait at most while the database is away; beyond that, readers have to fetch everything again. */
const MOST_WAITING = 5_000;
/** So often, in ms, is the line tried; and after so long a silence is it made anew. */
const TRY_EVERY = 2_000;
const SILENCE = 5_000;
const PROBE = 5_000;

type Item = readonly [topic: keyof Messages, message: unknown];
type Letter = { from: string; items: Item[] };

export type SharedBus = Bus & { stop(): Promise<void> };
type Parts = {
  /** Where to listen: a direct connection, not one of a pooler in transaction mode. */
  url: string;
  /** The pool that notices are sent through. */
  sql: Db;
  log: Log;
  onFault: (error: unknown) => void;
};

/**
 * A bus that every program on one database hears, by LISTEN and NOTIFY: gathered into few notices, outside of the commands'
 * transactions, on a lasting connection of its own. What was published while the line was cut is lost to the others; when it
 * stands again, `renewed` says to look at everything anew. Throws StartError where the connection does not hold what it
 * listens to, as behind a pooler in transaction mode.
 */
export async function openSharedBus(parts: Parts): Promise<SharedBus> {
  const own = localBus(parts.onFault);
  const line = new Line(parts, own);
  await line.open();
  return {
    subscribe: own.subscribe,
    publish(topic, message) {
      own.publish(topic, message);
      if (!OWN.has(topic)) line.send([topic, message]);
    },
    stop: () => line.stop(),
  };
}

class Line {
  private readonly me = crypto.randomUUID();
  private readonly waiting = new Map<string, Item>();
  private ear: Db | null = null;
  private gathering: Timer | undefined;
  private sending: Promise<void> | undefined;
  private trying: Timer | undefined;
  private heardAt = 0;
  /** Something may have been missed here. */
  private missed = false;
  private failed = false;
  private stopped = false;

  constructor(
    private readonly parts: Parts,
    private readonly own: Bus,
  ) {}

  async open(): Promise<void> {
    try {
      await this.listen();
      await this.probe();
    } catch (error) {
      await this.stop();
      throw error;
    }
    this.trying = setInterval(() => this.try(), TRY_EVERY);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearInterval(this.trying);
    clearTimeout(this.gathering);
    // What came while the last letter was on its way goes in another.
    await this.sending;
    await this.flush();
    await this.ear?.end({ timeout: 1 });
  }

  send(item: Item) {
    if (this.stopped) return;
    // A notice that waits already says it all.
    const text = JSON.stringify(item);
    if (Buffer.byteLength(text) > LARGEST) return this.parts.onFault(new Error(`a message of ${item[0]} is too large to be shared`));
    if (this.waiting.size >= MOST_WAITING) {
      this.waiting.clear();
      this.waiting.set("", ["renewed", {}]);
    }
    this.waiting.delete(text);
    this.waiting.set(text, item);
    if (URGENT.has(item[0])) void this.flush();
    else this.gathering ??= setTimeout(() => void this.flush(), GATHER);
  }

  /** Sends what waits; what can't be sent now waits for the next time. */
  private flush(): Promise<void> {
    clearTimeout(this.gathering);
    this.gathering = undefined;
    this.sending ??= this.deliver().finally(() => {
      this.sending = undefined;
      if (this.waiting.size > 0 && !this.stopped) this.gathering ??= setTimeout(() => void this.flush(), this.failed ? TRY_EVERY : GATHER);
    });
    return this.sending;
  }

  private async deliver(): Promise<void> {
    const items = [...this.waiting];
    if (items.length === 0) return;
    this.waiting.clear();
    try {
      await this.parts.sql`select pg_notify(${CHANNEL}, letter) from unnest(${letters(this.me, items)}::text[]) as letter`;
      this.failed = false;
    } catch (error) {
      this.failed = true;
      this.parts.log.warn("the other programs can't be told, will try again", { waiting: items.length, error });
      for (const [text, item] of items) if (!this.waiting.has(text) && this.waiting.size < MOST_WAITING) this.waiting.set(text, item);
    }
  }

  private async listen(): Promise<void> {
    const ear = connect(this.parts.url, { max: 1, name: "halyard listener", lasting: true });
    this.ear = ear;
    let first = true;
    this.heardAt = performance.now();
    await ear.listen(
      CHANNEL,
      (text) => ear === this.ear && this.hear(text),
      () => {
        // The driver made a lost connection anew.
        if (!first && ear === this.ear) this.renew();
        first = false;
      },
    );
  }

  /** A notice of our own must come back. */
  private async probe(): Promise<void> {
    const end = performance.now() + PROBE;
    const before = this.heardAt;
    this.send(["beat", { nonce: crypto.randomUUID() }]);
    while (this.heardAt === before && performance.now() < end) await Bun.sleep(10);
    if (this.heardAt === before)
      throw new StartError(
        "The database does not deliver notices to this connection, as behind a pooler in transaction mode. Set DATABASE_DIRECT_URL to the address of PostgreSQL itself.",
      );
  }

  /** Makes a silent line anew. */
  private try(): void {
    this.send(["beat", { nonce: crypto.randomUUID() }]);
    if (performance.now() - this.heardAt < SILENCE) return;
    this.parts.log.warn("the line to the other programs is silent: it is made anew");
    const old = this.ear;
    this.missed = true;
    this.heardAt = performance.now();
    void old?.end({ timeout: 0 }).catch((error: unknown) => this.parts.log.debug("the silent line did not close", { error }));
    this.listen().catch((error: unknown) => this.parts.log.warn("the line to the other programs could not be made, will try again", { error }));
  }

  private renew(): void {
    this.parts.log.warn("the line to the other programs was cut and stands again");
    this.missed = false;
    this.own.publish("renewed", {});
  }

  private hear(text: string): void {
    this.heardAt = performance.now();
    const { from, items } = JSON.parse(text) as Letter;
    if (this.missed) this.renew();
    if (from === this.me) return;
    for (const [topic, message] of items) this.own.publish(topic, message as never);
  }
}

/** Messages as few payloads, each small enough. */
function letters(from: string, items: readonly (readonly [text: string, item: Item])[]): string[] {
  const head = `{"from":"${from}","items":[`;
  const made: string[] = [];
  let body = "";
  for (const [, item] of items) {
    const text = JSON.stringify(item);
    if (body && Buffer.byteLength(head) + Buffer.byteLength(body) + Buffer.byteLength(text) + 3 > LARGEST + 200) {
      made.push(`${head}${body}]}`);
      body = "";
    }
    body += body ? `,${text}` : text;
  }
  return [...made, `${head}${body}]}`];
}
