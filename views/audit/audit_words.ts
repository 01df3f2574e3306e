import type { AuditEntry } from "../../src/audit/schema";
import { groupedText } from "../ui/grouped";
import { instantText } from "../ui/instant";

const DECIMAL = /^-?\d+\.\d+$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

/** "accountStatus", "account_status" → "Account status". */
export function fieldText(name: string): string {
  const words = name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase()
    .replace(/\b(id|usd|kyc)\b/g, (short) => short.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const verbText = (verb: string) => (verb === "kyc" ? "KYC" : fieldText(verb).toLowerCase());

/** "deposit.approve" → "Deposit: approve". */
export function wordsOf(action: string): string {
  const [subject = "", verb = ""] = action.split(".");
  return verb ? `${fieldText(subject)}: ${verbText(verb)}` : fieldText(subject);
}

const isNothing = (value: unknown) => value === null || value === undefined || value === "";

function valueText(value: unknown): string {
  if (isNothing(value)) return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") return INSTANT.test(value) ? `${instantText(value)} UTC` : DECIMAL.test(value) ? groupedText(value).replace("-", "−") : value;
  return typeof value === "number" ? String(value) : JSON.stringify(value);
}

/** What an action changed, field by field; what stayed as it was is left out. `before` is null where there was nothing. */
export function changesOf({ previousState, newState }: Pick<AuditEntry, "previousState" | "newState">) {
  const fields = [...new Set([...Object.keys(previousState), ...Object.keys(newState)])];
  return (
    fields
      // Who decided stands in a column of its own.
      .filter((name) => name !== "approved_by" && valueText(previousState[name]) !== valueText(newState[name]))
      .map((name) => ({
        field: fieldText(name),
        before: isNothing(previousState[name]) ? null : valueText(previousState[name]),
        after: valueText(newState[name]),
      }))
  );
}

/** The facts beside the change: amounts, addresses, the request's id. */
export const factsOf = (details: AuditEntry["details"]) =>
  Object.entries(details).flatMap(([name, value]) => (isNothing(value) ? [] : [{ field: fieldText(name), value: valueText(value) }]));
