import { join } from "node:path";
import { YAML } from "bun";

/** Conditions of the alert rules that operators load, held against what a program told. */

type Rules = { groups: { rules: { alert: string; expr: string }[] }[] };
const TERM = /^max\((\w+)\) (>|==) (\d+)$/;

/** Whether an alert's condition holds of a scraped text. Knows `max(series) > number` and `==`, joined by `or`. Throws at any other condition. */
export async function holds(alert: string, scraped: string): Promise<boolean> {
  const file = join(import.meta.dir, "../../scripts/ops/alerts.yml");
  const { groups } = YAML.parse(await Bun.file(file).text()) as Rules;
  const rule = groups.flatMap(({ rules }) => rules).find((each) => each.alert === alert);
  if (!rule) throw new Error(`no rule ${alert}`);
  return rule.expr.split(" or ").some((term) => {
    const [, series = "", than, bound] = TERM.exec(term) ?? [];
    const values = [...scraped.matchAll(new RegExp(`^${series}(?:\\{.*\\})? (\\S+)$`, "gm"))].map(([, value]) => Number(value));
    if (!series || values.length === 0) throw new Error(`can't tell '${term}'`);
    const most = Math.max(...values);
    return than === ">" ? most > Number(bound) : most === Number(bound);
  });
}
