import { afterAll, describe, expect, test } from "bun:test";
import net from "node:net";
import { join } from "node:path";
import { testDatabase } from "../testing/database";
import { faultOf, until } from "../testing/scenarios";
import { connect, isUnavailable, type Tx } from "./db";

const { sql: other, url, drop } = await testDatabase();
afterAll(drop);

test("a database whose name leads nowhere, or whose port is shut, is away and no fault of ours", async () => {
  for (const address of ["postgres://a:b@nowhere.invalid:5432/x", "postgres://a:b@127.0.0.1:1/x"]) {
    const sql = connect(address, { max: 1 });
    const fault = await faultOf(sql`select 1`);
    expect(fault).not.toBeNull();
    expect([String(fault), isUnavailable(fault)]).toEqual([expect.any(String), true]);
    await sql.end({ timeout: 0 });
  }
  for (const other of [null, undefined, "ENOTFOUND", new Error("x"), { code: 5 }, { code: "23505" }, { code: "ENOSPC" }])
    expect(isUnavailable(other)).toBe(false);
});

/** patches/postgres.patch: as released, the driver ends the program here, or goes on outside of the transaction. */
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
    await other`create table deeds (step integer)`;
    const sql = connect(url, { max: 1, name: "cut" });
    let refused: unknown = null;
    let after: Promise<unknown> = Promise.resolve();
    const deed = faultOf(
      sql.begin(async (tx) => {
        const pid = await sessionOf(tx);
        await tx`insert into deeds values (1)`;
        // Another's query waits for this connection, and has it made anew.
        after = sql`insert into deeds values (100)`.execute();
        await cut(pid);
        await gone(pid);
        await after;
        refused = await faultOf(tx`insert into deeds values (2)`.execute());
        after = Promise.resolve("seen");
      }),
    );
    expect(isUnavailable(await deed)).toBe(true);
    await until("the rest was tried", async () => (await after) === "seen");
    expect(isUnavailable(refused)).toBe(true);
    expect([...(await other`select step from deeds`)]).toEqual([{ step: 100 }]);
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

test("a line that breaks with an error instead of a farewell keeps no connection for ever", async () => {
  const behind = new URL(url);
  const lines = new Set<net.Socket>();
  const proxy = net.createServer((line) => {
    const server = net.connect(join(behind.searchParams.get("host") ?? "", ".s.PGSQL.5432"));
    line.pipe(server).pipe(line);
    line.on("error", () => {}).on("close", () => server.destroy());
    lines.add(line);
  });
  await new Promise<void>((ready) => proxy.listen(0, "127.0.0.1", ready));
  const through = new URL(url);
  through.searchParams.delete("host");
  through.host = `127.0.0.1:${(proxy.address() as net.AddressInfo).port}`;
  const sql = connect(through.href, { max: 1, name: "reset" });
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
  proxy.close();
});

test("a gateway that takes the call and hangs up at once is a database that is away", async () => {
  let calls = 0;
  const gateway = net.createServer((line) => {
    calls++;
    line.end();
  });
  await new Promise<void>((ready) => gateway.listen(0, "127.0.0.1", ready));
  const sql = connect(`postgres://a:b@127.0.0.1:${(gateway.address() as net.AddressInfo).port}/x`, { max: 1 });
  const faults = await Promise.all([1, 2, 3].map((n) => faultOf(sql`select ${n}::integer`)));
  expect(faults.map(isUnavailable)).toEqual([true, true, true]);
  expect(calls).toBe(3);
  await sql.end();
  gateway.close();
});
