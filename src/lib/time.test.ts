import { expect, test } from "bun:test";
import { HOUR, newYorkClock, steadyNow, tradingDayStart } from "./time";

const start = (at: string) => new Date(tradingDayStart(Date.parse(at))).toISOString();

test("a trading day begins at 17:00 in New York, in winter, in summer and on the days between", () => {
  expect(start("2026-01-15T21:59:59.999Z")).toBe("2026-01-14T22:00:00.000Z");
  expect(start("2026-01-15T22:00:00Z")).toBe("2026-01-15T22:00:00.000Z");
  expect(start("2026-07-15T20:59:59.999Z")).toBe("2026-07-14T21:00:00.000Z");
  expect(start("2026-07-15T21:00:00Z")).toBe("2026-07-15T21:00:00.000Z");
  // Clocks go forward on 8 March 2026 at 2:00 and back on 1 November 2026 at 2:00.
  expect(start("2026-03-08T20:59:59Z")).toBe("2026-03-07T22:00:00.000Z");
  expect(start("2026-03-08T21:00:00Z")).toBe("2026-03-08T21:00:00.000Z");
  expect(start("2026-11-01T21:59:59Z")).toBe("2026-10-31T21:00:00.000Z");
  expect(start("2026-11-01T22:00:00Z")).toBe("2026-11-01T22:00:00.000Z");
});

test("every hour of ten years has its own wall clock in New York, and a trading day of 23 to 25 hours", () => {
  for (let at = Date.UTC(2020, 0, 1); at < Date.UTC(2030, 0, 1); at += HOUR) {
    const begun = tradingDayStart(at);
    expect(begun <= at && at - begun < 25 * HOUR).toBe(true);
    expect(newYorkClock(begun).hour).toBe(17);
  }
});

test("the steady clock agrees with the wall clock and does not run backwards", () => {
  let last = steadyNow();
  expect(Math.abs(last - Date.now())).toBeLessThan(1_000);
  for (let n = 0; n < 1_000; n++) {
    const now = steadyNow();
    expect(now).toBeGreaterThanOrEqual(last);
    last = now;
  }
});
