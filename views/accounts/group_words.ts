import type { GroupVersion } from "../../src/accounts/schema_groups";
import { displayMoney } from "../../src/lib/money";

/** How a group's terms are called on screens and in differences, in their order, and what a value says. */
export const GROUP_TERMS = [
  { name: "name", title: "Name", say: (value: string) => value },
  { name: "minimumDeposit", title: "Minimum deposit", say: displayMoney },
  { name: "spreadPips", title: "Spread from", say: (value: string) => `${Number(value)} pips` },
  { name: "commission", title: "Commission", say: (value: string) => (Number(value) === 0 ? "none" : `${displayMoney(value)} a side for each $100,000`) },
  { name: "leverage", title: "Leverage", say: (value: string) => `1:${Number(value)}` },
  { name: "isOpen", title: "Who may join", say: (value: string) => (value === "yes" ? "Anybody" : "Whom staff put there") },
] as const;

type TermName = (typeof GROUP_TERMS)[number]["name"];
type Terms = Pick<GroupVersion, TermName>;

/** A term as a form's field holds it. */
export const writtenTerm = (terms: Terms, name: TermName): string => {
  const value = terms[name];
  return typeof value === "boolean" ? (value ? "yes" : "no") : String(value);
};

/** What one of the terms says, for the eye. */
export const termSaid = (terms: Terms, name: TermName): string => GROUP_TERMS.find((term) => term.name === name)?.say(writtenTerm(terms, name)) ?? "";

/** Terms in a line. */
export const groupText = (terms: Terms): string =>
  GROUP_TERMS.map(({ name, title }) => (name === "name" ? terms.name : `${title.toLowerCase()} ${termSaid(terms, name)}`)).join("; ");

const sameTerm = (a: string, b: string) => a === b || (a !== "" && b !== "" && Number(a) === Number(b));

/** What a form would change, a line for each: 'Commission: none → $3.50 a side for each $100,000'. What can't be read yet is left out. */
export const groupChanges = (now: Terms, written: Record<string, string>): string[] =>
  GROUP_TERMS.flatMap(({ name, title, say }) => {
    const next = written[name]?.trim() ?? "";
    const before = writtenTerm(now, name);
    const isFigure = /^\d/.test(before) && name !== "name";
    if (next === "" || sameTerm(before, next) || (isFigure && !/^\d{1,9}(\.\d{1,2})?$/.test(next))) return [];
    return [`${title}: ${termSaid(now, name)} → ${say(next)}`];
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
