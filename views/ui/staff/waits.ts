import { PROMISED_MS } from "../../../src/lib/promises";
import { DAY, HOUR, MINUTE } from "../../../src/lib/time";

/** What a crypto deposit is promised to take at most; from then on a wait shows. */
const LONG = 30 * MINUTE;

export type Wait = { text: string; tone: "fresh" | "long" | "late" };

/** How long something has waited at `now` (ms), in one unit; late once what a withdrawal is promised is over. */
export function waitOf(since: string, now: number): Wait {
  const age = Math.max(0, now - Date.parse(since));
  const tone = age >= PROMISED_MS ? "late" : age >= LONG ? "long" : "fresh";
  if (age < MINUTE) return { text: "just now", tone };
  if (age < HOUR) return { text: `${Math.floor(age / MINUTE)} min`, tone };
  if (age < 2 * DAY) return { text: `${Math.floor(age / HOUR)} h`, tone };
  return { text: `${Math.floor(age / DAY)} days`, tone };
}
