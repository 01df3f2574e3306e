import { displayMoney } from "../lib/money";
import { pipsText } from "../lib/quote_text";
import { NEW_YORK } from "../lib/time";
import { HoursFault, readSessions, sessionsText } from "../market/rules_hours";
import type { Listing } from "../market/schema_listings";
import { stepsTextOf, writtenSteps } from "./rules_margin_steps";
import type { StaffInstrument } from "./schema_instruments";

/** How an instrument's terms and listing are called on screens, in files and in differences, and what a value says. */

export const STATE_WORDS: Record<StaffInstrument["state"], string> = {
  ...{ tradable: "Tradable", close_only: "Close only", shown: "Shown only", hidden: "Hidden" },
};
export const GROUP_WORDS: Record<string, string> = { "forex-major": "Major pair", "forex-minor": "Minor pair", crypto: "Coin" };

type Terms = Pick<StaffInstrument, "state" | "minimum" | "step" | "maximum" | "marginPercent" | "marginSteps" | "clientLimit" | "houseLimit" | "markup">;
export type TermName = keyof Terms;

export const TERM_WORDS: Record<TermName, string> = {
  state: "State",
  minimum: "Smallest order",
  step: "Step",
  maximum: "Largest order",
  marginPercent: "Margin at least",
  marginSteps: "Margin by size",
  clientLimit: "One person at most",
  houseLimit: "The house at most",
  markup: "Mark-up",
};
export const termNames = Object.keys(TERM_WORDS) as TermName[];

/** A term as a form's field holds it. */
export const writtenTerm = (terms: Terms, name: TermName): string => (name === "marginSteps" ? writtenSteps(terms.marginSteps) : (terms[name] ?? ""));

/** What one of the terms says, for the eye. */
export function termText(name: TermName, value: string | null): string {
  if (name === "state") return STATE_WORDS[(value ?? "tradable") as Terms["state"]] ?? "";
  if (value === null || value === "") return "none";
  if (name === "marginSteps") return stepsTextOf(value);
  if (name === "markup") return pipsText(value);
  return name === "marginPercent" ? `${Number(value)}%` : displayMoney(value);
}

/** Terms in a line. */
export const termsText = (terms: Terms): string =>
  termNames
    .flatMap((name) => {
      if (name === "state") return [STATE_WORDS[terms.state]];
      return terms[name] === null ? [] : [`${TERM_WORDS[name].toLowerCase()} ${termText(name, writtenTerm(terms, name))}`];
    })
    .join("; ");

function sameTerm(name: TermName, a: string, b: string): boolean {
  if (name === "marginSteps") return stepsTextOf(a) === stepsTextOf(b);
  return name === "state" || !a || !b ? a === b : Number(a) === Number(b);
}
/** A figure of at most two decimals, as all terms are. */
const FIGURE = /^\d{1,13}(\.\d{1,2}0*)?$/;
/** Whether a field can't be read yet. */
const isUnread = (name: TermName, written: string): boolean => name !== "state" && name !== "marginSteps" && written !== "" && !FIGURE.test(written);

/** What a form would change of the terms, a line for each: 'Largest order: none → $500.00'. */
const termChanges = (now: Terms, written: Record<string, string>): string[] =>
  termNames.flatMap((name) => {
    const next = written[name]?.trim() ?? "";
    const before = writtenTerm(now, name);
    if (sameTerm(name, before, next) || isUnread(name, next)) return [];
    return [`${TERM_WORDS[name]}: ${termText(name, before)} → ${termText(name, next)}`];
  });

export const LISTING_WORDS = {
  name: "Name",
  digits: "Digits",
  pip: "Pip",
  simulatorStart: "Simulator’s first price",
  simulatorVolatility: "Volatility a year",
  simulatorSpread: "Simulator’s spread, pips",
  kraken: "Kraken’s symbol",
  replay: "Symbol in replayed files",
  sessions: "Sessions",
  zone: "Zone of the sessions",
  holidays: "Days without sessions",
};
type ListingName = keyof typeof LISTING_WORDS;
const listingFields = Object.keys(LISTING_WORDS) as ListingName[];

/** A listing as a form's fields hold it; what it does not say is empty. */
export function writtenListing({ name, digits, pip, simulator, kraken, replay, hours }: Listing): Record<ListingName, string> {
  return {
    ...{ name, digits: String(digits), pip, kraken: kraken ?? "", replay: replay ?? "" },
    simulatorStart: String(simulator?.start ?? ""),
    simulatorVolatility: String(simulator?.volatility ?? ""),
    simulatorSpread: String(simulator?.spread ?? ""),
    sessions: hours ? sessionsText(hours.sessions) : "",
    zone: hours?.zone ?? "",
    holidays: hours?.holidays.join(" ") ?? "",
  };
}

/** Sessions as they would be kept; what can't be read stays as it is written. */
function readAsKept(sessions: string): string {
  try {
    return sessions.trim() === "" ? "" : sessionsText(readSessions(sessions));
  } catch (error) {
    if (error instanceof HoursFault) return sessions;
    throw error;
  }
}
const onOneLine = (said: string) => said.trim().replace(/[\s,]+/g, " ");

/** The same for how it is listed. Of hours that are those of the class, zone and holidays say nothing. */
function listingChanges(now: Listing, written: Record<string, string>): string[] {
  const before = writtenListing(now);
  const after = { ...before, ...written, sessions: readAsKept(written.sessions ?? before.sessions) };
  if (after.pip.trim() === "") after.pip = before.pip;
  if (after.sessions === "") after.zone = after.holidays = "";
  else after.zone ||= NEW_YORK;
  return listingFields.flatMap((name) => {
    const [was, next] = [onOneLine(before[name]), onOneLine(after[name])];
    const isSame = was === next || (was !== "" && next !== "" && name !== "name" && Number(was) === Number(next));
    return isSame ? [] : [`${LISTING_WORDS[name]}: ${was || "none"} → ${next || "none"}`];
  });
}

/** What a form would change, a line for each. */
export const changesOf = (now: StaffInstrument, written: Record<string, string>): string[] => [
  ...termChanges(now, written),
  ...listingChanges(now.listing, written),
];

/** The columns of a file of instruments. What the file has no column for stays as it was. */
export const INSTRUMENT_COLUMNS: readonly { name: string; title: string }[] = [
  { name: "symbol", title: "Instrument" },
  { name: "version", title: "Version" },
  { name: "group", title: "Class" },
  ...[...Object.entries(TERM_WORDS), ...Object.entries(LISTING_WORDS)].map(([name, title]) => ({ name, title: title.replace("’", "'") })),
];

/** An instrument as a row of the file, by the names of its columns. */
export function instrumentCells(row: StaffInstrument): Record<string, string> {
  const listing = writtenListing(row.listing);
  const terms = Object.fromEntries(termNames.map((name) => [name, writtenTerm(row, name).replaceAll("\n", "; ")]));
  return { symbol: row.symbol, version: String(row.version), group: row.group, ...terms, ...listing, sessions: listing.sessions.replaceAll("\n", "; ") };
}
