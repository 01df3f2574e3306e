import { afterAll, beforeAll, expect, test } from "bun:test";
import { openPosition, quoteTwice, win } from "../testing/corrections";
import { type Person, type TestApp, testApp } from "../testing/app";
import type { Exception } from "./schema_exceptions";

/** The day's exceptions: what is on the list, and that somebody looked at it. */

let app: TestApp;
let ann: Person & { id: string; email: string };
let bob: Person & { id: string; email: string };
let tess: Awaited<ReturnType<TestApp["trader"]>>;
beforeAll(async () => {
  app = await testApp();
  [ann, bob, tess] = await Promise.all([app.admin(), app.admin(), app.trader({ firstName: "Tess" })]);
  await quoteTwice(app, "1.10000", "1.10002");
});
// Fills are falsified here, which the checks of the books would find.
afterAll(() => app.end());

const list = async (query = "", by = ann) => (await by.get<Exception[]>(`/api/admin/exceptions?${query}`)).body;
const review = (by: Person, id: string, note: unknown = "Looked at: in order") =>
  by.post<Exception & { message: string; fields: Record<string, string> }>(`/api/admin/exceptions/${id}/review`, { note });
const today = () => new Date().toISOString().slice(0, 10);
/** A demo position whose opening is on record otherwise than it was. The journal stays as it is, so the guard is put back at once. */
async function filled(change: { price?: string; age?: number; slippage?: string; requested?: string; day?: string }): Promise<string> {
  const { id } = await openPosition(tess);
  await app.sql.begin(async (tx) => {
    await tx`alter table fills disable trigger user`;
    await tx`
      update fills set price = coalesce(${change.price ?? null}::numeric, price), quote_age_ms = coalesce(${change.age ?? null}::integer, quote_age_ms),
        slippage = ${change.slippage ?? null}::numeric, requested_price = ${change.requested ?? null}::numeric,
        created_at = coalesce(${change.day ?? null}::text::timestamptz, created_at)
      where position_id = ${id}
    `;
    await tx`alter table fills enable trigger user`;
  });
  return id;
}
/** The minute of the fills' ticks is known to candles, with a range of ten pips. */
const knownMinute = () => app.sql`
  insert into candles (source, symbol, interval, time, open, high, low, close)
  select distinct 'simulator', 'EUR/USD', '1m', date_trunc('minute', quote_at), 1.1, 1.1005, 1.0995, 1.1 from fills
  on conflict (source, symbol, interval, time) do update set high = excluded.high, low = excluded.low
`;

test("a fill in order is none; one outside its minute's range, on an old tick or far from the requested price is, and so is a correction", async () => {
  await openPosition(tess);
  // Starter's 3.3 pips are wider than the market's spread: 1.10050 + 1.65 pips is the highest that the minute explains.
  const edge = await filled({ price: "1.10066500" });
  const outside = await filled({ price: "1.10066600" });
  const old = await filled({ age: 3001 });
  const young = await filled({ age: 3000 });
  const far = await filled({ slippage: "0.00060000", requested: "1.10000000" });
  const near = await filled({ slippage: "0.00055000", requested: "1.10000000" });
  const { id: corrected } = await openPosition(tess);
  expect((await win(ann, corrected, "10.00")).status).toBe(200);
  await knownMinute();
  const rows = await list();
  const of = (id: string) => rows.filter(({ positionId }) => positionId === id);
  expect([edge, young, near].flatMap(of)).toEqual([]);
  expect(of(outside)).toMatchObject([{ kind: "open", reasons: ["outside_range"], low: "1.09933500", high: "1.10066500", reviewedBy: null }]);
  expect(of(old)).toMatchObject([{ reasons: ["old_tick"], quoteAgeMs: 3001 }]);
  expect(of(far)).toMatchObject([{ reasons: ["slippage"], slippagePoints: "5.455" }]);
  expect(of(corrected)).toMatchObject([{ kind: "correction", reasons: ["correction"], settledProfit: "10.00", email: tess.email }]);
  expect(rows).toHaveLength(4);
});

test("it is of one day in UTC, searched, sorted, paged, and comes as a file, for administrators alone", async () => {
  const past = await filled({ age: 5000, day: "2026-01-05T23:59:59Z" });
  expect((await list("day=2026-01-05")).map(({ positionId }) => positionId)).toEqual([past]);
  expect(await list("day=2026-01-06")).toEqual([]);
  for (const [days, found] of [
    ["from=2026-01-01&to=2026-01-05", [past]],
    ["to=2026-01-05", [past]],
    ["from=2026-01-06&to=2026-01-31", []],
  ] as const)
    expect((await list(days)).map(({ positionId }) => positionId)).toEqual([...found]);
  expect((await list("from=2026-01-05")).length).toBe(5);
  expect(await list("day=2026-01-05&q=nobody")).toEqual([]);
  for (const sort of ["created", "-created", "name", "-name", "symbol", "-symbol"]) {
    const ids: string[] = [];
    let cursor = "";
    do {
      const page = await ann.get<Exception[]>(`/api/admin/exceptions?day=${today()}&limit=1&sort=${sort}${cursor ? `&cursor=${cursor}` : ""}`);
      ids.push(...page.body.map(({ id }) => id));
      cursor = page.headers.get("x-next-cursor") ?? "";
    } while (cursor);
    expect([sort, ids.length, new Set(ids).size]).toEqual([sort, 4, 4]);
  }
  const file = await ann.get("/api/admin/exceptions?format=csv");
  expect([file.headers.get("content-type"), file.text.trim().split("\r\n").length]).toEqual(["text/csv; charset=utf-8", 5]);
  for (const query of ["day=yesterday", "from=yesterday", "review=maybe", "sort=price"])
    expect((await ann.get(`/api/admin/exceptions?${query}`)).status).toBe(400);
  expect((await tess.get("/api/admin/exceptions")).status).toBe(403);
  expect((await ann.get("/admin?tab=trades&status=exceptions")).text).toMatch(/on an old tick: at 1\.100\d+, tick 3001 ms old/);
  expect((await ann.get("/admin?tab=trades&status=exceptions&day=2026-01-06")).text).toContain("Nothing found");
});

test("each is reviewed once, by one who took no part, with a note, in the audit book; what is written stays", async () => {
  const rows = await list();
  const correction = rows.find(({ kind }) => kind === "correction") as Exception;
  const fill = rows.find(({ reasons }) => reasons.includes("old_tick")) as Exception;
  expect((await review(ann, fill.id, " ")).body.fields).toEqual({ note: "A note is required" });
  expect((await review(ann, crypto.randomUUID())).status).toBe(404);
  const own = await review(ann, correction.id);
  expect([own.status, own.body.message]).toEqual([403, "You took part in this correction. Another administrator reviews it."]);
  expect(await review(bob, correction.id, "The feed was wrong")).toMatchObject({ status: 200, body: { reviewedBy: bob.email, note: "The feed was wrong" } });
  const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => review(n % 2 ? ann : bob, fill.id)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 7 }, () => 409)]);
  expect((await list("review=done")).map(({ id }) => id).toSorted()).toEqual([correction.id, fill.id].toSorted());
  expect(await list("review=open")).toHaveLength(2);
  const entries = await app.sql`select reason, details from admin_actions where action = 'trade.review' and admin_user_id = ${bob.id} order by id limit 1`;
  expect(entries).toEqual([
    { reason: "The feed was wrong", details: { positionId: correction.positionId, kind: "correction", exceptions: ["correction"] } },
  ] as never);
  expect(async () => await app.sql`update exception_reviews set note = 'Another'`).toThrow("append-only");
});
