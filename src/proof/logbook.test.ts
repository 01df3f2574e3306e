import { afterAll, beforeAll, expect, test } from "bun:test";
import { readTicks } from "../market/queries_logged";
import { checkRecords, proveLogs } from "./check";
import { logged } from "../admin/queries_logged";
import { type TestApp, testApp } from "../testing/app";
import { openLive, quoteTwice, win } from "../testing/corrections";
import { LOG_KEY } from "../testing/database";
import { forge, grewFrom, holds, tickHolds } from "../testing/public_log";
import { order, tamper, until } from "../testing/scenarios";
import { batchesBetween, currentLog, readProofs, readTickProofs } from "./queries";
import { toBase64 } from "../lib/bytes";
import { canonicalBytes, canonicalJson, type Flat } from "./rules_canonical";
import { leafHash, rootOfLeaves } from "./rules_merkle";
import { parseVerifier, type Verifier } from "./rules_note";
import type { LogRecord, Proof, TickProof } from "./schema";

/** What was done stands in the log, in order and once, and whoever holds a proof, or only a checkpoint, can tell that nothing of it was changed. */

let app: TestApp;
let verifier: Verifier;
beforeAll(async () => {
  app = await testApp({ PUBLIC_URL: "https://trade.example", ADVERSE_CORRECTIONS: "four-eyes" });
  await app.logbook.wake();
  verifier = parseVerifier((await read("/log/key")).text.trim()) as Verifier;
});
afterAll(() => app.end());

async function read(path: string) {
  const response = await app.stranger().fetch("GET", path);
  const bytes = await response.bytes();
  return { status: response.status, headers: response.headers, bytes, text: new TextDecoder().decode(bytes) };
}
/** Waits until the newest tick that was dealt on is stored, and puts all that waits into the log. */
async function settled() {
  await until("the ticks are recorded", async () => {
    const [row] = await app.sql<{ there: boolean }[]>`select exists (select from ticks where seq = (select max(quote_seq) from fills)) as there`;
    return row?.there === true;
  });
  await app.logbook.wake();
}
const recordsOf = async () => {
  const rows = await app.sql<{ record: string }[]>`select record from proof_entries order by index`;
  return rows.map(({ record }) => JSON.parse(record) as LogRecord);
};

test("a deal, its end and its quote are in the log when they are committed, with proofs that hold", async () => {
  const tess = await app.trader();
  await app.quote("EUR/USD", "1.10000", "1.10002");
  await app.quote("GBP/USD", "1.30000", "1.30002");
  const { body } = await tess.post<{ id: string }>("/api/trading/positions", { ...order, amount: 100 });
  await app.quote("EUR/USD", "1.10100", "1.10102");
  await tess.post(`/api/trading/positions/${body.id}/close`);
  await settled();
  const fills = await app.sql<{ id: string; seq: number }[]>`select id::text, quote_seq as seq from fills where position_id = ${body.id} order by id`;
  const { sql } = app.context;
  const proofs = await readProofs(
    sql,
    "fill",
    fills.map(({ id }) => id),
  );
  const [opening, closing] = fills.map(({ id }) => proofs.get(id) as Proof) as [Proof, Proof];
  expect(opening.record).toMatchObject({
    kind: "fill",
    position: body.id,
    symbol: "EUR/USD",
    side: "buy",
    amount: "100.00",
    pip: "0.00010000",
    terms: 1,
    demo: true,
  });
  expect(closing.record).toMatchObject({ kind: "exit", position: body.id, reason: "trader", opening: Number(fills[0]?.id), openPrice: "1.10017500" });
  expect([holds(opening, verifier), holds(closing, verifier), opening.index < closing.index]).toEqual([true, true, true]);
  const ticks = await readTickProofs(
    sql,
    fills.map(({ seq }) => seq),
  );
  expect([...ticks.keys()].sort()).toEqual(fills.map(({ seq }) => seq).sort());
  for (const proof of ticks.values()) expect(tickHolds(proof, verifier)).toBe(true);
  const first = ticks.get(fills[0]?.seq ?? 0) as TickProof;
  expect(first.tick).toMatchObject({ symbol: "EUR/USD", bid: "1.10000000" });
  const batch = first.batch.record as { first: number; last: number };
  expect((await batchesBetween(sql, first.tick.seq - 1, first.tick.seq + 1)).map(({ ref }) => ref)).toEqual([`${batch.first}-${batch.last}`]);
  // With anything said otherwise nothing holds.
  expect(holds({ ...opening, record: { ...opening.record, price: "1.10018500" } as LogRecord }, verifier)).toBe(false);
  expect(holds({ ...opening, index: closing.index }, verifier)).toBe(false);
  expect(tickHolds({ ...first, tick: { ...first.tick, bid: "1.09999000" } }, verifier)).toBe(false);
});

test("whatever else is told of is in it, too: cancellations, margin calls, corrections and their confirmation, days, the staff's book, changed terms", async () => {
  const [ann, bob] = [await app.admin(), await app.admin()];
  await app.sql`update users set admin_since = now() - interval '2 days' where role = 'admin'`;
  await quoteTwice(app, "1.10000", "1.10002");
  const tess = await app.trader();
  const { body: waits } = await tess.post<{ id: string }>("/api/trading/positions", { ...order, amount: 50, orderType: "limit", triggerPrice: "1.05000" });
  expect((await tess.post(`/api/trading/positions/${waits.id}/cancel`)).status).toBeLessThan(300);
  const { body: won } = await tess.post<{ id: string }>("/api/trading/positions", { ...order, amount: 100 });
  expect((await win(ann, won.id, "5.00")).status).toBe(200);
  const live = await openLive(app);
  const asked = await win(ann, live.position.id, "1000.00");
  expect(asked.status).toBe(202);
  expect((await bob.post(`/api/admin/corrections/${asked.body.id}/confirm`)).status).toBe(200);
  // One account with more used margin than equity.
  const poor = await openLive(app);
  await app.sql`select trade_margin_call(${poor.accountId}, row(array['EUR/USD'], array[0.00100], array[0.00102], array[0.0001])::board)`;
  await app.sql`update users set created_at = now() - interval '3 days' where id = ${tess.id}`;
  const [closed] = await app.sql<{ day: string }[]>`
    select (now() at time zone 'UTC')::date::text as day, day_close(${ann.id}, (now() at time zone 'UTC')::date - 2, null, '', '')`;
  expect(closed).toBeDefined();
  await app.sql`update account_types set spreads_from = 3.0 where id = 'starter'`;
  await settled();

  const records = await recordsOf();
  const of = <K extends LogRecord["kind"]>(kind: K) => records.filter((record) => record.kind === kind) as Extract<LogRecord, { kind: K }>[];
  expect(of("cancellation")).toMatchObject([{ position: waits.id, code: "trader", order: "limit", trigger: "1.05000000" }]);
  expect(of("correction")).toMatchObject([
    { position: won.id, settledProfit: "5.00", request: null, demo: true },
    { position: live.position.id, settledProfit: "1000.00", request: asked.body.id, demo: false },
  ]);
  expect(of("confirmation")).toMatchObject([{ request: asked.body.id, position: live.position.id, decision: "confirmed", settledProfit: "1000.00" }]);
  expect(of("exit").find(({ position }) => position === won.id)).toMatchObject({ reason: "admin", booked: "5.00" });
  expect(of("margin")).toMatchObject([{ event: "margin_call", account: poor.accountId, position: null }]);
  expect(of("day")).toHaveLength(1);
  expect(of("terms").map(({ version }) => version)).toEqual([1, 2]);
  expect(JSON.parse(of("terms")[1]?.accountTypes ?? "").starter).toMatchObject({ spreadPips: "3.0" });
  const [head] = await app.sql<{ id: number; hash: string }[]>`select last_id as id, hash from audit_head`;
  expect(of("audit").at(-1)).toMatchObject({ last: head?.id, hash: head?.hash });
  // What is booked and dealt is told in the order of its commits, each once.
  const fills = records.flatMap((record) => (record.kind === "fill" || record.kind === "exit" ? [record.fill] : []));
  const [count] = await app.sql<{ n: number }[]>`select count(*)::integer as n from fills`;
  expect([fills.length, new Set(fills).size]).toEqual([count?.n ?? 0, count?.n ?? 0]);
  const amiss = [];
  for await (const each of checkRecords(app.sql, (await currentLog(app.sql))!, logged)) amiss.push(each);
  expect(amiss).toEqual([]);
  expect(await app.sql`select id from proof_outbox`).toHaveLength(0);
  expect(await app.faults()).toEqual([]);
});

test("is served as static files: full and partial tiles, bundles, checkpoint and key; what is not there is not found", async () => {
  const { size } = (await currentLog(app.sql))!;
  const checkpoint = await read("/log/checkpoint");
  expect([checkpoint.status, checkpoint.headers.get("content-type"), checkpoint.headers.get("cache-control")]).toEqual([
    200,
    "text/plain; charset=utf-8",
    "no-cache",
  ]);
  expect(checkpoint.text).toStartWith(`trade.example/log\n${size}\n`);
  const tile = await read(`/log/tile/0/000.p/${size}`);
  expect([tile.status, tile.bytes.length, tile.headers.get("content-type"), tile.headers.get("cache-control")]).toEqual([
    200,
    size * 32,
    "application/octet-stream",
    "public, max-age=31536000, immutable",
  ]);
  expect((await read("/log/tile/0/000.p/3")).bytes).toEqual(tile.bytes.slice(0, 96));
  const bundle = await read("/log/tile/entries/000.p/3");
  expect([bundle.bytes.length, [...bundle.bytes.slice(0, 2)]]).toEqual([3 * 34, [0, 32]]);
  expect(leafHash(bundle.bytes.slice(2, 34))).toEqual(tile.bytes.slice(0, 32));
  for (const path of [
    "0/000",
    `0/000.p/${size + 1}`,
    "0/001.p/1",
    "1/000.p/1",
    "entries/000",
    `entries/000.p/${size + 1}`,
    "0/0",
    "x",
    "0/000.p/0",
    "9/000.p/1",
    "entries/x001/000.p/1",
  ])
    expect([path, (await read(`/log/tile/${path}`)).status]).toEqual([path, 404]);
});

test("a tile that is changed or missing stops the log and is said in readiness and to staff; put back, it goes on", async () => {
  const log = (await currentLog(app.sql))!;
  const readiness = () => app.stranger().get<{ ready: boolean; missing: string[] }>("/readyz");
  const [tile] = await app.sql<{ hashes: Uint8Array }[]>`select hashes from proof_tiles where level = 0 and n = 0`;
  const hashes = Buffer.from(tile?.hashes ?? []).toString("hex");
  const spoils: [string, string, Parameters<typeof tamper>[1]][] = [
    [
      "changed",
      "is not what its entries say",
      (tx) => tx`update proof_tiles set hashes = overlay(hashes placing decode(repeat('00', 32), 'hex') from 1) where level = 0 and n = 0`,
    ],
    ["missing", "is missing or too narrow", (tx) => tx`delete from proof_tiles where level = 0 and n = 0`],
  ];
  for (const [, words, spoil] of spoils) {
    await tamper(app.sql, spoil);
    await app.logbook.check();
    const { status, body } = await readiness();
    expect([status, body.missing]).toEqual([503, [`tile 0/000 ${words}`]]);
    await app.sql`insert into proof_outbox (kind, ref) values ('audit', '1')`;
    await app.logbook.wake();
    expect((await currentLog(app.sql))?.size).toBe(log.size);
    await tamper(app.sql, async (tx) => {
      await tx`delete from proof_tiles where level = 0 and n = 0`;
      await tx`insert into proof_tiles (log, level, n, hashes) values (${log.number}, 0, 0, decode(${hashes}, 'hex'))`;
      await tx`delete from proof_outbox`;
    });
    await app.logbook.check();
    expect((await readiness()).body.missing).toEqual([]);
  }
  const told =
    await app.sql`select message from notification_outbox where title = 'The public log stands still' union all select message from admin_notifications where title = 'The public log stands still'`;
  expect(told.length).toBe(2);
  // A program that takes the lead looks before it goes on.
  await tamper(app.sql, (tx) => tx`update proof_tiles set hashes = overlay(hashes placing decode(repeat('00', 32), 'hex') from 1) where level = 0 and n = 0`);
  await app.retake();
  await app.logbook.wake();
  expect((await readiness()).body.missing).toEqual(["tile 0/000 is not what its entries say"]);
  await tamper(app.sql, async (tx) => {
    await tx`update proof_tiles set hashes = decode(${hashes}, 'hex') where level = 0 and n = 0`;
  });
  await app.retake();
  await app.logbook.wake();
  expect((await readiness()).body.missing).toEqual([]);
  // Not even the owner changes it by a slip.
  for (const write of [
    "update proof_entries set ref = 'x'",
    "delete from proof_tiles",
    "update proof_tiles set hashes = '\\x00'::bytea || hashes",
    "update proof_logs set size = 0",
    "delete from proof_logs",
  ])
    await expect(app.sql.unsafe(write)).rejects.toThrow();
});

test("an operator who changes a tick, a deal or the staff's book, and with them every hash and signature, is found out by a kept checkpoint", async () => {
  await app.sql`select audit_append(null, null, 'books.release', '{}', '{}', '{}', 'A line to change', '', '')`;
  await app.logbook.wake();
  const kept = (await currentLog(app.sql))?.note ?? "";
  await app.quote("EUR/USD", "1.10003", "1.10005");
  await (await app.trader()).post("/api/trading/positions", { ...order, amount: 100 });
  await settled();
  expect(await grewFrom(app.sql, kept, verifier)).toBe(true);
  const before = await app.sql<{ index: number; record: string }[]>`select index, record from proof_entries order by index`;
  const isFine = async () => (await proveLogs(app.sql, logged)).filter(({ rows }) => rows > 0);
  expect(await isFine()).toEqual([]);

  const [tick] = await app.sql<{ seq: number }[]>`select min(quote_seq) as seq from fills`;
  const [deal] = await app.sql<{ id: number }[]>`select min(id) as id from fills`;
  const [line] = await app.sql<
    { id: number }[]
  >`select (record::json ->> 'last')::bigint as id from proof_entries where kind = 'audit' order by index desc limit 1`;
  const forgeries: Record<string, { write: string; undo: string; change: (record: Record<string, unknown>) => Promise<Record<string, unknown> | null> }> = {
    tick: {
      write: `update ticks set bid = bid - 0.0005 where seq = ${tick?.seq}`,
      undo: `update ticks set bid = bid + 0.0005 where seq = ${tick?.seq}`,
      change: async (record) => {
        if (record.kind !== "ticks" || Number(record.first) > (tick?.seq ?? 0) || Number(record.last) < (tick?.seq ?? 0)) return null;
        const ticks = await readTicks(app.sql, Number(record.first), Number(record.last));
        return { ...record, root: toBase64(rootOfLeaves(ticks.map((each) => leafHash(canonicalBytes(each))))) };
      },
    },
    deal: {
      write: `update fills set price = price + 0.0005 where id = ${deal?.id}`,
      undo: `update fills set price = price - 0.0005 where id = ${deal?.id}`,
      change: async (record) => (record.kind === "fill" && record.fill === deal?.id ? { ...record, price: "1.10067500" } : null),
    },
    book: {
      write: `do $$ declare a admin_actions; before text; begin
        for a in select * from admin_actions where id >= ${line?.id} order by id loop
          a.reason := case when a.id = ${line?.id} then 'something else' else a.reason end;
          a.previous_hash := coalesce(before, a.previous_hash);
          a.hash := audit_hash(a); before := a.hash;
          update admin_actions set reason = a.reason, previous_hash = a.previous_hash, hash = a.hash where id = a.id;
        end loop;
        update audit_head set hash = before;
      end $$`,
      undo: "select 1",
      change: async (record) => {
        if (record.kind !== "audit") return null;
        const [row] = await app.sql<{ hash: string }[]>`select hash from admin_actions where id = ${Number(record.last)}`;
        return { ...record, hash: row?.hash ?? "" };
      },
    },
  };
  for (const [what, { write, undo, change }] of Object.entries(forgeries)) {
    await tamper(app.sql, (tx) => tx.unsafe(write));
    const changed = new Map<string, Record<string, unknown> | null>();
    for (const { record } of before) changed.set(record, await change(JSON.parse(record) as Record<string, unknown>));
    expect(await forge(app.sql, LOG_KEY, (record) => changed.get(JSON.stringify(record)) ?? null)).toBeGreaterThan(0);
    // By itself the database is in order again: nothing that it holds gives it away.
    expect([what, await isFine()]).toEqual([what, []]);
    expect([what, await grewFrom(app.sql, kept, verifier)]).toEqual([what, false]);
    // As it was, for the next: then it has only grown again.
    await tamper(app.sql, (tx) => tx.unsafe(undo));
    const was = new Map([...changed].flatMap(([record, now]) => (now ? [[canonicalJson(now as Flat), JSON.parse(record) as Record<string, unknown>]] : [])));
    await forge(app.sql, LOG_KEY, (record) => was.get(canonicalJson(record as Flat)) ?? null);
    expect([what, await grewFrom(app.sql, kept, verifier)]).toEqual([what, true]);
  }
});
