import type { AuditEntry } from "../../src/audit/schema";
import { instantText } from "../portal/instant";

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

/** "accountStatus", "account_status" → "Account status"; ids keep their name. */
export function fieldText(name: string): string {
  const words = name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** "deposit.approve" → "Deposit: approve". */
export function wordsOf(action: string): string {
  const [subject = "", deed = ""] = action.split(".");
  return deed ? `${fieldText(subject)}: ${fieldText(deed).toLowerCase()}` : fieldText(subject);
}

function valueText(value: unknown): string {
  if (value === null || value === undefined || value === "") return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") return INSTANT.test(value) ? `${instantText(value)} UTC` : value;
  return typeof value === "number" ? String(value) : JSON.stringify(value);
}

/** What a deed changed, field by field; what stayed as it was is left out. */
export function changesOf({ previousState, newState }: Pick<AuditEntry, "previousState" | "newState">) {
  const fields = [...new Set([...Object.keys(previousState), ...Object.keys(newState)])];
  return fields
    .map((name) => ({ field: fieldText(name), before: valueText(previousState[name]), after: valueText(newState[name]) }))
    .filter(({ before, after }) => before !== after);
}

/** The facts beside the change: amounts, addresses, the request's id. */
export const factsOf = (details: AuditEntry["details"]) =>
  Object.entries(details).map(([name, value]) => ({ field: fieldText(name), value: valueText(value) }));
