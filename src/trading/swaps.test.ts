import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { GroupTerms, GroupVersion, SwapRule } from "../accounts/schema_groups";
import type { TradingAccount } from "../accounts/schema";
import { DAY, HOUR, tradingDayStart } from "../lib/time";
import { isForexOpen } from "../market/hours";
import { type TestApp, testApp } from "../testing/app";
import { heardBy, order, tamper, until, withoutGuard } from "../testing/scenarios";
import type { Position } from "./schema";

/** Swap: what holding a position over 17:00 in New York moves, each night once, by the terms of that night. */

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
  await quote();
});
afterAll(async () => {
  await until("the last night is charged", isCharged);
  expect(await app.faults()).toEqual([]);
  await app.end();
});

type Trader = Awaited<ReturnType<TestApp["trader"]>>;
const quote = (bid = "1.10000", ask = "1.10002") => app.quote("EUR/USD", bid, ask);
const rule = (over: Partial<SwapRule> = {}): SwapRule => ({ for: "forex-major", unit: "points", long: "-0.85", short: "0.2", tripleDay: 3, ...over });
type Terms = { swaps?: SwapRule[]; fee?: string | null; from?: string };

let groups = 0;
/** A group of a test's own with these terms, one after the other; the first from the beginning. */
async function groupWith(...versions: Terms[]): Promise<string> {
  const id = `g${String.fromCharCode(97 + groups++)}`;
  await app.sql`
    insert into account_types (id, name, minimum_deposit, spreads_from, leverage, features, is_active, place, version)
    select ${id}, ${id}, 0, 0, '1:100', '[]', true, max(place) + 1, 1 from account_types`;
  for (const [n, { swaps = [], fee = null, from = "-infinity" }] of versions.entries())
    await app.sql`
      insert into group_versions (group_id, version, name, spreads_from, commission, minimum_deposit, leverage, is_active, effective_at, created_at, swaps, swap_fee)
      values (${id}, ${n + 1}, ${id}, 0, 0, 0, 100, true, ${from}::text::timestamptz, ${from}::text::timestamptz, ${JSON.stringify(swaps)}::text::jsonb, ${fee})`;
  return id;
}
/** Somebody with a demo account in that group, and positions on it. */
async function holder(group: string) {
  const tess = await app.trader();
  const { body: account } = await tess.post<TradingAccount>("/api/trading-accounts", { accountTypeId: group, isDemo: true });
  const open = async (over: object = {}) => {
    const { status, body, text } = await tess.post<Position>("/api/trading/positions", { ...order, accountId: account.id, amount: 20_000, ...over });
    if (status !== 201) throw new Error(text);
    return body;
  };
  return { tess, accountId: account.id, open };
}
/** As if no program had run since this night, and the positions were as old as said. */
const sleptSince = (night: string, opened: Record<string, string>) =>
  tamper(app.sql, async (tx) => {
    await tx`delete from swap_nights`;
    await tx`insert into swap_nights (night) values (${night}::text::date)`;
    for (const [id, at] of Object.entries(opened)) await tx`update positions set opened_at = ${at}::text::timestamptz where id = ${id}`;
  });
async function isCharged(): Promise<boolean> {
  const [row] = await app.sql<{ done: boolean }[]>`select max(night) = night_at(clock_timestamp()) as done from swap_nights`;
  return row?.done === true;
}
type Night = { night: string; nights: number; due: string; amount: string; version: number };
const nightsOf = async (id: string): Promise<Night[]> => [
  ...(await app.sql<Night[]>`select night::text, nights, due::text, amount::text, version from swaps where position_id = ${id} order by night`),
];
const balanceOf = async (tess: Trader, accountId: string) =>
  (await tess.get<TradingAccount[]>("/api/trading-accounts")).body.find(({ id }) => id === accountId)?.balance ?? "";

/** The next 17:00: days have 23 hours, or 25, where clocks change. */
const after = (at: number) => tradingDayStart(at + 26 * HOUR);
/** The nights over which something opened at `from` is charged until now, without any SQL: a night is open where the market was until its 17:00. */
function expectedNights(from: string, triple: number | null, isForex = true): [string, number][] {
  const found: [string, number][] = [];
  const last = tradingDayStart(Date.now());
  for (let at = after(tradingDayStart(Date.parse(from))); at <= last; at = after(at)) {
    const night = new Date(at - 12 * HOUR).toISOString().slice(0, 10);
    const weekday = new Date(`${night}T00:00Z`).getUTCDay();
    const isWeekend = weekday === 0 || weekday === 6;
    if ((isForex && !isForexOpen(at - 1)) || (isWeekend && triple !== null)) continue;
    found.push([night, weekday === triple ? 3 : 1]);
  }
  return found;
}

/** New York's 17:00 around both changes of daylight saving, and the first night that something opened then is charged for. */
const MOMENTS = [
  // Winter time: 17:00 is 22:00 in UTC. The Friday before the clocks go forward, the Monday after.
  ["2026-03-06T21:59:59.999Z", "2026-03-06"],
  ["2026-03-06T22:00:00.000Z", "2026-03-09"],
  ["2026-03-09T20:59:59.999Z", "2026-03-09"],
  ["2026-03-09T21:00:00.000Z", "2026-03-10"],
  // Back again.
  ["2026-10-30T20:59:59.999Z", "2026-10-30"],
  ["2026-10-30T21:00:00.000Z", "2026-11-02"],
  ["2026-11-02T21:59:59.999Z", "2026-11-02"],
  ["2026-11-02T22:00:00.000Z", "2026-11-03"],
] as const;
const CHRISTMAS = "2025-12-22T15:00:00Z";

describe("a night's swap", () => {
  let held: Awaited<ReturnType<typeof holder>>;
  let [long, short, fresh, coin, free, small]: Position[] = [];
  const around: Position[] = [];
  // A year is charged once, for all of these.
  beforeAll(async () => {
    held = await holder(await groupWith({ swaps: [rule(), rule({ for: "crypto", unit: "percent", long: "-36", short: "-1", tripleDay: null })] }));
    const swapFree = await holder(await groupWith({ swaps: [rule({ long: "-99" })], fee: "5.00" }));
    [long, short, fresh] = [await held.open(), await held.open({ type: "sell" }), await held.open()];
    await app.quote("BTC/USD", "50000", "50010");
    coin = await held.open({ symbol: "BTC/USD", amount: 1000 });
    [free, small] = [await swapFree.open(), await swapFree.open({ amount: 50 })];
    const others = await holder(await groupWith({ swaps: [rule({ long: "-50" })] }));
    for (const _ of MOMENTS) around.push(await others.open({ amount: 1000 }));
    await sleptSince("2025-12-20", {
      ...Object.fromEntries([long, short, coin, free, small].map((each) => [each?.id, CHRISTMAS])),
      ...Object.fromEntries(around.map(({ id }, n) => [id, MOMENTS[n]?.[0] ?? ""])),
    });
    await until("all nights are charged", isCharged);
  });
  const counted = async (id = "") => (await nightsOf(id)).map(({ night, nights }): [string, number] => [night, nights]);
  const sums = async (id = "") => [...new Set((await nightsOf(id)).map(({ nights, due, amount }) => `${nights}: ${due} ${amount}`))].sort();
  const total = async (id = "") => (await nightsOf(id)).reduce((sum, { amount }) => sum + Number(amount), 0);

  test("is charged once for each night that something was held over: weekends and holidays move nothing, the triple day three nights", async () => {
    const expected = expectedNights(CHRISTMAS, 3);
    expect(expected.slice(0, 9)).toEqual([
      ["2025-12-22", 1],
      ["2025-12-23", 1],
      ["2025-12-24", 3],
      ["2025-12-26", 1],
      ["2025-12-29", 1],
      ["2025-12-30", 1],
      ["2025-12-31", 3],
      ["2026-01-02", 1],
      ["2026-01-05", 1],
    ]);
    expect(await counted(long?.id)).toEqual(expected);
    expect(await counted(short?.id)).toEqual(expected);
    // 20,000 × 0.85 × 0.00001 / 1.10002 = 0.15454…; three of them 0.46363…
    expect(await sums(long?.id)).toEqual(["1: -0.15 -0.15", "3: -0.46 -0.46"]);
    // 20,000 × 0.2 × 0.00001 / 1.1 = 0.03636…; three of them 0.10909…
    expect(await sums(short?.id)).toEqual(["1: 0.04 0.04", "3: 0.11 0.11"]);
    expect(await counted(fresh?.id)).toEqual([]);
  });

  test("of a coin counts each night of a year of 360 days", async () => {
    expect(await counted(coin?.id)).toEqual(expectedNights(CHRISTMAS, null, false));
    expect(await sums(coin?.id)).toEqual(["1: -1.00 -1.00"]);
  });

  test("is a fee where the group is swap-free, for the nights of open markets; what rounds to nothing is not charged", async () => {
    expect(await counted(free?.id)).toEqual(expectedNights(CHRISTMAS, null));
    expect(await sums(free?.id)).toEqual(["1: -1.00 -1.00"]);
    expect(await counted(small?.id)).toEqual([]);
  });

  test("is at 17:00 by New York's clock on both sides of both changes of daylight saving", async () => {
    for (const [n, [at, first]] of MOMENTS.entries()) {
      const nights = await counted(around[n]?.id);
      expect([at, nights[0]?.[0]]).toEqual([at, first]);
      expect(nights).toEqual(expectedNights(at, 3));
    }
  });

  test("is in the balance and on the position", async () => {
    const { tess, accountId } = held;
    const [paid, got, coins] = [await total(long?.id), await total(short?.id), await total(coin?.id)];
    expect(await balanceOf(tess, accountId)).toBe((10_000 + paid + got + coins).toFixed(2));
    const { body } = await tess.get<Position[]>("/api/trading/positions/open");
    expect(body.find(({ id }) => id === long?.id)?.swap).toBe(paid.toFixed(2));
    expect(body.find(({ id }) => id === fresh?.id)?.swap).toBeNull();
  });
});

/** Keeps the batch from any night, as if no program ran. Returns the way to let it go. */
const asleep = () => withoutGuard(app.sql, "swap_night_due", "where night_moment(d.night) <= clock_timestamp()", "where false");

describe("a program that slept over nights", () => {
  test("charges each by the terms of that night", async () => {
    const { open } = await holder(
      await groupWith(
        { swaps: [rule({ long: "-100", short: "0" })] },
        // A minute after Monday's 17:00.
        { swaps: [rule({ long: "-200", short: "0" })], from: "2026-11-16T22:01:00Z" },
        { from: "2026-11-18T12:00:00Z" },
        { fee: "7.00", from: "2026-11-19T21:59:59Z" },
        { swaps: [rule({ long: "3", unit: "percent", tripleDay: null })], from: "2026-11-20T22:00:00Z" },
      ),
    );
    const one = await open({ amount: 11_000.2 });
    await sleptSince("2026-11-13", { [one.id]: "2026-11-12T12:00:00Z" });
    await until("all nights are charged", isCharged);
    expect((await nightsOf(one.id)).slice(0, 4).map(({ night, version, amount }) => [night, version, amount])).toEqual([
      ["2026-11-16", 1, "-10.00"],
      ["2026-11-17", 2, "-20.00"],
      ["2026-11-19", 4, "-0.77"],
      ["2026-11-20", 5, "0.92"],
    ]);
  });

  test("finds what was closed meanwhile charged by its closing: whole, in parts, and not twice", async () => {
    const { tess, accountId, open } = await holder(await groupWith({ swaps: [rule({ long: "-100", tripleDay: null })] }));
    const [whole, parted, left] = [await open({ amount: 11_000.2 }), await open({ amount: 11_000.2 }), await open({ amount: 11_000.2 })];
    const wake = await asleep();
    await sleptSince("2026-11-18", Object.fromEntries([whole, parted, left].map(({ id }) => [id, "2026-11-19T12:00:00Z"])));
    const nights = expectedNights("2026-11-19T12:00:00Z", null).length;
    const before = Number(await balanceOf(tess, accountId));
    const { body: closed } = await tess.post<Position>(`/api/trading/positions/${whole.id}/close`);
    expect(closed.swap).toBe((-10 * nights).toFixed(2));
    expect(Number(await balanceOf(tess, accountId)).toFixed(2)).toBe((before - 10 * nights + Number(closed.profit)).toFixed(2));
    const { body: part } = await tess.post<Position>(`/api/trading/positions/${parted.id}/close`, { amount: 5000 });
    expect([part.swap, await nightsOf(part.id)]).toEqual([null, []]);
    const amounts = (await nightsOf(parted.id)).map(({ amount }) => amount);
    expect(amounts).toEqual(Array.from(amounts, () => "-10.00"));
    expect(amounts).toHaveLength(nights);
    const { body: rest } = await tess.post<Position>(`/api/trading/positions/${parted.id}/close`);
    expect(rest.swap).toBe((-10 * nights).toFixed(2));
    await wake();
    await until("all nights are charged", isCharged);
    for (const { id } of [whole, parted, left]) expect(await nightsOf(id)).toHaveLength(nights);
  });
});

test("an account pays no more than it has, whatever the order of its nights, and never owes", async () => {
  const { tess, accountId, open } = await holder(await groupWith({ swaps: [rule({ long: "-300", short: "1000", tripleDay: null })] }));
  const [big, other] = [await open({ amount: 900_000 }), await open({ amount: 11_000, type: "sell" })];
  const wake = await asleep();
  await sleptSince("2026-11-15", { [big.id]: "2026-11-16T12:00:00Z", [other.id]: "2026-11-16T12:00:00Z" });
  await app.sql`select swaps_charge(array[${big.id}::uuid, ${other.id}::uuid], '2026-11-16', '2026-11-23')`;
  const rows = await app.sql<{ due: string; amount: string }[]>`
    select due::text, amount::text from swaps where position_id in (${big.id}, ${other.id}) order by night, position_id`;
  expect(rows).toHaveLength(12);
  let balance = 1_000_000;
  for (const { due, amount } of rows) {
    const borne = Math.max(-balance, Math.round(Number(due) * 100));
    expect(Math.round(Number(amount) * 100)).toBe(borne);
    balance += borne;
  }
  expect(await balanceOf(tess, accountId)).toBe((balance / 100).toFixed(2));
  expect(rows.some(({ due, amount }) => due !== amount)).toBe(true);
  await wake();
});

describe("a group's swap", () => {
  type Refused = { code?: string; fields?: Record<string, string> };
  let admin: Awaited<ReturnType<TestApp["admin"]>>;
  beforeAll(async () => {
    admin = await app.admin();
  });
  const newest = async (id: string) => (await admin.get<GroupVersion[]>("/api/admin/groups")).body.find((group) => group.id === id) as GroupVersion;
  const change = async (id: string, body: object) =>
    admin.patch<GroupTerms & Refused>("/api/admin/groups", { id, version: (await newest(id)).version, reason: "A test", ...body });

  test("is in a version; what an account's next 17:00 goes by is on the account", async () => {
    const group = await groupWith({});
    const { tess, accountId } = await holder(group);
    const swapOf = async () => (await tess.get<TradingAccount[]>("/api/trading-accounts")).body.find(({ id }) => id === accountId)?.swap;
    expect([(await newest(group)).swaps, (await newest(group)).swapFreeFee, await swapOf()]).toEqual([[], null, null]);
    const said = [
      { for: "forex-major", unit: "points", long: -0.85, short: "+0.2" },
      { for: "BTC/USD", unit: "percent", long: "-20", short: "-4.5" },
      { for: "EUR/USD", unit: "percent", long: "0", short: "0", tripleDay: 5 },
    ];
    const { status, body } = await change(group, { swaps: said });
    const rules = [
      { for: "forex-major", unit: "points", long: "-0.85", short: "0.2", tripleDay: 3 },
      { for: "BTC/USD", unit: "percent", long: "-20", short: "-4.5", tripleDay: null },
      { for: "EUR/USD", unit: "percent", long: "0", short: "0", tripleDay: 5 },
    ] as const;
    expect([status, body.swaps]).toEqual([200, [...rules]]);
    expect(await swapOf()).toEqual({ rules: [...rules], fee: null });
    await change(group, { swapFreeFee: "5" });
    expect([(await newest(group)).swaps, (await newest(group)).swapFreeFee]).toEqual([[...rules], "5.00"]);
    expect((await swapOf())?.fee).toBe("5.00");
    await change(group, { swapFreeFee: null });
    expect((await newest(group)).swapFreeFee).toBeNull();
  });

  test("that is worse waits for the notice while somebody holds something, and is told; better holds at once", async () => {
    const group = await groupWith({ swaps: [rule()] });
    const { tess, open } = await holder(group);
    await open();
    const heard = heardBy(app, tess);
    const days = async (swaps: object[]) => Math.round((Date.parse((await change(group, { swaps })).body.effectiveAt ?? "") - Date.now()) / DAY) + 0;
    expect(await days([rule({ short: "0.3" })])).toBe(0);
    for (const worse of [
      [],
      [rule({ long: "-0.86", short: "0.3" })],
      [rule({ short: "0.2" })],
      [rule({ short: "0.3", tripleDay: 5 })],
      [rule({ short: "0.3", unit: "percent" })],
    ])
      expect([worse, await days(worse)]).toEqual([worse, 1]);
    await until("its holder is told", () => heard.some((told) => told.includes("swap a night forex-major -0.86 long and 0.3 short points")));
    expect((await change(group, { swaps: [rule({ short: "0.3" })], swapFreeFee: "9" })).body.effectiveAt).not.toBeNull();
  });

  test("is refused with the field where it makes no sense, and above 100 % a year", async () => {
    const group = await groupWith({});
    const cases: [object, number, string][] = [
      [{ swaps: [rule({ long: "cheap" })] }, 400, "swaps.0.long"],
      [{ swaps: [rule({ long: "NaN" })] }, 400, "swaps.0.long"],
      [{ swaps: [rule({ short: "0.00001" })] }, 400, "swaps.0.short"],
      [{ swaps: [rule(), rule({ for: "Gold" })] }, 400, "swaps.1.for"],
      [{ swaps: [rule({ for: "crypto" })] }, 400, "swaps.0.unit"],
      [{ swaps: [rule({ tripleDay: 6 })] }, 400, "swaps.0.tripleDay"],
      [{ swaps: [rule(), rule()] }, 400, "swaps"],
      [{ swaps: [rule({ unit: "percent", long: "-100" }), rule({ for: "crypto", unit: "percent", short: "100.0001" })] }, 422, "swaps.1.short"],
      // At 1.1 for a euro 305.55 points a night are all of it in 360 days.
      [{ swaps: [rule({ long: "-305.6" })] }, 422, "swaps.0.long"],
      [{ swaps: [rule({ for: "EUR/USD", short: "305.6" })] }, 422, "swaps.0.short"],
      [{ swapFreeFee: "277.78" }, 422, "swapFreeFee"],
      [{ swapFreeFee: "-1" }, 400, "swapFreeFee"],
    ];
    await until("the price is kept", async () => (await app.sql`select from quotes where symbol = 'EUR/USD'`).length > 0);
    for (const [body, status, field] of cases) {
      const refused = await change(group, body);
      expect([body, refused.status, Object.keys(refused.body.fields ?? {})]).toEqual([body, status, [field]]);
    }
    for (const body of [{ swaps: [rule({ long: "-305.5" })] }, { swapFreeFee: "277.77" }]) expect((await change(group, body)).status).toBe(200);
  });
});
