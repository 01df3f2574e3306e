import { afterAll, beforeAll, expect, test } from "bun:test";
import { lose, openLive, openPosition, quoteTwice, win } from "../testing/corrections";
import { type Person, type TestApp, testApp } from "../testing/app";
import { setRole, until } from "../testing/scenarios";
import type { Waiting } from "./schema";

/** The Trade Control tab as the server draws it. */

const HOSTILE = "<script>alert(1)</script>";

let app: TestApp;
let ann: Person & { id: string };
let bob: Person & { id: string };
beforeAll(async () => {
  app = await testApp({ ADVERSE_CORRECTIONS: "four-eyes" });
  [ann, bob] = await Promise.all([app.admin(), app.admin()]);
  await quoteTwice(app, "1.10000", "1.10002");
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

const page = async (by: Person, query = "") => {
  const { status, text } = await by.get(`/admin?tab=trades${query}`);
  expect(status).toBe(200);
  // Where two texts meet, the renderer leaves a mark between them.
  return text.replaceAll("<!-- -->", "");
};

test("an empty list says truly why, and a filter is kept where there is one", async () => {
  for (const [view, title] of [
    ["waiting", "Nothing waits"],
    ["disputes", "No disputes"],
    ["exceptions", "No exceptions"],
  ]) {
    const empty = await page(ann, `&status=${view}`);
    expect([view, empty.includes(title as string), empty.includes("Save this filter")]).toEqual([view as string, true, false]);
    const narrowed = await page(ann, `&status=${view}&q=nobody`);
    expect([view, narrowed.includes("Nothing found"), narrowed.includes("Save this filter")]).toEqual([view as string, true, true]);
  }
});

test("each list is drawn for its address; what people wrote stays text", async () => {
  const tess = await app.trader({ firstName: HOSTILE });
  const [first, second] = [await openPosition(tess), await openPosition(tess)];
  const positions = await page(ann);
  for (const words of ["Force Win", "Force Loss", `data-row="${first.id}"`, `data-row="${second.id}"`, "−$0.30"]) expect(positions).toContain(words);
  await win(ann, first.id, 5, HOSTILE);
  await tess.post(`/api/trading/positions/${first.id}/dispute`, { message: `${HOSTILE} is no reason` });
  const corrections = await page(ann, "&status=corrections");
  for (const words of [`data-row="${first.id}"`, "+$5.30", "Disputed", "Site Administrator"]) expect(corrections).toContain(words);
  const disputes = await page(ann, "&status=disputes");
  expect(disputes).toContain("is no reason");
  expect(await page(ann, `&q=${encodeURIComponent(second.id)}`)).not.toContain(`data-row="${first.id}"`);
  for (const html of [positions, corrections, disputes]) expect(html).not.toContain(HOSTILE);
});

test("an objection leads to the ticks of the minute around the fill, and to its receipt", async () => {
  const tess = await app.trader();
  const position = await openPosition(tess);
  await win(ann, position.id, 5, "Late price");
  await tess.post(`/api/trading/positions/${position.id}/dispute`, { message: "I doubt it" });
  const at = `&status=disputes&evidence=${position.id}`;
  expect(await page(ann, "&status=disputes")).toContain(at.replaceAll("&", "&amp;"));
  const [fill] = await app.sql<
    { seq: number; at: string }[]
  >`select quote_seq as seq, quote_at as at from fills where position_id = ${position.id} and kind = 'close'`;
  const { seq = 0, at: time = "" } = fill ?? {};
  // What was quoted is recorded a little later.
  await until("its tick is recorded", async () => (await app.sql`select from ticks where seq = ${seq}`).length === 1);
  await app.sql`delete from ticks`;
  expect(await page(ann, at)).toContain("not kept any more");
  // Of the minute, and of the symbol: two of these five.
  await app.sql`
    insert into ticks (seq, received_at, at, source, symbol, bid, ask)
    select ${seq}::bigint + n.step, t.at, t.at, 'simulator', n.symbol, n.bid, n.bid + 0.0002
    from (
      values (-9, 'EUR/USD', -31, 1.0), (-8, 'EUR/USD', -29, 1.0991), (-7, 'GBP/USD', -20, 1.3), (8, 'EUR/USD', 29, 1.1012), (9, 'EUR/USD', 31, 1.2)
    ) n (step, symbol, seconds, bid)
    cross join lateral (select ${time}::timestamptz + n.seconds * interval '1 second' as at) t
  `;
  const html = await page(ann, at);
  for (const words of [
    "2 ticks of EUR/USD in the minute around the fill, from 1.09910 to 1.10140",
    "Closing fill",
    "Opening fill",
    "the client</dd>",
    `No. ${seq}`,
    position.id,
  ])
    expect(html).toContain(words);
  for (const of of [crypto.randomUUID(), "nonsense"])
    expect(await page(ann, `&status=disputes&evidence=${of}`)).not.toContain('aria-label="Ticks and receipt"');
  expect((await tess.get(`/admin?tab=trades${at}`)).text).not.toContain("Closing fill");
});

test("what waits is counted, and its asker is not offered the decision", async () => {
  const { position } = await openLive(app);
  const count = async () => (await ann.get<Waiting>("/api/admin/waiting")).body.corrections;
  const before = await count();
  const { body } = await lose(ann, position.id, 50);
  expect(await count()).toBe(before + 1);
  expect(await page(ann, "&status=waiting")).toContain("You asked for it: another administrator decides");
  expect(await page(bob)).toMatch(/href="\/admin\?tab=trades&amp;status=waiting" aria-label="A correction waits/);
  expect(await page(bob, "&status=waiting")).toContain("Confirm the correction of BUY EUR/USD $1,000.00");
  await bob.post(`/api/admin/corrections/${body.id}/decline`);
  expect(await count()).toBe(before);
});

test("an administrator's own position is left to another", async () => {
  const tess = await app.trader();
  await openPosition(tess);
  await setRole(app.sql, tess.id, "admin");
  expect(await page(tess, `&q=${tess.email}`)).toContain("Your own: another administrator decides");
});

test("whoever is no administrator sees a gate and no position", async () => {
  const tess = await app.trader();
  const { id } = await openPosition(tess);
  const html = await page(tess);
  expect(html).toContain("Admin Access Required");
  expect(html).not.toContain(id);
});
