import { cents, money, priceUnits } from "../lib/money";

/** Per cents of a balance that may be asked for, with at most two decimals. */
const PER_CENT = /^\d{1,3}(\.\d{1,2})?$/;

/** The largest order that is taken, in cents. */
const MOST = 10_000_000_000n;

/**
 * The largest amount in USD whose loss at the stop is at most so many per cent of the balance: balance × per cent ÷ 100, divided by the part
 * of the price that lies between entry and stop. Rounded down to the cent, and no more than an order may be; "0.00" where the balance is none. Null where entry and stop
 * are the same, the stop is on the side where nothing is lost, or the per cents are no number from 0.01 to 100. Prices as decimal strings.
 */
export function amountAtRisk(side: "buy" | "sell", balance: string, perCent: string, entry: string, stop: string): string | null {
  if (!PER_CENT.test(perCent)) return null;
  const hundredths = BigInt(Math.round(Number(perCent) * 100));
  const distance = BigInt(side === "buy" ? priceUnits(entry) - priceUnits(stop) : priceUnits(stop) - priceUnits(entry));
  if (distance <= 0n || hundredths <= 0n || hundredths > 10_000n) return null;
  const risk = cents(balance) * hundredths;
  const amount = (risk * BigInt(priceUnits(entry))) / (distance * 10_000n);
  return risk <= 0n ? "0.00" : money(amount < MOST ? amount : MOST);
}
