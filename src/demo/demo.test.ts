import { TICKETS } from "./cast";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readConfig } from "../config";
import { logged } from "../admin/queries_logged";
import { createAdmin } from "../identity/commands";
import { DAY, HOUR } from "../lib/time";
import { leadAlone } from "../platform/cluster/leader";
import { createLog } from "../platform/log";
import { proveLogs } from "../proof/check";
import { appending, drain } from "../testing/log_notes";
import { type TestDatabase, testDatabase } from "../testing/database";
import { type TestApp, testApp } from "../testing/app";
import { until } from "../testing/scenarios";
import { castOf } from "./cast";
import { type Demo, fillDemo } from "./demo";

const said: string[] = [];
const parts = (db: TestDatabase) => ({ config: readConfig({ FEED_SEED: "1" }), sql: db.sql, log: createLog("info", (line) => void said.push(line)) });
let db: TestDatabase;
let app: TestApp;
let demo: Demo;
const began = Date.now();
beforeAll(async () => {
  db = await testDatabase();
  await createAdmin(db.sql, { email: "staff@t.test", password: "Corr3ct-horse-battery" });
  demo = await fillDemo(parts(db), { days: 20, people: 16 });
  app = await testApp({}, db);
});
afterAll(() => app.end());

const count = async (what: string) => Number((await db.sql.unsafe<{ count: string }[]>(`select count(*)::text as count from ${what}`))[0]?.count);

test("every check of the books holds, the chain of the staff's book among them", async () => {
  expect(await app.faults()).toEqual([]);
});

test("there are people, deals, requests, tickets and a chat, decided and waiting", async () => {
  expect(demo.people).toBe(16);
  for (const what of [
    "users where registration_status = 'pending'",
    "users where registration_status = 'approved' and role = 'user'",
    "users where account_status = 'suspended'",
    "users where account_status = 'banned'",
    "deposits where status = 'approved'",
    "withdrawals where status = 'pending'",
    "positions where status = 'open'",
    "positions where close_reason = 'stop_loss'",
    "positions where close_reason = 'take_profit'",
    "positions where close_reason = 'trader'",
    "corrections",
    "support_tickets where status = 'open'",
    "chat_messages",
    "contact_messages",
    "candles where interval = '1h'",
    "candles where interval = '1m'",
    // What staff were told waits in the outbox until a program that serves has moved it.
    "(select 1 from notification_outbox union all select 1 from admin_notifications) told",
  ])
    expect([what, (await count(what)) > 0]).toEqual([what, true]);
});

test("who was turned away does nothing more, and the terminal is told nothing of the story", async () => {
  const rejected = "users u where u.registration_status = 'rejected'";
  expect(await count(rejected)).toBeGreaterThan(0);
  expect(await count(`deposits d join ${rejected.replace("where", "on u.id = d.user_id where")} and d.status = 'approved'`)).toBe(0);
  expect(said).toEqual([]);
});

test("staff's answer fits what was asked", async () => {
  const found = await db.sql<{ subject: string; admin_response: string }[]>`
    select distinct subject, admin_response from support_tickets where admin_response is not null`;
  expect(found.length).toBeGreaterThan(1);
  const fitting = new Map<string, string>(TICKETS.map(({ subject, answer }) => [subject, answer]));
  expect(found.filter(({ subject, admin_response }) => fitting.get(subject) !== admin_response)).toEqual([]);
});

test("the months lie in the past, in their order, and nobody is signed in", async () => {
  // The first entry is older: the administrator's own demo account.
  const [span] = await db.sql<{ first: string; last: string; disordered: number }[]>`
    select min(created_at) as first, max(created_at) as last, count(*) filter (where back)::int as disordered
    from (select created_at, created_at < lag(created_at) over (order by id) as back from ledger_entries where id > 1) e`;
  expect(began - Date.parse(span?.first ?? "")).toBeGreaterThan(17 * DAY);
  expect(Date.parse(span?.last ?? "")).toBeLessThanOrEqual(Date.now());
  expect(span?.disordered).toBe(0);
  expect(await count("positions where closed_at < opened_at or opened_at > now()")).toBe(0);
  expect(await count("sessions")).toBe(0);
});

test("candles are real ones: each opens where the last one closed, and none of a day or an hour ends where it began", async () => {
  const [row] = await db.sql<{ candles: number; flat: number; torn: number }[]>`
    select count(*)::int as candles, count(*) filter (where open = close and interval in ('1h', '1d'))::int as flat,
      count(*) filter (where open <> before or low > least(open, close) or high < greatest(open, close))::int as torn
    from (
      select *, lag(close, 1, open) over (partition by interval order by time) as before
      from candles
      where symbol = 'BTC/USD' and time < ${new Date(began - HOUR).toISOString()}
    ) c`;
  expect(row?.candles).toBeGreaterThan(2_000);
  expect(row).toMatchObject({ flat: 0, torn: 0 });
});

test("its people sign in and go on, at prices that follow the last candle", async () => {
  const person = app.stranger();
  expect((await person.post("/api/auth/login", { email: demo.email, password: demo.password })).status).toBe(200);
  const { body: candles } = await person.get<{ close: string }[]>("/api/market/candles?symbol=EUR/USD&interval=1m&limit=5");
  const [quote] = await db.sql<{ bid: string }[]>`select bid from quotes where symbol = 'EUR/USD'`;
  const bid = Number(quote?.bid);
  expect(Math.abs(Number(candles.at(-1)?.close) / bid - 1)).toBeLessThan(0.002);
});

test("its deals are in the public log, and their receipts say that the prices of those months were not recorded", async () => {
  await until("all are logged", async () => {
    await app.logbook.wake();
    return (await count("fills f where not exists (select from proof_entries e where e.kind = 'fill' and e.ref = f.id::text)")) === 0;
  });
  const [last] = await db.sql<{ bid: string; ask: string }[]>`select bid, ask from quotes where symbol = 'EUR/USD'`;
  // What is recorded later shows that theirs never were.
  await until("their ticks were looked for", async () => {
    await app.quote("EUR/USD", last?.bid ?? "", last?.ask ?? "");
    await app.logbook.wake();
    return (await count("proof_ticks t where first is null and seq < (select min(first) from proof_batches)")) === 0 && (await count("proof_batches")) > 0;
  });
  expect(app.lines.filter((line) => line.includes("ticks that were dealt on"))).toEqual([]);
  const person = app.stranger();
  await person.post("/api/auth/login", { email: demo.email, password: demo.password });
  const [own] = await db.sql<{ id: string }[]>`
    select p.id from positions p join users u on u.id = p.user_id where u.email = ${demo.email} and p.status = 'closed' limit 1`;
  const { fills } = (
    await person.get<{ fills: { proof: object | null; quote: object | null; proofWord: string }[] }>(`/api/trading/positions/${own?.id}/receipt`)
  ).body;
  expect(fills.map(({ proof, quote, proofWord }) => [proof !== null, quote, proofWord])).toEqual(fills.map(() => [true, null, "its price was not recorded"]));
  expect((await person.get(`/api/trading/positions/${own?.id}/proof`)).status).toBe(409);
  expect((await person.get(`/positions/${own?.id}/receipt`)).text).toContain("was not recorded");
});

test("fills a fresh database only, and needs an administrator", async () => {
  await expect(fillDemo(parts(db))).rejects.toThrow("People have registered here already");
  const empty = await testDatabase();
  await expect(fillDemo(parts(empty))).rejects.toThrow("no administrator yet");
  await empty.drop();
});

test("what a server has said of the hours in which it was told ends there: its public log, and days that it wrote down as empty", async () => {
  const fresh = await testDatabase();
  await createAdmin(fresh.sql, { email: "staff@t.test", password: "Corr3ct-horse-battery" });
  await fresh.sql`select quality_seal(5)`;
  const server = appending(fresh.sql, await leadAlone(fresh.sql), { sources: logged });
  let turn: Promise<unknown> = drain(server);
  await fillDemo(parts(fresh), { days: 5, people: 8, onDay: () => void (turn = turn.then(() => drain(server))) });
  await turn;
  await drain(server);
  const logs = await fresh.sql<{ why: string | null; fills: boolean }[]>`
    select ended_why as why, exists (select from proof_entries e where e.log = l.number and e.kind = 'fill') as fills from proof_logs l order by number`;
  expect(logs.map(({ why, fills }) => [why?.startsWith("the months of a demonstration"), fills])).toEqual([
    [true, true],
    [undefined, expect.any(Boolean)],
  ]);
  expect((await proveLogs(fresh.sql, logged)).filter(({ rows }) => rows > 0)).toEqual([]);
  expect(await fresh.sql`select day from quality_days`).toHaveLength(0);
  await fresh.drop();
});

test("everybody has a name of their own", () => {
  const names = castOf(100);
  expect(new Set(names.map(({ email }) => email)).size).toBe(100);
});
