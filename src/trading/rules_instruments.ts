import { displayMoney } from "../lib/money";
import { pipsText } from "../lib/quote_text";
import { termsOf } from "../market/rules_terms";
import { stepsText } from "./rules_margin_steps";
import type { FillTerms } from "./schema";

type Bounds = { minimum: string | null; step: string | null; maximum: string | null };

/** What an order may amount to, as one phrase; empty where the instrument has no bounds of its own. */
function phraseOf({ minimum, step, maximum }: Bounds): string {
  const said = [
    minimum === null ? null : `from ${displayMoney(minimum)}`,
    maximum === null ? null : `up to ${displayMoney(maximum)}`,
    step === null ? null : `in steps of ${displayMoney(step)}`,
  ];
  return said.filter((each) => each !== null).join(" ");
}

/** The same as a hint under the amount; undefined where there is nothing to say. */
export function boundsWords(symbol: string): string | undefined {
  const terms = termsOf(symbol);
  const phrase = terms ? phraseOf(terms) : "";
  return phrase ? `${phrase.charAt(0).toUpperCase()}${phrase.slice(1)}.` : undefined;
}

/** The least margin, in a phrase; empty where the leverage alone says it. */
function marginText(percent: string | null, steps: FillTerms["marginSteps"]): string {
  const whole = percent === null ? "" : `${Number(percent)}%`;
  if (steps === null) return whole && `margin ${whole} at least`;
  return `margin ${[whole, stepsText(steps)].filter(Boolean).join(", ")} at least`;
}

/** The terms that a position was opened on, for its receipt. */
export function fillTermsWords(terms: FillTerms): string {
  const { version, marginPercent, marginSteps, clientLimit, markup } = terms;
  const said = [
    phraseOf(terms),
    marginText(marginPercent, marginSteps),
    markup === null || Number(markup) === 0 ? "" : `mark-up ${pipsText(markup)}`,
    clientLimit === null ? "" : `at most ${displayMoney(clientLimit)} a person`,
  ];
  return [`Version ${version}`, ...said].filter(Boolean).join(", ");
}
