import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { open } from "../app";
import { readConfig } from "../config";
import { connect, type Db } from "../platform/database/db";
import { createLog } from "../platform/log";
import { testDatabase } from "../testing/database";
import { Person } from "../testing/app";
import { buildProgram, killPostgresIn, launch, type Running, runProgram } from "../testing/program";
import { until } from "../testing/scenarios";

/**
 * A night of real ticks, played through in one go, and by a program that is killed in the middle again and again: every
 * fill, exit, call and balance is the same, whenever the kills come. All orders are placed on the file's first tick, which
 * is followed by a long pause.
 */

const home = mkdtempSync("/tmp/halyard-replay-");
chmodSync(home, 0o755);
const file = join(home, "night.csv");
const data = join(home, "data");
const PASSWORD = "Corr3ct-horse";
const EMAIL = "replay@t.test";
/** So slow that the pause never ends; as fast as leaves time to be killed; at once. */
const [WAITING, FAST, AT_ONCE] = ["0.01", "4000", "max"];

beforeAll(async () => {
  buildProgram();
  const [header = "", first = "", ...lines] = (await Bun.file(join(import.meta.dir, "../testing/ticks/eurusd-2020-01-01.csv")).text()).trim().split("\n");
  await Bun.write(file, [header, first.replace("22:00:00.065", "20:00:00.000"), first, ...lines].join("\n"));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

type Ask = (path: string, body: object) => Promise<Record<string, unknown>>;

/** Opens two accounts, one of them thin, and places orders whose exits are spread over the night. */
async function placeOrders(ask: Ask, sql: Db) {
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
    order by p.amount
  `;
const exits = async (sql: Db) => (await sql`select from fills where kind = 'close'`).length;
const ended = async (sql: Db) => (await sql`select from replays where ended_at is not null`).length > 0;

/** The night in one go, in this process. */
async function inOneGo(): Promise<object[]> {
  const db = await testDatabase();
  const app = (speed: string) => open({ config: readConfig({ FEED: "replay", FEED_FILE: file, FEED_SPEED: speed }), sql: db.sql, log: createLog("error") });
  try {
    const before = await app(WAITING);
    const trader = new Person(async (request) => before.router.handle(request));
    await placeOrders(async (path, body) => (await trader.post(path, body)).body, db.sql);
    await before.close();
    const after = await app(AT_ONCE);
    await until("the night is over", () => ended(db.sql));
    await after.close();
    return [...(await outcome(db.sql))];
  } finally {
    await db.drop();
  }
}

const program = (speed: string) => launch(home, { PORT: "0", HOST: "127.0.0.1", DATA_DIR: data, FEED: "replay", FEED_FILE: file, FEED_SPEED: speed });
const database = () => connect(`postgres://halyard@localhost/halyard?host=${encodeURIComponent(join(data, "run"))}`, { max: 1 });

async function kill(running: Running) {
  running.signal("SIGKILL");
  killPostgresIn(data);
  await running.ended;
}

/** The night at this speed until so many exits are written; then the program and PostgreSQL are killed. */
async function playUntil(count: number, speed: string) {
  const running = program(speed);
  await running.logged("listening");
  const sql = database();
  await until("there are exits", async () => (await exits(sql)) >= count || ended(sql));
  await kill(running);
  await sql.end({ timeout: 1 }).catch(() => {});
}

test("killed again and again, the night comes to the same as in one go", async () => {
  const expected = await inOneGo();
  const reasons = new Set(expected.map((row) => (row as { close_reason: string }).close_reason));
  expect([...reasons].toSorted()).toEqual(expect.arrayContaining(["stop_loss", "stop_out", "take_profit"]));

  const first = program(WAITING);
  const base = String((await first.logged("listening")).url);
  let cookie = "";
  const sql = database();
  await placeOrders(async (path, body) => {
    const response = await fetch(base + path, { method: "POST", headers: { "Content-Type": "application/json", cookie }, body: JSON.stringify(body) });
    cookie = response.headers.getSetCookie()[0]?.split(";")[0] ?? cookie;
    return (await response.json()) as Record<string, unknown>;
  }, sql);
  await kill(first);
  await sql.end({ timeout: 1 }).catch(() => {});
  for (const count of [4, 14, 24]) await playUntil(count, FAST);

  const last = program(AT_ONCE);
  const resumed = await last.logged("the replay goes on where it was");
  expect(Number(resumed.tick)).toBeGreaterThan(1);
  const after = database();
  await until("the night is over", () => ended(after));
  const found = [...(await outcome(after))];
  await after.end();
  last.signal("SIGTERM");
  await last.ended;
  expect(found).toEqual(expected);
  const verified = await runProgram(home, { DATA_DIR: data }, ["verify"]);
  expect([verified.status, verified.stdout.includes("FAIL")]).toEqual([0, false]);
});
