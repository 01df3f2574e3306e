import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { open } from "../app";
import { readConfig } from "../config";
import { readTicks } from "../market/feed_replay";
import { connect, type Db } from "../platform/database/db";
import { createLog } from "../platform/log";
import { testDatabase } from "../testing/database";
import { Person } from "../testing/app";
import { dice } from "../testing/dice";
import { buildProgram, killPostgresIn, launch, type Running, runProgram } from "../testing/program";
import { type Objection, type Order, ReferenceOrders, type Wish } from "../testing/reference_orders";
import { found, told } from "../testing/reference_orders_book";
import { bodyOf, drawWish } from "../testing/reference_orders_draw";
import { until, waiting, withPatientDeals } from "../testing/scenarios";

/**
 * A night of real ticks, played through in one go, and by a program that is killed in the middle again and again, each time between a tick
 * and the writing of what it set off: every fill, exit, move of a stop loss, end, call and balance is the same, and as a plain reference
 * computes them from the file. All orders are placed on the file's first tick, which is followed by a long pause.
 */

const home = mkdtempSync("/tmp/halyard-replay-");
chmodSync(home, 0o755);
const file = join(home, "night.csv");
const data = join(home, "data");
const PASSWORD = "Corr3ct-horse";
const EMAIL = "replay@t.test";
/** So slow that the pause never ends; as fast as leaves time to be killed; at once. */
const [WAITING, FAST, AT_ONCE] = ["0.01", "4000", "max"];
/** After so many exits, while what a tick set off waits for this account. */
const KILLS = [
  [2, "bronze"],
  [8, "platinum"],
  [14, "bronze"],
  [22, "bronze"],
  [30, "platinum"],
  [40, "bronze"],
] as const;
/** The spread of the account with orders of all kinds, in units of 10⁻⁸. */
const BRONZE = 22_000n;

beforeAll(async () => {
  buildProgram();
  const [header = "", first = "", ...lines] = (await Bun.file(join(import.meta.dir, "../testing/ticks/eurusd-2020-01-01.csv")).text()).trim().split("\n");
  await Bun.write(file, [header, first.replace("22:00:00.065", "20:00:00.000"), first, ...lines].join("\n"));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

type Ask = (path: string, body: object) => Promise<Record<string, unknown>>;

/** Orders of all kinds for an account of their own, and what became of sending each: its id, or why it was refused. */
const FIRST = { bid: 112_120_000, at: Date.parse("2020-01-01T22:00:00Z") };
const random = dice(20_200_101);
const wishes: Wish[] = Array.from({ length: 120 }, () => drawWish(random, FIRST));
type Sent = { id: string } | { refused: Objection };

/** Opens three accounts, one of them thin and one without leverage, and places orders that come to their ends all over the night. */
async function placeOrders(ask: Ask, sql: Db): Promise<Sent[]> {
  await ask("/api/auth/register", { firstName: "R", lastName: "P", email: EMAIL, password: PASSWORD });
  const plain = await ask("/api/trading-accounts", { accountTypeId: "platinum", isDemo: true });
  const thin = await ask("/api/trading-accounts", { accountTypeId: "platinum", isDemo: true });
  await sql`update trading_accounts set leverage = 1000 where id = ${String(thin.id)}`;
  const order = (accountId: unknown, body: object) => ask("/api/trading/positions", { symbol: "EUR/USD", accountId, ...body });
  for (let n = 0; n < 40; n++) {
    const away = (n % 20) / 20_000;
    const side = n % 2 ? "buy" : "sell";
    // The first tick is 1.12120 / 1.12172.
    const exits = side === "buy" ? { stopLoss: 1.1211 - away / 2, takeProfit: 1.1213 + away } : { stopLoss: 1.1218 + away, takeProfit: 1.1217 - away / 2 };
    await order(plain.id, { type: side, amount: 1_000 + 17 * n, ...exits });
  }
  for (let n = 0; n < 2; n++) await order(thin.id, { type: "sell", amount: 4_000_000 - 200_000 * n });
  const patient = await ask("/api/trading-accounts", { accountTypeId: "bronze", isDemo: true });
  await sql`update trading_accounts set leverage = 1 where id = ${String(patient.id)}`;
  const sent: Sent[] = [];
  for (const wish of wishes) {
    const { status, id, fields = {}, code } = await ask("/api/trading/positions", bodyOf(wish, String(patient.id)));
    sent.push(status === "pending" || status === "open" ? { id: String(id) } : { refused: Object.keys(fields as object)[0] ?? String(code) });
  }
  return sent;
}

/** What the file implies for the orders of all kinds, by the plain reference. */
async function implied(): Promise<object[]> {
  const reference = new ReferenceOrders(1_000_000n, 1n, BRONZE);
  const sent: object[] = [];
  for await (const { number, at, bid, ask } of readTicks(Bun.file(file))) {
    reference.next({ seq: number, at, bid: BigInt(bid), ask: BigInt(ask), open: true });
    if (number > 1) continue;
    for (const wish of wishes) {
      const refused = reference.place(wish);
      sent.push(refused ? { refused } : (reference.orders.at(-1) as object));
    }
  }
  return sent.map((one) => ("refused" in one ? one : told(one as Order)));
}

/** The same as the database tells it. */
async function became(sql: Db, sent: readonly Sent[]): Promise<object[]> {
  const [replay] = await sql<{ first: number }[]>`select first from replays`;
  const offset = (replay?.first ?? 1) - 1;
  const ids = sent.flatMap((one) => ("id" in one ? one.id : []));
  const seen = await found(sql, ids, (seq) => seq - offset);
  // A plain order that was filled at once says nothing of the tick it was placed on: it is the first.
  return sent.map((one) => ("id" in one ? { ...(seen.get(one.id) as { placed: number | null }), placed: 1 } : one));
}

/** All that the night has done, without what depends on the machine: ids, numbers of ticks, times of day. */
const outcome = (sql: Db) =>
  sql<object[]>`
    select p.amount, p.side, p.status, p.open_price, p.close_price, p.profit, p.covered, p.close_reason, o.quote_at as opened_on, c.quote_at as closed_on, l.balance,
      (select json_agg(json_build_array(e.kind, e.equity::text, e.used::text) order by e.id) from margin_events e where e.account_id = p.account_id) as events
    from positions p
    join fills o on o.position_id = p.id and o.kind = 'open'
    left join fills c on c.position_id = p.id and c.kind = 'close'
    join trading_accounts a on a.id = p.account_id
    join ledger_accounts l on l.id = a.ledger_account_id
    order by p.amount, p.side, p.open_price
  `;
const exits = async (sql: Db) => (await sql`select from fills where kind = 'close'`).length;
const ended = async (sql: Db) => (await sql`select from replays where ended_at is not null`).length > 0;

/** The night in one go, in this process. */
async function inOneGo(): Promise<{ outcome: object[]; became: object[] }> {
  const db = await testDatabase();
  await withPatientDeals(db.sql);
  const app = (speed: string) => open({ config: readConfig({ FEED: "replay", FEED_FILE: file, FEED_SPEED: speed }), sql: db.sql, log: createLog("error") });
  try {
    const before = await app(WAITING);
    const trader = new Person(async (request) => before.router.handle(request));
    const sent = await placeOrders(async (path, body) => (await trader.post(path, body)).body, db.sql);
    await before.close();
    const after = await app(AT_ONCE);
    await until("the night is over", () => ended(db.sql));
    await after.close();
    return { outcome: [...(await outcome(db.sql))], became: await became(db.sql, sent) };
  } finally {
    await db.drop();
  }
}

const program = (speed: string) => launch(home, { PORT: "0", HOST: "127.0.0.1", DATA_DIR: data, FEED: "replay", FEED_FILE: file, FEED_SPEED: speed });
const database = () => connect(`postgres://halyard@localhost/halyard?host=${encodeURIComponent(join(data, "run"))}`, { max: 2 });

async function kill(running: Running) {
  running.signal("SIGKILL");
  killPostgresIn(data);
  await running.ended;
}

/**
 * The night at this speed until so many exits are written; then the program and PostgreSQL are killed, while what a tick set off waits for one of
 * the accounts. Returns whether it did: a thin account may be done.
 */
async function playUntil(count: number, speed: string, account: string): Promise<boolean> {
  const running = program(speed);
  await running.logged("listening");
  const sql = database();
  await until("there are exits", async () => (await exits(sql)) >= count || ended(sql));
  let waited = false;
  const held = sql.begin(async (tx) => {
    await tx`select from trading_accounts where account_type_id = ${account} for update`;
    await until("a write waits for the account", async () => (waited = (await waiting(sql)) > 0) || ended(sql));
    await kill(running);
  });
  // Its transaction ends with PostgreSQL.
  await held.catch(() => {});
  await sql.end({ timeout: 1 }).catch(() => {});
  return waited;
}

test("killed again and again, the night comes to the same as in one go", async () => {
  const expected = await inOneGo();
  const reasons = new Set(expected.outcome.map((row) => (row as { close_reason: string }).close_reason));
  expect([...reasons].toSorted()).toEqual(expect.arrayContaining(["stop_loss", "stop_out", "take_profit"]));
  expect(expected.became).toEqual(await implied());

  const first = program(WAITING);
  const base = String((await first.logged("listening")).url);
  let cookie = "";
  const sql = database();
  await withPatientDeals(sql);
  const sent = await placeOrders(async (path, body) => {
    const response = await fetch(base + path, { method: "POST", headers: { "Content-Type": "application/json", cookie }, body: JSON.stringify(body) });
    cookie = response.headers.getSetCookie()[0]?.split(";")[0] ?? cookie;
    return (await response.json()) as Record<string, unknown>;
  }, sql);
  await kill(first);
  await sql.end({ timeout: 1 }).catch(() => {});
  let between = 0;
  for (const [count, account] of KILLS) if (await playUntil(count, FAST, account)) between++;
  expect(between).toBeGreaterThan(KILLS.length / 2);

  const last = program(AT_ONCE);
  const resumed = await last.logged("the replay goes on where it was");
  expect(Number(resumed.tick)).toBeGreaterThan(1);
  const after = database();
  await until("the night is over", () => ended(after));
  const found = { outcome: [...(await outcome(after))], became: await became(after, sent) };
  await after.end();
  last.signal("SIGTERM");
  await last.ended;
  expect(found).toEqual(expected);
  const verified = await runProgram(home, { DATA_DIR: data }, ["verify"]);
  expect([verified.status, verified.stdout.includes("FAIL")]).toEqual([0, false]);
});

test("begun anew on the tick of a fill, what it opened answers to later ticks alone", async () => {
  const short = join(home, "short.csv");
  // A gap: the second tick fills a limit beyond the order's own stop loss. Then an hour's pause.
  const ticks = ["00:00.000Z,EUR/USD,1.10000,1.10010", "01:00.000Z,EUR/USD,1.09700,1.09710", "59:00.000Z,EUR/USD,1.09690,1.09700"];
  await Bun.write(short, ["timestamp,symbol,bid,ask", ...ticks.map((tick) => `2020-01-02T12:${tick}`)].join("\n"));
  const db = await testDatabase();
  await withPatientDeals(db.sql);
  const app = (speed: string) => open({ config: readConfig({ FEED: "replay", FEED_FILE: short, FEED_SPEED: speed }), sql: db.sql, log: createLog("error") });
  try {
    const before = await app(WAITING);
    const trader = new Person(async (request) => before.router.handle(request));
    await trader.post("/api/auth/register", { firstName: "R", lastName: "P", email: EMAIL, password: PASSWORD });
    const { body } = await trader.post<{ id: string }>("/api/trading-accounts", { accountTypeId: "platinum", isDemo: true });
    const order = { symbol: "EUR/USD", accountId: body.id, type: "buy", amount: 1_000, orderType: "limit", triggerPrice: 1.099, stopLoss: 1.098 };
    const placed = await trader.post<{ id: string }>("/api/trading/positions", order);
    expect(placed.status).toBe(201);
    await before.close();
    // A minute of the file is over in a moment, the pause is not.
    const filling = await app("100");
    await until("it is filled", async () => (await db.sql`select from fills where kind = 'open'`).length === 1);
    await filling.close();
    const after = await app(AT_ONCE);
    await until("the file is over", () => ended(db.sql));
    await after.close();
    const fills = await db.sql<object[]>`select kind, price, quote_at as at, reason from fills order by kind desc`;
    expect([...fills]).toEqual([
      { kind: "open", price: "1.09710000", at: "2020-01-02T12:01:00.000Z", reason: null },
      { kind: "close", price: "1.09690000", at: "2020-01-02T12:59:00.000Z", reason: "stop_loss" },
    ]);
  } finally {
    await db.drop();
  }
});
