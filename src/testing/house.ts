import { open } from "../app";
import { readConfig } from "../config";
import { createAdmin } from "../identity/commands";
import { priceUnits } from "../lib/money";
import type { Feed, FeedSink } from "../market/feed";
import { instruments } from "../market/schema";
import { folders, readTexts } from "../platform/files";
import type { PushParts } from "../notifications/push";
import { leadAlone } from "../platform/leader";
import { createLog } from "../platform/log";
import { type TestDatabase, testDatabase } from "./database";

const ORIGIN = "http://halyard.test";

/** A feed that says what the test says. */
function handFeed(): { feed: Feed; sink: () => FeedSink } {
  let sink: FeedSink | null = null;
  const symbols = instruments.map(({ symbol }) => symbol);
  const feed: Feed = { name: "simulator", label: "Test prices", symbols, freshness: "symbol", start: (given) => void (sink = given), stop: async () => {} };
  return { feed, sink: () => sink as FeedSink };
}

export type Answer<T = Record<string, unknown>> = { status: number; headers: Headers; body: T; text: string };
type Ask = { body?: unknown; raw?: string; headers?: Record<string, string> };

/** A person with a cookie, as their browser would call. */
export class Person {
  cookie = "";
  constructor(private readonly handle: (request: Request) => Promise<Response>) {}

  async fetch(method: string, path: string, { body, raw, headers = {} }: Ask = {}): Promise<Response> {
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const request = new Request(ORIGIN + path, {
      method,
      redirect: "manual",
      headers: { ...(sent === undefined ? {} : { "content-type": "application/json" }), ...(this.cookie ? { cookie: this.cookie } : {}), ...headers },
      ...(sent === undefined ? {} : { body: sent }),
    });
    const response = await this.handle(request);
    for (const set of response.headers.getSetCookie()) this.cookie = set.split(";")[0]?.endsWith("=") ? "" : (set.split(";")[0] ?? "");
    return response;
  }

  async call<T = Record<string, unknown>>(method: string, path: string, ask: Ask = {}): Promise<Answer<T>> {
    const response = await this.fetch(method, path, ask);
    const text = await response.text();
    const json = (response.headers.get("content-type") ?? "").startsWith("application/json");
    return { status: response.status, headers: response.headers, text, body: (json ? JSON.parse(text) : {}) as T };
  }
  get = <T = Record<string, unknown>>(path: string, ask?: Ask) => this.call<T>("GET", path, ask);
  post = <T = Record<string, unknown>>(path: string, body: unknown = {}, headers?: Record<string, string>) =>
    this.call<T>("POST", path, { body, ...(headers ? { headers } : {}) });
  patch = <T = Record<string, unknown>>(path: string, body: unknown) => this.call<T>("PATCH", path, { body });
}

const { hash } = Bun.password;

/**
 * Makes people whose passwords are hashed quickly: at the real cost, 45 ms each, that would be a third of all that the tests compute.
 * A hash says what it costs, so checking such a one is quick, too.
 */
async function hashingQuickly<T>(make: () => Promise<T>): Promise<T> {
  Bun.password.hash = (password) => hash(password, { algorithm: "argon2id", memoryCost: 8, timeCost: 1 });
  try {
    return await make();
  } finally {
    Bun.password.hash = hash;
  }
}

let people = 0;

/**
 * The whole house on a database of its own, with prices and a clock in the test's hand. The feed says nothing until the
 * test quotes. On a `given` database it opens again what another house left there.
 */
export async function testHouse(env: Record<string, string> = {}, given?: TestDatabase, push?: PushParts) {
  const db = given ?? (await testDatabase());
  const { feed, sink } = handFeed();
  let now = Date.now();
  const lines: string[] = [];
  const log = createLog("debug", (line) => void lines.push(line));
  const house = await open({ config: readConfig(env), sql: db.sql, log, feed, clock: () => now, ...(push ? { push } : {}) });
  const handle = async (request: Request) => house.app.handle(request);

  return {
    ...house,
    db,
    sql: db.sql,
    url: db.url,
    /** What was logged, a JSON line each. */
    lines,
    /** One tick; prices as decimal text. Exits that it fires are written when this resolves. */
    async quote(symbol: string, bid: string, ask: string) {
      await house.trading.engine.idle();
      void sink().tick({ symbol, bid: priceUnits(bid), ask: priceUnits(ask), at: now });
      await house.trading.engine.idle();
    },
    /** Leads again, after another house on the same database did. */
    async retake() {
      await house.follow();
      await house.lead(await leadAlone(db.sql), () => {});
    },
    /** Moves the market's clock. */
    pass(ms: number) {
      now += ms;
    },
    stranger: () => new Person(handle),
    async trader(over: Record<string, unknown> = {}) {
      const person = new Person(handle);
      const email = `trader${++people}-${crypto.randomUUID().slice(0, 8)}@t.test`;
      const body = { firstName: "Tess", lastName: "Trader", email, password: "Corr3ct-horse", referralCode: "", ...over };
      const { status, body: made, text } = await hashingQuickly(() => person.post<{ user: { id: string; email: string } }>("/api/auth/register", body));
      if (status !== 201) throw new Error(`registration failed: ${status} ${text}`);
      return Object.assign(person, { id: made.user.id, email: made.user.email });
    },
    async admin() {
      const email = `admin${++people}-${crypto.randomUUID().slice(0, 8)}@t.test`;
      const password = "Corr3ct-horse-battery";
      await hashingQuickly(() => createAdmin(db.sql, { email, password }));
      const person = new Person(handle);
      const { body, status, text } = await person.post<{ user: { id: string } }>("/api/auth/login", { email, password });
      if (status !== 200) throw new Error(`sign-in failed: ${status} ${text}`);
      return Object.assign(person, { id: body.user.id, email });
    },
    /** Every row that a check of sql/checks finds; empty in good times. */
    async faults(): Promise<string[]> {
      const found: string[] = [];
      for (const { name, text } of readTexts(folders.checks, ".sql")) {
        const rows: readonly unknown[] = await db.sql.unsafe(text);
        for (const row of rows) found.push(`${name}: ${JSON.stringify(row)}`);
      }
      return found;
    },
    async end() {
      await house.close();
      await db.drop();
    },
  };
}
export type TestHouse = Awaited<ReturnType<typeof testHouse>>;
