import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { unpackedBy } from "./debian";

/** The alert rules that operators load, held by Prometheus' own `promtool` against what programs told, as if it had been scraped for an hour. */

const RULES = join(import.meta.dir, "../../scripts/ops/alerts.yml");
/** As scripts/ops/prometheus.yml has it, in seconds. */
const EVERY = 15;
/** So many scrapes are before the fault and after it. Rules look back an hour at most, and wait for half of one. */
const BEFORE = 40;
const AFTER = 180;

/** What a scraper is told by each instance, by its name, and when (ms): null by one that does not answer. One that is not named is none of its targets. */
export type Scrape = { at: number; told: Readonly<Record<string, string | null>> };
export const scrapeOf = (told: string): Scrape => ({ at: performance.now(), told: { one: told } });

let unpacked: string | null = null;
const promtool = (...args: string[]) => Bun.spawnSync([join((unpacked ??= unpackedBy("prometheus")), "usr/bin/promtool"), ...args]);

/** The names of the rules, in their order. Throws where Prometheus would not load them. */
export async function alerts(): Promise<string[]> {
  const { exitCode, stderr } = promtool("check", "rules", RULES);
  if (exitCode !== 0) throw new Error(String(stderr));
  return [...(await Bun.file(RULES).text()).matchAll(/- alert: (\w+)/g)].map(([, name = ""]) => name);
}

/**
 * The alerts that fire where instances told this for three quarters of an hour, after what they told `before` for ten minutes. What was counted
 * between the two goes on being counted at that pace: each scrape so much as between the two, or less where they are further apart than scrapes are.
 */
export async function firing(now: Scrape, before: Scrape = now): Promise<string[]> {
  const rules = await Bun.file(RULES).text();
  const asked = new Set(rules.match(/\b(?:halyard|process|patroni)_\w+/g));
  const pace = Math.min(1, (EVERY * 1000) / Math.max(1, now.at - before.at));
  const instances = [...new Set([...Object.keys(before.told), ...Object.keys(now.told)])];
  const series = instances.flatMap((instance) => seriesOf(instance, before.told[instance], now.told[instance], { asked, pace }));
  const folder = mkdtempSync("/tmp/halyard-promtool-");
  try {
    const file = join(folder, "test.json");
    const question = { expr: 'count by (alertname) (ALERTS{alertstate="firing"})', eval_time: `${(BEFORE + AFTER) * EVERY}s`, exp_samples: [] };
    const tests = [{ interval: `${EVERY}s`, input_series: series, promql_expr_test: [question] }];
    writeFileSync(file, JSON.stringify({ rule_files: [RULES], evaluation_interval: `${EVERY}s`, tests }));
    const { exitCode, stdout, stderr } = promtool("test", "rules", file);
    if (exitCode === 0) return [];
    // None was expected, so it says which there are.
    const found = [...`${stdout}${stderr}`.matchAll(/\{alertname="(\w+)"\}/g)].map(([, name = ""]) => name);
    if (found.length === 0) throw new Error(`promtool: ${stdout}${stderr}`);
    return found.sort();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

type Series = { series: string; values: string };
type Told = string | null | undefined;

/** An instance's series of these names, and whether it answered. */
function seriesOf(instance: string, before: Told, now: Told, { asked, pace }: { asked: ReadonlySet<string>; pace: number }): Series[] {
  const [earlier, later] = [samplesOf(before, asked), samplesOf(now, asked)];
  const own = [...new Set([...earlier.keys(), ...later.keys()])].map((series): Series => {
    const [from, to] = [earlier.get(series), later.get(series)];
    const grows = /^\w+_(?:total|count|bucket|sum)\b/.test(series) && to !== undefined;
    const step = grows ? Math.max(0, to - (from ?? 0)) * pace : 0;
    return { series: labelled(series, instance), values: `${run(from, 0, BEFORE)} ${run(to, step, AFTER)}` };
  });
  const up = (told: Told) => (told === undefined ? undefined : Number(told !== null));
  return [{ series: labelled("up", instance), values: `${run(up(before), 0, BEFORE)} ${run(up(now), 0, AFTER)}` }, ...own];
}

/** So many values from one on; of what is not told, what Prometheus notes where a series ends. */
function run(from: number | undefined, step: number, count: number): string {
  const at = (n: number) => (from === undefined ? "stale" : String(from + n * step).replace("Infinity", "Inf"));
  return Array.from({ length: count }, (_, n) => at(n)).join(" ");
}

function samplesOf(told: Told, asked: ReadonlySet<string>): Map<string, number> {
  const lines = [...(told ?? "").matchAll(/^((\w+)(?:\{.*\})?) (\S+)$/gm)];
  return new Map(lines.flatMap(([, series = "", name = "", value]) => (asked.has(name) ? [[series, Number(value)] as const] : [])));
}

function labelled(series: string, instance: string): string {
  const [, name, own] = /^(\w+)(?:\{(.*)\})?$/.exec(series) ?? [];
  return `${name}{${[...(own ? [own] : []), 'job="halyard"', `instance="${instance}"`].join(",")}}`;
}
