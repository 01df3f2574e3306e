import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { DAY } from "../lib/time";
import { type TestApp, testApp } from "../testing/app";
import { expectedNights, nightsIn, rule } from "../testing/nights";
import { until } from "../testing/scenarios";
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
const { groupWith, holder, sleptSince, isCharged, nightsOf, balanceOf, asleep } = nightsIn(() => app);
const quote = () => app.quote("EUR/USD", "1.10000", "1.10002");

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

test("an instrument with hours of its own has nights on the days that it is open, by its hours of then", async () => {
  const { open } = await holder(await groupWith({ swaps: [rule({ for: "GBP/USD", long: "-100", tripleDay: null })] }));
  await app.quote("GBP/USD", "1.30000", "1.30002");
  const one = await open({ symbol: "GBP/USD", amount: 13_000 });
  const listed = (hours: object | null, at: string, version: number) => app.sql`
    insert into instrument_terms (symbol, version, state, listing, effective_at, created_at, changed_by, change_reason)
    select 'GBP/USD', ${version}, 'tradable', i.listing || ${JSON.stringify({ hours })}::text::jsonb, ${at}::text::timestamptz, ${at}::text::timestamptz, u.id, 'A test'
    from instruments i, (select id from users limit 1) u where i.symbol = 'GBP/USD'`;
  // In London 9:30 to 16:00 on Tuesday, Thursday and Saturday; the 12th is a holiday. Before, and from Friday the 20th on, as pairs are.
  const sessions = [2, 4, 6].map((day) => ({ day, from: 570, to: 960 }));
  await listed({ zone: "Europe/London", sessions, holidays: ["2026-11-12"] }, "2026-11-10T12:00:00Z", 1);
  await listed(null, "2026-11-20T12:00:00Z", 2);
  await sleptSince("2026-11-08", { [one.id]: "2026-11-09T12:00:00Z" });
  await until("all nights are charged", isCharged);
  expect((await nightsOf(one.id)).slice(0, 7).map(({ night }) => night)).toEqual([
    ...["2026-11-09", "2026-11-10", "2026-11-14", "2026-11-17", "2026-11-19"],
    ...["2026-11-20", "2026-11-23"],
  ]);
});

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
    // Some days ago, not on one: over nights without end any account comes to an end, too.
    const [wake, opened] = [await asleep(), new Date(Date.now() - 9 * DAY).toISOString()];
    await sleptSince(new Date(Date.now() - 11 * DAY).toISOString().slice(0, 10), Object.fromEntries([whole, parted, left].map(({ id }) => [id, opened])));
    const nights = expectedNights(opened, null).length;
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
