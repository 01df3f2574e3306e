import { describe, expect, test } from "bun:test";
import { DAY, HOUR } from "../lib/time";
import { calendarEvents, calendarFrom, comingOf, instantAt } from "./rules_calendar";

const event = (id: string) => calendarEvents.find((each) => each.id === id) as (typeof calendarEvents)[number];
const next = (id: string, from: string) => new Date(comingOf(event(id), Date.parse(from), 0)[0] ?? Number.NaN).toISOString();

describe("each rule falls where the calendar says", () => {
  for (const [id, from, expected] of [
    ["us-jobs", "2026-11-21T00:00:00Z", "2026-12-04T13:30:00.000Z"],
    ["us-jobs", "2026-12-04T13:30:00Z", "2026-12-04T13:30:00.000Z"],
    ["us-jobs", "2026-06-10T00:00:00Z", "2026-07-03T12:30:00.000Z"],
    ["us-private-jobs", "2026-11-21T00:00:00Z", "2026-12-02T13:15:00.000Z"],
    ["us-claims", "2026-11-21T00:00:00Z", "2026-11-26T13:30:00.000Z"],
    ["us-factories", "2026-08-20T00:00:00Z", "2026-09-01T14:00:00.000Z"],
    ["us-factories", "2026-12-20T00:00:00Z", "2027-01-04T15:00:00.000Z"],
    ["us-services", "2026-09-02T00:00:00Z", "2026-09-03T14:00:00.000Z"],
    ["us-confidence", "2026-11-21T00:00:00Z", "2026-11-24T15:00:00.000Z"],
    ["us-expiry", "2026-11-21T00:00:00Z", "2026-12-18T21:00:00.000Z"],
    ["eu-factories", "2026-11-21T00:00:00Z", "2026-12-01T09:00:00.000Z"],
    ["uk-services", "2026-06-30T00:00:00Z", "2026-07-03T08:30:00.000Z"],
    ["month-end", "2026-11-21T00:00:00Z", "2026-11-30T16:00:00.000Z"],
    ["month-end", "2026-05-10T00:00:00Z", "2026-05-29T15:00:00.000Z"],
    ["btc-options", "2026-11-21T00:00:00Z", "2026-11-27T08:00:00.000Z"],
    ["week-opens", "2026-11-21T00:00:00Z", "2026-11-22T22:00:00.000Z"],
    ["us-clocks-on", "2026-11-21T00:00:00Z", "2027-03-14T07:00:00.000Z"],
    ["eu-clocks", "2026-11-21T00:00:00Z", "2027-03-28T01:00:00.000Z"],
    ["us-thanksgiving", "2026-11-21T00:00:00Z", "2026-11-26T05:00:00.000Z"],
    ["christmas", "2026-12-26T00:00:00Z", "2027-12-25T05:00:00.000Z"],
  ] as const)
    test(`${id} after ${from.slice(0, 10)}`, () => expect(next(id, from)).toBe(expected));
});

test("two days before a first Friday may be in the month before", () => {
  const month = (year: number, of: number) => event("us-private-jobs").days(year, of);
  expect(month(2026, 12)).toEqual([2, 30]);
  expect(month(2027, 1)).toEqual([]);
  expect(next("us-private-jobs", "2026-12-10T00:00:00Z")).toBe("2026-12-30T13:15:00.000Z");
});

test("a wall time is found on both sides of every change of the clocks", () => {
  expect(new Date(instantAt(2026, 3, 8, "17:00", "America/New_York")).toISOString()).toBe("2026-03-08T21:00:00.000Z");
  expect(new Date(instantAt(2026, 3, 7, "17:00", "America/New_York")).toISOString()).toBe("2026-03-07T22:00:00.000Z");
  expect(new Date(instantAt(2026, 10, 25, "16:00", "Europe/London")).toISOString()).toBe("2026-10-25T16:00:00.000Z");
  expect(new Date(instantAt(2026, 10, 24, "16:00", "Europe/London")).toISOString()).toBe("2026-10-24T15:00:00.000Z");
});

test("every event has a next occurrence within thirteen months, whenever one looks, and the list is in order", () => {
  for (let month = 0; month < 24; month++) {
    const from = Date.UTC(2026, month, 28);
    const list = calendarFrom(from, 28);
    expect(new Set(list.map(({ event: { id } }) => id)).size).toBe(calendarEvents.length);
    expect(list.map(({ at }) => at)).toEqual(list.map(({ at }) => at).sort((a, b) => a - b));
    expect(Math.max(...list.map(({ at }) => at)) - from).toBeLessThan(400 * DAY);
    expect(Math.min(...list.map(({ at }) => at))).toBeGreaterThan(from - HOUR);
  }
});

test("only what is asked for", () => {
  const list = calendarFrom(Date.UTC(2026, 10, 21), 7, ({ currency, impact }) => currency === "USD" && impact === "high");
  expect(new Set(list.map(({ event: { id } }) => id))).toEqual(new Set(["us-jobs", "us-factories", "us-services"]));
});
