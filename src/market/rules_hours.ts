/** When an instrument trades where its class does not say it: sessions by weekday on the clock of a zone, and days without any. */
export type Hours = { zone: string; sessions: Session[]; holidays: string[] };
/** `day` 0 is Sunday; minutes since midnight, `to` at most 1440. */
export type Session = { day: number; from: number; to: number };

const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const LINE = /^(\S+)\s+(\S+?)\s*-\s*(\S+)$/;

/** What is wrong with written hours, with where it stands. */
export class HoursFault extends Error {}

const atRow = (row: number, column: string, what: string) => new HoursFault(`Row ${row}, ${column}: ${what}`);

/** Reads sessions, one a line: "Mon-Fri 09:30-16:00". Throws HoursFault with row and column where one can't be, or two overlap. */
export function readSessions(text: string): Session[] {
  const rows = text.split("\n").map((line) => line.trim());
  const found = rows.flatMap((line, n) => (line === "" ? [] : sessionsIn(line, n + 1)));
  if (found.length === 0) throw new HoursFault("Row 1, day: name at least one session, such as Mon-Fri 09:30-16:00.");
  const sorted = found.toSorted((a, b) => a.day - b.day || a.from - b.from || a.row - b.row);
  for (const [n, next] of sorted.entries()) {
    const before = sorted[n - 1];
    if (!before || before.day !== next.day || before.to <= next.from) continue;
    const [first, second] = before.row <= next.row ? [before, next] : [next, before];
    throw atRow(second.row, "from", `it overlaps row ${first.row} on ${DAYS[next.day]}.`);
  }
  return sorted.map(({ day, from, to }) => ({ day, from, to }));
}

function sessionsIn(line: string, row: number): (Session & { row: number })[] {
  const [, days = "", from = "", to = ""] = LINE.exec(line) ?? [];
  if (days === "") throw atRow(row, "day", "write a session as Mon 09:30-16:00.");
  const [begin, end] = [minuteIn(from, row, "from"), minuteIn(to, row, "to")];
  if (end <= begin) throw atRow(row, "to", "it must be after from; a session over midnight is two, up to 24:00 and from 00:00.");
  return daysIn(days, row).map((day) => ({ row, day, from: begin, to: end }));
}

function daysIn(text: string, row: number): number[] {
  const [first = -1, last = first, ...more] = text.split("-").map((name) => DAYS.findIndex((day) => day.toLowerCase() === name.toLowerCase()));
  if (first < 0 || last < 0 || more.length > 0) throw atRow(row, "day", "it must be Mon, Tue, Wed, Thu, Fri, Sat or Sun, or a range such as Mon-Fri.");
  return Array.from({ length: ((last - first + 7) % 7) + 1 }, (_, n) => (first + n) % 7);
}

function minuteIn(text: string, row: number, column: string): number {
  const [, hours = "", minutes = ""] = /^(\d\d):(\d\d)$/.exec(text) ?? [];
  const minute = Number(hours) * 60 + Number(minutes);
  if (hours === "" || Number(minutes) > 59 || minute > 1440) throw atRow(row, column, "it must be a time from 00:00 to 24:00.");
  return minute;
}

const clock = (minute: number) => `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
/** Sessions as they are written, a line each. */
export const sessionsText = (sessions: readonly Session[]): string =>
  sessions.map(({ day, from, to }) => `${DAYS[day]} ${clock(from)}-${clock(to)}`).join("\n");

/** Reads days without sessions, apart by spaces, commas or lines: "2026-12-24", or "12-25" for each year. Throws HoursFault with the place of one that is none. */
export function readHolidays(text: string): string[] {
  const days = text.split(/[\s,]+/).filter(Boolean);
  for (const [n, day] of days.entries()) {
    const whole = day.length === 5 ? `2024-${day}` : day;
    const at = /^\d{4}-\d\d-\d\d$/.test(whole) ? Date.parse(whole) : Number.NaN;
    if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== whole)
      throw new HoursFault(`Day ${n + 1}: write it as 2026-12-24, or 12-25 for each year.`);
  }
  return days;
}

/** Whether a market of these hours is open at what the zone's clocks show, written as if it were UTC (ms since the epoch). */
export function isInHours({ sessions, holidays }: Hours, local: number): boolean {
  const at = new Date(local);
  const day = at.toISOString().slice(0, 10);
  if (holidays.includes(day) || holidays.includes(day.slice(5))) return false;
  const minute = at.getUTCHours() * 60 + at.getUTCMinutes();
  return sessions.some((each) => each.day === at.getUTCDay() && each.from <= minute && minute < each.to);
}
