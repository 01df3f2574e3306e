import { afterAll, expect, test } from "bun:test";
import { TickMarkType } from "lightweight-charts";
import { clockOf } from "./chart_clock";

/** What stands below a chart at its marks, on a device elsewhere. */

const zone = process.env.TZ;
afterAll(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

type Clock = { localization: { timeFormatter: (time: number) => string }; timeScale: { tickMarkFormatter: (time: number, type: TickMarkType) => string } };
/** What is said in UTC and by the device's clock, there. */
function said(there: string, at: string, type: TickMarkType): [string, string] {
  process.env.TZ = there;
  const [utc, local] = [true, false].map((is) => (clockOf(is) as Clock).timeScale.tickMarkFormatter(Date.parse(at) / 1000, type));
  return [utc ?? "", local ?? ""];
}

test("a mark says the month or the year that begins there, and west of UTC, where none does yet, the day", () => {
  expect(said("America/New_York", "2026-08-01T00:00Z", TickMarkType.Month)).toEqual(["Aug", "31 Jul"]);
  expect(said("America/New_York", "2026-01-01T00:00Z", TickMarkType.Year)).toEqual(["2026", "31 Dec"]);
  // A pair's first candle of a month, and of a year, need not be the first day's.
  expect(said("America/New_York", "2026-08-03T06:00Z", TickMarkType.Month)).toEqual(["Aug", "Aug"]);
  expect(said("Asia/Tokyo", "2026-01-02T00:00Z", TickMarkType.Year)).toEqual(["2026", "2026"]);
  expect(said("Asia/Tokyo", "2026-08-01T00:00Z", TickMarkType.Month)).toEqual(["Aug", "Aug"]);
  expect(said("Asia/Tokyo", "2026-08-04T18:30Z", TickMarkType.Time)).toEqual(["18:30", "03:30"]);
});

test("candles of days and more are UTC's, and have no time", () => {
  process.env.TZ = "America/New_York";
  const first = Date.parse("2026-11-01T00:00Z") / 1000;
  const { timeScale, localization } = clockOf(false, true) as Clock;
  expect([timeScale.tickMarkFormatter(first, TickMarkType.Month), timeScale.tickMarkFormatter(first, TickMarkType.Time)]).toEqual(["Nov", "1 Nov"]);
  expect([localization.timeFormatter(first), (clockOf(true) as Clock).localization.timeFormatter(first)]).toEqual(["01 Nov 26", "01 Nov 26, 00:00"]);
});
