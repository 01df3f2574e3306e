import type { OneClickTerms } from "./one_click_terms";

export const FIRST_TERMS: OneClickTerms = { amount: "1000", pips: "1", percent: "0.05" };

const FIELDS = {
  amount: { pattern: /^\d{1,9}(\.\d{1,2})?$/, least: 10, most: 100_000_000, words: "Enter an amount from $10, such as 1000." },
  pips: { pattern: /^\d{1,3}(\.\d)?$/, least: 0, most: 100, words: "Enter 0 to 100 pips, such as 1 or 0.5." },
  percent: { pattern: /^\d(\.\d{1,3})?$/, least: 0, most: 5, words: "Enter 0 to 5 per cent, such as 0.05." },
} as const;

/** What is wrong with terms, by field; nothing where they can be used. */
export function faultsOf(terms: OneClickTerms): Partial<Record<keyof OneClickTerms, string>> {
  const wrong = (Object.keys(FIELDS) as (keyof OneClickTerms)[]).filter((name) => {
    const { pattern, least, most } = FIELDS[name];
    return !pattern.test(terms[name]) || Number(terms[name]) < least || Number(terms[name]) > most;
  });
  return Object.fromEntries(wrong.map((name) => [name, FIELDS[name].words]));
}
