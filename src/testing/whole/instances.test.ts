import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import type { QuoteMessage } from "../../platform/cluster/bus";
import { readSchema } from "../../platform/files";
import { emptyDatabase, type TestDatabase, testDatabase } from "../database";
import { until, whileWaitsLast, withPatientDeals } from "../scenarios";
import { MINUTE } from "../../lib/time";
import { buildProgram, launch, leads, METRICS_TOKEN, type Running } from "../program";
import type { Position } from "../../trading/schema";

/** Two programs on one PostgreSQL: one leads, both serve; what one does the other knows. */

const home = mkdtempSync("/tmp/halyard-instances-");
chmodSync(home, 0o755);
const LEADS = "this program leads: it runs the feed and the engine";
let db: TestDatabase;
beforeAll(async () => {
  buildProgram();
  db = await testDatabase();
  await withPatientDeals(db.sql);
});
afterAll(async () => {
  await db.drop();
  rmSync(home, { recursive: true, force: true });
});

type Instance = { program: Running; base: string };
const running: Instance[] = [];
async function start(on: TestDatabase = db): Promise<Instance> {
  const program = launch(home, {
    PORT: "0",
    HOST: "127.0.0.1",
    ...on.env,
    METRICS_TOKEN,
    ADMIN_EMAIL: "admin@t.test",
    ADMIN_PASSWORD: "Corr3ct-horse-battery",
  });
  const instance = { program, base: String((await program.logged("listening")).url) };
  running.push(instance);
  return instance;
}
afterEach(async () => {
  for (const { program } of running.splice(0)) {
    program.signal("SIGCONT");
    program.signal("SIGKILL");
    await program.ended;
  }
});

type Caller = { cookie: string; id: string };
async function ask<T>({ base }: Instance, by: Caller, method: string, path: string, body?: object): Promise<{ status: number; body: T }> {
  const headers = { "Content-Type": "application/json", Cookie: by.cookie };
  const response = await fetch(base + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  for (const set of response.headers.getSetCookie()) if (set.startsWith("sid=")) by.cookie = set.split(";")[0] ?? "";
  const text = await response.text();
  return { status: response.status, body: (text ? JSON.parse(text) : {}) as T };
}
let people = 0;
async function trader(at: Instance): Promise<Caller> {
  const by = { cookie: "", id: "" };
  const tess = { firstName: "Tess", lastName: "Trader", email: `tess${++people}@t.test`, password: "Corr3ct-horse" };
  const made = await ask<{ user: { id: string } }>(at, by, "POST", "/api/auth/register", tess);
  expect(made.status).toBe(201);
  return Object.assign(by, { id: made.body.user.id });
}
const order = (at: Instance, by: Caller, more: object = {}) =>
  ask<Position & { code?: string }>(at, by, "POST", "/api/trading/positions", { symbol: "BTC/USD", type: "buy", amount: 1000, ...more });
/** Until the price is young enough, which it is not where the machine stood still. */
const deal = async (at: Instance, by: Caller, more: object = {}): ReturnType<typeof order> => {
  const answer = await order(at, by, more);
  return answer.body.code === "stale_price" ? Bun.sleep(100).then(() => deal(at, by, more)) : answer;
};

/** Follows the market's stream and keeps every quote in the order it came; comes back when it is told to. */
function follow({ base }: Instance) {
  const quotes: QuoteMessage[] = [];
  const stop = new AbortController();
  const read = async () => {
    let rest = "";
    const response = await fetch(`${base}/api/market/stream?symbols=BTC/USD,EUR/USD`, { signal: stop.signal });
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      const events = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
      rest = events.pop() ?? "";
      for (const event of events) {
        const data = /^data: (\[.*)$/m.exec(event)?.[1];
        if (data) quotes.push(...(JSON.parse(data) as QuoteMessage[]));
      }
    }
  };
  const again = async () => {
    while (!stop.signal.aborted) await read().catch(() => Bun.sleep(20));
  };
  void again();
  return { quotes, stop: () => stop.abort() };
}
/** Numbers never fall, symbol by symbol. */
function neverBack(quotes: readonly QuoteMessage[]) {
  const newest = new Map<string, number>();
  return quotes.every(({ symbol, seq }) => {
    const before = newest.get(symbol) ?? 0;
    newest.set(symbol, Math.max(before, seq));
    return seq >= before;
  });
}
type Quoted = { symbol: string; bid: string; stale: boolean };
const quoteAt = async (at: Instance, symbol: string) =>
  (await ask<Quoted[]>(at, { cookie: "", id: "" }, "GET", "/api/market-data")).body.find((each) => each.symbol === symbol);
const fresh = async (at: Instance, symbol: string) => (await quoteAt(at, symbol))?.stale === false;

test("the follower shows the leader's prices, takes orders on them, and their stops fire", async () => {
  const leader = await start();
  await leader.program.logged(LEADS);
  const ofEngine = () => db.sql`select from pg_stat_activity where datname = current_database() and application_name = 'halyard engine'`;
  await until("the engine has connections of its own", async () => (await ofEngine()).length > 0);
  const follower = await start();
  await until("the follower has prices", () => fresh(follower, "BTC/USD"));
  const tess = await trader(leader);
  const placed = await deal(follower, tess);
  expect(placed.status).toBe(201);
  const [fill] = await db.sql<{ seq: number; bid: string; ask: string }[]>`select quote_seq as seq, bid, ask from fills where position_id = ${placed.body.id}`;
  await until("the tick that it was filled on is recorded", async () => {
    const [tick] = await db.sql<{ bid: string; ask: string }[]>`select bid, ask from ticks where seq = ${fill?.seq ?? 0} and symbol = 'BTC/USD'`;
    return tick?.bid === fill?.bid && tick?.ask === fill?.ask;
  });
  // A stop and a target so near that one of them fires soon, by the price of the moment of each try; the engine is the other program's.
  let id = "";
  await until("an order with near exits is taken", async () => {
    const price = Number((await quoteAt(follower, "BTC/USD"))?.bid);
    const near = { stopLoss: (price * 0.99995).toFixed(2), takeProfit: (price * 1.0002).toFixed(2) };
    const { status, body } = await order(follower, tess, near);
    id = body.id;
    return status === 201;
  });
  await until(
    "an exit fires",
    async () => (await db.sql`select from positions where id = ${id} and close_reason in ('stop_loss', 'take_profit')`).length === 1,
  );
  expect((await db.sql`select from engine_looks`).length).toBe(0);
});

test("an instrument that one program lists is taken by the other and its engine; orders and closings that race a change through both are dealt by exactly one version", async () => {
  const leader = await start();
  await leader.program.logged(LEADS);
  const follower = await start();
  await until("the follower has prices", () => fresh(follower, "BTC/USD"));
  const staff = { cookie: "", id: "" };
  expect((await ask(follower, staff, "POST", "/api/auth/login", { email: "admin@t.test", password: "Corr3ct-horse-battery" })).status).toBe(200);
  const coin = { symbol: "DEMO/USD", name: "A coin", group: "crypto", digits: 2, simulatorStart: "50.00", simulatorVolatility: 0.5, reason: "A test" };
  expect((await ask(follower, staff, "POST", "/api/admin/instruments", coin)).status).toBe(201);
  for (const at of [leader, follower]) await until("both have a price of it", () => fresh(at, coin.symbol));
  // The leader's engine watches it: a stop so near that it fires soon.
  const tess = await trader(leader);
  let stopped = "";
  await until("an order with near exits is taken", async () => {
    const { status, body } = await order(follower, tess, { symbol: coin.symbol });
    if (status !== 201) return false;
    stopped = body.id;
    const price = Number(body.currentPrice);
    const exits = { stopLoss: (price - 0.01).toFixed(2), takeProfit: (price + 0.02).toFixed(2) };
    return (await ask(follower, tess, "PATCH", `/api/trading/positions/${stopped}`, exits)).status === 200;
  });
  await until("an exit fires", async () => (await db.sql`select from positions where id = ${stopped} and status = 'closed'`).length === 1);

  const change = (maximum: number) =>
    ask(follower, staff, "PATCH", `/api/admin/instruments/${encodeURIComponent(coin.symbol)}`, {
      maximum,
      marginSteps: `100 ${maximum / 100}`,
      reason: "A test",
    });
  expect((await change(3000)).status).toBe(200);
  const people = await Promise.all(Array.from({ length: 8 }, (_, n) => trader(n % 2 ? leader : follower)));
  const changes = (async () => {
    for (const maximum of [2000, 1000, 500]) expect((await change(maximum)).status).toBe(200);
  })();
  const placed = await Promise.all(people.flatMap((who, n) => [1, 2, 3].map(() => deal(n % 2 ? follower : leader, who, { symbol: coin.symbol, amount: 500 }))));
  await changes;
  const ids = placed.flatMap(({ status, body }) => (status === 201 ? [body.id] : []));
  expect(ids.length).toBeGreaterThan(0);
  const wrong = await db.sql`
    select f.id
    from fills f
    join positions p on p.id = f.position_id
    join instrument_terms t on t.symbol = p.symbol and t.version = f.terms_version
    where p.id = any (${ids}) and (
      p.leverage <> instrument_leverage(t, 100, p.amount, f.held) or f.held is null or f.created_at < t.effective_at
      or exists (select from instrument_terms n where n.symbol = t.symbol and n.version = t.version + 1 and n.effective_at <= f.created_at)
    )
  `;
  expect(wrong).toHaveLength(0);

  // What is open is closed through both, while its mark-up widens and narrows: each by the version that holds for it at that moment.
  const krona = { symbol: "EUR/SEK", name: "Euro / Swedish Krona", group: "forex-minor", digits: 5, simulatorStart: "11.30500", simulatorVolatility: 0.08 };
  const listed = await ask(follower, staff, "POST", "/api/admin/instruments", { ...krona, sessions: "Mon-Sun 00:00-24:00", reason: "A test" });
  expect(listed.status).toBe(201);
  for (const at of [leader, follower]) await until("both have a price of it", () => fresh(at, krona.symbol));
  const markUp = (markup: string) => ask(leader, staff, "PATCH", "/api/admin/instruments/EUR%2FSEK", { markup, reason: "A test" });
  const open: [Caller, string][] = [];
  for (const markup of ["", "2"]) {
    expect((await markUp(markup)).status).toBe(200);
    for (const [n, who] of people.entries())
      await until("it is opened", async () => {
        const { status, body } = await order(n % 2 ? leader : follower, who, { symbol: krona.symbol, amount: 100 });
        if (status === 201) open.push([who, body.id]);
        return status === 201;
      });
  }
  const widths = (async () => {
    for (const markup of ["5", "1", "9"]) expect((await markUp(markup)).status).toBe(200);
  })();
  await Promise.all(
    open.map(([who, id], n) =>
      until("it is closed", async () => {
        const { status, body } = await ask<{ code: string }>(n % 3 ? follower : leader, who, "POST", `/api/trading/positions/${id}/close`, {});
        if (status === 200) return true;
        expect(body.code).toBe("stale_price");
        return Bun.sleep(100).then(() => false);
      }),
    ),
  );
  await widths;
  const astray = await db.sql`
    select f.id, f.kind, f.terms_version, p.terms_version as opened, rule.version, f.tier_spread_pips::text
    from fills f
    join positions p on p.id = f.position_id
    cross join lateral (
      select max(t.version) as version from instrument_terms t
      where t.symbol = p.symbol and t.effective_at <= f.created_at and (f.kind = 'open' or t.applies_at <= f.created_at or t.version = p.terms_version)
    ) rule
    where p.symbol = 'EUR/SEK' and (f.terms_version <> rule.version or f.tier_spread_pips <> 3.3 + markup_said(p.symbol, rule.version))
  `;
  expect([...astray]).toEqual([]);
});

test("a leader that is killed is followed; prices never go back, and its orders live on", async () => {
  const both = [await start(), await start()];
  for (const each of both) await until("it has prices", () => fresh(each, "BTC/USD"));
  const streams = both.map(follow);
  const tess = await trader(both[0] as Instance);
  expect((await deal(both[0] as Instance, tess)).status).toBe(201);
  await until("the first leader's prices are shown", () => streams.every(({ quotes }) => quotes.length > 0));
  const { first, old } = await freezeLeader(both);
  first.program.signal("SIGKILL");
  const [second, stream] = [both.find((each) => each !== first) as Instance, streams[both[0] === first ? 1 : 0] as (typeof streams)[number]];
  await until("the other's ticks count", async () => (await leadOf()).first > old.first);
  const now = await leadOf();
  await until("the next leader's first tick is shown", () =>
    stream.quotes.some(({ symbol, seq, stale }) => symbol === "BTC/USD" && seq >= now.first && !stale),
  );
  expect((await deal(second, tess)).status).toBe(201);
  const third = await start();
  await until("a new program has prices", () => fresh(third, "BTC/USD"));
  expect((await ask<Position[]>(third, tess, "GET", "/api/trading/positions/open")).body).toHaveLength(2);
  expect(neverBack(stream.quotes)).toBe(true);
  for (const each of streams) each.stop();
});

type Lead = { epoch: number; first: number };
const leadOf = async () => (await db.sql<Lead[]>`select epoch, first_seq as first from leadership`)[0] as Lead;
/** Freezes the one that leads, and says which, and what its lead was: on a machine that stands still the lead may move by itself. */
async function freezeLeader(both: readonly Instance[]): Promise<{ first: Instance; old: Lead }> {
  for (;;)
    for (const first of both) {
      if (!(await leads(first.base, MINUTE))) continue;
      const old = await leadOf();
      first.program.signal("SIGSTOP");
      const other = both.find((each) => each !== first) as Instance;
      if (!(await leads(other.base, MINUTE))) return { first, old };
      first.program.signal("SIGCONT");
    }
}

test("a frozen leader is cut off; thawed, it writes nothing and follows", async () => {
  const both = [await start(), await start()];
  for (const each of both) await until("it has prices", () => fresh(each, "BTC/USD"));
  const { first, old } = await freezeLeader(both);
  await until("the other's ticks count", async () => (await leadOf()).first > old.first);
  const now = await leadOf();
  const [mark] = await db.sql<{ last: number }[]>`select max(seq) as last from ticks where seq < ${now.first}`;
  const stream = follow(first);
  first.program.signal("SIGCONT");
  await first.program.logged("this program leads no longer");
  await until("it shows the new leader's prices", () => stream.quotes.some(({ symbol, seq, stale }) => symbol === "BTC/USD" && seq >= now.first && !stale));
  // What it had gathered before it froze was refused: nothing older than the new epoch was recorded since.
  expect((await db.sql<{ last: number }[]>`select max(seq) as last from ticks where seq < ${now.first}`)[0]).toEqual(mark);
  expect(await leadOf()).toEqual(now);
  const tess = await trader(first);
  expect((await deal(first, tess)).status).toBe(201);
  expect(neverBack(stream.quotes)).toBe(true);
  stream.stop();
});

test("a person who signs out on one is signed out on all: streams end, calls are refused", async () => {
  const [one, other] = [await start(), await start()];
  const tess = await trader(one);
  const stream = await fetch(`${other.base}/api/stream`, { headers: { Cookie: tess.cookie } });
  expect(stream.status).toBe(200);
  const ended = stream.text();
  const cookie = tess.cookie;
  expect((await ask(one, tess, "POST", "/api/auth/logout", {})).status).toBe(204);
  expect(await ended).toContain("event: snapshot");
  expect((await ask(other, { cookie, id: "" }, "GET", "/api/auth/user")).status).toBe(401);
});

test("an Idempotency-Key and the tries at a password count on all programs together", async () => {
  const [one, other] = [await start(), await start()];
  await until("both have prices", async () => (await fresh(one, "BTC/USD")) && (await fresh(other, "BTC/USD")));
  const tess = await trader(one);
  const body = JSON.stringify({ symbol: "BTC/USD", type: "buy", amount: 1000 });
  const headers = { "Content-Type": "application/json", Cookie: tess.cookie };
  const send = ({ base }: Instance, key: string) =>
    fetch(`${base}/api/trading/positions`, { method: "POST", headers: { ...headers, "Idempotency-Key": key }, body });
  const four = async (key: string): Promise<string[]> => {
    const answers = await Promise.all([one, other, one, other].map((at) => send(at, key)));
    const told = await Promise.all(answers.map(async (answer) => `${answer.status} ${await answer.text()}`));
    return told.some((each) => each.includes("stale_price")) ? four(crypto.randomUUID()) : told;
  };
  const told = await four("same");
  expect(new Set(told).size).toBe(1);
  expect(told[0]).toStartWith("201 ");
  const wrong = { email: "nobody@t.test", password: "wrong-password" };
  const statuses: number[] = [];
  await whileWaitsLast(db.sql, async () => {
    for (let n = 0; n < 8; n++) statuses.push((await ask(n % 2 ? one : other, { cookie: "", id: "" }, "POST", "/api/auth/login", wrong)).status);
  });
  expect(statuses.slice(0, 5)).toEqual([401, 401, 401, 401, 401]);
  expect(statuses.at(-1)).toBe(429);
});

test("several that start at once on an empty database bring its schema up once, and all of them serve", async () => {
  const empty = await emptyDatabase();
  try {
    const instances = await Promise.all(Array.from({ length: 3 }, () => start(empty)));
    await until("one leads and all have its prices", async () => (await Promise.all(instances.map((each) => fresh(each, "BTC/USD")))).every(Boolean));
    for (const instance of instances) expect((await deal(instance, await trader(instance))).status).toBe(201);
    for (const { program } of instances) program.signal("SIGKILL");
    const logs = await Promise.all(instances.map(async ({ program }) => (await program.ended).stdout.split("\n")));
    const applied = logs.flat().flatMap((line) => (line.includes("schema brought up to date") ? (JSON.parse(line) as { applied: string[] }).applied : []));
    expect(applied.sort()).toEqual(readSchema().migrations.map(({ name }) => name));
    const functions = (sql: TestDatabase["sql"]) =>
      sql`select oid::regprocedure::text as name, prosrc from pg_proc where pronamespace = 'public'::regnamespace order by 1`;
    await withPatientDeals(empty.sql);
    expect(await functions(empty.sql)).toEqual(await functions(db.sql));
  } finally {
    await empty.drop();
  }
});
