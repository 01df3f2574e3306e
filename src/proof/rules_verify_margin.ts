import { decimal, decimalText, dollars, roundedUp } from "./rules_decimals";
import type { Report } from "./rules_verify_report";
import type { LogRecord } from "./schema";

/** Recomputes at which leverage a position was opened, from the records of the terms that its opening names, and the margin from that. */

type Fill = LogRecord<"fill">;
type Geared = Extract<Fill, { v: 3 | 4 | 5 | 6 }>;
type Bounded = Extract<Fill, { v: 5 | 6 }>;

const MONEY = 2;
const cents = (money: string) => decimal(money, MONEY);

type Said = Record<
  string,
  {
    leverageMajor?: unknown;
    leverageMinor?: unknown;
    leverageCrypto?: unknown;
    spreadPips?: unknown;
    pip?: unknown;
    markup?: unknown;
    class?: unknown;
    marginPercent?: unknown;
    marginSteps?: unknown;
  }
>;
/** What the JSON in a record of terms says, by name, of what has terms there; nothing where it is none. */
export function saidIn(text: string): Said {
  try {
    const said: unknown = JSON.parse(text);
    if (typeof said !== "object" || said === null) return {};
    return Object.fromEntries(Object.entries(said).filter(([, each]) => typeof each === "object" && each !== null)) as Said;
  } catch {
    return {};
  }
}

/** Whether a deal's margin is its amount at its leverage. */
export function checkMargin({ amount, leverage, margin }: Pick<Fill, "amount" | "leverage" | "margin">, report: Report, name: string): void {
  const should = roundedUp(cents(amount), BigInt(leverage));
  report.say(should === cents(margin), `${name}’s margin is ${dollars(amount)} at 1:${leverage}`, `it should be ${dollars(decimalText(should, MONEY))}`);
}

const least = (...all: bigint[]) => all.reduce((a, b) => (a < b ? a : b));
const greatest = (a: bigint, b: bigint) => (a > b ? a : b);
/**
 * The most leverage at which so many cents are dealt beyond those that are held: each part asks for its own step's percentage, or for what the account's
 * leverage `own` does where that is more; null where nothing asks for anything.
 */
function leverageOf(steps: unknown, percent: unknown, amount: bigint, held: bigint, own: bigint | null): bigint | null {
  const all = [{ above: "0", percent: percent ?? "0" }, ...(Array.isArray(steps) ? (steps as { above: unknown; percent: unknown }[]) : [])];
  const parts = all.map((step) => ({ above: cents(String(step.above)), percent: decimal(String(step.percent), 2) }));
  const whole = held + amount;
  // Cents times hundredths of a per cent, times the account's leverage where there is one.
  const asked = parts.reduce((sum, step, n) => {
    const part = greatest(0n, least(whole, parts[n + 1]?.above ?? whole) - greatest(held, step.above));
    return sum + part * (own === null ? step.percent : greatest(10_000n, step.percent * own));
  }, 0n);
  return asked === 0n ? null : (amount * 10_000n * (own ?? 1n)) / asked;
}

/**
 * Whether an opening's leverage is exactly the least of its account's, of what is allowed where the owner lives, of what the instrument's terms ask for,
 * by size and beside what was held, and of what it waited at; and the account's no more than its group has.
 */
export function checkLeverage(deal: Geared, group: LogRecord<"group">, instrument: LogRecord<"instrument"> | null, report: Report): void {
  const { v, amount, held, own, placed, leverage } = deal;
  const cap = deal.v === 3 ? null : deal.cap;
  if (v !== 3)
    report.say(
      own <= group.leverage,
      `The account’s own 1:${own} is no more than version ${group.version} of ${group.group} has`,
      `it is above 1:${group.leverage}`,
    );
  if (instrument?.v === 1 && held !== null) return report.skip(`Version ${instrument.version} of the instrument’s terms was logged without its margin by size`);
  const steps = instrument?.v === 2 ? Object.values(saidIn(instrument.marginSteps ?? "[]")) : [];
  const bounds = [own, cap, placed].flatMap((bound) => (bound === null ? [] : BigInt(bound)));
  const asked = leverageOf(steps, instrument?.marginPercent, cents(amount), cents(held ?? "0.00"), least(BigInt(own), ...(cap === null ? [] : [BigInt(cap)])));
  const should = least(asked ?? 0n, ...bounds);
  const fits = steps.length > 0 === (held !== null) && BigInt(leverage) === should;
  report.say(fits, `The opening’s leverage of 1:${leverage} is ${wordsOf(deal, cap, instrument)}`, `it should be 1:${should}`);
}

/**
 * Whether the most leverage where its owner lived is what the version of the countries' rules that an opening names has for the instrument's class. An order
 * that waited was placed by it, and keeps what it was placed at.
 */
export function checkBound(deal: Bounded, rules: LogRecord<"countries"> | null, ofClass: string, report: Report): void {
  const { country, countryVersion, cap, placed } = deal;
  const where = country ?? "a country that is not noted";
  const what = `The most leverage in ${where} is what version ${countryVersion} of the countries’ rules has`;
  if (!rules) return report.say(false, what, "the file lacks the record of its terms");
  const said = country === null ? undefined : saidIn(rules.rules)[country];
  const bound = (ofClass === "major" ? said?.leverageMajor : ofClass === "minor" ? said?.leverageMinor : said?.leverageCrypto) ?? null;
  const fits = placed === null ? cap === bound : cap === null && (bound === null || placed <= Number(bound));
  report.say(fits, what, bound === null ? "it has none" : `it has 1:${String(bound)}`);
}

/** What an opening's leverage is the least of. */
function wordsOf({ own, held, placed }: Geared, cap: number | null, instrument: LogRecord<"instrument"> | null): string {
  const asks = instrument && `what version ${instrument.version} of the instrument’s terms asks for`;
  const all = [
    `the account’s 1:${own}`,
    cap === null ? null : `1:${cap} where its owner lives`,
    placed === null ? null : `1:${placed} at which it waited`,
    asks && (held === null ? asks : `${asks} by size, beside ${dollars(held)} that was held`),
  ].filter((words) => words !== null);
  return all.length === 1 ? all.join("") : `the least of ${all.slice(0, -1).join(", ")} and ${all.at(-1)}`;
}

/** Whether the margin of an opening that does not say what was held before is not less than the instrument's steps ask for. */
export function checkSteps({ amount, leverage }: Fill, version: number, said: Said[string] | undefined, report: Report): void {
  if (!Array.isArray(said?.marginSteps)) return;
  const most = leverageOf(said.marginSteps, said.marginPercent, cents(amount), 0n, null);
  const words = `The opening’s leverage of 1:${leverage} is no more than the margin by size allows in the terms of version ${version}`;
  report.say(most === null || BigInt(leverage) <= most, words, `it should be 1:${most} at most`);
}
