import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { logged } from "../../admin/queries_logged";
import { proveLogs } from "../../proof/check";
import { currentLog } from "../../proof/queries";
import { parseVerifier } from "../../proof/rules_note";
import { type TestDatabase, testDatabase } from "../database";
import { buildProgram, launch, type Running, runProgram } from "../program";
import { grewFrom } from "../public_log";
import { until } from "../scenarios";

/** Ten thousand orders while the programs that put them into the public log are killed and the lead moves: each stands there once, in order. */

const ACCOUNTS = 220;
const EACH = 50;
/** Transactions of each account that are taken back. */
const TAKEN_BACK = 3;
const KILLS = 3;
const home = mkdtempSync("/tmp/halyard-publiclog-");
chmodSync(home, 0o755);
const LEADS = "this program leads: it runs the feed and the engine";
let db: TestDatabase;
const running = new Set<Running>();

beforeAll(async () => {
  buildProgram();
  db = await testDatabase();
});
afterAll(async () => {
  for (const program of running) program.signal("SIGKILL");
  await Promise.all([...running].map(({ ended }) => ended));
  await db.drop();
  rmSync(home, { recursive: true, force: true });
});

async function start(): Promise<Running> {
  const program = launch(home, {
    PORT: "0",
    HOST: "127.0.0.1",
    ...db.env,
    ADMIN_EMAIL: "admin@t.test",
    ADMIN_PASSWORD: "Corr3ct-horse-battery",
    PUBLIC_URL: "https://trade.example",
  });
  running.add(program);
  await program.logged("listening");
  return program;
}
async function kill(program: Running): Promise<void> {
  running.delete(program);
  program.signal("SIGKILL");
  await program.ended;
}
const entries = async () => (await db.sql<{ n: number }[]>`select count(*)::integer as n from proof_entries where kind = 'fill'`)[0]?.n ?? 0;

/** One order of each account in a transaction, as `trade_open` places them; some transactions take all of it back. */
async function placeOrders(): Promise<number> {
  await db.sql`
    insert into users (email, password, first_name, last_name, referral_code)
    select 'log' || n || '@t.test', '-', 'Tess', 'Trader', 'LOG' || n from generate_series(1, ${ACCOUNTS}::integer) n`;
  const accounts = await db.sql<{ id: string; person: string }[]>`
    select account_create(u.id, 'starter', true, 10, null, null) -> 'answer' ->> 'id' as id, u.id as person from users u where u.email like 'log%@t.test' order by u.id`;
  let placed = 0;
  const place = async (lane: number) => {
    const own = accounts.filter((_, n) => n % 2 === lane);
    for (let n = 0; n < EACH; n++) {
      const isTakenBack = n % 20 === 3;
      await db.sql
        .begin(async (tx) => {
          await tx`
            select trade_open(
              a.person, a.id, 'EUR/USD', 'buy', 10, null, null, null, null, true, row(t.seq, now(), 0, 1.1, 1.10002, 0.0001)::deed_quote,
              row(array['EUR/USD'], array[1.1], array[1.10002], array[0.0001])::board, null, null, clock_timestamp() + interval '1 hour'
            )
            from unnest(${own.map(({ person }) => person)}::uuid[], ${own.map(({ id }) => id)}::uuid[]) as a (person, id),
              (select max(seq) as seq from ticks) t`;
          if (isTakenBack) throw new Error("taken back");
          placed += own.length;
        })
        .catch((error: unknown) => {
          if (!isTakenBack) throw error;
        });
    }
  };
  await Promise.all([place(0), place(1)]);
  return placed;
}

test("each order stands in the log once and in order, over kill -9 and changes of the lead; no checkpoint is taken back", async () => {
  let [leader, other] = [await start(), await start()];
  await leader.logged(LEADS);
  await until(
    "ticks are recorded and the log has begun",
    async () => (await db.sql`select from ticks limit 1`).length > 0 && (await currentLog(db.sql)) !== null,
  );
  const kept: string[] = [];
  let placing = true;
  const load = placeOrders().finally(() => (placing = false));
  for (let n = 0; n < KILLS; n++) {
    const before = await entries();
    await until("some of them are logged", async () => (await entries()) > before + 300 || !placing);
    kept.push((await currentLog(db.sql))?.note ?? "");
    await kill(leader);
    await other.logged(LEADS);
    leader = other;
    other = await start();
  }
  const placed = await load;
  await until("all are logged", async () => (await entries()) >= placed);
  for (const program of [leader, other]) {
    running.delete(program);
    program.signal("SIGTERM");
    await program.ended;
  }
  expect(placed).toBe(ACCOUNTS * (EACH - TAKEN_BACK));
  const [order] = await db.sql<{ fills: number; logged: number; twice: number; late: number }[]>`
    with e as (
      select index, ref::bigint as fill, f.created_at, f.position_id, p.account_id, lag(f.created_at) over (partition by p.account_id order by index) as earlier
      from proof_entries x join fills f on f.id = x.ref::bigint join positions p on p.id = f.position_id where x.kind = 'fill'
    )
    select (select count(*)::integer from fills) as fills, count(*)::integer as logged, (count(*) - count(distinct fill))::integer as twice,
      count(*) filter (where created_at < earlier)::integer as late
    from e`;
  expect(order).toEqual({ fills: placed, logged: placed, twice: 0, late: 0 });
  const verifier = parseVerifier((await currentLog(db.sql))?.key ?? "")!;
  expect(await Promise.all(kept.map((note) => grewFrom(db.sql, note, verifier)))).toEqual(kept.map(() => true));
  expect((await proveLogs(db.sql, logged)).filter(({ rows }) => rows > 0)).toEqual([]);
  const verified = await runProgram(home, db.env, ["verify"]);
  expect([verified.status, verified.stdout.includes("ok public_log_1\n"), verified.stdout.includes("FAIL")]).toEqual([0, true, false]);
  expect((await runProgram(home, db.env, ["log", "key"])).stdout).toStartWith("trade.example/log+");
});
