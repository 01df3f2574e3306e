import { type DocumentKind, type DocumentSide, type DocumentState, type Level, type ReasonCode, REASONS } from "../../src/compliance/schema";
import type { Jurisdiction } from "../../src/compliance/schema_rules";
import type { Tone } from "../ui/Badge";

export const KINDS: Record<DocumentKind, { label: string; hint: string }> = {
  identity: { label: "Passport or identity card", hint: "All four corners visible, nothing covered. A passport has one side: send it as the front." },
  address: { label: "Proof of address", hint: "A bank statement or a bill with your name and address, dated within the last three months." },
  selfie: { label: "Photo of yourself", hint: "Holding your document beside your face, both to be recognised." },
  other: { label: "Another document", hint: "Whatever staff asked you for." },
};
export const SIDES: Record<DocumentSide, string> = { front: "Front", back: "Back" };
export const STATES: Record<DocumentState, { label: string; tone: Tone }> = {
  pending: { label: "Waiting", tone: "warning" },
  approved: { label: "Accepted", tone: "gain" },
  rejected: { label: "Not accepted", tone: "destructive" },
  asked: { label: "Another one needed", tone: "warning" },
};
/** By what of instruments a country bounds the leverage. */
export const CLASSES = [
  ["leverageMajor", "major pairs"],
  ["leverageMinor", "other pairs"],
  ["leverageCrypto", "coins"],
] as const;
/** "1:30 major pairs, 1:2 coins"; null: nothing is set. */
export const leverageText = (row: Jurisdiction): string | null =>
  CLASSES.flatMap(([name, label]) => (row[name] === null ? [] : [`1:${row[name]} ${label}`])).join(", ") || null;

/** What holds for somebody from the moment on in which staff note that they live there; null: nothing is set for the country. */
export const countryEffects = (row: Jurisdiction | null): string[] => {
  if (!row) return ["Nothing is set: the account's own leverage, bonuses, and the site's risk warning."];
  const leverage = leverageText(row);
  return [
    row.isServed ? null : "Not served: no approval, and no new orders with live money. What is open can be closed, and money withdrawn.",
    leverage ? `New orders at ${leverage} at most. Open positions keep their margin.` : "New orders at the account's own leverage.",
    row.promotions ? "Bonuses are paid." : "No bonuses are paid any more. Those that were paid stay.",
    row.warning ? "The country's own risk warning is shown." : null,
  ].filter((line) => line !== null);
};
export const LEVELS: Record<Level, string> = {
  0: "registered",
  1: "email address verified",
  2: "identity verified",
  3: "identity and address verified",
};

/** "Passport or identity card, front". */
export const documentName = ({ kind, side }: { kind: DocumentKind; side: DocumentSide | null }): string =>
  side ? `${KINDS[kind].label}, ${SIDES[side].toLowerCase()}` : KINDS[kind].label;

export const reasonText = (reason: string | null): string => (reason ? (REASONS[reason as ReasonCode] ?? reason) : "");
export const sizeText = (bytes: number): string => (bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1000))} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`);
