import { addressOf, type ListQuery, panelTab } from "../ui/staff/address";

const DATE = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", weekday: "short", day: "numeric", month: "short", year: "numeric" });
const SHORT = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", day: "numeric", month: "short" });

/** "Sat, 21 Nov 2026". */
export const dayName = (day: string): string => DATE.format(new Date(`${day}T00:00:00Z`));
/** "21 Nov". */
export const shortDay = (day: string): string => SHORT.format(new Date(`${day}T00:00:00Z`));

const MS_OF_DAY = 86_400_000;
export const dayBeside = (day: string, days: number): string => new Date(Date.parse(`${day}T00:00:00Z`) + days * MS_OF_DAY).toISOString().slice(0, 10);

const AT = panelTab("today");
/** A day's page, or with more of a query the lines of one of its figures. */
export const dayAddress = (day: string, query: ListQuery = {}): string => addressOf(AT, { day, ...query });
