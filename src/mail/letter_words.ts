import { countryName } from "../lib/countries";
import { writerOf } from "../../views/mail/kinds";
import { documentText, whyText } from "../../views/mail/kinds/document_decided";
import { monthText } from "../../views/mail/kinds/statement";
import { fact, type Letter, type OwnLetter, type Prose, type Told, wayOf } from "../../views/mail/letter";
import { linksIn, mayLead } from "../../views/mail/Marked";
import { deviceText } from "../../views/ui/device";
import type { LetterKind } from "./rules";

/**
 * The operator's own words of letters: which letters have them, the placeholders that each knows, and how they stand in the house's frame.
 * What happened (a letter's lines), its button's address and what a reader can do against misuse are never among the words.
 */

/** A letter's subject and its words, as Markdown; `{firstName}` is a placeholder, `{facts}` and `{link}` stand where what happened and the button do. */
export type LetterWords = { subject: string; body: string };
/** As they are kept: those from before there was Markdown are paragraphs apart by empty lines, and nothing in them means more. */
export type KeptWords = LetterWords & { isMarkdown: boolean };

type Values = Record<string, (told: Told) => string>;
const named = (...names: string[]): Values => Object.fromEntries(names.map((name) => [name, (told: Told) => fact(told, name)]));
const country = (name: string) => (told: Told) => (fact(told, name) ? countryName(fact(told, name)) : "");
const DOCUMENT: Values = { document: documentText };

type Entry = {
  kind: LetterKind;
  /** The facts by which it is chosen among those of its kind; the last of a kind is chosen where no other is. */
  by?: Record<string, unknown>;
  title: string;
  /** What it knows beside the first name and the house's. */
  values?: Values;
  /** Facts for a preview. */
  sample?: Record<string, unknown>;
};
const MONEY = named("amount", "reason");
const AT = "2026-11-26 14:05 UTC";

/** The letters to people whose words can be others. Those to the operator are not among them. */
const LETTERS = {
  verify_email: { kind: "verify_email", title: "Verify an address" },
  confirm_email: { kind: "confirm_email", title: "Confirm another address" },
  reset_password: { kind: "reset_password", title: "Choose a new password", values: named("ip"), sample: { ip: "203.0.113.7" } },
  new_device: {
    ...{
      kind: "new_device",
      title: "Sign-in from a new device",
      values: { ...named("at", "ip"), device: (told: Told) => deviceText(fact(told, "userAgent")) },
    },
    sample: { at: AT, ip: "203.0.113.7", userAgent: "Mozilla/5.0 (X11; Linux x86_64) Chrome/142.0" },
  },
  email_changed: { kind: "email_changed", title: "Address changed", values: named("address"), sample: { address: "ann@example.com" } },
  password_changed: { kind: "password_changed", title: "Password changed", values: named("at", "ip"), sample: { at: AT, ip: "203.0.113.7" } },
  "factor_added.passkey": {
    ...{ kind: "factor_added", by: { factor: "passkey" }, title: "Passkey added", values: named("name", "at") },
    sample: { name: "Phone", at: AT },
  },
  "factor_added.code": { kind: "factor_added", by: { factor: "two_factor" }, title: "Two-factor sign-in on", values: named("at"), sample: { at: AT } },
  "factor_removed.passkey": {
    ...{ kind: "factor_removed", by: { factor: "passkey" }, title: "Passkey removed", values: named("name", "at") },
    sample: { name: "Phone", at: AT },
  },
  "factor_removed.staff": {
    ...{ kind: "factor_removed", by: { by: "staff" }, title: "Two-factor sign-in switched off by staff", values: named("at") },
    sample: { at: AT },
  },
  "factor_removed.code": { kind: "factor_removed", by: { factor: "two_factor" }, title: "Two-factor sign-in off", values: named("at"), sample: { at: AT } },
  payout_address: {
    ...{ kind: "payout_address", title: "Withdrawal address noted", values: named("name", "currency", "address") },
    sample: { name: "Ledger", currency: "BTC", address: "bc1qexample" },
  },
  account_frozen: { kind: "account_frozen", title: "Account frozen" },
  "registration_decided.approved": { kind: "registration_decided", by: { status: "approved" }, title: "Registration approved" },
  "registration_decided.rejected": {
    ...{ kind: "registration_decided", by: { status: "rejected" }, title: "Registration not approved", values: named("reason") },
    sample: { reason: "The documents are missing." },
  },
  country_changed: {
    ...{ kind: "country_changed", title: "Country changed", values: { from: country("from"), to: country("to") } },
    sample: { from: "DE", to: "CH" },
  },
  "document_decided.approved": {
    ...{ kind: "document_decided", by: { status: "approved" }, title: "Document accepted", values: DOCUMENT },
    sample: { kind: "identity" },
  },
  "document_decided.asked": {
    ...{ kind: "document_decided", by: { status: "asked" }, title: "Document asked for again", values: { ...DOCUMENT, ...named("note"), reason: whyText } },
    sample: { kind: "identity", reason: "expired" },
  },
  "document_decided.rejected": {
    ...{ kind: "document_decided", by: { status: "rejected" }, title: "Document not accepted", values: { ...DOCUMENT, ...named("note"), reason: whyText } },
    sample: { kind: "address", reason: "unreadable" },
  },
  "document_ends.ended": {
    ...{ kind: "document_ends", by: { ended: true }, title: "Document ended", values: { ...DOCUMENT, ...named("on") } },
    sample: { kind: "identity", on: "2026-11-30" },
  },
  "document_ends.soon": {
    ...{ kind: "document_ends", by: { ended: false }, title: "Document ends soon", values: { ...DOCUMENT, ...named("on") } },
    sample: { kind: "identity", on: "2026-12-30" },
  },
  export_ready: { kind: "export_ready", title: "Data ready", values: named("until"), sample: { until: "2026-12-03" } },
  account_closed: { kind: "account_closed", title: "Account closed", values: named("until"), sample: { until: "2031-11-26" } },
  deposit_asked: {
    ...{ kind: "deposit_asked", title: "Deposit announced", values: { ...named("amount", "reference"), method: wayOf } },
    sample: { amount: "$250.00", method: "bank", reference: "HAL-1042" },
  },
  "deposit_decided.approved": {
    ...{ kind: "deposit_decided", by: { status: "approved" }, title: "Deposit credited", values: named("amount", "credited", "bonus") },
    sample: { amount: "$250.00", credited: "$250.00", bonus: "$25.00" },
  },
  "deposit_decided.rejected": {
    ...{ kind: "deposit_decided", by: { status: "rejected" }, title: "Deposit not approved", values: MONEY },
    sample: { amount: "$250.00", reason: "No payment came." },
  },
  withdrawal_asked: {
    ...{ kind: "withdrawal_asked", title: "Withdrawal requested", values: { ...named("amount", "address", "notBefore"), method: wayOf } },
    sample: { amount: "$100.00", method: "crypto", address: "bc1qexample" },
  },
  "withdrawal_decided.approved": {
    ...{ kind: "withdrawal_decided", by: { status: "approved" }, title: "Withdrawal paid out", values: named("amount", "address", "hash") },
    sample: { amount: "$100.00", address: "bc1qexample" },
  },
  "withdrawal_decided.cancelled": {
    ...{ kind: "withdrawal_decided", by: { status: "cancelled" }, title: "Withdrawal cancelled", values: named("amount", "address") },
    sample: { amount: "$100.00", address: "bc1qexample" },
  },
  "withdrawal_decided.rejected": {
    ...{ kind: "withdrawal_decided", by: { status: "rejected" }, title: "Withdrawal not approved", values: { ...MONEY, ...named("address") } },
    sample: { amount: "$100.00", address: "bc1qexample", reason: "Another address, please." },
  },
  margin_call: {
    ...{ kind: "margin_call", title: "Margin call", values: named("account", "book", "level") },
    sample: { account: "100042", book: "live", level: "96.40" },
  },
  stop_out: {
    ...{ kind: "stop_out", title: "Stop-out", values: named("account", "book", "position", "result") },
    sample: { account: "100042", book: "live", position: "BUY EUR/USD $1,000.00", result: "-$61.20", positionId: "1" },
  },
  correction: {
    ...{ kind: "correction", title: "Position settled by staff", values: named("position", "settled", "market", "reason") },
    sample: { position: "BUY EUR/USD $1,000.00", settled: "$12.00", market: "-$3.10", reason: "A wrong price.", positionId: "1" },
  },
  dispute: { kind: "dispute", title: "Objection received", sample: { ticketId: "1" } },
  ticket_answered: { kind: "ticket_answered", title: "Ticket answered", values: named("subject"), sample: { subject: "My deposit", ticketId: "1" } },
  statement: { kind: "statement", title: "Monthly statement", values: { month: monthText }, sample: { month: "2026-10" } },
} as const satisfies Record<string, Entry>;
export type LetterId = keyof typeof LETTERS;
export const letterIds = Object.keys(LETTERS) as LetterId[];
const entryOf = (id: LetterId): Entry => LETTERS[id];
export const letterTitle = (id: LetterId): string => entryOf(id).title;

const ofKind = new Map<LetterKind, LetterId[]>();
for (const id of letterIds) ofKind.set(entryOf(id).kind, [...(ofKind.get(entryOf(id).kind) ?? []), id]);
/** By which of the words a letter is written; null for one that has no other than the house's. */
export function letterIdOf(kind: LetterKind, facts: Record<string, unknown>): LetterId | null {
  const ids = ofKind.get(kind) ?? [];
  const chosen = ids.find((id) => Object.entries(entryOf(id).by ?? {}).every(([name, value]) => facts[name] === value));
  return chosen ?? ids.at(-1) ?? null;
}

/** What of the house's own stands among the words, in this order, each where its placeholder is: what happened, and the button. */
const PARTS = ["facts", "link"] as const;
const WHERE = { facts: "where what happened is told", link: "where the button does" };
const ALWAYS: Values = { firstName: ({ firstName }) => firstName, brand: ({ brand }) => brand };
const valuesOf = (id: LetterId): Values => ({ ...ALWAYS, ...entryOf(id).values });

/** What a letter is written from for a preview. */
export const sampleOf = (id: LetterId): { kind: LetterKind; facts: Record<string, unknown>; firstName: string } => {
  const { kind, by, sample } = entryOf(id);
  return { kind, facts: { ...by, ...sample }, firstName: "Ann" };
};

/** The house's own letter, with placeholders where its facts would stand. */
function ownLetter(id: LetterId): OwnLetter {
  const { kind, by } = entryOf(id);
  const marks = Object.fromEntries(Object.keys(valuesOf(id)).map((name) => [name, `{${name}}`]));
  // A document is told by its kind.
  const facts = { ...marks, ...("document" in marks ? { kind: marks.document } : {}), ...by };
  return writerOf(kind)({ brand: "{brand}", firstName: "{firstName}", facts, at: (path) => path, link: (purpose) => purpose });
}

const partsOf = ({ facts = [], action }: Letter) => PARTS.filter((part) => (part === "facts" ? facts.length > 0 : action !== undefined));

/** The house's own words. */
export function ownWords(id: LetterId): LetterWords {
  const own = ownLetter(id);
  return { subject: own.subject, body: [...own.words, ...partsOf(own).map((part) => `{${part}}`), ...(own.after ?? [])].join("\n\n") };
}

/** The placeholders that a letter's words know, and those that they must have. */
export function placeholdersOf(id: LetterId): { known: string[]; required: string[] } {
  const required = partsOf(ownLetter(id));
  return { known: [...Object.keys(valuesOf(id)), ...required], required };
}

const MARK = /\{([^{}\n]*)\}?/g;
const paragraphsOf = (body: string) => body.split(/\n\s*\n/).filter((paragraph) => paragraph.trim());
const marksIn = (text: string) => [...text.matchAll(MARK)].map(([whole, name = ""]) => (whole.endsWith("}") ? name : whole));

/** What is wrong with words, by field; null where nothing is. */
export function wordsFault(id: LetterId, { subject, body }: LetterWords): Record<string, string> | null {
  const { known, required } = placeholdersOf(id);
  const listed = (names: string[]) => names.map((name) => `{${name}}`).join(", ");
  const unknown = (text: string, names: string[]) => {
    const mark = marksIn(text).find((name) => !names.includes(name));
    return mark === undefined ? null : `There is no placeholder {${mark.slice(0, 40)}} here. Known are ${listed(names)}.`;
  };
  const ofSubject = unknown(
    subject,
    known.filter((name) => !required.includes(name)),
  );
  if (ofSubject) return { subject: ofSubject };
  const ofBody = unknown(body, known);
  if (ofBody) return { body: ofBody };
  const links = linksIn(body);
  if (links.some((href) => marksIn(href).length > 0)) return { body: "A link's address has no placeholder." };
  if (!links.every(mayLead)) return { body: "A link leads to https://…, http://…, mailto:… or a page of this site, such as /profile." };
  const paragraphs = paragraphsOf(body).map((paragraph) => paragraph.trim());
  const missing = PARTS.find((part) => required.includes(part) && !marksIn(body).includes(part));
  if (missing) return { body: `{${missing}} is missing: it stands ${WHERE[missing]}.` };
  const first = paragraphs.indexOf(`{${required[0]}}`);
  const standing = paragraphs.filter((paragraph) => required.some((name) => paragraph.includes(`{${name}}`)));
  const isPlaced = standing.length === required.length && required.every((name, n) => paragraphs[first + n] === `{${name}}`);
  if (!isPlaced)
    return { body: `${listed(required)} ${required.length > 1 ? "stand one after the other, each once and" : "stands once,"} in a paragraph of its own.` };
  // Each side is a text of its own: what the other says a link's name stands for is not known there.
  const read = sidesOf(id, body).flatMap((side) => linksIn(joined(side)));
  return read.length < links.length
    ? { body: `A link's address stands on the other side of ${listed(required)}: write it behind the link's words, as [words](https://…).` }
    : null;
}

const joined = (paragraphs: readonly string[]) => paragraphs.join("\n\n");
/** The paragraphs before what of the house's own stands among the words, and those behind it. */
function sidesOf(id: LetterId, body: string): [before: string[], after: string[]] {
  const paragraphs = paragraphsOf(body);
  const parts = partsOf(ownLetter(id));
  const at = parts.length > 0 ? paragraphs.findIndex((paragraph) => paragraph.trim() === `{${parts[0]}}`) : paragraphs.length;
  return [paragraphs.slice(0, at), paragraphs.slice(at + parts.length)];
}

/** The house's letter with the operator's words in the place of its own. What a value holds is never read as a placeholder or a paragraph. */
export function inWords(id: LetterId, own: Letter, { subject, body, isMarkdown }: KeptWords, told: Told): Letter {
  const values = valuesOf(id);
  const said = (text: string) => text.replace(MARK, (whole, name: string) => values[name]?.(told) ?? whole);
  const [before, after] = sidesOf(id, body);
  const prose = (of: string[]): Prose => (isMarkdown ? { markdown: joined(of), said } : of.map((paragraph) => said(paragraph.trim())));
  return { ...own, subject: said(subject), words: prose(before), after: prose(after) };
}
