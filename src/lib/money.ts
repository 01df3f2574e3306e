/**
 * Money and prices without floats. Money is a decimal string of US dollars ("10000.00") whose sums are whole cents in
 * bigint; a price is a decimal string of numeric(20,8) whose comparisons are whole units of 10⁻⁸ in a number (exact
 * below 90,071,992). What is booked is computed by PostgreSQL's `numeric`; the functions here mirror it to the cent for
 * what a screen shows before and between bookings.
 */

const DECIMAL = /^(-?)(\d{1,13})(?:\.(\d{1,8}))?$/;

const ZERO = "0".charCodeAt(0);
const POINT = ".".charCodeAt(0);

/** 10⁻⁸ of a price unit. */
export const PRICE_SCALE = 100_000_000;

function scaled(text: string, digits: number): bigint {
  const match = DECIMAL.exec(text);
  if (!match) throw new RangeError("not a decimal");
  const [, sign, whole = "0", fraction = ""] = match;
  if (fraction.length > digits && /[1-9]/.test(fraction.slice(digits))) throw new RangeError("too many decimals");
  const value = BigInt(whole + fraction.slice(0, digits).padEnd(digits, "0"));
  return sign ? -value : value;
}

/** "12.3" → 1230n. Throws RangeError on anything that is no decimal of at most two places. */
export const cents = (money: string): bigint => scaled(money, 2);

/** 1230n → "12.30". */
export function money(value: bigint): string {
  const digits = (value < 0n ? -value : value).toString().padStart(3, "0");
  return `${value < 0n ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

export const sum = (amounts: Iterable<string>): string => {
  let total = 0n;
  for (const amount of amounts) total += cents(amount);
  return money(total);
};
export const add = (a: string, b: string): string => money(cents(a) + cents(b));
export const subtract = (a: string, b: string): string => money(cents(a) - cents(b));
export const isNegative = (amount: string): boolean => cents(amount) < 0n;
export const compare = (a: string, b: string): number => {
  const difference = cents(a) - cents(b);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
};

/** A price in whole units of 10⁻⁸; exact below 90,071,992. */
export function priceUnits(price: string): number {
  // Every tick and every position of a start comes through here: what numeric(20,8) writes is read without a regular expression and bigint.
  const point = price.length - 9;
  if (point < 1 || point > 7 || price.charCodeAt(point) !== POINT) return Number(scaled(price, 8));
  let units = 0;
  for (let at = 0; at < price.length; at++) {
    const digit = price.charCodeAt(at) - ZERO;
    if (at === point) continue;
    if (digit < 0 || digit > 9) return Number(scaled(price, 8));
    units = units * 10 + digit;
  }
  return units;
}

/** Units of 10⁻⁸ as numeric(20,8) writes them: "1.12146000". */
export function priceText(units: number): string {
  // Almost every price has its nine digits: it is written for each tick and deal.
  const written = String(Math.abs(units));
  const digits = written.length < 9 ? written.padStart(9, "0") : written;
  return `${units < 0 ? "-" : ""}${digits.slice(0, -8)}.${digits.slice(-8)}`;
}

/** "1234567" → "1,234,567". Intl says the same, and takes a slow phone a tenth of a second to begin. */
export const grouped = (whole: string): string => whole.replace(/\B(?=(\d{3})+$)/g, ",");

/** A price as one writes it into a field: at least `digits` decimals, more only where the price has them. */
export function plainPrice(price: string, digits: number): string {
  const [whole = "0", fraction = ""] = price.split(".");
  const kept = fraction.replace(/0+$/, "").padEnd(digits, "0");
  return kept ? `${whole}.${kept}` : whole;
}

/** The same for the eye, its thousands grouped. */
export const displayPrice = (price: string, digits: number): string => plainPrice(price, digits).replace(/^\d+/, grouped);

/** "-1234567.5" → "−$1,234,567.50"; with `sign`, gains carry a plus. */
export function displayMoney(amount: string, options: { sign?: boolean } = {}): string {
  const value = cents(amount);
  const [whole = "0", fraction = "00"] = money(value < 0n ? -value : value).split(".");
  return `${value < 0n ? "−" : options.sign && value > 0n ? "+" : ""}$${grouped(whole)}.${fraction}`;
}

/** Integer division rounded half away from zero. */
function divideHalfAway(numerator: bigint, denominator: bigint): bigint {
  const negative = numerator < 0n !== denominator < 0n;
  const n = numerator < 0n ? -numerator : numerator;
  const d = denominator < 0n ? -denominator : denominator;
  const rounded = (2n * n + d) / (2n * d);
  return negative ? -rounded : rounded;
}

/** Profit in whole cents: amount × (close − open) / open for a buy, the negative for a sell, half away from zero. */
export function profitCents(side: "buy" | "sell", amount: bigint, open: number, close: number): bigint {
  return divideHalfAway(amount * BigInt(side === "buy" ? close - open : open - close), BigInt(open));
}

/** Below this whole numbers are exact, sums of two of them too, and one divided by another rounds down to the right one. */
const EXACT = 2 ** 52;

/** The same as a number, for who reckons many: by numbers while all of it stays exact, else by big integers, which take several times as long. */
export function profitNumber(side: "buy" | "sell", amount: bigint, open: number, close: number): number {
  const way = side === "buy" ? close - open : open - close;
  const doubled = 2 * Number(amount) * Math.abs(way) + open;
  if (doubled + 2 * open > EXACT) return Number(profitCents(side, amount, open, close));
  const rounded = Math.floor(doubled / (2 * open));
  return way < 0 ? 0 - rounded : rounded;
}

/** The same in USD. */
export const profitOf = (side: "buy" | "sell", amount: string, open: number, close: number): string => money(profitCents(side, cents(amount), open, close));

const divideUp = (numerator: bigint, denominator: bigint): bigint => (numerator + denominator - 1n) / denominator;

/** Commission for a side of a deal in USD: `rate` for each 100,000, up to the next cent. */
export const commissionOf = (amount: string, rate: string): string => money(divideUp(cents(amount) * cents(rate), 10_000_000n));

/**
 * Swap in USD for so many nights, half away from zero to the cent: `rate` in points a night, per cent of a year of 360 days, or a fee for each
 * 100,000; `open` and `point` in units of 10⁻⁸.
 */
export function swapOf(unit: "points" | "percent" | "fee", rate: string, held: string, open: number, point: number, nights: number): string {
  const whole = cents(held) * scaled(rate, 4) * BigInt(nights) * (unit === "points" ? BigInt(point) : 1n);
  const part = unit === "points" ? BigInt(open) : unit === "percent" ? 36_000n : 100_000n;
  return money(divideHalfAway(whole, part * 10_000n));
}

/** Required margin in USD: amount / leverage, up to the next cent. */
export const marginOf = (amount: string, leverage: number): string => money(divideUp(cents(amount), BigInt(leverage)));
