import { DAY, MINUTE, NEW_YORK, wallClock } from "../lib/time";

/**
 * Events that come back by a rule of the calendar, such as 'the first Friday of a month, 8:30 in New York'. Their instants are
 * computed; nobody is asked, and nothing is known of what is announced or whether an authority moved its day. What follows no rule,
 * central banks' meetings above all, is left out.
 */

export type Impact = "high" | "medium" | "low";
export const IMPACTS = ["high", "medium", "low"] as const;
export const CALENDAR_CURRENCIES = ["USD", "EUR", "GBP", "CHF", "BTC", "All"] as const;
export type CalendarCurrency = (typeof CALENDAR_CURRENCIES)[number];

/** Days of a month (1 to 31) on which something falls; `month` 1 is January. */
type Days = (year: number, month: number) => number[];
export type CalendarEvent = {
  id: string;
  title: string;
  currency: CalendarCurrency;
  impact: Impact;
  /** The rule in words. */
  rule: string;
  zone: string;
  /** Wall time there: "08:30". */
  time: string;
  days: Days;
};

// Rules -----------------------------------------------------------------------------------------------------------------

const [SUNDAY, MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY] = [0, 1, 2, 3, 4, 5] as const;
const lengthOf = (year: number, month: number) => new Date(Date.UTC(year, month, 0)).getUTCDate();
const weekdayOf = (year: number, month: number, day: number) => new Date(Date.UTC(year, month - 1, day)).getUTCDay();
const daysOf = (year: number, month: number) => Array.from({ length: lengthOf(year, month) }, (_, n) => n + 1);

/** Every such weekday of the month. */
const every =
  (weekday: number): Days =>
  (year, month) =>
    daysOf(year, month).filter((day) => weekdayOf(year, month, day) === weekday);
/** The nth such weekday, −1 the last; in these months, or in all. */
const nth =
  (weekday: number, n: number, months?: readonly number[]): Days =>
  (year, month) => {
    if (months && !months.includes(month)) return [];
    const day = every(weekday)(year, month).at(n > 0 ? n - 1 : n);
    return day === undefined ? [] : [day];
  };
/** So many days before what another rule gives, across the border of a month too. */
const before =
  (distance: number, rule: Days): Days =>
  (year, month) => {
    const later = rule(month === 12 ? year + 1 : year, (month % 12) + 1).map((day) => lengthOf(year, month) + day);
    return [...rule(year, month), ...later].map((day) => day - distance).filter((day) => day >= 1 && day <= lengthOf(year, month));
  };

const US_HOLIDAYS: Days[] = [nth(MONDAY, 3, [1]), nth(MONDAY, 3, [2]), nth(MONDAY, -1, [5]), nth(MONDAY, 1, [9]), nth(MONDAY, 2, [10]), nth(THURSDAY, 4, [11])];
const fixed = (month: number) => [...(month === 1 ? [1] : []), ...(month === 12 ? [25] : [])];
/** Monday to Friday without 1 January, 25 December and what `off` names. */
const business =
  (n: number, off: readonly Days[] = []): Days =>
  (year, month) => {
    const closed = new Set([...fixed(month), ...off.flatMap((rule) => rule(year, month))]);
    const open = daysOf(year, month).filter((day) => weekdayOf(year, month, day) % 6 !== 0 && !closed.has(day));
    const day = open.at(n > 0 ? n - 1 : n);
    return day === undefined ? [] : [day];
  };
const usBusiness = (n: number) => business(n, [...US_HOLIDAYS, (_, month) => (month === 7 ? [4] : month === 6 ? [19] : [])]);

// Events ----------------------------------------------------------------------------------------------------------------

const LONDON = "Europe/London";
const FRANKFURT = "Europe/Berlin";
const ZURICH = "Europe/Zurich";

type Given = [id: string, title: string, currency: CalendarCurrency, impact: Impact, rule: string, zone: string, time: string, days: Days];
const GIVEN: Given[] = [
  ["us-jobs", "US employment report (non-farm payrolls)", "USD", "high", "First Friday of the month", NEW_YORK, "08:30", nth(FRIDAY, 1)],
  ["us-private-jobs", "US private payrolls", "USD", "medium", "Two days before the first Friday of the month", NEW_YORK, "08:15", before(2, nth(FRIDAY, 1))],
  ["us-claims", "US weekly jobless claims", "USD", "medium", "Every Thursday", NEW_YORK, "08:30", every(THURSDAY)],
  ["us-factories", "US purchasing managers, manufacturing", "USD", "high", "First US business day of the month", NEW_YORK, "10:00", usBusiness(1)],
  ["us-services", "US purchasing managers, services", "USD", "high", "Third US business day of the month", NEW_YORK, "10:00", usBusiness(3)],
  ["us-confidence", "US consumer confidence", "USD", "medium", "Last Tuesday of the month", NEW_YORK, "10:00", nth(TUESDAY, -1)],
  ["us-sentiment", "US consumer sentiment, preliminary", "USD", "medium", "Second Friday of the month", NEW_YORK, "10:00", nth(FRIDAY, 2)],
  ["us-oil", "US crude oil stocks", "USD", "low", "Every Wednesday", NEW_YORK, "10:30", every(WEDNESDAY)],
  ["us-expiry", "US monthly options expiry", "USD", "medium", "Third Friday of the month", NEW_YORK, "16:00", nth(FRIDAY, 3)],
  ["eu-factories", "Euro area purchasing managers, manufacturing", "EUR", "medium", "First business day of the month", FRANKFURT, "10:00", business(1)],
  ["eu-services", "Euro area purchasing managers, services", "EUR", "medium", "Third business day of the month", FRANKFURT, "10:00", business(3)],
  ["uk-factories", "UK purchasing managers, manufacturing", "GBP", "medium", "First business day of the month", LONDON, "09:30", business(1)],
  ["uk-services", "UK purchasing managers, services", "GBP", "medium", "Third business day of the month", LONDON, "09:30", business(3)],
  ["ch-factories", "Swiss purchasing managers, manufacturing", "CHF", "low", "First business day of the month", ZURICH, "09:30", business(1)],
  ["month-end", "Month-end currency fixing", "All", "medium", "Last business day of the month", LONDON, "16:00", business(-1)],
  ["btc-options", "Bitcoin monthly options expiry", "BTC", "medium", "Last Friday of the month", "UTC", "08:00", nth(FRIDAY, -1)],
  ["btc-futures", "Bitcoin monthly futures expiry", "BTC", "medium", "Last Friday of the month", LONDON, "16:00", nth(FRIDAY, -1)],
  ["week-opens", "Forex week opens", "All", "low", "Every Sunday", NEW_YORK, "17:00", every(SUNDAY)],
  ["week-closes", "Forex week closes", "All", "low", "Every Friday", NEW_YORK, "17:00", every(FRIDAY)],
  ["us-clocks-on", "US clocks go forward: sessions shift for Europe", "All", "low", "Second Sunday of March", NEW_YORK, "03:00", nth(SUNDAY, 2, [3])],
  ["us-clocks-back", "US clocks go back: sessions shift for Europe", "All", "low", "First Sunday of November", NEW_YORK, "01:00", nth(SUNDAY, 1, [11])],
  ["eu-clocks", "European clocks change: sessions shift", "All", "low", "Last Sunday of March and of October", "UTC", "01:00", nth(SUNDAY, -1, [3, 10])],
  ["us-thanksgiving", "US Thanksgiving: thin trading", "USD", "low", "Fourth Thursday of November", NEW_YORK, "00:00", nth(THURSDAY, 4, [11])],
  ["us-labour", "US Labor Day: thin trading", "USD", "low", "First Monday of September", NEW_YORK, "00:00", nth(MONDAY, 1, [9])],
  ["us-memorial", "US Memorial Day: thin trading", "USD", "low", "Last Monday of May", NEW_YORK, "00:00", nth(MONDAY, -1, [5])],
  ["christmas", "Christmas Day: forex is closed", "All", "low", "25 December", NEW_YORK, "00:00", (_, month) => (month === 12 ? [25] : [])],
  ["new-year", "New Year's Day: forex is closed", "All", "low", "1 January", NEW_YORK, "00:00", (_, month) => (month === 1 ? [1] : [])],
];

export const calendarEvents: readonly CalendarEvent[] = GIVEN.map(([id, title, currency, impact, rule, zone, time, days]) => ({
  id,
  title,
  currency,
  impact,
  rule,
  zone,
  time,
  days,
}));

// Instants --------------------------------------------------------------------------------------------------------------

/** The instant at which a zone's clocks show this day and time; twice corrected, since the first guess may lie across a change of the clocks. */
export function instantAt(year: number, month: number, day: number, time: string, zone: string): number {
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  const wanted = Date.UTC(year, month - 1, day, hour, minute);
  const once = wanted - (wallClock(wanted, zone) - wanted);
  return once + (wanted - wallClock(once, zone));
}

type Occurrence = { event: CalendarEvent; at: number };

/** So far ahead is a next occurrence looked for: each rule comes at least once a year. */
const LONGEST = 13;

/** When an event comes, from `from` on: all within `days`, and the next one where that is later. In order. */
export function comingOf(event: CalendarEvent, from: number, days: number): number[] {
  const start = new Date(from - DAY);
  const found: number[] = [];
  for (let n = 0; n <= LONGEST; n++) {
    const first = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + n, 1));
    const [year, month] = [first.getUTCFullYear(), first.getUTCMonth() + 1];
    for (const day of event.days(year, month)) {
      const at = instantAt(year, month, day, event.time, event.zone);
      if (at < from - MINUTE) continue;
      if (at > from + days * DAY) return found.length > 0 ? found : [at];
      found.push(at);
    }
  }
  return found;
}

/** The calendar from `from` on, soonest first. */
export const calendarFrom = (from: number, days: number, wanted: (event: CalendarEvent) => boolean = () => true): Occurrence[] =>
  calendarEvents
    .filter(wanted)
    .flatMap((event) => comingOf(event, from, days).map((at) => ({ event, at })))
    .sort((a, b) => a.at - b.at || a.event.id.localeCompare(b.event.id));
