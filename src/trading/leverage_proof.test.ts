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

/** An opening's record says all that its margin follows from, by every way to deal: the account's leverage, its country's, and what it waited at. */

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
  return { reason, words: steps.map(({ what }) => what).filter((what) => what.startsWith("The opening’s leverage")), record: body.opening?.proof.record };
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
    [free, one, 100, { own: 100, cap: null, placed: null }, "the account’s 1:100"],
    [bound, two, 30, { own: 100, cap: 30, placed: null }, "the least of the account’s 1:100 and 1:30 where its owner lives"],
    [bound, alone, 30, { own: 100, cap: 30, placed: null }, "the least of the account’s 1:100 and 1:30 where its owner lives"],
    [free, lower, 50, { own: 50, cap: null, placed: null }, "the account’s 1:50"],
    [free, asked, 25, { own: 50, cap: null, placed: null }, "the least of the account’s 1:50 and what version 1 of the instrument’s terms asks for"],
    [
      ...([free, waiting, 25, { own: 50, cap: null, placed: 100 }] as const),
      "the least of the account’s 1:50, 1:100 at which it waited and what version 1 of the instrument’s terms asks for",
    ],
    [
      ...([bound, capped, 25, { own: 50, cap: null, placed: 30 }] as const),
      "the least of the account’s 1:50, 1:30 at which it waited and what version 1 of the instrument’s terms asks for",
    ],
  ];
  for (const [who, position, leverage, said, words] of cases) {
    const proof = await proofOf(who, position);
    expect(proof).toMatchObject({ reason: null, record: { v: 4, leverage, held: null, ...said } });
    expect(proof.words).toEqual([`The opening’s leverage of 1:${leverage} is ${words}.`]);
  }
  expect(await amiss()).toEqual([]);
});

test("what an earlier program dealt is told as it was then", async () => {
  const tess = await app.trader();
  await app.logbook.rest();
  const plain = await deal(tess);
  await ann.patch("/api/admin/instruments/EUR%2FUSD", { marginPercent: "1", marginSteps: "1000 5", reason: "A test" });
  const sized = await deal(tess, { amount: 3000 });
  await tamper(
    app.sql,
    (tx) => tx`
      update fills set own_leverage = case when held is not null then account_leverage end, account_leverage = null, cap_leverage = null
      where kind = 'open' and position_id in (${plain.id}, ${sized.id})`,
  );
  const [lead] = await app.sql<{ epoch: number }[]>`select epoch from leadership`;
  app.logbook.lead(lead?.epoch ?? 0, () => {});
  await app.logbook.wake();
  const [first, second] = [await proofOf(tess, plain), await proofOf(tess, sized)];
  expect([first.reason, second.reason]).toEqual([null, null]);
  expect(first.record?.v).toBe(2);
  expect(first.record).not.toContainAnyKeys(["own", "cap", "held", "placed"]);
  expect(second.record).toMatchObject({ v: 3, held: "1000.00", own: 50, placed: null });
  expect(second.record).not.toContainKey("cap");
  expect(await amiss()).toEqual([]);
});
