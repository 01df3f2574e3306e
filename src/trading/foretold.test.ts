import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { type Answer, type TestApp, testApp } from "../testing/app";
import { order, until } from "../testing/scenarios";
import type { Position } from "./schema";

/** An order's answer is written while the order is still on its way to the disk, and leaves when it is there. */

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});
beforeEach(() => app.quote("EUR/USD", "1.08400", "1.08412"));
afterEach(async () => void (await app.sql`drop trigger at_commit on positions`));

const LOCK = 4711;
/** Has each commit of a position do this first. */
const atCommit = (does: string) =>
  app.sql.unsafe(`
    create or replace function at_commit() returns trigger language plpgsql as $$ begin ${does}; return null; end $$;
    create constraint trigger at_commit after insert on positions deferrable initially deferred for each row execute function at_commit();
  `);
const open = async (userId: string) => (await app.sql`select from positions where user_id = ${userId}`).length;

test("nobody hears of an order that is not committed yet", async () => {
  const trader = await app.trader();
  await atCommit(`perform pg_advisory_xact_lock(${LOCK})`);
  let heard: Answer<Position> | null = null;
  const { answer } = await app.sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${LOCK})`;
    const under = trader.post<Position>("/api/trading/positions", order);
    void under.then((came) => (heard = came));
    await until("the commit waits", async () => (await tx`select from pg_locks where locktype = 'advisory' and objid = ${LOCK} and not granted`).length === 1);
    // A round trip to the program, so that what it has to say could have come.
    await trader.get("/api/trading-accounts");
    expect([heard, await open(trader.id)]).toEqual([null, 0]);
    return { answer: under };
  });
  const { status, body } = await answer;
  expect([status, body.status, await open(trader.id)]).toEqual([201, "open", 1]);
  expect((await trader.get<Position[]>("/api/trading/positions/open")).body.map(({ id }) => id)).toEqual([body.id]);
});

test("one whose commit is refused is answered so, and is not there", async () => {
  const trader = await app.trader();
  await atCommit("raise exception using errcode = 'HL001', detail = 'conflict', message = 'Not this one.'");
  const { status, body } = await trader.post<{ code: string; message: string }>("/api/trading/positions", order);
  expect([status, body.code, body.message, await open(trader.id)]).toEqual([409, "conflict", "Not this one.", 0]);
});
