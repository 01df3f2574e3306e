import { join } from "node:path";
import { YAML } from "bun";

/** Conditions of the alert rules that operators load, held against what a program told. */

type Rules = { groups: { rules: { alert: string; expr: string }[] }[] };
/** What a scraper read, and when, in ms. */
export type Scrape = { text: string; at: number };

const SERIES = String.raw`(\w+)(?:\{([^}]*)\})?`;
const WINDOW = String.raw`\[\d+[mh]\]`;
/** The terms that rules are made of, each with what it comes to of two scrapes that its window holds; of one alone a rate is unknown. */
const TERMS: [RegExp, (names: string[], now: Scrape, before: Scrape | null) => number][] = [
  [new RegExp(`^max\\(${SERIES}\\)$`), ([name = "", labels], now) => Math.max(...valuesOf(now, name, labels))],
  [new RegExp(`^min\\(${SERIES}\\)$`), ([name = "", labels], now) => Math.min(...valuesOf(now, name, labels))],
  [new RegExp(`^(?:sum\\()?rate\\(${SERIES}${WINDOW}\\)\\)?$`), ([name = "", labels], now, before) => rateOf(name, labels, now, before)],
  [new RegExp(`^max\\(increase\\(${SERIES}${WINDOW}\\)\\)$`), ([name = "", labels], now, before) => growthOf(name, labels, now, before)],
  [
    new RegExp(`^sum\\(rate\\(${SERIES}${WINDOW}\\)\\) / sum\\(rate\\(${SERIES}${WINDOW}\\)\\)$`),
    ([part = "", ofPart, whole = "", ofWhole], now, before) => growthOf(part, ofPart, now, before) / growthOf(whole, ofWhole, now, before),
  ],
];

/** Of each series of this name whose labels hold to these matchers. */
function valuesOf({ text }: Scrape, name: string, labels?: string): number[] {
  const matchers = [...(labels ?? "").matchAll(/(\w+)=(~?)"([^"]*)"/g)].map(
    ([, label = "", like, value = ""]) => new RegExp(`\\b${label}="${like ? `(?:${value})` : value}"`),
  );
  const samples = [...text.matchAll(new RegExp(`^${name}(?:\\{(.*)\\})? (\\S+)$`, "gm"))];
  return samples.flatMap(([, own = "", value]) => (matchers.every((matcher) => matcher.test(own)) ? [Number(value)] : []));
}
const sumOf = (scrape: Scrape, name: string, labels?: string) => valuesOf(scrape, name, labels).reduce((all, value) => all + value, 0);
const growthOf = (name: string, labels: string | undefined, now: Scrape, before: Scrape | null) =>
  before === null ? 0 : sumOf(now, name, labels) - sumOf(before, name, labels);
const rateOf = (name: string, labels: string | undefined, now: Scrape, before: Scrape | null) =>
  before === null ? 0 : growthOf(name, labels, now, before) / ((now.at - before.at) / 1000);

/** Whether an alert's condition holds of a scraped text, and, where it asks for what happened meanwhile, of one before. Throws at a condition that it can't tell. */
export async function holds(alert: string, scraped: string | Scrape, before: Scrape | null = null): Promise<boolean> {
  const now = typeof scraped === "string" ? { text: scraped, at: 0 } : scraped;
  const file = join(import.meta.dir, "../../scripts/ops/alerts.yml");
  const { groups } = YAML.parse(await Bun.file(file).text()) as Rules;
  const rule = groups.flatMap(({ rules }) => rules).find((each) => each.alert === alert);
  if (!rule) throw new Error(`no rule ${alert}`);
  return rule.expr.split(" or ").some((condition) => {
    const [, left = "", than, bound = ""] = /^(.*) (>|==) ([\d.* ]+)$/.exec(condition) ?? [];
    const term = TERMS.map(([form, valueOf]) => ({ names: form.exec(left)?.slice(1), valueOf })).find(({ names }) => names);
    if (!term?.names) throw new Error(`can't tell '${condition}'`);
    for (const name of left.match(/\b(?:halyard|process|patroni)_\w+/g) ?? []) if (!now.text.includes(`${name}`)) throw new Error(`nothing tells ${name}`);
    const value = term.valueOf(term.names, now, before);
    const most = bound.split("*").reduce((product, factor) => product * Number(factor), 1);
    return than === ">" ? value > most : value === most;
  });
}
