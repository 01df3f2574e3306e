import { grouped } from "../lib/money";

/** Decimal text as whole numbers of the last of `digits` places: "1.5" with 2 is 150n. Throws RangeError for what is none, or has more places. */
export function decimal(text: string, digits: number): bigint {
  const [, sign, whole = "", fraction = ""] = /^(-?)(\d{1,40})(?:\.(\d{1,40}))?$/.exec(text) ?? [];
  if (whole === "" || /[1-9]/.test(fraction.slice(digits))) throw new RangeError("A record holds what is no decimal number of the places that it should have.");
  const value = BigInt(whole + fraction.slice(0, digits).padEnd(digits, "0"));
  return sign ? -value : value;
}

/** "150" with 2 is "1.50". */
export function decimalText(value: bigint, digits: number): string {
  const all = (value < 0n ? -value : value).toString().padStart(digits + 1, "0");
  return `${value < 0n ? "-" : ""}${all.slice(0, -digits)}.${all.slice(-digits)}`;
}

/** Decimal text with the minus that screens write: "-0.5" is "−0.5". */
export const signed = (text: string): string => text.replace(/^-/, "−");

/** A quotient rounded half away from zero; the divisor is above zero. */
export function halfAway(numerator: bigint, divisor: bigint): bigint {
  const size = numerator < 0n ? -numerator : numerator;
  const rounded = (2n * size + divisor) / (2n * divisor);
  return numerator < 0n ? -rounded : rounded;
}

/** A quotient rounded up; both are above zero. */
export const roundedUp = (numerator: bigint, divisor: bigint): bigint => (numerator + divisor - 1n) / divisor;

/** Money as every screen writes it: "-1234.50" is "−$1,234.50". What is no number stays as it is. */
export function dollars(amount: string): string {
  const [, sign, whole, rest = ""] = /^(-?)(\d+)(\.\d+)?$/.exec(amount) ?? [];
  return whole ? `${sign && "−"}$${grouped(whole)}${rest}` : amount;
}
