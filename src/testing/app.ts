import { type Cluster, open } from "../app";
import { readConfig } from "../config";
import { createAdmin } from "../identity/commands";
import { priceUnits } from "../lib/money";
import { DAY, HOUR } from "../lib/time";
import type { Feed, FeedSink } from "../market/feed";
import { folders, readTexts } from "../platform/files";
import type { PushParts } from "../notifications/push";
import { leadAlone } from "../platform/cluster/leader";
import { connect } from "../platform/database/db";
import { giveRights } from "../platform/database/migrate";
import { PROGRAM } from "../platform/database/roles";
import { Pace } from "../platform/http/pace";
import { Patience } from "../platform/http/patience";
import { createLog } from "../platform/log";
import { DOCUMENT_KEY, LOG_KEY, type TestDatabase, testDatabase } from "./database";
import { withPatientDeals } from "./scenarios";

const ORIGIN = "http://halyard.test";

/** Tests race what one person may do once; only who asks for the real pace gets it. */
const paceOf = (env: Record<string, string>) => (env.COMMANDS_PER_SECOND ? {} : { pace: new Pace({ atOnce: 1_000, perSecond: 1_000_000 }) });

/** A feed that says what the test says. */
function handFeed(): { feed: Feed; sink: () => FeedSink } {
  let sink: FeedSink | null = null;
  const feed: Feed = { name: "simulator", label: "Test prices", freshness: "symbol", start: (given) => void (sink = given), stop: async () => {} };
  return { feed, sink: () => sink as FeedSink };
}

export type Answer<T = Record<string, unknown>> = { status: number; headers: Headers; body: T; text: string };
type Ask = { body?: unknown; raw?: string; headers?: Record<string, string> };

/** A person with a cookie, as their browser would call. */
export class Person {
  cookie = "";
  /** The cookie of the browser, which a sign-out leaves. Others a test sends itself. */
  device = "";
  constructor(private readonly handle: (request: Request) => Promise<Response>) {}

  async fetch(method: string, path: string, { body, raw, headers = {} }: Ask = {}): Promise<Response> {
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const cookie = [this.cookie, this.device].filter(Boolean).join("; ");
    const request = new Request(ORIGIN + path, {
      method,
      redirect: "manual",
      headers: { ...(sent === undefined ? {} : { "content-type": "application/json" }), ...(cookie ? { cookie } : {}), ...headers },
      ...(sent === undefined ? {} : { body: sent }),
    });
    const response = await this.handle(request);
    for (const set of response.headers.getSetCookie()) this.keep(set.split(";")[0] ?? "");
    return response;
  }

  private keep(pair: string) {
    const kept = pair.endsWith("=") ? "" : pair;
    if (pair.includes("device=")) this.device = kept;
    else if (pair.includes("sid=")) this.cookie = kept;
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

/** All people of a test come from one network. */
const CROWDED = { REGISTRATIONS_PER_NETWORK: "1000" };

let people = 0;

/**
 * The whole program on a database of its own, with prices and a clock in the test's hand. The feed says nothing until the
 * test quotes, and a deal waits for a busy machine. On a `given` database it opens again what another one left there; of a `cluster` it follows until it is told to lead.
 */
export async function testApp(env: Record<string, string> = {}, given?: TestDatabase, push?: PushParts, cluster?: Cluster) {
  const db = given ?? (await testDatabase());
  await withPatientDeals(db.sql);
  if (given) await giveRights(db.sql, PROGRAM);
  const programSql = connect(db.programUrl, { max: 10 });
  const engineSql = connect(db.programUrl, { max: 4, name: "halyard engine" });
  const { feed, sink } = handFeed();
  let now = Date.now();
  const lines: string[] = [];
  const log = createLog("debug", (line) => void lines.push(line));
  const app = await open({
    config: readConfig({ ...CROWDED, DOCUMENT_KEY, LOG_KEY, ...env }),
    sql: programSql,
    log,
    feed,
    clock: () => now,
    engineSql,
    // Tests write money out of nowhere; who asks what the books say to it looks himself. A look by the clock would halt them under a slow test.
    booksEvery: DAY,
    ...paceOf(env),
    ...(cluster ? { cluster } : {}),
    ...(push ? { push } : {}),
  });
  // Of a crowd that a test sends at once, a slow machine answers the last one late.
  app.context.longest = new Patience(HOUR);
  const handle = async (request: Request) => app.router.handle(request);
  const close = async () => {
    await app.close();
    await Promise.all([engineSql.end(), programSql.end()]);
  };

  return {
    ...app,
    /** The program ends, and its connections with it: of the server's all tests share some. */
    close,
    db,
    /** The test's own, as the owner; the program's may do less, and is the context's. */
    sql: db.sql,
    url: db.url,
    /** What was logged, a JSON line each. */
    lines,
    /** One tick, by a clock that may be so many ms ahead; prices as decimal text. Exits and alerts that it fires are written when this resolves. */
    async quote(symbol: string, bid: string, ask: string, ahead = 0) {
      await app.trading.engine.idle();
      void sink().tick({ symbol, bid: priceUnits(bid), ask: priceUnits(ask), at: now + ahead });
      await app.trading.engine.idle();
      await app.alerts.idle();
    },
    /** Leads again, after another program on the same database did. */
    async retake() {
      await app.follow();
      await app.lead(await leadAlone(db.sql), () => {});
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
      await close();
      await db.drop();
    },
  };
}
export type TestApp = Awaited<ReturnType<typeof testApp>>;
