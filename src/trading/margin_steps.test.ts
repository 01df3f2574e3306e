import { afterAll, beforeAll, expect, test } from "bun:test";
import { cents } from "../lib/money";
import { logged } from "../admin/queries_logged";
import { proveLogs } from "../proof/check";
import type { PositionFile } from "../proof/rules_files";
import { verify } from "../proof/rules_verify";
import { type Answer, type TestApp, testApp } from "../testing/app";
import { dice } from "../testing/dice";
import { holdFirst } from "../testing/instruments";
import { onDevices, order, until } from "../testing/scenarios";
import { seed } from "../testing/seed";
import { leverageBySteps, type MarginStep, stepsFrom } from "./rules_margin_steps";
import { leverageOf } from "./rules_prices";
import type { Position, Receipt } from "./schema";
import type { InstrumentVersion, StaffInstrument } from "./schema_instruments";

/** The larger an order, the more margin its upper parts ask for, where the instrument's steps say so. */

let app: TestApp;
let ann: Awaited<ReturnType<TestApp["admin"]>>;
beforeAll(async () => {
  app = await testApp({ PUBLIC_URL: "https://trade.example" });
  ann = await app.admin();
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
  holdFirst();
});

type Trader = Pick<Awaited<ReturnType<TestApp["trader"]>>, "post" | "get" | "fetch">;
type Refused = { message: string; code: string; fields: Record<string, string> };
const path = (symbol: string) => `/api/admin/instruments/${encodeURIComponent(symbol)}`;
const change = (symbol: string, body: object) => ann.patch<StaffInstrument & Refused>(path(symbol), { reason: "A test", ...body });
const place = (who: Trader, over: object): Promise<Answer<Position & Refused>> => who.post<Position & Refused>("/api/trading/positions", { ...order, ...over });
const openingOf = async (who: Trader, id: string) => (await who.get<Receipt>(`/api/trading/positions/${id}/receipt`)).body.fills[0];
const STEPS = [
  { above: "100000.00", percent: "5.00" },
  { above: "120000.00", percent: "10.00" },
];

test("steps are kept in versions, and refused by where they stand", async () => {
  const refusals: [unknown, string][] = [
    ["many", "Step 1, above: write a step as an amount and a percentage, such as 100000 5."],
    ["0 5", "Step 1, above: write a step as an amount and a percentage, such as 100000 5."],
    ["100 0.1", "Step 1, %: a percentage from 0.2 to 100, with at most two decimals."],
    ["100 5 6", "Step 1, %: a percentage from 0.2 to 100, with at most two decimals."],
    ["100 5\n100 6", "Step 2, above: it must be more than $100.00, the step before it."],
    ["100 5\n200 5", "Step 2, %: it must be more than 5, the step before it."],
    [Array.from({ length: 11 }, (_, n) => ({ above: n + 1, percent: n + 1 })), "At most 10 steps."],
    [5, "A list of steps, each with above and percent."],
    ["100 2", "Step 1, %: it must be above 2, which is asked for below it."],
  ];
  for (const [marginSteps, words] of refusals) {
    const { status, body } = await change("AUD/USD", { marginPercent: "2", marginSteps });
    expect([marginSteps, status, body.fields]).toEqual([marginSteps, 400, { marginSteps: words }]);
  }
  expect((await change("AUD/USD", { marginPercent: "2", marginSteps: "100000 5%; 120000 10" })).body).toMatchObject({ version: 1, marginSteps: STEPS });
  expect((await change("AUD/USD", { maximum: "500000" })).body).toMatchObject({ version: 2, marginSteps: STEPS });
  expect((await change("AUD/USD", { marginSteps: STEPS })).body.version).toBe(2);
  expect((await change("AUD/USD", { marginSteps: "" })).body).toMatchObject({ version: 3, marginSteps: null });
  const [line] = (await ann.get<{ previousState: object; newState: object }[]>("/api/admin/audit-trail?action=instrument.set")).body;
  expect(line).toMatchObject({ previousState: { marginSteps: STEPS }, newState: { marginSteps: null } });
});

test("SQL and the screens say the same leverage for any steps, never less margin than the steps' sum and less than a whole leverage more", async () => {
  const chance = dice(seed);
  for (let round = 0; round < 60; round++) {
    const base = chance.pick([null, "0.20", "1.00", "3.30"]);
    let [above, percent] = [0, Number(base ?? 0.2)];
    const steps: MarginStep[] = Array.from({ length: 1 + chance.below(4) }, () => {
      above += 1 + chance.below(40_000);
      percent += (1 + chance.below(900)) / 100;
      return { above: above.toFixed(2), percent: percent.toFixed(2) };
    });
    const own = chance.pick([1, 2, 20, 30, 100, 500]);
    const amount = ((1000 + chance.below(30_000_000)) / 100).toFixed(2);
    const held = chance.pick(["0.00", (chance.below(20_000_000) / 100).toFixed(2)]);
    const [row] = await app.sql<{ leverage: number; margin: string }[]>`
      select l.leverage, margin_of(${amount}::numeric, l.leverage)::text as margin
      from instrument_leverage(
        jsonb_populate_record(null::instrument_terms, ${JSON.stringify({ version: 1, margin_percent: base, margin_steps: steps })}::text::jsonb), ${own}, ${amount}::numeric, ${held}::numeric
      ) l (leverage)
    `;
    expect(leverageBySteps(stepsFrom(base, steps), own, cents(amount), cents(held))).toBe(row?.leverage ?? 0);
    // Part by part, in cents times hundredths of a per cent times the account's leverage.
    const [from, to] = [cents(held), cents(held) + cents(amount)];
    const bounds = [...steps.map((step) => cents(step.above)), to].map((bound) => (bound > to ? to : bound < from ? from : bound));
    const rates = [base ?? "0", ...steps.map((step) => step.percent)].map((rate) => BigInt(Math.round(Number(rate) * 100)) * BigInt(own));
    const asked = rates.reduce((sum, rate, n) => sum + ((bounds[n] ?? 0n) - (bounds[n - 1] ?? from)) * (rate > 10_000n ? rate : 10_000n), 0n);
    const whole = cents(amount) * 10_000n * BigInt(own);
    const leverage = BigInt(row?.leverage ?? 0);
    expect([leverage * asked <= whole, whole < (leverage + 1n) * asked]).toEqual([true, true]);
    expect(cents(row?.margin ?? "0") * 10_000n * BigInt(own) >= asked).toBe(true);
  }
});

test("an order holds what its size asks for, by every way to deal; the receipt, the preview and the proof say so", async () => {
  for (const [symbol, bid, ask] of [
    ["EUR/USD", "1.10000", "1.10010"],
    ["GBP/USD", "1.30000", "1.30010"],
  ] as const)
    await app.quote(symbol, bid, ask);
  const tess = await app.trader();
  const before = (await place(tess, { symbol: "EUR/USD", amount: 150_000 })).body;
  await change("EUR/USD", { marginPercent: "1", marginSteps: "100000 5" });
  expect((await openingOf(tess, before.id))?.margin).toBe("1500.00");
  const [account] = (await tess.get<{ id: string; leverage: string }[]>("/api/trading-accounts")).body;
  const previewed = (amount: string) => leverageOf(account as NonNullable<typeof account>, { symbol: "EUR/USD", side: "buy", amount }, []);
  // $1,000 for the first $100,000 and $2,500 for the rest are 1:42.
  expect([previewed("1000"), previewed("100000"), previewed("150000"), previewed("?")]).toEqual(["1:100", "1:100", "1:42", "1:100"]);

  // Together with others, alone (with a key), and as an order that waited.
  const [plain, keyed, waits] = await Promise.all([app.trader(), app.trader(), app.trader()]);
  const large = { symbol: "EUR/USD", amount: 150_000 };
  const opened = (await place(plain, large)).body;
  const alone = (
    await keyed.post<Position>("/api/trading/positions", { ...order, ...large, expiresAt: null, orderType: "market" }, { "idempotency-key": "k1" })
  ).body;
  const waiting = (await place(waits, { ...large, orderType: "limit", triggerPrice: "1.09000" })).body;
  expect(waiting.status).toBe("pending");
  await change("EUR/USD", { marginSteps: "100000 10" });
  await app.quote("EUR/USD", "1.08900", "1.08905");
  await until("the order is filled", async () => (await openingOf(waits, waiting.id)) !== undefined);
  const small = (await place(keyed, { symbol: "EUR/USD", amount: 1000 })).body;
  const dealt: [Trader, Position][] = [
    [plain, opened],
    [keyed, alone],
    [waits, waiting],
    [keyed, small],
  ];
  const held = await Promise.all(dealt.map(async ([who, { id }]) => (await openingOf(who, id))?.margin));
  // $1,000 and $5,000 are 1:25; the small one comes on top of what is held.
  expect(held).toEqual(["3571.43", "3571.43", "6000.00", "100.00"]);
  expect((await openingOf(waits, waiting.id))?.terms).toMatchObject({ marginPercent: "1.00", marginSteps: [{ above: "100000.00", percent: "10.00" }] });
  const html = await waits.fetch("GET", `/positions/${waiting.id}/receipt`).then((answer) => answer.text());
  expect(html).toContain("margin 1%, 10% above $100,000.00 at least");

  // A part that is closed keeps the leverage, and what is left holds its share.
  expect((await plain.post(`/api/trading/positions/${opened.id}/close`, { amount: 50_000 })).status).toBe(200);
  const [left] = await app.sql<{ margin: string; leverage: number }[]>`select margin::text, leverage from positions where id = ${opened.id}`;
  expect(left).toEqual({ margin: "2380.96", leverage: 42 });

  // More than is free is refused with what the size asks for.
  const refused = await place(await app.trader(), { symbol: "EUR/USD", amount: 200_000 });
  expect([refused.status, refused.body.message]).toEqual([422, "This order needs $11,111.12 of margin; $10,000.00 is free."]);

  await app.logbook.wake();
  await until("the deal is in the log", async () => (await waits.fetch("GET", `/api/trading/positions/${waiting.id}/proof`)).status === 200);
  const { text } = await waits.get<PositionFile>(`/api/trading/positions/${waiting.id}/proof`);
  const key = (await (await app.stranger().fetch("GET", "/log/key")).text()).trim();
  const verdict = verify(text, { key });
  expect([verdict.holds, verdict.reason]).toEqual([true, null]);
  const said = (steps: typeof verdict.steps) => steps.map(({ what }) => what).find((what) => what.includes("asks for by size"));
  expect(said(verdict.steps)).toBe(
    "The opening’s leverage of 1:25 is the least of the account’s 1:100, 1:42 at which it waited and what version 2 of the instrument’s terms asks for by size, beside $0.00 that was held.",
  );
  const { record } = (JSON.parse(text) as PositionFile).opening?.proof ?? {};
  expect(record).toMatchObject({ v: 6, held: "0.00", own: 100, cap: null, placed: 42 });
  // And of what came on top of what was held.
  await until("it is in the log", async () => (await keyed.fetch("GET", `/api/trading/positions/${small.id}/proof`)).status === 200);
  const beside = verify((await keyed.get(`/api/trading/positions/${small.id}/proof`)).text, { key });
  expect([beside.reason, said(beside.steps)]).toEqual([
    null,
    "The opening’s leverage of 1:10 is the least of the account’s 1:100 and what version 2 of the instrument’s terms asks for by size, beside $150,000.00 that was held.",
  ]);
  expect((await proveLogs(app.sql, logged)).filter(({ rows }) => rows > 0)).toEqual([]);
});

test("parts of an order, however many at once, hold no less than the whole would; the other side and another account count apart", async () => {
  await app.quote("NZD/USD", "0.60000", "0.60010");
  await change("NZD/USD", { marginPercent: "1", marginSteps: "1000 5; 2000 20" });
  const tess = await app.trader();
  const first = (await place(tess, { symbol: "NZD/USD", amount: 1000 })).body;
  const devices = await onDevices(app, tess, 4);
  const parts = await Promise.all(devices.map((who) => place(who, { symbol: "NZD/USD", amount: 500 })));
  expect(parts.map(({ status, body }) => [status, body.fields])).toEqual(Array(4).fill([201, undefined]));
  // 1 %, twice 5 % of $500, twice 20 %: one after the other, whoever came first.
  const margins = await Promise.all([first, ...parts.map(({ body }) => body)].map(async ({ id }) => (await openingOf(tess, id))?.margin));
  expect(margins.toSorted()).toEqual(["10.00", "100.00", "100.00", "25.00", "25.00"]);
  const counted = await Promise.all(parts.map(async ({ body }) => Number((await openingOf(tess, body.id))?.held)));
  expect(counted.toSorted((a, b) => a - b)).toEqual([1000, 1500, 2000, 2500]);
  const open = (await tess.get<Position[]>("/api/trading/positions/open")).body;
  const [account] = (await tess.get<{ id: string; leverage: string }[]>("/api/trading-accounts")).body;
  const previewed = (side: "buy" | "sell", id = account?.id ?? "") =>
    leverageOf({ id, leverage: account?.leverage ?? "" }, { symbol: "NZD/USD", side, amount: "500" }, open);
  expect([previewed("buy"), previewed("sell"), previewed("buy", crypto.randomUUID())]).toEqual(["1:5", "1:100", "1:100"]);
  expect((await openingOf(tess, (await place(tess, { symbol: "NZD/USD", type: "sell", amount: 500 })).body.id))?.margin).toBe("5.00");
  // An order that waited counts what is held as it fills.
  const waits = (await place(tess, { symbol: "NZD/USD", amount: 500, orderType: "limit", triggerPrice: "0.59000" })).body;
  await app.quote("NZD/USD", "0.58900", "0.58905");
  await until("the order is filled", async () => (await openingOf(tess, waits.id)) !== undefined);
  expect((await openingOf(tess, waits.id))?.margin).toBe("100.00");
});

test("of orders that race a change each holds exactly what its own version asks for", async () => {
  await app.quote("EUR/GBP", "0.85000", "0.85010");
  for (let round = 0; round < 3; round++) {
    const traders = await Promise.all(Array.from({ length: 12 }, () => app.trader()));
    await change("EUR/GBP", { marginSteps: `1000 ${round + 2}` });
    const orders = traders.map((who) => place(who, { symbol: "EUR/GBP", amount: 4000 }));
    const changes = await Promise.all([change("EUR/GBP", { marginSteps: "1000 20" }), change("EUR/GBP", { marginSteps: "2000 40" })]);
    expect(changes.map(({ status }) => status)).toEqual([200, 200]);
    const filled = await Promise.all(orders);
    expect(filled.map(({ status }) => status)).toEqual(traders.map(() => 201));
    const versions = new Map((await ann.get<InstrumentVersion[]>(`${path("EUR/GBP")}/versions`)).body.map((each) => [each.version, each]));
    for (const [n, who] of traders.entries()) {
      const fill = await openingOf(who, filled[n]?.body.id ?? "");
      const version = versions.get(fill?.terms?.version ?? -1);
      const leverage = leverageBySteps(stepsFrom(null, version?.marginSteps ?? []), 100, cents("4000"));
      expect([fill?.terms?.marginSteps, fill?.margin]).toEqual([version?.marginSteps ?? null, (Math.ceil(400_000 / leverage) / 100).toFixed(2)]);
    }
    const [wrong] = await app.sql<{ late: number }[]>`
      select count(*)::integer as late
      from fills f join positions p on p.id = f.position_id and p.symbol = 'EUR/GBP'
      where exists (select from instrument_terms n where n.symbol = p.symbol and n.version = f.terms_version + 1 and n.effective_at <= f.created_at)
        or exists (select from instrument_terms n where n.symbol = p.symbol and n.version = f.terms_version and n.effective_at > f.created_at)
    `;
    expect(wrong?.late).toBe(0);
  }
});
