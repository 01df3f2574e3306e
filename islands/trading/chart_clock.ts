import { TickMarkType } from "lightweight-charts";

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
const two = (value: number) => String(value).padStart(2, "0");

/** Axis and crosshair by the clock in UTC or by the device's own; `ofDays`: candles of a day and more have none, and are UTC's. Without Intl, which takes a slow phone a tenth of a second to begin. */
export function clockOf(utc: boolean, ofDays = false) {
  const partsOf = (seconds: number) => {
    const time = new Date(seconds * 1000);
    // What the device's clock shows, as if it were UTC.
    const at = utc || ofDays ? time : new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
    return {
      year: at.getUTCFullYear(),
      month: MONTHS[at.getUTCMonth()] ?? "",
      day: at.getUTCDate(),
      clock: `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}`,
    };
  };
  const mark = (time: number, type: TickMarkType): string => {
    const { year, month, day, clock } = partsOf(time);
    // The chart parts years and months in UTC: west of it the last day of one is not over then.
    const isOver = month === MONTHS[new Date(time * 1000).getUTCMonth()];
    if (type === TickMarkType.Year && isOver) return String(year);
    if (type === TickMarkType.Month && isOver) return month;
    return ofDays || type <= TickMarkType.DayOfMonth ? `${day} ${month}` : clock;
  };
  const whole = (time: number): string => {
    const { year, month, day, clock } = partsOf(time);
    return `${two(day)} ${month} ${two(year % 100)}${ofDays ? "" : `, ${clock}`}`;
  };
  return { localization: { timeFormatter: whole }, timeScale: { tickMarkFormatter: mark } } as object;
}
