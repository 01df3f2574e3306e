/** Time, in milliseconds since the epoch unless a name says otherwise. */

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** What a promise brings within so many milliseconds, else null. Whoever stops waiting is not told how it ended. */
export async function inTime<T>(promise: Promise<T>, ms: number): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, ms, null);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

let offset = Date.now() - performance.now();

/**
 * Milliseconds since the epoch that never run backwards and never stand still: a wall clock set back is not followed,
 * one set forward (or a machine that woke up) is. Ages and deadlines are measured with it.
 */
export function steadyNow(): number {
  const running = performance.now();
  offset = Math.max(offset, Date.now() - running);
  return Math.floor(offset + running);
}

const formats = new Map<string, Intl.DateTimeFormat>();
/** What the clocks of a zone show at an instant, to the minute, as if it were UTC. Intl is slow. */
export function wallClock(at: number, zone: string): number {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
    });
  formats.set(zone, format);
  const part = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const field = (name: Intl.DateTimeFormatPartTypes) => part.get(name) ?? 0;
  return Date.UTC(field("year"), field("month") - 1, field("day"), field("hour"), field("minute"));
}

export const NEW_YORK = "America/New_York";
const QUARTER = 15 * MINUTE;
const KEPT_OFFSETS = 512;
const offsets = new Map<string, Map<number, number>>();

/** A zone's distance from UTC (negative: behind). Clocks change on quarters of an hour, so one answer for each is enough. */
export function zoneOffset(at: number, zone: string): number {
  const quarter = Math.floor(at / QUARTER);
  let kept = offsets.get(zone);
  if (!kept) offsets.set(zone, (kept = new Map()));
  const known = kept.get(quarter);
  if (known !== undefined) return known;
  const offset = wallClock(quarter * QUARTER, zone) - quarter * QUARTER;
  if (kept.size >= KEPT_OFFSETS) kept.clear();
  kept.set(quarter, offset);
  return offset;
}
const newYorkOffset = (at: number): number => zoneOffset(at, NEW_YORK);

/** The wall clock of New York: weekday 0 is Sunday, month 1 is January. */
export function newYorkClock(at: number): { weekday: number; month: number; day: number; hour: number } {
  const local = new Date(at + newYorkOffset(at));
  return { weekday: local.getUTCDay(), month: local.getUTCMonth() + 1, day: local.getUTCDate(), hour: local.getUTCHours() };
}

/** The last New York 17:00 at or before `at`, where a trading day begins. */
export function tradingDayStart(at: number): number {
  const local = at + newYorkOffset(at);
  const start = Math.floor((local - 17 * HOUR) / DAY) * DAY + 17 * HOUR;
  return start - newYorkOffset(start - newYorkOffset(at));
}
