/** An ISO instant for the eye, in UTC: "2026-11-21 03:12:45". */
export const instantText = (iso: string): string => iso.slice(0, 19).replace("T", " ");

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
/** "Nov 21, 2026", in UTC. Without Intl, which takes a slow phone a tenth of a second to begin. */
export function dateText(iso: string): string {
  const date = new Date(iso);
  return `${MONTHS[date.getUTCMonth()]} ${date.getUTCDate()}, ${date.getUTCFullYear()}`;
}

/** A field of a date and time, in UTC, that begins as an ISO instant says: whole, so that what is sent unchanged is the same instant, and without seconds where it has none. */
export const momentField = (iso: string | null | undefined) => ({
  type: "datetime-local",
  step: "any",
  defaultValue: iso?.replace(/(:00)?(\.0+)?Z$/, "") ?? "",
});
