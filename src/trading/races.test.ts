import { afterAll, beforeAll, expect, test } from "bun:test";
import { priceUnits } from "../lib/money";
import type { Quote } from "../market/board";
import { boardOf } from "../market/board_sql";
import { win } from "../testing/corrections";
import { type Answer, type Person, type TestApp, testApp } from "../testing/app";
import { accountsOf, handHeld, onDevices, order, until, waiting, withoutGuard } from "../testing/scenarios";
import { closeByEngine } from "./commands";
import { stopOut } from "./commands_margin";
import type { Position } from "./schema";

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

type Trader = Awaited<ReturnType<TestApp["trader"]>>;
const statuses = (answers: readonly Answer<unknown>[]) =>
  Object.fromEntries([...Map.groupBy(answers, ({ status }) => status)].map(([status, list]) => [status, list.length]));
const open = async (tess: Trader, over: object = {}) => (await tess.post<Position>("/api/trading/positions", { ...order, ...over })).body;
const openOf = async (tess: Trader) => (await tess.get<Position[]>("/api/trading/positions/open")).body;
const historyOf = async (tess: Trader) => (await tess.get<Position[]>("/api/trading/positions/history")).body;
const traces = async (id: string) =>
  (
    await app.sql<{ fills: number; entries: number }[]>`
      select (select count(*)::integer from fills where position_id = ${id} and kind = 'close') as fills,
        (select count(*)::integer from ledger_entries where object_id = ${id} and kind = 'trade_close') as entries
    `
  )[0];

test("twenty closings of one position: one wins, the others are told so, and the money moves once", async () => {
  const tess = await app.trader();
  await app.quote("EUR/USD", "1.10000", "1.10002");
  const { id } = await open(tess);
  await app.quote("EUR/USD", "1.12000", "1.12002");
  const answers = await Promise.all(Array.from({ length: 20 }, () => tess.post(`/api/trading/positions/${id}/close`)));
  expect(statuses(answers)).toEqual({ 200: 1, 409: 19 });
  expect(await traces(id)).toEqual({ fills: 1, entries: 1 });
  expect((await accountsOf(tess))[0]?.balance).toBe("10017.88");
});

test("trader, close-all, stop and target race for one position: one closing, with the winner's reason on record", async () => {
  for (let round = 0; round < 12; round++) {
    const tess = await app.trader();
    await app.quote("GBP/USD", "1.25000", "1.25002");
    const { id, accountId } = await open(tess, { symbol: "GBP/USD", stopLoss: 1.24, takeProfit: 1.26 });
    // A tick that reaches an exit, in the middle of twenty who close by hand.
    const tick = () => (round % 2 ? app.quote("GBP/USD", "1.23900", "1.23902") : app.quote("GBP/USD", "1.26100", "1.26102"));
    const byHand = (i: number) => (i % 2 ? tess.post(`/api/trading/positions/${id}/close`) : tess.post("/api/trading/positions/close-all", { accountId }));
    const before = round % 4 < 2 ? tick() : undefined;
    const [answers] = await Promise.all([Promise.all(Array.from({ length: 20 }, (_, i) => byHand(i))), before ?? tick()]);

    expect(await traces(id)).toEqual({ fills: 1, entries: 1 });
    const [closed] = await historyOf(tess);
    expect(await historyOf(tess)).toHaveLength(1);
    const manual = answers.filter(({ status }, i) => i % 2 === 1 && status === 200).length;
    const swept = answers.reduce((sum, { body }) => sum + ((body.closed as unknown[] | undefined)?.length ?? 0), 0);
    expect(manual + swept).toBe(closed?.closeReason === "trader" ? 1 : 0);
    expect(["trader", round % 2 ? "stop_loss" : "take_profit"]).toContain(closed?.closeReason as string);
    for (const { status } of answers) expect([200, 409]).toContain(status);
  }
});

test("trader, stop, target, stop-out and correction race for one position: one closes it, and the record names who", async () => {
  const admin = await app.admin();
  const winners = new Set<string>();
  for (let round = 0; round < 15; round++) {
    const tess = await app.trader();
    await app.quote("GBP/USD", "1.25000", "1.25002");
    const { id, accountId } = await open(tess, { symbol: "GBP/USD", amount: 800_000, stopLoss: 1.24, takeProfit: 1.26 });
    // Each acts on a tick of its own: the low one reaches the stop, and takes the margin level below 50 %.
    const at = (bid: string) => ({ ...(app.market.board.get("GBP/USD") as Quote), bid: priceUnits(bid), ask: priceUnits(bid) });
    const low = at("1.23900");
    const exit = (reason: "stop_loss" | "take_profit", quote: Quote) => closeByEngine(app.sql, { positionId: id, reason, quote });
    const answered = async (answer: Promise<Answer<unknown>>) => {
      const { status } = await answer;
      expect([200, 409]).toContain(status);
      return status === 200;
    };
    const written = (command: Promise<unknown>) =>
      command.then(
        (done) => done !== null,
        (error: unknown) => {
          expect(error).toMatchObject({ code: "conflict" });
          return false;
        },
      );
    const contenders: [string, () => Promise<boolean>][] = [
      ["trader", () => answered(tess.post(`/api/trading/positions/${id}/close`))],
      ["admin", () => answered(win(admin, id, 10))],
      ["stop_out", () => written(stopOut(app.sql, accountId, { board: boardOf([low]), seq: low.seq, quotes: [low] }))],
      ["stop_loss", () => written(exit("stop_loss", low))],
      ["take_profit", () => written(exit("take_profit", at("1.26100")))],
    ];
    // Each of them is the first to start in some rounds; in two it is done before the others do.
    const starting = [...contenders.slice(round % 5), ...contenders.slice(0, round % 5)];
    const runOf = async ([who, run]: (typeof contenders)[number]) => ((await run()) ? who : []);
    const first = starting.slice(0, 1).map(runOf);
    if (round < 2) await Promise.all(first);
    const won = await Promise.all([...first, ...starting.slice(1).map(runOf)]);
    expect(won.flat()).toHaveLength(1);
    expect(await traces(id)).toEqual({ fills: 1, entries: 1 });
    expect(await historyOf(tess)).toMatchObject([{ id, closeReason: won.flat()[0] }]);
    winners.add(won.flat()[0] ?? "");
  }
  expect(winners.size).toBeGreaterThan(1);
});

test.each(["trader", "stop_loss"] as const)("who comes first closes it: %s", async (winner) => {
  const tess = await app.trader();
  await app.quote("GBP/USD", "1.25000", "1.25002");
  const { id, accountId } = await open(tess, { symbol: "GBP/USD", stopLoss: 1.24 });
  const byHand = () => tess.post<Position>(`/api/trading/positions/${id}/close`);
  const byEngine = () => app.quote("GBP/USD", "1.23900", "1.23902");
  const hand = await handHeld(app.db);
  let trader: ReturnType<typeof byHand> | undefined;
  let engine: Promise<void> | undefined;
  try {
    // Both wait for the account, in a known order; what a tick has set off is waited for in the program.
    await hand.sql`select from trading_accounts where id = ${accountId} for update`;
    for (const [place, who] of (winner === "trader" ? ["trader", "engine"] : ["engine", "trader"]).entries()) {
      if (who === "trader") trader = byHand();
      else engine = byEngine();
      // What is asked after it is answered: it has come.
      if (winner === "stop_loss" && who === "trader") await tess.get("/api/trading/positions/open");
      else await until(`the ${who} waits for the account`, async () => (await waiting(app.sql)) === place + 1);
    }
    await hand.commit();
    expect((await trader)?.status).toBe(winner === "trader" ? 200 : 409);
    await engine;
  } finally {
    await hand.end();
  }
  expect(await historyOf(tess)).toMatchObject([{ id, closeReason: winner }]);
  expect(await traces(id)).toEqual({ fills: 1, entries: 1 });
});

/** Margin for ten: each needs 1,000.00 of the 10,000.00, less what the spread costs. */
const tenth = { ...order, symbol: "BTC/USD", amount: 100_000 };
const twoHundred = async (devices: Person[]) =>
  Promise.all(Array.from({ length: 200 }, (_, n) => (devices[n % 20] as Person).post("/api/trading/positions", tenth)));

test("two hundred orders at once on margin for ten open exactly ten", async () => {
  const tess = await app.trader();
  await app.quote("BTC/USD", "100000", "100000");
  expect(statuses(await twoHundred(await onDevices(app, tess, 20)))).toEqual({ 201: 10, 422: 190 });
  expect((await accountsOf(tess))[0]).toMatchObject({ margin: "10000.00", freeMargin: "0.00" });
  expect((await tess.post("/api/trading/positions/close-all")).body.closed).toHaveLength(10);
});

test("without the lock on the account, that race is lost", async () => {
  const GATE = 7215994;
  const tess = await app.trader();
  await app.quote("BTC/USD", "100000", "100000");
  const restore = await withoutGuard(app.sql, "account_for_order", "limit 1\n  for update;", "limit 1;");
  // Who has looked at the margin waits at the gate until six others have seen the same, none of which a batch opens.
  const open = await withoutGuard(
    app.sql,
    "trade_open",
    "needed := margin_of(of_amount, geared);",
    `needed := margin_of(of_amount, geared);\n  perform pg_advisory_xact_lock_shared(${GATE});`,
  );
  const alone = await withoutGuard(app.sql, "trade_opens", "and m.margin <= s.free", "and false");
  const gate = await handHeld(app.db);
  try {
    const devices = await onDevices(app, tess, 7);
    await gate.sql`select pg_advisory_xact_lock(${GATE})`;
    const answers = Promise.all(devices.map((device) => device.post("/api/trading/positions", { ...tenth, amount: 200_000 })));
    await until("all have looked", async () => (await waiting(app.sql)) === 7);
    await gate.commit();
    expect(statuses(await answers)).toEqual({ 201: 7 });
  } finally {
    await gate.end();
    await alone();
    await open();
    await restore();
  }
  await tess.post("/api/trading/positions/close-all");
});

test("close-all and twenty single closings of ten positions close each once", async () => {
  const tess = await app.trader();
  await app.quote("BTC/USD", "100000", "100000");
  const ids = await Promise.all(Array.from({ length: 10 }, async () => (await open(tess, { symbol: "BTC/USD" })).id));
  await app.quote("BTC/USD", "101000", "101000");
  await Promise.all([
    ...ids.flatMap((id) => [tess.post(`/api/trading/positions/${id}/close`), tess.post(`/api/trading/positions/${id}/close`)]),
    tess.post("/api/trading/positions/close-all"),
  ]);
  for (const id of ids) expect(await traces(id)).toEqual({ fills: 1, entries: 1 });
  expect((await accountsOf(tess))[0]?.balance).toBe("10100.00");
});

test("parallel closings of parts never close more than there is", async () => {
  const tess = await app.trader();
  await app.quote("EUR/USD", "1.10000", "1.10002");
  const { id } = await open(tess);
  const answers = await Promise.all(Array.from({ length: 20 }, () => tess.post(`/api/trading/positions/${id}/close`, { amount: "300.00" })));
  expect(statuses(answers)).toEqual({ 200: 3, 400: 17 });
  expect(await openOf(tess)).toMatchObject([{ id, amount: "100.00", volume: "90.89463040" }]);
  expect((await accountsOf(tess))[0]?.margin).toBe("1.00");
});

test("a key given again after a refusal hears the refusal again, though it would succeed now", async () => {
  const tess = await app.trader();
  await app.quote("BTC/USD", "100000", "100000");
  const key = { "idempotency-key": "too-much" };
  const full = await open(tess, { symbol: "BTC/USD", amount: 1_000_000 });
  const refused = await tess.post("/api/trading/positions", tenth, key);
  expect(refused.status).toBe(422);
  await tess.post(`/api/trading/positions/${full.id}/close`);
  const again = await tess.post("/api/trading/positions", tenth, key);
  expect([again.status, again.body]).toEqual([422, refused.body]);
  expect(await openOf(tess)).toEqual([]);
  expect((await tess.post("/api/trading/positions", { ...tenth, amount: 11 }, key)).status).toBe(409);
});

test("a key belongs to one person and one call; keys of no sense are refused", async () => {
  const [tess, una] = [await app.trader(), await app.trader()];
  await app.quote("EUR/USD", "1.10000", "1.10002");
  const key = { "idempotency-key": "same" };
  const [first, second] = await Promise.all([tess, una].map((person) => person.post<Position>("/api/trading/positions", order, key)));
  expect([first?.status, second?.status]).toEqual([201, 201]);
  expect(first?.body.id).not.toBe(second?.body.id);
  expect((await tess.post(`/api/trading/positions/${first?.body.id}/close`, {}, key)).status).toBe(409);
  for (const bad of ["", " ", "a b", "x".repeat(201)]) expect((await tess.post("/api/trading/positions", order, { "idempotency-key": bad })).status).toBe(400);
});

test("a closing by key in parallel answers all alike, and a fault in between leaves the key free", async () => {
  const tess = await app.trader();
  await app.quote("EUR/USD", "1.10000", "1.10002");
  const { id } = await open(tess);
  const key = { "idempotency-key": "close" };
  await app.sql`alter table fills add constraint sabotage check (kind <> 'close') not valid`;
  const broken = await tess.post(`/api/trading/positions/${id}/close`, {}, key);
  await app.sql`alter table fills drop constraint sabotage`;
  expect([broken.status, broken.body.code]).toEqual([500, "internal"]);
  expect(broken.text).not.toContain("sabotage");
  const answers = await Promise.all(Array.from({ length: 10 }, () => tess.post(`/api/trading/positions/${id}/close`, {}, key)));
  expect(statuses(answers)).toEqual({ 200: 10 });
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(await traces(id)).toEqual({ fills: 1, entries: 1 });
});
