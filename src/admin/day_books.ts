import { shared } from "../lib/shared";
import { MINUTE, SECOND } from "../lib/time";
import type { AppContext } from "../platform/app_context";
import type { Trading } from "../trading/trading";
import { datesOf, dayBookOf } from "./queries_days";
import type { DayBook } from "./schema_days";

/** However many look at today, its figures are read no more often than this, in ms. */
const SHARED_MS = SECOND;
/** Of so many lines they take a while. */
const VERY_MANY = 2000;

export type DayBooks = (day: string) => Promise<DayBook>;

/**
 * A day with all that its page shows. Today's is read once for all who look; after a day on which very much was booked, whoever comes first after a
 * pause is shown what was read up to a minute ago while it is read again. Refuses (not_found) a day to come.
 */
export function dayBooks(app: AppContext, trading: Trading): DayBooks {
  const todays = shared<string, DayBook>(SHARED_MS, async () => dayBookOf(await app.reading(), null, trading.board()), {
    stale: ({ figures: { parts } }) => (parts.reduce((all, { count }) => all + count, 0) > VERY_MANY ? MINUTE : 0),
  });
  return async (day) => {
    const { today, next } = await datesOf(app.sql);
    // What was closed just now is told at once.
    return day === today ? todays(`${today} ${next}`) : dayBookOf(await app.reading(), day, trading.board());
  };
}
