import { displayMoney } from "../../../src/lib/money";

const SIGNS: Record<string, string> = { EUR: "€", GBP: "£" };

/** An amount in its own currency: "€1,000.00"; coins are counted in dollars, so they look like dollars. */
export const amountText = (amount: string, currency: string): string => displayMoney(amount).replace("$", SIGNS[currency] ?? "$");

/** A long address or hash for a narrow column: its first eight and last six characters. Words, as a bank's details are, stay whole. */
export const shortText = (text: string): string => (text.length > 18 && !/\s/.test(text) ? `${text.slice(0, 8)}…${text.slice(-6)}` : text);
