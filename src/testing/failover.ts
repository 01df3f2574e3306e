import { expect } from "bun:test";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { makeProgramRole, PROGRAM } from "../platform/database/roles";
import { DOCUMENT_KEY, LOG_KEY } from "./database";
import { type Caller, callsTo, isAnswer, parsed, type Sent } from "./insistence";
import { launch, type Running, runProgram } from "./program";
import { until } from "./scenarios";
import type { Pair } from "./standby";

/** So many seconds at least the load lasts before the primary dies, and after it. */
export const SECONDS = Number(process.env.CHAOS_SECONDS ?? 0);
/** So many orders at least are answered before the primary dies, and as many after it. */
const ORDERS = 60;

/**
 * Two programs that know both hosts of a primary and its synchronous standby: the primary dies under load, the standby takes over, and they go
 * on there by themselves; nothing answered is lost or doubled. `returns` happens under load too, once they have gone on. Prints what came of
 * it under this name.
 */
export async function losePrimary(pair: Pair, name: string, returns: () => Promise<void> = async () => {}): Promise<void> {
  const home = mkdtempSync("/tmp/halyard-failover-");
  chmodSync(home, 0o755);
  const programs: Running[] = [];
  try {
    await makeProgramRole(pair.writer());
    await drill(pair, name, returns, home, programs);
  } finally {
    for (const program of programs) {
      program.signal("SIGKILL");
      await program.ended;
    }
    rmSync(home, { recursive: true, force: true });
  }
}

async function drill(pair: Pair, name: string, returns: () => Promise<void>, home: string, programs: Running[]): Promise<void> {
  const roles = { DATABASE_URL: pair.url(PROGRAM), DATABASE_READ_URL: pair.url(PROGRAM), DATABASE_OWNER_URL: pair.url(), DOCUMENT_KEY, LOG_KEY };
  const bases: string[] = [];
  for (const place of [0, 1]) {
    const program = launch(home, { PORT: "0", HOST: "127.0.0.1", ...roles });
    programs.push(program);
    bases[place] = String((await program.logged("listening")).url);
  }
  const { ask, enter, expectSame } = callsTo((place) => bases[place] ?? "");
  const readiness = async () => Promise.all(bases.map(async (base) => (await fetch(`${base}/readyz`, { signal: AbortSignal.timeout(60_000) })).status));
  const both = (status: number) => until(`both answer ${status}`, async () => (await readiness()).every((told) => told === status));

  const traders: Caller[] = [];
  for (let n = 0; n < 4; n++)
    traders.push(await enter("/api/auth/register", { firstName: "Tess", lastName: "Trader", email: `tess${n}@t.test`, password: "Corr3ct-horse" }));
  const sent: Sent[] = [];
  let over = false;
  const lane = async (by: Caller, turn: number) => {
    while (!over) {
      const one: Sent = { by, path: "/api/trading/positions", body: { symbol: "BTC/USD", type: "buy", amount: 10 }, key: crypto.randomUUID(), told: null };
      sent.push(one);
      one.told = await ask(turn++ % 2, by, one.path, one.body, one.key).catch(() => null);
      await Bun.sleep(one.told ? 40 : 100);
    }
  };
  const answered = () => sent.filter(({ told }) => told?.status === 201).length;
  const more = async (what: string) => {
    const [before, end] = [answered(), performance.now() + SECONDS * 1_000];
    await until(what, () => answered() >= before + ORDERS && performance.now() >= end);
  };
  /** Long reads, at each program. */
  const readLines = () =>
    Promise.all(
      traders.map(async ({ cookie }, turn) => {
        const response = await fetch(`${bases[turn % 2]}/api/transactions`, { headers: { Cookie: cookie } });
        return response.status;
      }),
    );
  const found = traders.map(() => 200);
  await both(200);
  const work = traders.map(lane);
  await more("orders are answered");
  expect(await readLines()).toEqual(found);
  expect(await pair.readers("halyard reads")).toBeGreaterThan(0);
  pair.killPrimary();
  if (!pair.byItself) await both(503);
  const promoted = await pair.promote();
  await both(200);
  const ready = performance.now() - promoted;
  await more("orders are answered again");
  await returns();
  expect(await readLines()).toEqual(found);
  over = true;
  await Promise.all(work);

  const orders = sent.filter(({ told }) => told?.status === 201);
  const later = sent.filter(({ told }) => told && !isAnswer(told)).length;
  console.log(`${name}: ${JSON.stringify({ sent: sent.length, orders: orders.length, later, readyMs: Math.round(ready) })}`);
  expect(sent.filter(({ told }) => told?.status === 500).map(({ told }) => told?.text)).toEqual([]);
  await expectSame(sent);
  const ids = orders.map(({ told }) => String(told && parsed(told).id));
  const [kept] = await pair.writer()<{ there: number }[]>`select count(*)::integer as there from positions where id = any (${ids})`;
  expect(kept?.there).toBe(ids.length);
  expect((await pair.writer()`select position_id from fills group by position_id, kind having count(*) > 1`).length).toBe(0);
  const verified = await runProgram(home, roles, ["verify"]);
  expect(verified.stdout).toMatch(/^(ok \w+\n?)+$/);
}
