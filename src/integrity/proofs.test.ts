import { afterAll, beforeAll, expect, test } from "bun:test";
import type { PositionFile, StatementFile } from "../proof/rules_files";
import { begun, type Batch, gapsIn, goOn, questionOf } from "../proof/rules_verify_between";
import { verify } from "../proof/rules_verify";
import type { LogRecord } from "../proof/schema";
import { win } from "../testing/corrections";
import { type Person, type TestApp, testApp } from "../testing/app";
import { fundLive, handHeld, until } from "../testing/scenarios";
import type { Receipt } from "../trading/schema";
import { takeLiabilities } from "./liabilities";

/** What a person takes away is what the log holds, and nobody else gets it. */

let app: TestApp;
let ann: Person & { id: string };
let tess: Awaited<ReturnType<TestApp["trader"]>>;
let accountId: string;
let key: string;
beforeAll(async () => {
  app = await testApp({ PUBLIC_URL: "https://trade.example" });
  ann = await app.admin();
  tess = await app.trader();
  await app.quote("EUR/USD", "1.10000", "1.10002");
  accountId = await fundLive(app, tess, "1000.00");
  await app.logbook.wake();
  key = (
    await app
      .stranger()
      .fetch("GET", "/log/key")
      .then((answer) => answer.text())
  ).trim();
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

/** Resolves when the log holds all that was dealt, and the quotes beneath it. */
async function logged() {
  await until("the ticks are recorded", async () => {
    const [row] = await app.sql<
      { there: boolean }[]
    >`select not exists (select from fills f where not exists (select from ticks t where t.seq = f.quote_seq)) as there`;
    return row?.there === true;
  });
  await app.logbook.wake();
}
const place = async (over: object = {}) =>
  (await tess.post<{ id: string }>("/api/trading/positions", { symbol: "EUR/USD", type: "buy", amount: 500, accountId, ...over })).body.id;
const fileOf = async (path: string, who: Person = tess) => {
  const answer = await who.fetch("GET", path);
  return { status: answer.status, text: await answer.text(), name: answer.headers.get("content-disposition") };
};
const stepsOf = (text: string, old: string | null = null) => verify(text, { key, old });

test("a fill's receipt carries its proof and its quote's, first null with a word, then what the file proves", async () => {
  // The log's own rounds wait while this looks at what none has appended.
  const hand = await handHeld(app.db);
  await hand.sql`lock table proof_entries in exclusive mode`;
  const id = await place({ currentPrice: "1.100175", maxSlippage: "0.001" });
  const early = (await tess.get<Receipt>(`/api/trading/positions/${id}/receipt`)).body.fills[0];
  const file = await fileOf(`/api/trading/positions/${id}/proof`);
  await hand.end();
  expect([early?.proof, early?.quote, early?.proofWord, file.status]).toEqual([null, null, "not yet in the log", 503]);
  await app.quote("EUR/USD", "1.10100", "1.10102");
  await tess.post(`/api/trading/positions/${id}/close`, { amount: "200" });
  await app.quote("EUR/USD", "1.10000", "1.10002");
  await tess.post(`/api/trading/positions/${id}/close`);
  await logged();
  const { fills } = (await tess.get<Receipt>(`/api/trading/positions/${id}/receipt`)).body;
  expect(fills.map(({ proof, quote, proofWord }) => [proof?.record.kind, quote?.tick.symbol, proofWord])).toEqual([
    ["fill", "EUR/USD", null],
    ["exit", "EUR/USD", null],
  ]);
  const { status, text, name } = await fileOf(`/api/trading/positions/${id}/proof`);
  expect([status, name]).toEqual([200, `attachment; filename="proof-${id.slice(0, 8)}.json"`]);
  const verdict = stepsOf(text);
  expect([verdict.reason, verdict.holds]).toEqual([null, true]);
  expect(verdict.steps.some(({ what }) => what.includes("terms of version 1"))).toBe(true);
  // The single proofs of the receipt's JSON hold, too, as they stand there.
  for (const single of fills.flatMap(({ proof, quote }) => [proof, quote])) expect(verify(JSON.stringify(single), { key }).reason).toBeNull();
});

/** Names in order, as a canonical file has them. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, each]) => [name, sorted(each)]),
  );
}

test("is the owner's alone", async () => {
  const id = await place();
  await logged();
  const other = await app.trader();
  for (const path of [`/api/trading/positions/${id}/proof`, `/api/trading/positions/${id}/receipt`]) {
    expect((await fileOf(path, other)).status).toBe(404);
    expect((await fileOf(path, app.stranger())).status).toBe(401);
  }
  expect((await fileOf(`/api/statements/proof?month=2026-11&accountId=${accountId}`, other)).status).toBe(404);
  expect((await fileOf("/api/integrity/liability", app.stranger())).status).toBe(401);
});

test("a target that was reached: by its tick, and by none of those between, which the server tells and the log holds", async () => {
  const id = await place({ takeProfit: "1.10500" });
  for (const bid of ["1.10100", "1.10300", "1.10600"]) await app.quote("EUR/USD", bid, `${bid.slice(0, -1)}2`);
  await logged();
  const { text } = await fileOf(`/api/trading/positions/${id}/proof`);
  expect(stepsOf(text).reason).toBeNull();
  const question = questionOf(text);
  if (!question) throw new Error("no question");
  const { body } = await tess.get<{ batches: Batch[]; more: boolean; missing: boolean }>(`/api/log/ticks?after=${question.after}&before=${question.before}`);
  const found = goOn(question, begun(question), body.batches);
  expect([found.fault, found.reached, found.ticks]).toEqual([null, null, 2]);
  // A server that leaves a tick out of a batch, or changes one, is found out by the batch's root.
  const [first] = body.batches;
  if (!first) throw new Error("no batch");
  for (const ticks of [first.ticks.slice(1), first.ticks.map((tick) => ({ ...tick, bid: "1.10000000" }))])
    expect(goOn(question, begun(question), [{ ...first, ticks }]).fault).toContain("not those that the log holds");
  expect(goOn({ ...question, bound: "1.10200000" }, begun(question), body.batches).reached?.bid).toBe("1.10300000");
  // One that leaves out whole batches, all of them or those at either end, leaves places at which numbers are missing.
  expect(gapsIn(question, found)).toBe(0);
  expect(gapsIn(question, begun(question))).toBe(1);
  const [begins, ends] = [body.batches[0], body.batches.at(-1)].map((batch) => batch?.proof.record as LogRecord<"ticks">) as [
    LogRecord<"ticks">,
    LogRecord<"ticks">,
  ];
  for (const wider of [
    { ...question, after: begins.first - 2 },
    { ...question, before: ends.last + 2 },
  ])
    expect(gapsIn(wider, goOn(wider, begun(wider), body.batches))).toBe(1);
});

test("a correction's file holds with the correction's record, and not without it", async () => {
  await app.quote("EUR/USD", "1.10600", "1.10602");
  const id = await place();
  expect((await win(ann, id, 5)).status).toBe(200);
  await logged();
  const { text } = await fileOf(`/api/trading/positions/${id}/proof`);
  const verdict = stepsOf(text);
  expect(verdict.reason).toBeNull();
  expect(verdict.steps.map(({ what }) => what).join()).toContain("An administrator settled it with $5.00");
  const { others, ...rest } = JSON.parse(text) as PositionFile;
  const without = JSON.stringify(sorted({ ...rest, others: others.filter(({ record }) => record.kind !== "correction") }));
  expect(stepsOf(without).reason).toStartWith("The correction: an administrator settled it");
});

test("a month's statement proves each of its closings, and what they moved the balance by", async () => {
  await logged();
  const month = new Date().toISOString().slice(0, 7);
  const { body } = await tess.get<{ lines: { type: string; amount: string; proof: object | null }[] }>(`/api/statements?month=${month}&accountId=${accountId}`);
  const dealt = body.lines.filter(({ type }) => type === "trade" || type === "correction");
  expect(dealt.length).toBeGreaterThan(2);
  expect(body.lines.every(({ type, proof }) => (proof !== null) === (type === "trade" || type === "correction"))).toBe(true);
  const { text } = await fileOf(`/api/statements/proof?month=${month}&accountId=${accountId}`);
  expect(stepsOf(text).reason).toBeNull();
  expect((JSON.parse(text) as StatementFile).lines.map(({ amount }) => amount)).toEqual(dealt.map(({ amount }) => amount));
  expect((await fileOf(`/api/statements/proof?month=2025-01&accountId=${accountId}`)).status).toBe(404);
});

test("with a checkpoint that was kept the file shows that the log only grew; a rewritten record is exposed by it", async () => {
  const kept = await app
    .stranger()
    .fetch("GET", "/log/checkpoint")
    .then((answer) => answer.text());
  const size = Number(kept.split("\n")[1]);
  const id = await place();
  await logged();
  const { text } = await fileOf(`/api/trading/positions/${id}/proof?since=${size}`);
  expect(stepsOf(text, kept).steps.at(-1)?.what).toBe(`Since your checkpoint of ${size} records the log only grew.`);
  expect((await fileOf(`/api/trading/positions/${id}/proof?since=99999999`)).status).toBe(400);
});

test("each client is in the day's tree of what is owed, with the sum of his books, once; many programs make one tree", async () => {
  const tomorrow = new Date(Date.now() + 86_400_000);
  await Promise.all(Array.from({ length: 6 }, () => takeLiabilities(app.context.sql, tomorrow)));
  const day = tomorrow.toISOString().slice(0, 10);
  const [made] = await app.sql<{ total: string; size: number; leaves: number; owed: string }[]>`
    select d.total, d.size, count(*)::integer as leaves, sum(l.owed) as owed
    from liability_days d join liability_leaves l on l.day = d.day where d.day = ${day}::date group by d.day, d.total, d.size
  `;
  const [people] = await app.sql<{ n: number; held: string }[]>`
    select count(distinct owner_id)::integer as n, sum(balance) as held from ledger_accounts where book = 'live' and owner_id is not null
  `;
  expect(made).toEqual({ total: people?.held ?? "", size: 1024, leaves: people?.n ?? 0, owed: people?.held ?? "" });
  await app.logbook.wake();
  for (const who of [tess, ann as unknown as typeof tess].slice(0, 1)) {
    const { text, name } = await fileOf(`/api/integrity/liability?day=${day}`, who);
    expect(name).toBe(`attachment; filename="owed-${day}.json"`);
    const verdict = stepsOf(text);
    expect([verdict.reason, verdict.steps.some(({ what }) => what.includes(`for client ${who.id} is in it`))]).toEqual([null, true]);
    const [own] = await app.sql<{ sum: string }[]>`select sum(balance) as sum from ledger_accounts where book = 'live' and owner_id = ${who.id}`;
    expect(text).toContain(`"owed":"${own?.sum}"`);
  }
  await expect(app.sql`update liability_days set total = 1`.then(() => {})).rejects.toThrow();
});

test("of what was dealt before the log began the receipt says that there is no proof, and the statement proves the others", async () => {
  await logged();
  const month = new Date().toISOString().slice(0, 7);
  const proven = async () => JSON.parse((await fileOf(`/api/statements/proof?month=${month}&accountId=${accountId}`)).text) as StatementFile;
  const before = (await proven()).lines.length;
  // As where receipts were written before the release that logs them.
  await app.sql`update proof_marks set high = high + 100 where note = 'fill'`;
  const id = await place();
  await tess.post(`/api/trading/positions/${id}/close`);
  const { fills } = (await tess.get<Receipt>(`/api/trading/positions/${id}/receipt`)).body;
  expect(fills.map(({ proof, proofWord }) => [proof, proofWord])).toEqual(fills.map(() => [null, "dealt before the log began"]));
  expect((await fileOf(`/api/trading/positions/${id}/proof`)).status).toBe(409);
  expect((await proven()).lines.length).toBe(before);
  await app.sql`update proof_marks set high = (select max(id) from fills) where note = 'fill'`;
});

test("the page of integrity names the log, its key, and where its records stand", async () => {
  await app.integrity.measure();
  app.pass(61_000);
  const html = (await app.stranger().get(`/integrity?now=${crypto.randomUUID()}`)).text.replaceAll("<!-- -->", "");
  expect(html).toContain(key.replaceAll("+", "+"));
  expect(html).toMatch(/\d+ records, no\. \d+ to \d+ of the log/);
  const path = /href="(\/log\/tile\/entries\/[^"]+)"/.exec(html)?.[1] ?? "";
  expect((await app.stranger().fetch("GET", path)).status).toBe(200);
  // Each figure leads to the records that it is counted from or says that there are none.
  const figure = (name: string) => html.split(`aria-label="${name}"`)[1]?.split('role="group"')[0] ?? "";
  for (const name of ["Live accounts that lost money", "From request to payout", "Prices were there", "Owed in all"])
    expect([name, figure(name).includes("/log/tile/entries/")]).toEqual([name, true]);
  expect(figure("Orders refused for an old price")).toContain("The log holds no record of what was refused");
  const mine = await tess.get("/integrity/mine");
  expect(mine.text).toContain("It holds");
});

test("what was taken of commission is in the receipts' records and proves its lines of the statement", async () => {
  const version = (await ann.get<{ id: string; version: number }[]>("/api/admin/groups")).body.find(({ id }) => id === "starter")?.version;
  expect((await ann.patch("/api/admin/groups", { id: "starter", version, reason: "A test", commission: "35" })).status).toBe(200);
  await app.quote("EUR/USD", "1.10000", "1.10002");
  const id = await place();
  expect((await tess.post(`/api/trading/positions/${id}/close`)).status).toBe(200);
  await logged();
  const { text } = await fileOf(`/api/trading/positions/${id}/proof`);
  const { opening, closing } = JSON.parse(text) as PositionFile;
  expect([opening?.proof.record, closing?.proof.record]).toMatchObject([
    { v: 6, commission: "0.18" },
    { v: 3, commission: "0.18" },
  ]);
  const { reason, steps } = stepsOf(text);
  expect([reason, steps.filter(({ what }) => what.includes("commission of $0.18")).map(({ state }) => state)]).toEqual([null, ["holds", "holds"]]);

  const month = new Date().toISOString().slice(0, 7);
  const statement = (await fileOf(`/api/statements/proof?month=${month}&accountId=${accountId}`)).text;
  expect(stepsOf(statement).reason).toBeNull();
  const taken = (JSON.parse(statement) as StatementFile).lines.filter(({ amount }) => amount === "-0.18");
  expect(taken.map(({ proof }) => proof.record.kind)).toEqual(["fill", "exit"]);
});
