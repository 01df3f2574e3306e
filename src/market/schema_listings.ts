import * as v from "valibot";
import { HoursFault, readHolidays, readSessions } from "./rules_hours";

/** How an instrument is listed, as the database keeps it and staff see it. */

const sessions = v.array(v.strictObject({ day: v.number(), from: v.number(), to: v.number() }));
export const listingShape = v.strictObject({
  name: v.string(),
  digits: v.number(),
  /** One pip as decimal text. */
  pip: v.string(),
  /** Null: those of the class. */
  hours: v.nullable(v.strictObject({ zone: v.string(), sessions, holidays: v.array(v.string()) })),
  /**
   * Null: the simulator does not quote it. `start` and yearly `volatility` are those of the one of its two currencies that it brings to the
   * simulator; neither where both are known. `spread` in pips; left out: a share of the price.
   */
  simulator: v.nullable(v.strictObject({ start: v.optional(v.number()), volatility: v.optional(v.number()), spread: v.optional(v.number()) })),
  /** What each feed calls it; null: that feed does not quote it. */
  kraken: v.nullable(v.string()),
  replay: v.nullable(v.string()),
});
export type Listing = v.InferOutput<typeof listingShape>;

/** A field's text as it is written, where `read` can read it; else what is wrong with it. */
const readBy = (read: (text: string) => unknown) =>
  v.pipe(
    v.nullable(v.string("This must be text."), ""),
    v.maxLength(2_000, "At most 2000 characters."),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return;
      try {
        read(dataset.value);
      } catch (error) {
        if (!(error instanceof HoursFault)) throw error;
        addIssue({ message: error.message });
      }
    }),
  );
/** Sessions, a line each; empty: the hours of the class. */
export const sessionsField = readBy((text) => text.trim() === "" || readSessions(text));
export const holidaysField = readBy(readHolidays);

const ZONE = "A zone is named as Europe/Zurich is.";
export const zoneField = v.pipe(
  v.string(ZONE),
  v.maxLength(60, ZONE),
  v.check((zone) => zone === "" || isZone(zone), ZONE),
);
function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

const NAME = "A feed's symbol is written as BTC/USD is.";
export const symbolOfFeed = v.pipe(v.string(NAME), v.trim(), v.regex(/^[A-Z0-9]{2,12}\/[A-Z0-9]{2,12}$/, NAME));
