import { DAY } from "../lib/time";
import { isForexOpen } from "../market/hours";

/** Whether forex is then as it is on that day of most weeks: open at noon from Monday to Friday, closed on Saturdays. On a holiday it is not. */
const isUsual = (at: number) => isForexOpen(at) === new Date(at).getUTCDay() % 6 > 0;

/** The next time of this weekday at noon in UTC after `from` that no holiday falls on, nor on that many days after it. */
export function nextNoon(weekday: number, from: number, ...alsoDaysAfter: number[]): number {
  const noon = new Date(from).setUTCHours(12, 0, 0, 0);
  let at = noon + ((weekday - new Date(noon).getUTCDay() + 7) % 7) * DAY;
  while (at <= from || ![0, ...alsoDaysAfter].every((days) => isUsual(at + days * DAY))) at += 7 * DAY;
  return at;
}
