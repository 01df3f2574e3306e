import { afterAll, beforeAll, expect, test } from "bun:test";
import { logged } from "../admin/queries_logged";
import type { GroupTerms, GroupVersion } from "../accounts/schema_groups";
import { proveLogs } from "../proof/check";
import type { PositionFile } from "../proof/rules_files";
import { verify } from "../proof/rules_verify";
import { checkNamed } from "../proof/rules_verify_deals";
import { Report } from "../proof/rules_verify_report";
import type { LogRecord } from "../proof/schema";
import { type TestApp, testApp } from "../testing/app";
import { quoteTwice } from "../testing/corrections";
import { holdFirst } from "../testing/instruments";
import { order, tamper, until } from "../testing/scenarios";
import type { Position } from "./schema";

/** What a receipt in the public log names is the versions that it was dealt by, whatever they have become before it was logged. */

let app: TestApp;
let ann: Awaited<ReturnType<TestApp["admin"]>>;
let key: string;
beforeAll(async () => {
  app = await testApp({ PUBLIC_URL: "https://trade.example" });
  ann = await app.admin();
  await app.logbook.wake();
  key = (await (await app.stranger().fetch("GET", "/log/key")).text()).trim();
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
  holdFirst();
});

const change = async (body: object, id = "starter") => {
  const version = (await ann.get<GroupVersion[]>("/api/admin/groups")).body.find((group) => group.id === id)?.version;
  return (await ann.patch<GroupTerms>("/api/admin/groups", { id, version, reason: "A test", ...body })).body;
};
const markUp = (markup: string) => ann.patch("/api/admin/instruments/EUR%2FUSD", { markup, reason: "A test" });
async function logAll() {
  const [lead] = await app.sql<{ epoch: number }[]>`select epoch from leadership`;
  app.logbook.lead(lead?.epoch ?? 0, () => {});
  await until("the ticks are recorded", async () => {
    const [row] = await app.sql<{ there: boolean }[]>`select exists (select from ticks where seq = (select max(quote_seq) from fills)) as there`;
    return row?.there === true;
  });
  await app.logbook.wake();
}
type Trader = Awaited<ReturnType<TestApp["trader"]>>;
const fileOf = async (tess: Trader, { id }: Position) => {
  const { status, text, body } = await tess.get<PositionFile>(`/api/trading/positions/${id}/proof`);
  expect(status).toBe(200);
  return { text, body };
};
const deal = async (tess: Trader, over: object = {}) => {
  const { status, body, text } = await tess.post<Position>("/api/trading/positions", { ...order, ...over });
  if (status !== 201) throw new Error(text);
  return body;
};

test("a spread and a mark-up that change between the deal and the log leave its proof as it is", async () => {
  await quoteTwice(app, "1.10000", "1.10002");
  const tess = await app.trader();
  // What follows waits for the log, as in the half second before each of its rounds.
  await app.logbook.rest();
  await markUp("0.5");
  await change({ spreadPips: "2.0" });
  const position = await deal(tess);
  await tess.post(`/api/trading/positions/${position.id}/close`);
  const coin = await app.quote("BTC/USD", "97000.00", "97050.00").then(() => deal(tess, { symbol: "BTC/USD" }));
  await change({ spreadPips: "4.0", spreads: "EUR/USD 0.7 fixed" });
  await app.quote("EUR/USD", "1.10000", "1.10020");
  const fixed = await deal(tess);
  await markUp("");
  await change({ spreadPips: "1.0", spreads: "" });
  await tess.post("/api/trading/positions/close-all");
  await logAll();

  const { text, body } = await fileOf(tess, position);
  const verdict = verify(text, { key });
  expect([verdict.reason, verdict.holds]).toEqual([null, true]);
  expect(verdict.steps.map(({ what }) => what)).toEqual(
    expect.arrayContaining(["Version 2 of starter has the opening’s spread.", "Version 2 of starter has the closing’s spread."]),
  );
  const { record } = body.opening?.proof ?? {};
  expect(record).toMatchObject({ v: 6, kind: "fill", spreadPips: "2.5", fixed: false, group: "starter", groupVersion: 2, instrumentVersion: 1 });
  // The newest terms of the log are others: they say nothing of it.
  const terms = body.others.find((proof) => proof.record.kind === "terms")?.record as LogRecord<"terms">;
  expect((JSON.parse(terms.accountTypes) as Record<string, object>).starter).toMatchObject({ spreadPips: "1.0", version: 4 });
  for (const each of [fixed, coin]) expect([each.symbol, verify((await fileOf(tess, each)).text, { key }).reason]).toEqual([each.symbol, null]);
  expect((await fileOf(tess, fixed)).body.opening?.proof.record).toMatchObject({ price: "1.10016000", spreadPips: "1.2", fixed: true, groupVersion: 3 });
  expect((await proveLogs(app.sql, logged)).filter(({ rows }) => rows > 0)).toEqual([]);
});

test("a record that says another spread than its version's is found wrong by itself, and so is a file without that version", async () => {
  const tess = await app.trader();
  await markUp("0.3");
  await change({ spreadPips: "1.5", spreads: "forex-major 0.8" });
  await quoteTwice(app, "1.10000", "1.10002");
  const position = await deal(tess);
  await logAll();
  const { body } = await fileOf(tess, position);
  const fill = body.opening?.proof.record as LogRecord<"fill">;
  const others = body.others.map(({ record }) => record);
  const faultOf = (of: object, records: readonly LogRecord[]) => {
    const report = new Report();
    checkNamed({ ...fill, ...of } as LogRecord<"fill">, records, report);
    return report.end().reason;
  };
  expect(fill).toMatchObject({ spreadPips: "1.1", fixed: false });
  expect(faultOf({}, others)).toBeNull();
  for (const wrong of [{ spreadPips: "1.2" }, { spreadPips: "0.8" }, { fixed: true }, { groupVersion: 1 }, { group: "gold" }, { instrumentVersion: 0 }])
    expect([wrong, faultOf(wrong, others) !== null]).toEqual([wrong, true]);
  for (const kind of ["group", "instrument", "countries", "terms"]) {
    const lacking = others.filter((record) => record.kind !== kind);
    expect(faultOf({}, lacking)).toContain("the file lacks the record of its terms");
  }
});

test("a version that was changed in the database is found by looking at the log", async () => {
  const amiss = async () => (await proveLogs(app.sql, logged)).filter(({ rows }) => rows > 0).map(({ first }) => first);
  await tamper(app.sql, (tx) => tx`update group_versions set commission = commission + 1 where group_id = 'starter' and version = 2`);
  expect((await amiss()).join()).toMatch(/^entry \d+ \(group starter:2\) says otherwise than the table does now$/);
  await tamper(app.sql, (tx) => tx`update group_versions set commission = commission - 1 where group_id = 'starter' and version = 2`);
  await tamper(app.sql, (tx) => tx`update instrument_terms set markup = 0.6 where symbol = 'EUR/USD' and version = 1`);
  expect((await amiss()).join()).toMatch(/^entry \d+ \(instrument EUR\/USD:1\) says otherwise than the table does now$/);
  await tamper(app.sql, (tx) => tx`update instrument_terms set markup = 0.5 where symbol = 'EUR/USD' and version = 1`);
  expect(await amiss()).toEqual([]);
  await tamper(
    app.sql,
    (tx) => tx`update instrument_terms set margin_steps = '[{"above": "1.00", "percent": "5.00"}]' where symbol = 'EUR/USD' and version = 1`,
  );
  expect((await amiss()).join()).toMatch(/^entry \d+ \(instrument EUR\/USD:1\) says otherwise than the table does now$/);
  await tamper(app.sql, (tx) => tx`update instrument_terms set margin_steps = null where symbol = 'EUR/USD' and version = 1`);
  expect(await amiss()).toEqual([]);
});

test("terms that were logged before their record said margin by size are looked at by what it said", async () => {
  await app.sql`
    insert into instrument_terms (symbol, version, state, margin_steps, markup, effective_at, changed_by, change_reason)
    values ('NZD/USD', 1, 'tradable', '[{"above": "1.00", "percent": "5.00"}]', 0.5, now(), ${ann.id}, 'By the release before')
  `;
  await logAll();
  const [row] = await app.sql<{ record: string }[]>`select record from proof_entries where ref = 'NZD/USD:1'`;
  expect(JSON.parse(row?.record ?? "")).toEqual({
    ...{ v: 1, kind: "instrument", symbol: "NZD/USD", version: 1, markup: "0.5", pip: "0.0001", minimum: null, step: null, maximum: null, marginPercent: null },
    ...{ effective: expect.any(String), at: expect.any(String) },
  });
  expect((await proveLogs(app.sql, logged)).filter(({ rows }) => rows > 0)).toEqual([]);
});
