import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import net from "node:net";
import { testDatabase } from "../../testing/database";
import { faultOf, until } from "../../testing/scenarios";
import { connect, foretold, isUnavailable, type Tx } from "./db";

/** What patches/postgres.patch mends in the driver: each test fails with the driver as released. */

const { sql: other, url, drop } = await testDatabase();
afterAll(drop);

describe("a line that is cut inside of a transaction", () => {
  const cut = (pid: number) => other`select pg_terminate_backend(${pid})`;
  const sessionOf = async (tx: Tx) => (await tx<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]?.pid ?? 0;
  const gone = (pid: number) => until("the session is gone", async () => (await other`select from pg_stat_activity where pid = ${pid}`).length === 0);

  test("ends the transaction with the statement that was under way, and nothing else", async () => {
    const sql = connect(url, { max: 2, name: "cut" });
    const fault = await faultOf(
      sql.begin(async (tx) => {
        const pid = await sessionOf(tx);
        const waits = tx`select pg_sleep(60)`.execute();
        await until("it waits", async () => (await other`select from pg_stat_activity where pid = ${pid} and wait_event = 'PgSleep'`).length === 1);
        await Promise.all([cut(pid), waits]);
      }),
    );
    expect([String(fault), isUnavailable(fault)]).toEqual([expect.any(String), true]);
    for (let n = 0; n < 4; n++) expect((await sql`select ${n}::integer as n`)[0]?.n).toBe(n);
    await sql.end({ timeout: 1 });
  });

  test("lets nothing of it be done by the session that comes after", async () => {
    await other`create table steps (step integer)`;
    const sql = connect(url, { max: 1, name: "cut" });
    let refused: unknown = null;
    let after: Promise<unknown> = Promise.resolve();
    const command = faultOf(
      sql.begin(async (tx) => {
        const pid = await sessionOf(tx);
        await tx`insert into steps values (1)`;
        // Another's query waits for this connection, and has it made anew.
        after = sql`insert into steps values (100)`.execute();
        await cut(pid);
        await gone(pid);
        await after;
        refused = await faultOf(tx`insert into steps values (2)`.execute());
        after = Promise.resolve("seen");
      }),
    );
    expect(isUnavailable(await command)).toBe(true);
    await until("the rest was tried", async () => (await after) === "seen");
    expect(isUnavailable(refused)).toBe(true);
    expect([...(await other`select step from steps`)]).toEqual([{ step: 100 }]);
    await sql.end({ timeout: 1 });
  });

  test("tells those of its statements that wait for another", async () => {
    const sql = connect(url, { max: 2, name: "cut" });
    let waits: Promise<unknown> = Promise.resolve();
    await faultOf(
      sql.begin(async (tx) => {
        const pid = await sessionOf(tx);
        const first = tx`select pg_sleep(60)`.execute();
        waits = faultOf(tx`select ${1}::integer`.execute());
        await Promise.all([cut(pid), first]);
      }),
    );
    expect(isUnavailable(await waits)).toBe(true);
    await sql.end({ timeout: 1 });
  });

  test("leaves no error behind for the next session's first query", async () => {
    const sql = connect(url, { max: 1, name: "cut" });
    for (let turn = 0; turn < 10; turn++) {
      const fault = await faultOf(
        sql.begin(async (tx) => {
          await cut(await sessionOf(tx));
          for (let n = 0; n < 50; n++) await tx`select ${n}::integer`;
        }),
      );
      expect(isUnavailable(fault)).toBe(true);
      expect((await sql`select ${turn}::integer as n`)[0]?.n).toBe(turn);
    }
    await sql.end({ timeout: 1 });
  });
});

/** A server on a port of its own that does this with each call; its address for `connect`. */
async function gateway(take: (line: net.Socket) => void): Promise<{ address: string; close(): void }> {
  const server = net.createServer(take);
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const address = new URL(url);
  address.searchParams.delete("host");
  address.host = `127.0.0.1:${(server.address() as net.AddressInfo).port}`;
  return { address: address.href, close: () => server.close() };
}
/** Goes on to the database, until the line ends. */
function passOn(line: net.Socket) {
  const server = net.connect(`${new URL(url).searchParams.get("host")}/.s.PGSQL.5432`);
  line.pipe(server).pipe(line);
  line.on("error", () => {}).on("close", () => server.destroy());
}

test("a line that breaks with an error instead of a farewell keeps no connection for ever", async () => {
  const lines = new Set<net.Socket>();
  const { address, close } = await gateway((line) => {
    lines.add(line);
    passOn(line);
  });
  const sql = connect(address, { max: 1, name: "reset" });
  for (let turn = 0; turn < 5; turn++) {
    const fault = await faultOf(
      sql.begin(async (tx) => {
        const waits = tx`select pg_sleep(60)`.execute();
        for (const line of lines) line.resetAndDestroy();
        await waits;
      }),
    );
    expect([String(fault), isUnavailable(fault)]).toEqual([expect.any(String), true]);
    expect((await sql`select ${turn}::integer as n`)[0]?.n).toBe(turn);
  }
  await sql.end();
  close();
});

test("a line on which nothing moves while an answer is due is cut; one that waits for work, or on which rows come, is not", async () => {
  let still = false;
  const lines = new Set<net.Socket>();
  const { address, close } = await gateway((line) => {
    if (still) line.pause();
    else passOn(line);
    lines.add(line);
  });
  const sql = connect(address, { max: 1, name: "still", silence: 10 });
  const session = async () => (await sql<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]?.pid;
  const first = await session();
  await Bun.sleep(11_000);
  let rows = 0;
  for await (const { length } of sql`select n, pg_sleep(0.5)::text from generate_series(1, 22) as n`.cursor(1)) rows += length;
  expect(rows).toBe(22);
  expect(await session()).toBe(first);
  still = true;
  for (const line of lines) line.unpipe().pause();
  const fault = await faultOf(sql`select 1`);
  expect([String(fault), isUnavailable(fault)]).toEqual([expect.any(String), true]);
  still = false;
  await until("there is a new line", async () => (await faultOf(session())) === null);
  expect(await session()).not.toBe(first);
  await sql.end({ timeout: 1 });
  close();
});

test("a gateway that takes the call and hangs up at once is a database that is away", async () => {
  let calls = 0;
  const { address, close } = await gateway((line) => {
    calls++;
    line.end();
  });
  const sql = connect(address, { max: 1 });
  const faults = await Promise.all([1, 2, 3].map((n) => faultOf(sql`select ${n}::integer`)));
  expect(faults.map(isUnavailable)).toEqual([true, true, true]);
  expect(calls).toBe(3);
  await sql.end();
  close();
});

test("a line that is lost before its first statement could be sent fails that statement alone", async () => {
  let cuts = 0;
  const { address, close } = await gateway((line) => {
    const server = net.connect(`${new URL(url).searchParams.get("host")}/.s.PGSQL.5432`);
    server.pipe(line);
    // What the driver asks of the catalogue on each new line is never answered.
    line.on("data", (sent) => {
      if (cuts < 5 && sent.includes("pg_catalog.pg_type")) server.destroy(void cuts++);
      else server.write(sent);
    });
    line.on("error", () => {}).on("close", () => server.destroy());
    server.on("close", () => line.destroy());
  });
  const sql = connect(address, { max: 1, name: "first" });
  for (let turn = 0; turn < 5; turn++) expect(isUnavailable(await faultOf(sql`select ${turn}::integer as n`))).toBe(true);
  expect((await sql`select 5::integer as n`)[0]?.n).toBe(5);
  expect(cuts).toBe(5);
  await sql.end();
  close();
});

test("a pool that ended does not come back for a call that waited to be made", async () => {
  let calls = 0;
  const { address, close } = await gateway((line) => {
    calls++;
    line.end();
  });
  const sql = connect(address, { max: 1, name: "ended" });
  // Some failures, so that there is a pause before the next call.
  for (let n = 0; n < 3; n++) await faultOf(sql`select 1`);
  const waits = faultOf(sql`select 1`.execute());
  const before = calls;
  await sql.end({ timeout: 0 });
  expect(await waits).toMatchObject({ code: "CONNECTION_DESTROYED" });
  await Bun.sleep(500);
  expect(calls).toBe(before);
  close();
});

test("a transaction has its connection for itself, though its first word is the last for which there is room", async () => {
  await other`create table crowd (n integer)`;
  const sql = connect(url, { max: 1, name: "crowd" });
  const insert = (n: number) => sql`insert into crowd values (${n})`;
  await insert(-1);
  const crowd = Array.from({ length: 10 }, () => insert(0).execute());
  const begun = sql.begin(async (tx) => {
    await tx`select pg_sleep(0.1)`;
    await tx`insert into crowd values (1)`;
    return "done";
  });
  const after = insert(2).execute();
  await Promise.all(crowd);
  expect(await begun.catch(String)).toBe("done");
  await after;
  expect([...(await other`select n from crowd where n > 0 order by n`)]).toEqual([{ n: 1 }, { n: 2 }]);
  await sql.end({ timeout: 1 });
});

test("of free connections the one that was used last is taken: its server process knows the statements", async () => {
  const sql = connect(url, { max: 4, name: "last" });
  const session = async (from: Tx | typeof sql) => (await from<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]?.pid;
  const all = Promise.withResolvers<void>();
  let there = 0;
  const opened = await Promise.all(
    Array.from({ length: 4 }, () =>
      sql.begin(async (tx) => {
        const pid = await session(tx);
        if (++there === 4) all.resolve();
        await all.promise;
        return pid;
      }),
    ),
  );
  expect(new Set(opened).size).toBe(4);
  const used: unknown[] = [];
  for (let n = 0; n < 12; n++) used.push(await session(sql));
  expect(new Set(used).size).toBe(1);
  await sql.end({ timeout: 1 });
});

describe("a row that is told before its commit", () => {
  const insert = (n: number, tell: (n: number) => void) =>
    foretold(sql<{ n: number }[]>`insert into early values (${n}::integer) returning n`, (row) => tell(row.n));
  const sql = connect(url, { max: 1, name: "early" });
  afterAll(() => sql.end({ timeout: 1 }));
  beforeAll(async () => {
    // What a commit waits for, and may fail of: 77 is a lock, 2 yields once, -1 is refused.
    await other.unsafe(`
      create table early (n integer);
      create sequence early_tries;
      create function early_end() returns trigger language plpgsql as $$
      begin
        perform pg_advisory_xact_lock(77);
        if new.n = 2 and nextval('early_tries') = 1 then raise sqlstate '40001'; end if;
        if new.n < 0 then raise 'not this one'; end if;
        return null;
      end $$;
      create constraint trigger early_end after insert on early deferrable initially deferred for each row execute function early_end();
    `);
  });

  test("comes while that is still being made, and the promise with it", async () => {
    let told = 0;
    let isSure = false;
    const { statement } = await other.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(77)`;
      const under = insert(1, (n) => (told = n));
      void under.then(() => (isSure = true));
      await until("the row is told", () => told === 1);
      expect([isSure, (await tx`select from early`).length]).toEqual([false, 0]);
      return { statement: under };
    });
    expect(await statement).toEqual({ n: 1 });
  });

  test("is told again where the statement had to yield, and is the last one's", async () => {
    const told: number[] = [];
    expect([await insert(2, (n) => told.push(n)), told, (await other`select from early where n = 2`).length]).toEqual([{ n: 2 }, [2, 2], 1]);
  });

  test("is none where the commit fails, nor where there is none", async () => {
    const told: number[] = [];
    expect([String(await faultOf(insert(-1, (n) => told.push(n)))), told]).toEqual([expect.stringContaining("not this one"), [-1]]);
    expect(await foretold(sql<{ n: number }[]>`select ${1}::integer as n where false`, (row) => told.push(row.n))).toBeUndefined();
    expect([told.length, (await other`select from early where n < 0`).length]).toEqual([1, 0]);
  });
});
