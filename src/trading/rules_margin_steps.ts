import { displayMoney } from "../lib/money";

/** Margin by size: what the parts of an order above amounts of its own ask for. Money is USD as decimal text, percentages have two decimals at most. */

export type MarginStep = { above: string; percent: string };

/** Steps as a form's field and a file's cell hold them, a line each: "100000 5" asks for 5% of what is above $100,000. */
export const writtenSteps = (steps: readonly MarginStep[] | null): string =>
  (steps ?? []).map(({ above, percent }) => `${Number(above)} ${Number(percent)}`).join("\n");

/** What such lines say, to be held to the shape of steps; lines may be parted by semicolons, too. */
export const stepsIn = (text: string): MarginStep[] =>
  text
    .split(/[;\n]/)
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => {
      const [above = "", percent = "", ...more] = line.split(/\s+/);
      return { above, percent: [percent.replace(/%$/, ""), ...more].join(" ") };
    });

/** Steps at most. */
const MOST = 10;
const AMOUNT = /^\d{1,9}(\.\d{1,2})?$/;
const PERCENT = /^\d{1,3}(\.\d{1,2})?$/;

/** What is wrong with steps, with where it stands; null where nothing is. Amounts rise, and so does what they ask for. */
export function stepsFault(steps: readonly MarginStep[]): string | null {
  if (steps.length > MOST) return `At most ${MOST} steps.`;
  for (const [n, { above, percent }] of steps.entries()) {
    const at = (column: string, what: string) => `Step ${n + 1}, ${column}: ${what}`;
    const before = steps[n - 1];
    if (!AMOUNT.test(above) || Number(above) === 0) return at("above", "write a step as an amount and a percentage, such as 100000 5.");
    if (!PERCENT.test(percent) || Number(percent) < 0.2 || Number(percent) > 100) return at("%", "a percentage from 0.2 to 100, with at most two decimals.");
    if (before && Number(above) <= Number(before.above)) return at("above", `it must be more than ${displayMoney(before.above)}, the step before it.`);
    if (before && Number(percent) <= Number(before.percent)) return at("%", `it must be more than ${Number(before.percent)}, the step before it.`);
  }
  return null;
}

/** Steps for the eye: "5% above $100,000.00". */
export const stepsText = (steps: readonly MarginStep[]): string =>
  steps.map(({ above, percent }) => `${Number(percent)}% above ${displayMoney(above)}`).join(", ");

/** What is written of steps, for the eye; what can't be read yet as it stands. */
export function stepsTextOf(written: string): string {
  const steps = stepsIn(written);
  return stepsFault(steps) === null ? stepsText(steps) : written;
}

/** What an order asks for from zero on, in cents and hundredths of a per cent. `percent`: below the first step; null: nothing of its own. */
export const stepsFrom = (percent: string | null, steps: readonly MarginStep[]): { above: number; percent: number }[] =>
  [{ above: "0", percent: percent ?? "0" }, ...steps].map((step) => ({
    above: Math.round(Number(step.above) * 100),
    percent: Math.round(Number(step.percent) * 100),
  }));

/**
 * The mirror of SQL's instrument_leverage: n of the 1:n at which so many cents are dealt where the account has 1:`own` and holds so many cents of
 * the instrument on that side.
 */
export function leverageBySteps(steps: readonly { above: number; percent: number }[], own: number, amount: bigint, held = 0n): number {
  const whole = held + amount;
  const asked = steps.reduce((sum, { above, percent }, n) => {
    const [from, next] = [BigInt(above), steps[n + 1]];
    const end = next && BigInt(next.above) < whole ? BigInt(next.above) : whole;
    const part = end - (from > held ? from : held);
    return part > 0n ? sum + part * BigInt(Math.max(10_000, percent * own)) : sum;
  }, 0n);
  return asked === 0n ? own : Number((amount * 10_000n * BigInt(own)) / asked);
}
