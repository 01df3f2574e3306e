import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import { type TestApp, testApp } from "../../testing/app";
import { handHeld, until, waiting } from "../../testing/scenarios";
import { Patience } from "./patience";

/** What a program does whose database is slow or full. */

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.end());

test("while the database is slow, the thousand-and-first request is told at once to come back; whoever watches is answered", async () => {
  const hand = await handHeld(app.db);
  await hand.sql`lock table account_types in access exclusive mode`;
  const stranger = app.stranger();
  const waitingOnes = Array.from({ length: 1_000 }, () => stranger.get("/api/account-types"));
  await until("they wait", async () => (await waiting(hand.sql)) > 0);
  const refused = await stranger.get("/api/account-types");
  expect([refused.status, refused.body.code, refused.headers.get("Retry-After")]).toEqual([503, "unavailable", "1"]);
  expect((await stranger.get("/healthz")).status).toBe(200);
  const [first, page] = [await stranger.get("/about"), await stranger.get("/dashboard", { headers: { "accept-encoding": "gzip" } })];
  expect([page.status, page.headers.get("Retry-After"), page.headers.get("Cache-Control")]).toEqual([503, "1", "no-store"]);
  expect(page.text).toContain("The service is very busy. Please try again in a moment.");
  expect(page.text).toContain('href=""');
  expect(page.text).toBe(first.text);
  await hand.commit();
  await hand.end();
  expect((await Promise.all(waitingOnes)).filter(({ status }) => status === 200)).toHaveLength(1_000);
  expect((await stranger.get("/api/account-types")).status).toBe(200);
});

test("what has no answer in time is given up with a sentence, before the line is cut", async () => {
  const tess = await app.trader();
  const hand = await handHeld(app.db);
  await hand.sql`lock table account_types in access exclusive mode`;
  const { longest } = app.context;
  app.context.longest = new Patience(10);
  const { status, body } = await app.stranger().get<{ code: string }>("/api/account-types");
  const page = await tess.get("/dashboard");
  Object.assign(app.context, { longest });
  await hand.commit();
  await hand.end();
  expect([status, body.code]).toEqual([503, "unavailable"]);
  expect([page.status, page.headers.get("Content-Type"), page.headers.get("Cache-Control")]).toEqual([503, "text/html; charset=utf-8", "no-store"]);
  expect(page.text).toContain("This took too long. Please try again in a moment.");
  expect(page.text).toContain("Try again</a>");
  const [, reference] = /Reference ([\w-]+)\./.exec(page.text) ?? [];
  const givenUp = app.lines.filter((line) => line.includes("a request was given up")).map((line) => (JSON.parse(line) as { requestId: string }).requestId);
  expect(givenUp).toHaveLength(2);
  expect(givenUp[1]).toBe(reference ?? "no reference");
});

test("a full disk is a 503 that says 'later', is logged as what it is, and shows in /readyz until it is over", async () => {
  const tess = await app.trader();
  await app.quote("EUR/USD", "1.10000", "1.10002");
  expect((await tess.get("/readyz")).status).toBe(200);
  await app.sql.unsafe(`
    create function no_room() returns trigger language plpgsql as $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
    create trigger no_room before insert on positions for each row execute function no_room()
  `);
  const order = { symbol: "EUR/USD", type: "buy", amount: 1000 };
  const refused = await tess.post("/api/trading/positions", order, { "idempotency-key": "full" });
  expect([refused.status, refused.body.code, refused.headers.get("Retry-After")]).toEqual([503, "unavailable", "2"]);
  expect(app.lines.some((line) => line.includes("the database's disk is full"))).toBe(true);
  expect(await tess.get("/readyz")).toMatchObject({ status: 503, body: { missing: ["the database's disk is full"] } });
  await app.sql`drop trigger no_room on positions`;
  expect((await tess.post("/api/trading/positions", order, { "idempotency-key": "full" })).status).toBe(201);
  expect(await app.faults()).toEqual([]);
});

test("prices that find no room show in /readyz for as long as that lasts", async () => {
  const { get } = app.stranger();
  const says = async () => (await get<{ missing: string[] }>("/readyz")).body.missing.includes("there is no room to store prices");
  await app.sql.unsafe(`create trigger no_room before insert on ticks for each row execute function no_room()`);
  await app.quote("GBP/USD", "1.30000", "1.30002");
  await until("it says so", says);
  await app.sql`drop trigger no_room on ticks`;
  await until("it is over", async () => !(await says()));
});

test("prices that have not been stored for ten seconds show in /readyz until they are", async () => {
  const says = async () => (await app.stranger().get<{ missing: string[] }>("/readyz")).body.missing.includes("prices are not being stored");
  const admin = await app.admin();
  const hand = await handHeld(app.db);
  await hand.sql`lock table ticks in access exclusive mode`;
  await app.quote("GBP/USD", "1.30000", "1.30003");
  // A lock that is waited for is not the recorder's alone: what counts is that this program has prices which are not stored.
  const unstored = async () => Number(/^halyard_prices_unstored_seconds (.*)$/m.exec((await admin.get("/metrics")).text)?.[1]);
  await until("they wait", async () => (await unstored()) > 0);
  const now = performance.now.bind(performance);
  const before = await says();
  const spy = spyOn(performance, "now").mockImplementation(() => now() + 10_000);
  const later = await says();
  const seconds = await unstored();
  await hand.commit();
  await hand.end();
  expect([before, later]).toEqual([false, true]);
  expect(seconds).toBeGreaterThan(10);
  await until("they are", async () => !(await says()));
  spy.mockRestore();
});
