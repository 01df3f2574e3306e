import { afterAll, beforeAll, expect, test } from "bun:test";
import { logged } from "../admin/queries_logged";
import type { GroupVersion } from "../accounts/schema_groups";
import { proveLogs } from "../proof/check";
import type { PositionFile } from "../proof/rules_files";
import { verify } from "../proof/rules_verify";
import { type TestApp, testApp } from "../testing/app";
import { holdFirst } from "../testing/instruments";
import { order, tamper, until } from "../testing/scenarios";
import { sentOrder } from "../testing/sent_orders";
import { openTogether } from "./commands_together";
import type { Position } from "./schema";

/** An opening's record says all that its margin follows from, by every way to deal: the account's leverage, its country's by which version, and what it waited at. */

let app: TestApp;
let ann: Awaited<ReturnType<TestApp["admin"]>>;
let key: string;
beforeAll(async () => {
  app = await testApp({ PUBLIC_URL: "https://trade.example" });
  ann = await app.admin();
  await app.logbook.wake();
  key = (await (await app.stranger().fetch("GET", "/log/key")).text()).trim();
  await app.quote("EUR/USD", "1.10000", "1.10010");
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
  holdFirst();
});

type Trader = Awaited<ReturnType<TestApp["trader"]>>;
const deal = async (who: Trader, over: object = {}, headers = {}) => {
  const { status, body, text } = await who.post<Position>("/api/trading/positions", { ...order, ...over }, headers);
  if (status !== 201) throw new Error(text);
  return body;
};
const rule = (rules: object) =>
  ann.post("/api/admin/jurisdictions", {
    ...{ country: "DE", isServed: true, leverageMajor: null, leverageMinor: null, leverageCrypto: null, promotions: true, warning: null },
    ...rules,
  });
const proofOf = async (who: Trader, { id }: Position) => {
  const path = `/api/trading/positions/${id}/proof`;
  await until("the deal is in the log", async () => (await who.fetch("GET", path)).status === 200);
  const { text, body } = await who.get<PositionFile>(path);
  const { reason, steps } = verify(text, { key });
  const words = steps.map(({ what }) => what);
  const [leverage, bounds] = ["The opening’s leverage", "The most leverage in "].map((start) => words.filter((what) => what.startsWith(start)));
  return { reason, words: leverage, bounds, record: body.opening?.proof.record };
};
const amiss = async () => (await proveLogs(app.sql, logged)).filter(({ rows }) => rows > 0);

test("together with others, alone, and after it waited", async () => {
  const [free, bound] = [await app.trader({ country: "US" }), await app.trader({ country: "DE" })];
  const waiting = await deal(free, { orderType: "limit", triggerPrice: "1.09000" });
  expect((await rule({ leverageMajor: 30 })).status).toBe(200);
  const capped = await deal(bound, { orderType: "limit", triggerPrice: "1.09000" });
  const sent = await Promise.all([free, bound].map((who) => sentOrder(app, who)));
  const together = await openTogether(app.context.sql, sent, app.trading.board());
  const [one, two] = [free, bound].map(({ id }) => together.find(({ userId }) => userId === id)?.answer as Position) as [Position, Position];
  const alone = await deal(bound, { stopLoss: 1.05, trailingDistance: 0.02 }, { "idempotency-key": "k1" });
  const version = (await ann.get<GroupVersion[]>("/api/admin/groups")).body.find(({ id }) => id === "starter")?.version;
  expect((await ann.patch("/api/admin/groups", { id: "starter", version, leverage: 50, reason: "A test" })).status).toBe(200);
  const lower = await deal(free);
  await ann.patch("/api/admin/instruments/EUR%2FUSD", { marginPercent: "4", reason: "A test" });
  const asked = await deal(free);
  await app.quote("EUR/USD", "1.08900", "1.08905");
  for (const [who, { id }] of [
    [free, waiting],
    [bound, capped],
  ] as const)
    await until("it is filled", async () => (await who.get<{ fills: object[] }>(`/api/trading/positions/${id}/receipt`)).body.fills.length === 1);
  await app.logbook.wake();

  const cases: [Trader, Position, number, object, string][] = [
    [free, one, 100, { own: 100, cap: null, placed: null, country: "US", countryVersion: 2 }, "the account’s 1:100"],
    [bound, two, 30, { own: 100, cap: 30, placed: null, country: "DE", countryVersion: 2 }, "the least of the account’s 1:100 and 1:30 where its owner lives"],
    [
      bound,
      alone,
      30,
      { own: 100, cap: 30, placed: null, country: "DE", countryVersion: 2 },
      "the least of the account’s 1:100 and 1:30 where its owner lives",
    ],
    [free, lower, 50, { own: 50, cap: null, placed: null }, "the account’s 1:50"],
    [free, asked, 25, { own: 50, cap: null, placed: null }, "the least of the account’s 1:50 and what version 1 of the instrument’s terms asks for"],
    [
      // No country had rules when it was placed.
      ...([free, waiting, 25, { own: 50, cap: null, placed: 100, country: null, countryVersion: 1 }] as const),
      "the least of the account’s 1:50, 1:100 at which it waited and what version 1 of the instrument’s terms asks for",
    ],
    [
      ...([bound, capped, 25, { own: 50, cap: null, placed: 30, country: "DE", countryVersion: 2 }] as const),
      "the least of the account’s 1:50, 1:30 at which it waited and what version 1 of the instrument’s terms asks for",
    ],
  ];
  for (const [who, position, leverage, said, words] of cases) {
    const proof = await proofOf(who, position);
    expect(proof).toMatchObject({ reason: null, record: { v: 6, leverage, held: null, ...said } });
    expect(proof.words).toEqual([`The opening’s leverage of 1:${leverage} is ${words}.`]);
    expect(proof.bounds).toEqual([expect.stringMatching(/^The most leverage in .+ is what version \d of the countries’ rules has\.$/)]);
  }
  expect(await amiss()).toEqual([]);
});

test("an operator who changes a country's rules afterwards, with all rights, is exposed by his own log", async () => {
  const bound = await app.trader({ country: "DE" });
  const position = await deal(bound);
  expect((await rule({ leverageMajor: 20 })).status).toBe(200);
  const later = await deal(bound, { amount: 100 });
  await app.logbook.wake();
  // What holds later has its own version, whatever the log had heard by the deal.
  expect((await proofOf(bound, position)).record).toMatchObject({ cap: 30, countryVersion: 2 });
  expect((await proofOf(bound, later)).record).toMatchObject({ leverage: 20, cap: 20, countryVersion: 3 });
  type Write = Parameters<typeof tamper>[1];
  const lies: [Write, Write, RegExp][] = [
    [
      (tx) => tx`update country_versions set rules = jsonb_set(rules, '{DE,leverageMajor}', '20') where version = 2`,
      (tx) => tx`update country_versions set rules = jsonb_set(rules, '{DE,leverageMajor}', '30') where version = 2`,
      /^entry \d+ \(countries 2\) says otherwise than the table does now$/,
    ],
    [
      (tx) => tx`update positions set country_version = 3 where id = ${position.id}`,
      (tx) => tx`update positions set country_version = 2 where id = ${position.id}`,
      /^entry \d+ \(fill \d+\) says otherwise than the table does now$/,
    ],
  ];
  for (const [lie, truth, words] of lies) {
    await tamper(app.sql, lie);
    expect((await amiss()).map(({ first }) => first)).toEqual([expect.stringMatching(words)]);
    await tamper(app.sql, truth);
    expect(await amiss()).toEqual([]);
  }
  // Nor does any command change them, and what the log says stays as it was.
  expect(async () => await app.sql`update country_versions set rules = '{}'`).toThrow("append-only");
  expect(async () => await app.sql`update positions set country_version = 1 where id = ${position.id}`).toThrow("keeps what it says");
  expect((await proofOf(bound, position)).reason).toBeNull();
});

test("the rules of many countries that are set together are one version, and setting them again none", async () => {
  const versions = async () => {
    const rows = await app.sql<{ version: number; countries: number }[]>`
      select version, (select count(*)::integer from jsonb_object_keys(rules)) as countries from country_versions order by version`;
    return rows.map(({ version, countries }) => [version, countries]);
  };
  const before = await versions();
  const newest = Number(before.at(-1)?.[0]);
  for (let n = 0; n < 2; n++) expect((await ann.post("/api/admin/jurisdictions/preset", { preset: "esma-retail" })).status).toBe(200);
  expect(await versions()).toEqual([...before, [newest + 1, 30]]);
  expect((await ann.post("/api/admin/jurisdictions/remove", { country: "FR" })).status).toBe(200);
  expect(await versions()).toEqual([...before, [newest + 1, 30], [newest + 2, 29]]);
});

test("orders that come while rules change are each bounded by the version that they name, and each change is one version", async () => {
  const [before] = await app.sql<{ version: number }[]>`select max(version) as version from country_versions`;
  const people = await Promise.all(Array.from({ length: 8 }, () => app.trader({ country: "IT" })));
  const bounds = [11, 12, 13, 14, 15, 16];
  const [dealt] = await Promise.all([
    Promise.all([...people, ...people].map((who, n) => deal(who, n < people.length ? {} : { orderType: "limit", triggerPrice: "1.05000" }))),
    Promise.all(bounds.map((leverageMajor) => rule({ country: "IT", leverageMajor }))),
  ]);
  const rows = await app.sql<{ version: number; leverage: number; bound: number }[]>`
    select p.country_version as version, p.leverage, (v.rules -> p.country ->> 'leverageMajor')::integer as bound
    from positions p join country_versions v on v.version = p.country_version where p.id = any(${dealt.map(({ id }) => id)}::uuid[])`;
  expect(rows).toHaveLength(2 * people.length);
  // The instrument's own terms ask for 4 %.
  for (const { version, leverage, bound } of rows) expect([version, leverage]).toEqual([version, Math.min(bound, 25)]);
  const [after] = await app.sql<{ version: number; all: number }[]>`select max(version) as version, count(*)::integer as all from country_versions`;
  expect(after).toEqual({ version: Number(before?.version) + bounds.length, all: Number(before?.version) + bounds.length });
});

test("what an earlier program dealt is told as it was then", async () => {
  const tess = await app.trader();
  await app.logbook.rest();
  const plain = await deal(tess);
  await ann.patch("/api/admin/instruments/EUR%2FUSD", { marginPercent: "1", marginSteps: "1000 5", reason: "A test" });
  const sized = await deal(tess, { amount: 3000 });
  const geared = await deal(tess);
  await tamper(
    app.sql,
    (tx) => tx`
      update fills set own_leverage = case when held is not null then account_leverage end, account_leverage = null, cap_leverage = null
      where kind = 'open' and position_id in (${plain.id}, ${sized.id})`,
  );
  await tamper(app.sql, (tx) => tx`update positions set country = null, country_version = null where id in (${plain.id}, ${sized.id}, ${geared.id})`);
  const [lead] = await app.sql<{ epoch: number }[]>`select epoch from leadership`;
  app.logbook.lead(lead?.epoch ?? 0, () => {});
  await app.logbook.wake();
  const [first, second, third] = [await proofOf(tess, plain), await proofOf(tess, sized), await proofOf(tess, geared)];
  expect([first.reason, second.reason, third.reason]).toEqual([null, null, null]);
  expect(first.record?.v).toBe(2);
  expect(first.record).not.toContainAnyKeys(["own", "cap", "held", "placed"]);
  expect(second.record).toMatchObject({ v: 3, held: "1000.00", own: 50, placed: null });
  expect(second.record).not.toContainKey("cap");
  expect(third.record).toMatchObject({ v: 4, cap: null, placed: null });
  expect(third.record).not.toContainAnyKeys(["country", "countryVersion"]);
  expect(await amiss()).toEqual([]);
});
