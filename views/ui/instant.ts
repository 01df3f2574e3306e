/** An ISO instant for the eye, in UTC: "2026-11-21 03:12:45". */
export const instantText = (iso: string): string => iso.slice(0, 19).replace("T", " ");

const DATE = new Intl.DateTimeFormat("en-US", { timeZone: "UTC", year: "numeric", month: "short", day: "numeric" });
/** "Nov 21, 2026". */
export const dateText = (iso: string): string => DATE.format(new Date(iso));
