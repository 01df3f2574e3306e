import type { CalendarCurrency, Impact } from "../../src/market/rules_calendar";

/** One occurrence as the calendar lists it; `at` ISO 8601 UTC. */
export type CalendarRow = { id: string; title: string; currency: CalendarCurrency; impact: Impact; rule: string; at: string };
