import { afterAll, beforeAll, expect, test } from "bun:test";
import { logged } from "../admin/queries_logged";
import { proveLogs } from "../proof/check";
import { currentLog } from "../proof/queries";
import { type PositionFile, written } from "../proof/rules_files";
import { parseVerifier } from "../proof/rules_note";
import { verify } from "../proof/rules_verify";
import { checkNights, checkRates } from "../proof/rules_verify_nights";
import { Report } from "../proof/rules_verify_report";
import type { LogRecord } from "../proof/schema";
import { type TestApp, testApp } from "../testing/app";
import { LOG_KEY } from "../testing/database";
import { expectedNights, nightsIn, rule } from "../testing/nights";
import { forge, grewFrom } from "../testing/public_log";
import { tamper, until } from "../testing/scenarios";
import type { Position } from "./schema";

/** Each night that was charged stands in the public log, and whoever takes the proof of a position recomputes it. */

let app: TestApp;
let tess: Awaited<ReturnType<typeof holder>>["tess"];
let position: Position;
const OPENED = "2026-11-12T12:00:00Z";
beforeAll(async () => {
  app = await testApp({ PUBLIC_URL: "https://trade.example" });
  await app.quote("EUR/USD", "1.10000", "1.10002");
  const held = await holder(
    await groupWith({ swaps: [rule({ long: "-100" })] }, { swaps: [rule({ long: "20", unit: "percent" })], from: "2026-11-18T12:00:00Z" }),
  );
  tess = held.tess;
  // The log hears of the opening as of one two weeks ago.
  await app.logbook.rest();
  position = await held.open({ amount: 11_000.2 });
  await tamper(app.sql, (tx) => tx`update fills set created_at = ${OPENED}::text::timestamptz where position_id = ${position.id}`);
  const [lead] = await app.sql<{ epoch: number }[]>`select epoch from leadership`;
  app.logbook.lead(lead?.epoch ?? 0, () => {});
  await sleptSince("2026-11-11", { [position.id]: OPENED });
  await until("all nights are charged", isCharged);
  await until("the ticks are recorded", async () => {
    const [row] = await app.sql<{ there: boolean }[]>`select exists (select from ticks where seq = (select max(quote_seq) from fills)) as there`;
    return row?.there === true;
  });
  await app.logbook.wake();
});
afterAll(async () => {
  await tamper(app.sql, (tx) => tx`update fills set created_at = clock_timestamp() where position_id = ${position.id}`);
  expect(await app.faults()).toEqual([]);
  await app.end();
});
const { groupWith, holder, sleptSince, isCharged, nightsOf } = nightsIn(() => app);
type Swap = LogRecord<"swap">;
const records = async (): Promise<Swap[]> =>
  (await app.sql<{ record: string }[]>`select record from proof_entries where kind = 'swap' order by index`).map(({ record }) => JSON.parse(record) as Swap);

test("a night is in the log once, with its terms, and in the file of its position, which holds", async () => {
  const nights = expectedNights(OPENED, 3);
  const told = await records();
  expect(told.map(({ night, nights: count, version, due, booked }) => [night, count, version, due, booked])).toEqual(
    (await nightsOf(position.id)).map(({ night, nights: count, version, due, amount }) => [night, count, version, due, amount]),
  );
  expect(told.map(({ night, nights: count }) => [night, count])).toEqual(nights);
  expect(told[0]).toMatchObject({
    ...{ v: 1, kind: "swap", position: position.id, symbol: "EUR/USD", side: "buy", demo: true, unit: "points", rate: "-100.0000" },
    ...{ held: "11000.20", openPrice: "1.10002000", point: "0.00001000", due: "-10.00", booked: "-10.00" },
  });
  const { status, text, body } = await tess.get<PositionFile>(`/api/trading/positions/${position.id}/proof`);
  expect([status, body.others.filter(({ record }) => record.kind === "swap").length]).toEqual([200, nights.length]);
  const key = (await (await app.stranger().fetch("GET", "/log/key")).text()).trim();
  const verdict = verify(text, { key });
  expect([verdict.holds, verdict.reason]).toEqual([true, null]);
  expect(verdict.steps.map(({ what }) => what)).toContain(`The night of ${nights[0]?.[0]} moved −$10.00: -100.0000 points on $11,000.20, once.`);
  // With the versions of terms that the nights went by, each once.
  expect(verdict.steps).toContainEqual({ state: "holds", what: "The rates of its nights are those of the terms that they name." });
  expect(body.others.flatMap(({ record }) => (record.kind === "group" ? record.version : [])).sort()).toEqual([1, 2]);
  // A file that was taken before they stood in it holds as it did, and what can't be seen is said.
  const named = new Set(body.others.flatMap(({ record }) => (record.kind === "swap" ? record.version : [])));
  const opened = body.opening?.proof.record as Extract<LogRecord<"fill">, { groupVersion: number }>;
  const former = body.others.filter(({ record }) => record.kind !== "group" || record.version === opened.groupVersion);
  const before = verify(written({ ...body, others: former }), { key });
  expect([
    named.size,
    before.reason,
    before.steps.filter(({ state, what }) => state === "open" && what.includes("has the rate of the night of")).length,
  ]).toEqual([2, null, 1]);
  // One night said otherwise, or left twice, and nothing holds.
  expect(verify(text.replace('"booked":"-10.00"', '"booked":"-9.00"'), { key }).holds).toBe(false);
  const terms = (await app.sql<{ record: string }[]>`select record from proof_entries where kind = 'terms' order by index desc limit 1`)[0]?.record ?? "{}";
  const said = JSON.parse((JSON.parse(terms) as LogRecord<"terms">).accountTypes) as Record<string, object>;
  expect(Object.values(said).some((each) => "swaps" in each && "swapFreeFee" in each)).toBe(true);
});

test("a record that says a wrong night is found wrong by itself", async () => {
  const [first] = await records();
  const swap = first as Swap;
  const opened = { price: "1.10002000", amount: "11000.20", side: "buy", symbol: "EUR/USD", pip: "0.00010000", at: OPENED };
  const faults = (nights: Swap[]) => {
    const report = new Report();
    checkNights(nights, opened, report);
    return report.end().reason;
  };
  expect(faults([swap])).toBeNull();
  for (const wrong of [
    { due: "-10.01" },
    { nights: 3 },
    { rate: "-101.0000" },
    { unit: "guesses" },
    { booked: "-10.01" },
    { booked: "1.00" },
    { side: "sell" },
    { symbol: "GBP/USD" },
    { openPrice: "1.10003000", due: "-10.00" },
    { held: "22000.40", due: "-20.00", booked: "-20.00" },
    { point: "0.00010000", due: "-100.00", booked: "-100.00" },
    { night: "2026-11-11" },
  ])
    expect([wrong, faults([{ ...swap, ...wrong }]) !== null]).toEqual([wrong, true]);
  expect(faults([swap, swap])).toContain("twice");
});

test("a night goes by the unit, the rate and the triple day of the version that it names: a fee, the instrument's own rule, or its class's", async () => {
  const [first] = await records();
  const swap: Swap = { ...(first as Swap), night: "2026-11-16", nights: 1, unit: "points", rate: "-100.0000" };
  const wednesday: Swap = { ...swap, night: "2026-11-18", nights: 3 };
  const saturday: Swap = { ...swap, night: "2026-11-21" };
  const terms = { kind: "terms", instruments: '{"EUR/USD":{"class":"major"},"BTC/USD":{"class":"crypto"}}' } as LogRecord<"terms">;
  const own = rule({ for: "EUR/USD", long: "-100", short: "3" });
  const ofClass = rule({ for: "forex-major", long: "-7", short: "4" });
  const faultOf = (night: Swap, swaps: object[], swapFreeFee: string | null = null) => {
    const report = new Report();
    const group = { kind: "group", group: night.group, version: night.version, swaps: JSON.stringify(swaps), swapFreeFee } as LogRecord<"group">;
    checkRates([night], [night, terms, group], report);
    return report.end().reason;
  };
  const coin: Swap = { ...saturday, symbol: "BTC/USD", unit: "percent", rate: "-20.0000" };
  for (const [night, swaps, fee] of [
    [swap, [own]],
    [swap, [ofClass, own]],
    [wednesday, [own]],
    [{ ...swap, rate: "-7.0000" }, [ofClass]],
    [{ ...swap, rate: "4.0000", side: "sell" }, [ofClass]],
    [coin, [rule({ for: "crypto", unit: "percent", long: "-20", tripleDay: null })]],
    [{ ...swap, unit: "fee", rate: "-5.0000" }, [own], "5.00"],
  ] as const)
    expect(faultOf(night, [...swaps], fee)).toBeNull();
  for (const [night, swaps, fee] of [
    [swap, []],
    [swap, [ofClass]],
    [swap, [own], "5.00"],
    [swap, [rule({ for: "EUR/USD", long: "-100", unit: "percent" })]],
    [{ ...swap, nights: 3 }, [own]],
    [{ ...wednesday, nights: 1 }, [own]],
    [saturday, [own]],
    [{ ...swap, rate: "-200.0000" }, [own]],
    [coin, [rule({ for: "forex-crypto", unit: "percent", long: "-20", tripleDay: null })]],
  ] as const)
    expect([night, faultOf(night, [...swaps], fee)]).toEqual([night, expect.stringContaining("The rates of its nights")]);
  // Without the terms nobody knows the instrument's class, and without the group's version nothing.
  const group = { kind: "group", group: swap.group, version: swap.version, swaps: JSON.stringify([ofClass]), swapFreeFee: null } as LogRecord<"group">;
  for (const beside of [[group], [terms], []]) {
    const report = new Report();
    checkRates([swap], [swap, ...beside], report);
    expect(report.end().steps.map(({ state }) => state)).toEqual(["open"]);
  }
});

test("a rate that the terms do not have is found in the file, whatever its hashes are", async () => {
  const rewrite = (rate: string, money: string) =>
    forge(app.sql, LOG_KEY, (record) => (record.kind === "swap" && record.night === MONDAY ? { ...record, rate, due: money, booked: money } : null));
  const reason = async () => {
    const { text } = await tess.get<PositionFile>(`/api/trading/positions/${position.id}/proof`);
    return verify(text, { key: (await currentLog(app.sql))?.key ?? null }).reason;
  };
  expect(await rewrite("-200.0000", "-20.00")).toBe(1);
  expect(await reason()).toBe("The rates of its nights are those of the terms that they name: for that of 2026-11-16 they have -100.0000 points, once.");
  await rewrite("-100.0000", "-10.00");
  expect(await reason()).toBeNull();
});

const MONDAY = "2026-11-16";
/** Moves what was due for a night, and what was booked of it. */
const changeNight = (by: string) =>
  tamper(app.sql, (tx) => tx`update swaps set due = due + ${by}::text::numeric, amount = amount + ${by}::text::numeric where night = ${MONDAY}::text::date`);
const amiss = async () => (await proveLogs(app.sql, logged)).filter(({ rows }) => rows > 0).map(({ first }) => first);

test("a night that was changed in the database is found by looking at the log", async () => {
  expect(await amiss()).toEqual([]);
  await changeNight("0.50");
  expect((await amiss()).join()).toMatch(/^entry \d+ \(swap \d+\) says otherwise than the table does now$/);
  await changeNight("-0.50");
});

test("an operator who changes a night, and with it every hash and signature, is found out by a kept checkpoint", async () => {
  const { note, key } = (await currentLog(app.sql))!;
  const verifier = parseVerifier(key)!;
  const rewrite = (by: number) => {
    const moved = (money: unknown) => (Number(money) + by).toFixed(2);
    const change = (record: Record<string, unknown>) =>
      record.kind === "swap" && record.night === MONDAY ? { ...record, due: moved(record.due), booked: moved(record.booked) } : null;
    return forge(app.sql, LOG_KEY, change);
  };
  await changeNight("0.50");
  expect(await rewrite(0.5)).toBeGreaterThan(0);
  // By itself the database is in order again.
  expect([await amiss(), await grewFrom(app.sql, note ?? "", verifier)]).toEqual([[], false]);
  await changeNight("-0.50");
  await rewrite(-0.5);
  expect([await amiss(), await grewFrom(app.sql, note ?? "", verifier)]).toEqual([[], true]);
});
