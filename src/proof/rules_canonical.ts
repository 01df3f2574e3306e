import { utf8 } from "../lib/bytes";

/** The values that a record of the log may hold: no fractions, which languages write differently, and nothing nested. */
export type Value = string | boolean | null | number;
export type Flat = { readonly [name: string]: Value };

/** A value that has no canonical form here. */
export class NotCanonical extends RangeError {}

/**
 * The one text of a record (RFC 8785): names in the order of their UTF-16 units, no spaces, strings as ECMAScript writes them. Throws
 * NotCanonical for anything but strings of whole characters, booleans, null and whole numbers from 0 to 2^53 - 1.
 */
export function canonicalJson(record: Flat): string {
  if (record === null || typeof record !== "object" || Array.isArray(record)) throw new NotCanonical("a record is an object");
  const names = Object.keys(record).sort();
  return `{${names.map((name) => `${stringJson(name)}:${valueJson(record[name] as Value, name)}`).join(",")}}`;
}

export const canonicalBytes = (record: Flat): Uint8Array => utf8(canonicalJson(record));

/** What JSON writes as it is: ASCII without controls, quotes and backslashes. */
const PLAIN = /^[ !#-[\]-~]*$/;

function stringJson(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  // Half of a surrogate pair has no UTF-8.
  if (/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(text)) throw new NotCanonical("a string holds half a character");
  return JSON.stringify(text);
}

function valueJson(value: Value, name: string): string {
  if (typeof value === "string") return stringJson(value);
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0 && !Object.is(value, -0)) return String(value);
  throw new NotCanonical(`${name} is no string, boolean, null or whole number below 2^53`);
}
