import { afterAll, beforeAll, expect, test } from "bun:test";
import { logged } from "../admin/queries_logged";
import { proveLogs } from "../proof/check";
import { currentLog } from "../proof/queries";
import type { PositionFile } from "../proof/rules_files";
import { parseVerifier } from "../proof/rules_note";
import { verify } from "../proof/rules_verify";
import { checkNights } from "../proof/rules_verify_nights";
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
