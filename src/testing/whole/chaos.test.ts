import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { QuoteMessage } from "../../platform/cluster/bus";
import { openDataFolder } from "../../platform/database/data_folder";
import { connect, type Db } from "../../platform/database/db";
import { createLog } from "../../platform/log";
import { startPostgres } from "../../platform/database/postgres";
import { asRole, makeProgramRole, PROGRAM } from "../../platform/database/roles";
import { type Body, type Caller, callsTo, isAnswer, parsed, type Sent } from "../insistence";
import { buildProgram, killPostgresIn, launch, leads, METRICS_TOKEN, type Running, runProgram } from "../program";
import { until } from "../scenarios";

/**
 * Two programs on one PostgreSQL under a mixed load, while they are killed, frozen and thawed, their lines are cut and the
 * database is restarted and killed: nothing that was answered is lost or doubled, prices never go back, no stop is missed or fires
 * twice, and the books are whole. CHAOS_SECONDS makes it long.
 */

const SECONDS = Number(process.env.CHAOS_SECONDS ?? 22);
setDefaultTimeout(600_000 + SECONDS * 3_000);

const home = mkdtempSync("/tmp/halyard-chaos-");
chmodSync(home, 0o755);
const quiet = createLog("error", () => {});
const administrator = { email: "admin@t.test", password: "Corr3ct-horse-battery" };
let postgres: Awaited<ReturnType<typeof startPostgres>>;
let folder: ReturnType<typeof openDataFolder>;
let sql: Db;

type Instance = { program: Running; base: string; starting: boolean };
const instances: Instance[] = [];
const roles = () => ({ DATABASE_URL: asRole(postgres.url, PROGRAM), DATABASE_OWNER_URL: postgres.url });
const launchOne = () =>
  launch(home, {
    ...{ PORT: "0", HOST: "127.0.0.1", ...roles(), METRICS_TOKEN },
    ...{ ADMIN_EMAIL: administrator.email, ADMIN_PASSWORD: administrator.password },
  });
/** What programs logged last that ended though nobody killed them. */
const died: string[] = [];
async function start(place: number) {
  const program = launchOne();
  void program.ended.then(({ status, stdout, stderr }) => status !== null && died.push(`${stdout}\n${stderr}`.slice(-4_000)));
  const instance = { program, base: "", starting: true };
  instances[place] = instance;
  instance.base = String((await program.logged("listening")).url);
  instance.starting = false;
}

beforeAll(async () => {
  buildProgram();
  folder = openDataFolder(join(home, "data"), quiet);
  postgres = await startPostgres(folder, quiet, { connections: 120 });
  sql = connect(postgres.url, { max: 2, name: "chaos" });
  await makeProgramRole(sql);
  await start(0);
  await start(1);
});
afterAll(async () => {
  for (const { program } of instances) {
    program.signal("SIGCONT");
    program.signal("SIGKILL");
    await program.ended;
  }
  await sql.end({ timeout: 1 });
  await postgres.stop(5_000);
  folder.release();
  rmSync(home, { recursive: true, force: true });
});

const { ask, enter, expectSame } = callsTo((place) => instances[place]?.base ?? "");

let over = false;
const deposits: string[] = [];
const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(Math.random() * list.length)];

/** The newest bid that a program's stream told; none yet: 0. */
let bid = 0;

/** A random command of a trader: mostly orders with exits so near that they fire within seconds. */
function chance(open: string[]): { path: string; body: Body } {
  const roll = Math.random();
  const position = pick(open);
  if (roll < 0.2) return { path: "/api/deposits", body: { amount: "50.00", currency: "USD", method: "card" } };
  if (roll < 0.4 && position) return { path: `/api/trading/positions/${position}/close`, body: {} };
  const exits = bid > 0 && roll < 0.9 ? { stopLoss: (bid * 0.9997).toFixed(2), takeProfit: (bid * 1.0008).toFixed(2) } : {};
  return { path: "/api/trading/positions", body: { symbol: "BTC/USD", type: "buy", amount: 100, ...exits } };
}

async function lane(by: Caller, sent: Sent[]) {
  const open: string[] = [];
  while (!over) {
    const one: Sent = { by, ...chance(open), key: crypto.randomUUID(), told: null };
    sent.push(one);
    one.told = await ask(Math.random() < 0.5 ? 0 : 1, by, one.path, one.body, one.key).catch(() => null);
    if (one.told?.status === 201 && one.path === "/api/deposits") deposits.push(String(parsed(one.told).id));
    if (one.told?.status === 201 && one.path === "/api/trading/positions") open.push(String(parsed(one.told).id));
    await Bun.sleep(one.told ? 40 : 100);
  }
}
async function approvals(by: Caller, sent: Sent[]) {
  while (!over) {
    await Bun.sleep(60);
    const deposit = pick(deposits.slice(-5));
    if (!deposit) continue;
    const one: Sent = { by, path: `/api/admin/deposits/${deposit}/approve`, body: {}, key: crypto.randomUUID(), told: null };
    sent.push(one);
    one.told = await ask(Math.random() < 0.5 ? 0 : 1, by, one.path, one.body, one.key).catch(() => null);
  }
}

/** Reads a program's prices for as long as it lives, and comes back; says whether one ever went back. */
async function watchPrices(place: number, seen: { back: string[]; quotes: number }) {
  const newest = new Map<string, number>();
  const note = ({ symbol, seq, stale, bid: told }: QuoteMessage) => {
    if (stale) return;
    if (symbol === "BTC/USD") bid = Number(told);
    if (seq < (newest.get(symbol) ?? 0)) seen.back.push(`${symbol} ${seq} after ${newest.get(symbol)}`);
    newest.set(symbol, seq);
    seen.quotes++;
  };
  while (!over) {
    try {
      const response = await fetch(`${instances[place]?.base}/api/market/stream`, { signal: AbortSignal.timeout(SECONDS * 1_000) });
      const decoder = new TextDecoder();
      let rest = "";
      for await (const chunk of response.body ?? []) {
        const events = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
        rest = events.pop() ?? "";
        for (const event of events) {
          const data = /^data: (\[.*)$/m.exec(event)?.[1];
          if (data) (JSON.parse(data) as QuoteMessage[]).forEach(note);
        }
        if (over) return;
      }
    } catch {
      await Bun.sleep(50); // It was killed, or is starting.
    }
  }
}

const leaderPlace = async () => {
  for (const [place, { base }] of instances.entries()) if (await leads(base)) return place;
  return Math.random() < 0.5 ? 0 : 1;
};
async function killOne(place: number) {
  instances[place]?.program.signal("SIGKILL");
  await instances[place]?.program.ended;
  await start(place);
}
async function freeze(place: number, ms: number) {
  const { program } = instances[place] as Instance;
  program.signal("SIGSTOP");
  await Bun.sleep(ms);
  program.signal("SIGCONT");
}
/** Of all programs: the leader's, the listener's, and those that work. */
const cutLines = () => sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'halyard%'`;
const unready: string[] = [];
async function restartDatabase() {
  await postgres.stop(5_000);
  for (const { base } of instances) {
    const ready = await fetch(`${base}/readyz`, { signal: AbortSignal.timeout(60_000) }).catch((error: unknown) => error);
    unready.push(ready instanceof Response ? `${ready.status} ${await ready.text()}` : String(ready));
  }
  postgres = await startPostgres(folder, quiet, { connections: 120 });
}

/** Without a farewell to anybody: what was answered must be on its disk. */
async function crashDatabase() {
  killPostgresIn(folder.path);
  await postgres.exited;
  postgres = await startPostgres(folder, quiet, { connections: 120 });
}

const COMMANDS: (() => Promise<unknown>)[] = [
  async () => cutLines(),
  async () => killOne(await leaderPlace()),
  async () => cutLines(),
  async () => restartDatabase(),
  async () => freeze(await leaderPlace(), 7_000),
  async () => killOne(1 - (await leaderPlace())),
  async () => freeze(1 - (await leaderPlace()), 1_500),
  async () => crashDatabase(),
];

test("whatever happens to them, nothing answered is lost or doubled", async () => {
  const admin = await enter("/api/auth/login", administrator);
  const traders: Caller[] = [];
  for (let n = 0; n < 4; n++)
    traders.push(await enter("/api/auth/register", { firstName: "Tess", lastName: "Trader", email: `tess${n}@t.test`, password: "Corr3ct-horse" }));
  const sent: Sent[] = [];
  const prices = { back: [] as string[], quotes: 0 };
  const work = [...traders.map((trader) => lane(trader, sent)), approvals(admin, sent), ...[0, 1].map((place) => watchPrices(place, prices))];
  const began = performance.now();
  for (let n = 0; n < COMMANDS.length || performance.now() - began < SECONDS * 1_000; n++) {
    await Bun.sleep(1_200);
    await COMMANDS[n % COMMANDS.length]?.();
  }
  // A slow machine has done less by now: it goes on until there is something to count.
  const isOrder = ({ path, told }: Sent) => path === "/api/trading/positions" && told?.status === 201;
  const fired = () => sql`select from positions where close_reason in ('stop_loss', 'take_profit')`;
  await until("many orders were answered", () => sent.filter(isOrder).length > 50);
  await until("many exits have fired", async () => (await fired()).length > 10);
  over = true;
  for (const { program } of instances) program.signal("SIGCONT");
  await Promise.all(work);

  const done = sent.flatMap((one) => (isAnswer(one.told) ? [{ ...one, told: one.told }] : []));
  const orders = done.filter(isOrder);
  const counts = {
    sent: sent.length,
    answered: done.length,
    orders: orders.length,
    later: sent.filter(({ told }) => told && !isAnswer(told)).length,
    quotes: prices.quotes,
  };
  console.log(`chaos.test.ts: ${JSON.stringify(counts)}`);
  expect(died).toEqual([]);
  // While the database was away they said so, and asked to come back.
  expect(unready.every((text) => text.startsWith("503") && text.includes("the database does not answer"))).toBe(true);
  expect(sent.filter(({ told }) => told?.status === 500).map(({ told }) => told?.text)).toEqual([]);
  expect(prices.back).toEqual([]);

  await expectSame(sent);

  const ids = orders.map(({ told }) => String(parsed(told).id));
  const [found] = await sql<{ there: number }[]>`select count(*)::integer as there from positions where id = any (${ids})`;
  expect(found?.there).toBe(ids.length);
  const doubled = await sql`select position_id from fills group by position_id, kind having count(*) > 1`;
  expect(doubled.length).toBe(0);
  // No tick on record reached an exit that is still open: each answers to the ticks after its own.
  await until(
    "no exit is missed",
    async () =>
      (
        await sql`
          select from positions p
          join ticks t on t.symbol = p.symbol and t.seq > p.since_seq and (t.bid <= p.stop_loss or t.bid >= p.take_profit)
          where p.status = 'open'
          limit 1
        `
      ).length === 0,
  );
  const verified = await runProgram(home, roles(), ["verify"]);
  expect(verified.stdout).toMatch(/^(ok \w+\n?)+$/);
});
