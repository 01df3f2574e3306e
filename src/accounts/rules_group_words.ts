import { displayMoney } from "../lib/money";
import { pipsFigure, pipsText } from "../lib/quote_text";
import { spreadsText, swapsText } from "./rules_groups";
import type { GroupVersion } from "./schema_groups";

/** "EUR/USD 0.8 fixed, forex-minor 2.0": each width as `pipsFigure` writes it. */
const spreadsSaid = (value: string): string =>
  value === "" ? "none" : value.replaceAll("\n", ", ").replace(/ (\d{1,9}(?:\.\d+)?)(?=[ ,;]|$)/g, (_, pips: string) => ` ${pipsFigure(pips)}`);

/** How a group's terms are called on screens and in differences, in their order, and what a value says. */
export const GROUP_TERMS = [
  { name: "name", title: "Name", say: (value: string) => value },
  { name: "minimumDeposit", title: "Minimum deposit", say: displayMoney },
  { name: "spreadPips", title: "Spread from", say: pipsText },
  { name: "spreads", title: "Spread by instrument", say: spreadsSaid },
  { name: "commission", title: "Commission", say: (value: string) => (Number(value) === 0 ? "none" : `${displayMoney(value)} a side for each $100,000`) },
  { name: "leverage", title: "Leverage", say: (value: string) => `1:${Number(value)}` },
  { name: "swaps", title: "Swap", say: (value: string) => (value === "" ? "none" : value.replaceAll("\n", ", ")) },
  { name: "swapFreeFee", title: "Swap-free", say: (value: string) => (value === "" ? "no" : `${displayMoney(value)} a night for each $100,000`) },
  { name: "isOpen", title: "Who may join", say: (value: string) => (value === "yes" ? "Anybody" : "Whom staff put there") },
  { name: "countries", title: "From", say: (value: string) => (value === "" ? "everywhere" : value) },
] as const;
/** These may be empty, which says something, too. */
const MAY_BE_EMPTY: readonly string[] = ["spreads", "swaps", "swapFreeFee", "countries"];

type TermName = (typeof GROUP_TERMS)[number]["name"];
type Terms = Pick<GroupVersion, TermName>;

/** A term as a form's field holds it. */
export function writtenTerm(terms: Terms, name: TermName): string {
  if (name === "swaps") return swapsText(terms.swaps);
  if (name === "spreads") return spreadsText(terms.spreads);
  const value = terms[name];
  if (Array.isArray(value)) return value.join(", ");
  return typeof value === "boolean" ? (value ? "yes" : "no") : String(value ?? "");
}

/** The same as a file's cell holds it. */
export const sheetCell = (version: GroupVersion, name: TermName | "id" | "version"): string =>
  name === "id" || name === "version" ? String(version[name]) : writtenTerm(version, name).replaceAll("\n", "; ");

/** What one of the terms says, for the eye. */
export const termSaid = (terms: Terms, name: TermName): string => GROUP_TERMS.find((term) => term.name === name)?.say(writtenTerm(terms, name)) ?? "";

/** Terms in a line; what is empty is left out. */
export const groupText = (terms: Terms): string =>
  GROUP_TERMS.flatMap(({ name, title }) => {
    if (name === "name") return [terms.name];
    return writtenTerm(terms, name) === "" ? [] : [`${title.toLowerCase()} ${termSaid(terms, name)}`];
  }).join("; ");

const FIGURE = /^\d{1,9}(\.\d{1,2})?$/;
const FIGURES: readonly string[] = ["minimumDeposit", "spreadPips", "commission", "leverage", "swapFreeFee"];
const plain = (text: string) =>
  text
    .trim()
    .replace(/[\s,;]+/g, " ")
    .toUpperCase();
/** Whether a field says the same as before: figures by their value, words without regard to how they are parted. */
const sameTerm = (name: TermName, a: string, b: string) =>
  a !== "" && b !== "" && FIGURES.includes(name) ? Number(a) === Number(b) : name === "name" ? a === b : plain(a) === plain(b);

/** What a form would change, a line for each: 'Commission: none → $3.50 a side for each $100,000'. What can't be read yet is left out. */
export const groupChanges = (now: Terms, written: Record<string, string>): string[] =>
  GROUP_TERMS.flatMap(({ name, title, say }) => {
    const next = written[name]?.trim() ?? "";
    const isUnread = next === "" ? !MAY_BE_EMPTY.includes(name) : FIGURES.includes(name) && !FIGURE.test(next);
    return isUnread || sameTerm(name, writtenTerm(now, name), next) ? [] : [`${title}: ${termSaid(now, name)} → ${say(next)}`];
  });

/** A group as it is dealt now, with its newest version, which may be one to come. */
export type Group = { id: string; now: GroupVersion; newest: GroupVersion; coming: GroupVersion | null };

/** The groups of a list of their versions, by group and the newest first. */
export function groupsOf(versions: GroupVersion[]): Group[] {
  return versions.flatMap((newest, at) => {
    if (versions[at - 1]?.id === newest.id) return [];
    const now = versions.find(({ id, isInForce }) => id === newest.id && isInForce) ?? newest;
    return [{ id: newest.id, now, newest, coming: newest.version > now.version ? newest : null }];
  });
}
