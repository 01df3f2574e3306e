import type { LetterKind, Purpose } from "../../src/mail/rules";
import type { Colours } from "./looks";
import { type Marked, markedText } from "./Marked";

/** What a letter says, as text and HTML alike. */
export type Letter = {
  subject: string;
  words: Prose;
  /** What happened, a line each. */
  facts?: [name: string, value: string][];
  /** The one thing to do, where there is one. */
  action?: { label: string; url: string; note?: string };
  /** What stands below it. */
  after?: Prose;
};
/** Paragraphs, or the operator's Markdown. */
export type Prose = string[] | Marked;
/** As the house writes it. */
export type OwnLetter = Letter & { words: string[]; after?: string[] };

/** What a letter is written from. */
export type Told = {
  brand: string;
  firstName: string;
  /** What the command noted. */
  facts: Record<string, unknown>;
  /** A path of this site as an address. */
  at: (path: string) => string;
  /** A link that this letter brings. */
  link: (purpose: Purpose) => string;
};
export type Writer = (told: Told) => OwnLetter;
export type Writers = Record<LetterKind, Writer>;

/** What stands around every letter: who writes, and what its reader can do about it. */
export type Frame = {
  brand: string;
  colours: Colours;
  home: string;
  settings: string;
  logKey: string | null;
  freeze: string | null;
  unsubscribe: string | null;
};

/** A fact as text, losses with the minus that figures have; what is missing is empty. */
export const fact = ({ facts }: Pick<Told, "facts">, name: string): string => {
  const value = facts[name];
  return typeof value === "string" ? value.replace(/^-\$/, "−$") : typeof value === "number" ? String(value) : "";
};
const WAYS: Record<string, string> = { card: "Card", bank: "Bank transfer", crypto: "Cryptocurrency" };
/** By which way money goes, in words; a coin stays as it is called. */
export const wayOf = (told: Pick<Told, "facts">): string => WAYS[fact(told, "method")] ?? fact(told, "method");
/** The facts that are there. */
export const given = (facts: [string, string][]): [string, string][] => facts.filter(([, value]) => value !== "");

export const FREEZE_WORDS = "If this was not you, end all sessions and stop withdrawals with one press:";

export const KEY_WORDS = "The key of our public log, by which you check proofs";

/** The letter without HTML. */
export function letterText({ words, facts = [], action, after = [] }: Letter, { brand, home, settings, logKey, freeze, unsubscribe }: Frame): string {
  const prose = (of: Prose) => (Array.isArray(of) ? of : [markedText(of, home)]);
  const parts = [
    ...prose(words),
    facts.map(([name, value]) => `${name}: ${value}`).join("\n"),
    action ? `${action.label}:\n${action.url}${action.note ? `\n${action.note}` : ""}` : "",
    ...prose(after),
    freeze ? `${FREEZE_WORDS}\n${freeze}` : "",
    `-- \n${brand}, ${home}`,
    logKey ? `${KEY_WORDS} (${home}/verify):\n${logKey}` : "",
    unsubscribe ? `No more letters of this kind: ${unsubscribe}\nAll choices: ${settings}` : "",
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}
