import { displayMoney } from "../../src/lib/money";
import type { StaffInstrument } from "../../src/trading/schema_instruments";

export const STATE_WORDS: Record<StaffInstrument["state"], string> = { tradable: "Tradable", close_only: "Close only", hidden: "Hidden" };
export const GROUP_WORDS: Record<string, string> = { "forex-major": "Major pair", "forex-minor": "Minor pair", crypto: "Coin" };

type Terms = Pick<StaffInstrument, "state" | "minimum" | "step" | "maximum" | "marginPercent" | "clientLimit" | "houseLimit" | "markup">;
export type TermName = keyof Terms;

export const TERM_WORDS: Record<TermName, string> = {
  state: "State",
  minimum: "Smallest order",
  step: "Step",
  maximum: "Largest order",
  marginPercent: "Margin at least",
  clientLimit: "One person at most",
  houseLimit: "The house at most",
  markup: "Mark-up",
};
export const termNames = Object.keys(TERM_WORDS) as TermName[];

/** What one of the terms says, for the eye. */
export function termText(name: TermName, value: string | null): string {
  if (name === "state") return STATE_WORDS[(value ?? "tradable") as Terms["state"]] ?? "";
  if (value === null || value === "") return "none";
  if (name === "markup") return `${Number(value)} pips`;
  return name === "marginPercent" ? `${Number(value)}%` : displayMoney(value);
}

/** Terms in a line. */
export const termsText = (terms: Terms): string =>
  termNames
    .flatMap((name) => {
      if (name === "state") return [STATE_WORDS[terms.state]];
      return terms[name] === null ? [] : [`${TERM_WORDS[name].toLowerCase()} ${termText(name, terms[name])}`];
    })
    .join("; ");

const sameTerm = (name: TermName, a: string | null, b: string): boolean => (name === "state" || !a || !b ? (a ?? "") === b : Number(a) === Number(b));

/** What a form would change, a line for each: 'Largest order: none → $500.00'. */
export const changesOf = (now: Terms, written: Record<string, string>): string[] =>
  termNames.flatMap((name) => {
    const next = written[name]?.trim() ?? "";
    if (sameTerm(name, now[name], next) || (name !== "state" && next !== "" && Number.isNaN(Number(next)))) return [];
    return [`${TERM_WORDS[name]}: ${termText(name, now[name])} → ${termText(name, next)}`];
  });
