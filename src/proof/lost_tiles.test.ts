import { afterAll, beforeAll, expect, test } from "bun:test";
import type { GroupVersion } from "../accounts/schema_groups";
import { logged } from "../admin/queries_logged";
import { leadAlone } from "../platform/cluster/leader";
import { type TestApp, testApp } from "../testing/app";
import { changeEach } from "../testing/changed_bytes";
import { type TestDatabase, testDatabase } from "../testing/database";
import { appending, drain, madeUp } from "../testing/log_notes";
import { fundLive, order, tamper, until } from "../testing/scenarios";
import type { Position, Receipt } from "../trading/schema";
import { proveLogs } from "./check";
import { endLog, endRestoredLog } from "./commands";
import type { PositionFile, StatementFile } from "./rules_files";
import { verify } from "./rules_verify";
import type { Proof } from "./schema";
import type { Source } from "./sources";

/** A log whose tile is lost has ended: the next one tells what proofs need anew, and of what was lost each file says so and has the rest. */

let app: TestApp;
let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
  app = await testApp({ PUBLIC_URL: "https://trade.example" });
  await app.logbook.wake();
});
afterAll(async () => {
  await app.end();
  await db.drop();
});

/** A kind of versions, whose refs are numbers. */
const versions = (inEachLog?: true): Source => ({
  note: "made",
  ...(inEachLog && { inEachLog }),
  read: async (_, told) => new Map(told.map(({ ref }) => [ref, { kind: "countries", fields: { version: Number(ref), rules: "{}", at: "then" } }])),
});

test("each log tells all versions that were told before, once each; so does one that a release began which told none anew", async () => {
  const epoch = await leadAlone(db.sql);
  const by = (source: Source) => appending(db.sql, epoch, { sources: { ...madeUp, records: [source] } });
  const note = (...refs: number[]) => db.sql`insert into proof_outbox (kind, ref) select 'made', n::text from unnest(${refs}::integer[]) n`;
  const refs = async (log: number) =>
    (await db.sql<{ ref: string }[]>`select ref from proof_entries where log = ${log} and kind = 'made' order by index`).map(({ ref }) => ref);
  await note(1, 2);
  await drain(by(versions(true)));
  expect(await refs(1)).toEqual(["1", "2"]);
  await endLog(db.sql, "a tile is lost");
  await note(3);
  await drain(by(versions()));
  expect(await refs(2)).toEqual(["3"]);
  for (let n = 0; n < 2; n++) await drain(by(versions(true)));
  expect(await refs(2)).toEqual(["3", "1@2", "2@2"]);
  await db.sql.begin(endRestoredLog);
  await note(4);
  const state = await drain(by(versions(true)));
  await note(5);
  await drain(by(versions(true)), state);
  expect(await refs(3)).toEqual(["1@3", "2@3", "3@3", "4", "5"]);
  expect((await proveLogs(db.sql, { ...madeUp, records: [versions(true)] })).filter(({ rows }) => rows > 0)).toEqual([]);
});

const month = () => new Date().toISOString().slice(0, 7);
type Trader = Awaited<ReturnType<TestApp["trader"]>>;
async function opened(tess: Trader, accountId: string): Promise<string> {
  const { status, body, text } = await tess.post<Position>("/api/trading/positions", { ...order, amount: 100, accountId });
  if (status !== 201) throw new Error(text);
  return body.id;
}
async function closed(tess: Trader, position: string): Promise<string> {
  const { status, text } = await tess.post(`/api/trading/positions/${position}/close`);
  if (status !== 200) throw new Error(text);
  return position;
}
/** Resolves when all that was dealt is in the log, and the quotes beneath it are kept. */
const settled = () =>
  until("the log has all deals and their quotes", async () => {
    await app.logbook.wake();
    const [row] = await app.sql<{ there: boolean }[]>`
      select not exists (select from fills f where not exists (select from proof_entries e where e.kind = 'fill' and e.ref = f.id::text)
        or not exists (select from proof_ticks t where t.seq = f.quote_seq and t.first is not null)) as there`;
    return row?.there === true;
  });
const originOf = ({ checkpoint }: Proof) => checkpoint.split("\n", 1)[0];
/** How often each version stands in a log. */
const toldIn = (log: number) => app.sql<{ name: string; times: number }[]>`
  select kind || ' ' || regexp_replace(ref, '@[0-9]+$', '') as name, count(*)::integer as times from proof_entries
  where log = ${log} and kind in ('group', 'instrument', 'countries') group by 1 order by 1`;
const allVersions = async () =>
  (
    await app.sql<{ name: string }[]>`
      select 'group ' || group_id || ':' || version as name from group_versions
      union all select 'instrument ' || symbol || ':' || version from instrument_terms
      union all select 'countries ' || version from country_versions`
  )
    .map(({ name }) => name)
    .toSorted();

test("after a lost tile and the log's end new deals are proven whole, old ones as far as they can be, and nothing is asked for again for ever", async () => {
  const [ann, tess] = [await app.admin(), await app.trader()];
  const accountId = await fundLive(app, tess, "1000.00");
  await app.quote("EUR/USD", "1.10000", "1.10002");
  const gone = await closed(tess, await opened(tess, accountId));
  const held = await opened(tess, accountId);
  await settled();
  // More versions than a tile holds: what follows is in the next one.
  await app.sql`insert into country_versions (version, rules) select n, country_rules() from generate_series(2, 261) n`;
  await app.quote("EUR/USD", "1.10001", "1.10003");
  const bare = await closed(tess, await opened(tess, accountId));
  await settled();
  const { version } = (await ann.get<GroupVersion[]>("/api/admin/groups")).body.find(({ id }) => id === "starter") ?? {};
  expect((await ann.patch("/api/admin/groups", { id: "starter", version, reason: "A test", spreadPips: "2.0" })).status).toBe(200);
  const late = await closed(tess, await opened(tess, accountId));
  await settled();
  const tileOf = async (position: string) =>
    (
      await app.sql<{ tile: number }[]>`
        select distinct e.index / 256 as tile from proof_entries e join fills f on e.kind = 'fill' and e.ref = f.id::text where f.position_id = ${position}`
    ).map(({ tile }) => Number(tile));
  expect([await tileOf(gone), await tileOf(held), await tileOf(bare), await tileOf(late)]).toEqual([[0], [0], [1], [1]]);

  await tamper(app.sql, (tx) => tx`delete from proof_tiles where log = 1 and level = 0 and n = 0`);
  await app.logbook.check();
  const proofOf = async (position: string) => tess.get<PositionFile>(`/api/trading/positions/${position}/proof`);
  // Until somebody decides, the tile may come back.
  expect([(await proofOf(gone)).status, app.logbook.missing]).toEqual([503, "tile 0/000 is missing or too narrow"]);
  await endLog(app.sql, "A tile is lost");
  await app.logbook.check();
  await app.quote("EUR/USD", "1.10004", "1.10006");
  const fresh = await closed(tess, await opened(tess, accountId));
  await closed(tess, held);
  await settled();
  const keyNow = async () => (await app.stranger().get("/log/key")).text.trim();
  let key = await keyNow();
  const checked = async (position: string) => {
    const { status, body, text } = await proofOf(position);
    const verdict = verify(text, { key });
    expect([status, verdict.reason, verdict.holds]).toEqual([200, null, true]);
    const { lost, opening, closing, others } = body;
    return {
      lost,
      text,
      has: [opening !== null, closing !== null],
      others,
      open: verdict.steps.flatMap(({ state, what }) => (state === "open" ? [what] : [])),
    };
  };

  // What is dealt from here on needs nothing of the log before.
  const whole = await checked(fresh);
  const { opening, closing, others } = JSON.parse(whole.text) as PositionFile;
  expect([whole.lost, whole.has, whole.open]).toEqual([undefined, [true, true], []]);
  expect(others.map(({ record }) => record.kind).toSorted()).toEqual(["countries", "group", "terms"]);
  const proofs = [...others, ...[opening, closing].flatMap((deal) => (deal ? [deal.proof, deal.quote.batch] : []))];
  expect([...new Set(proofs.map(originOf))]).toEqual(["trade.example/log/2"]);
  // Opened in what is lost and closed now; dealt beside what is lost, of which the terms are lost, or nothing is.
  const later = await checked(held);
  expect([later.lost, later.has]).toEqual([["opening"], [false, true]]);
  expect(later.open.join()).toContain("The opening can’t be checked as a whole");
  const left = await checked(bare);
  expect([left.lost, left.has, left.others.map(({ record }) => record.kind)]).toEqual([
    ["opening", "closing"],
    [false, false],
    ["fill", "exit"],
  ]);
  const mended = await checked(late);
  expect([mended.lost, mended.has]).toEqual([undefined, [true, true]]);

  // Of what was wholly in that tile nothing is left, which is said.
  const nothing = await proofOf(gone);
  expect([nothing.status, nothing.text]).toEqual([409, expect.stringContaining("The part of the public log that held this is lost")]);
  const wordsOf = async (position: string) =>
    (await tess.get<Receipt>(`/api/trading/positions/${position}/receipt`)).body.fills.map(({ proof, proofWord }) => [proof !== null, proofWord]);
  const lostWord = [false, "the part of the log that held it is lost"];
  expect([await wordsOf(gone), await wordsOf(held)]).toEqual([
    [lostWord, lostWord],
    [lostWord, [true, null]],
  ]);
  const pageOf = async (position: string) => (await tess.get(`/positions/${position}/receipt`)).text;
  expect(await pageOf(gone)).toContain("is lost, so there is no proof of it any more");
  expect(await pageOf(held)).toContain("The proof has what is left, and says what it lacks");

  const statement = await tess.get<StatementFile>(`/api/statements/proof?month=${month()}&accountId=${accountId}`);
  const verdict = verify(statement.text, { key });
  expect([statement.status, verdict.reason]).toEqual([200, null]);
  expect([statement.body.lost, statement.body.lines.length]).toEqual([["lines"], 4]);
  expect(verdict.steps.map(({ what }) => what).join()).toContain("The file says that it lacks lines of this month");

  // Nobody can say that something is lost which is there, and no byte of such a file can be changed.
  const claimed = verify(whole.text.replace(`,"opening":{"proof"`, `,"lost":["opening"],"opening":{"proof"`), { key });
  expect(claimed.reason).toStartWith("The opening: the file says that it is lost, and has it");
  for (const bad of ['["opening","opening"]', "[]", '["all"]', "null"])
    expect([bad, verify(later.text.replace('"lost":["opening"]', `"lost":${bad}`), { key }).holds]).toEqual([bad, false]);
  changeEach(later.text, key, 29);
  changeEach(left.text, key, 29);

  // Each version stands once in each log that follows, whoever leads, and is what the tables have.
  const once = (await allVersions()).map((name) => ({ name, times: 1 }));
  const sorted = async (log: number) => (await toldIn(log)).toSorted((one, other) => (one.name < other.name ? -1 : 1));
  await app.retake();
  await app.logbook.wake();
  expect(await sorted(2)).toEqual(once);
  await app.sql.begin(endRestoredLog);
  await app.logbook.check();
  await app.logbook.wake();
  expect(await sorted(3)).toEqual(once);
  expect((await proveLogs(app.sql, logged)).filter(({ rows }) => rows > 0).map(({ check }) => check)).toEqual(["public_log_1"]);
  key = await keyNow();
  // And with three logs of which one lost a tile all stays as it was said.
  expect([(await checked(fresh)).lost, (await checked(held)).lost, (await checked(late)).lost]).toEqual([undefined, ["opening"], undefined]);
});
