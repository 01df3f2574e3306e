import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import { Glob } from "bun";

/** The house rules, run. */

const ROOT = join(import.meta.dir, "..");
const found = (pattern: string) => [...new Glob(pattern).scanSync({ cwd: ROOT })].sort();
const sources = [...found("{src,views,islands,scripts}/**/*.{ts,tsx,mjs}")];
const textOf = new Map(sources.map((path) => [path, readFileSync(join(ROOT, path), "utf8")]));
const text = (path: string) => textOf.get(path) ?? "";

const isTest = (path: string) => /\.test\.tsx?$/.test(path);
const isTesting = (path: string) => isTest(path) || path.startsWith("src/testing/");

// Imports ---------------------------------------------------------------------------------------------------------------

/** The file that a relative import names; null for a package, or what is no source (JSON). */
function resolved(from: string, specifier: string): string | null {
  if (!specifier.startsWith(".")) return null;
  const path = normalize(join(dirname(from), specifier));
  return [path, `${path}.ts`, `${path}.tsx`, `${path}/index.ts`].find((each) => textOf.has(each)) ?? null;
}
const importsOf = (path: string): string[] =>
  [...text(path).matchAll(/^(?:import|export)\b[^;]*?from "([^"]+)"|^import "([^"]+)"|\bimport\("([^"]+)"\)/gm)].flatMap((match) => {
    const to = resolved(path, match[1] ?? match[2] ?? match[3] ?? "");
    return to ? [to] : [];
  });

/** Floors from the ground up; a domain imports itself and lower floors only. */
const FLOORS = [
  ["lib"],
  ["config"],
  ["platform"],
  ["ledger", "market", "audit"],
  ["identity"],
  ["accounts", "notifications", "visitors"],
  ["funding", "trading", "support"],
  ["content", "portal", "admin", "demo"],
  ["app", "production"],
  ["commands", "serve"],
  ["main"],
];
/** `src/market/feed.ts` is of market, `src/app.ts` of app. */
const homeOf = (path: string) => basename(path.split("/")[1] ?? "").replace(/\.tsx?$/, "");
const floorOf = (home: string) => FLOORS.findIndex((floor) => floor.includes(home));

/** Views and islands take these of a domain: what is pure and may go to a browser. */
const PURE = /^src\/(lib\/\w+|\w+\/(schema|rules)(_\w+)?)\.ts$/;

function mayImport(from: string, to: string): boolean {
  if (from.startsWith("views/") || from.startsWith("islands/")) return !to.startsWith("src/") || PURE.test(to);
  if (from.startsWith("scripts/")) return true;
  if (to.startsWith("src/testing/")) return false;
  // Islands are reached through views alone.
  if (to.startsWith("islands/")) return false;
  if (to.startsWith("views/")) return floorOf(homeOf(from)) >= floorOf("platform");
  return homeOf(from) === homeOf(to) || floorOf(homeOf(from)) > floorOf(homeOf(to));
}

describe("imports", () => {
  test("every room has its floor", () => {
    const homes = new Set(sources.filter((path) => path.startsWith("src/") && !isTesting(path)).map(homeOf));
    expect([...homes].filter((home) => floorOf(home) < 0)).toEqual([]);
  });

  test("go to the same domain or a lower floor", () => {
    const wrong = sources
      .filter((path) => !isTesting(path))
      .flatMap((from) => importsOf(from).flatMap((to) => (mayImport(from, to) ? [] : [`${from} → ${to}`])));
    expect(wrong).toEqual([]);
  });

  test("what a browser may take of a domain takes no more than that itself", () => {
    const pure = sources.filter((path) => PURE.test(path));
    expect(pure.flatMap((from) => importsOf(from).flatMap((to) => (PURE.test(to) ? [] : [`${from} → ${to}`])))).toEqual([]);
  });

  test("no file is dead", () => {
    // The build writes each island's entry, which wakes it by lib/wake.
    const named = ["src/main.ts", "islands/lib/wake.tsx", "islands/lib/base.ts"];
    const starts = sources.filter((path) => named.includes(path) || isTest(path) || path.startsWith("scripts/") || /^islands\/\w+\.tsx$/.test(path));
    const reached = new Set<string>();
    const visit = (path: string) => {
      if (reached.has(path)) return;
      reached.add(path);
      importsOf(path).forEach(visit);
      // Scripts name some files by their path: entry points for the bundler, programs to start.
      if (path.startsWith("scripts/")) sources.filter((other) => text(path).includes(`"${other}"`)).forEach(visit);
    };
    starts.forEach(visit);
    expect(sources.filter((path) => !reached.has(path))).toEqual([]);
  });
});

// Names and sizes -------------------------------------------------------------------------------------------------------

/** Files of a domain beside the six. */
const NAMED: Record<string, string[]> = {
  ledger: ["ledger"],
  market: [
    "board",
    "board_sql",
    "candles",
    "feed",
    "feed_simulator",
    "feed_kraken",
    "feed_replay",
    "feed_run",
    "hours",
    "market",
    "publisher",
    "recorder",
    "replay",
  ],
  identity: ["gate", "housekeeping", "totp"],
  audit: ["csv"],
  admin: ["channel", "metrics", "pulse", "system"],
  funding: ["addresses", "announce", "csv", "keccak"],
  trading: ["announce", "channel", "elsewhere", "engine", "exits", "losses", "margin", "queue", "recent", "recheck", "triggers", "trading"],
  portal: ["analysis", "history", "watch"],
  support: ["channel", "typing"],
  demo: ["calendar", "cast", "dealing", "demo", "dice", "market", "months", "people"],
  notifications: ["channel", "envelope", "feed", "push"],
  visitors: ["channel", "feed", "tracker", "zones"],
};
const SIX = /^(schema|rules|queries|commands|routes|staff)(_[a-z]+)*$/;
const LONGEST = 350;
/** Longer files, each with its reason. */
const LONG: Record<string, string> = {};

describe("files", () => {
  test("of a domain have the names that are looked for", () => {
    const files = sources.filter((path) => /^src\/(?!lib|platform|testing)\w+\//.test(path) && !isTest(path));
    const nameOf = (path: string) => basename(path).replace(/\.tsx?$/, "");
    expect(files.filter((path) => !SIX.test(nameOf(path)) && !NAMED[homeOf(path)]?.includes(nameOf(path)))).toEqual([]);
    const there = new Set(files.map((path) => `${homeOf(path)}/${nameOf(path)}`));
    expect(Object.entries(NAMED).flatMap(([home, names]) => names.map((name) => `${home}/${name}`).filter((name) => !there.has(name)))).toEqual([]);
  });

  test("have one subject's length", () => {
    const long = sources.filter((path) => text(path).split("\n").length > LONGEST + 1);
    expect(long.filter((path) => !(path in LONG))).toEqual([]);
  });

  test("migrations are numbered without gaps", () => {
    const names = found("sql/migrations/*").map((path) => basename(path));
    expect(names.filter((name) => !/^\d{3}_[a-z_]+\.sql$/.test(name))).toEqual([]);
    expect(names.map((name) => Number(name.slice(0, 3)))).toEqual(names.map((_, n) => n + 1));
  });

  test("nothing is left for later, and no test is left out", () => {
    const later = /\b(TO[D]O|FIX[M]E|XX[X])\b/;
    const out = /\b(test|it|describe)\.(ski[p]|onl[y]|tod[o])(If)?\b/;
    expect([...sources, ...found("sql/**/*.sql")].filter((path) => later.test(textOf.get(path) ?? readFileSync(join(ROOT, path), "utf8")))).toEqual([]);
    expect(sources.filter((path) => out.test(text(path)))).toEqual([]);
  });
});

// SQL -------------------------------------------------------------------------------------------------------------------

/** Every `many(…)` and `items(…)` of a file, with its query. */
function listsIn(path: string): string[] {
  return [...text(path).matchAll(/\b(?:many|items)\(/g)].map(({ index }) => {
    let depth = 0;
    let end = index;
    do {
      const char = text(path)[end++];
      if (char === "(") depth++;
      if (char === ")") depth--;
      if (depth === 0 && char === ")") break;
    } while (end < text(path).length);
    return text(path).slice(index, end);
  });
}
/** Lists without a limit, each with its reason; named by what tells the query from others. */
const UNLIMITED: Record<string, string> = {
  "many(watchRow,": "the engine must watch the whole book",
  "many(faultRow, sql.unsafe(check.text))": "a check returns what is wrong with the books, and nothing else",
};

describe("SQL", () => {
  const program = sources.filter((path) => path.startsWith("src/") && !isTesting(path));

  test("names its columns", () => {
    expect(program.filter((path) => /\b(select|returning)\s+(\w+\.)?\*/i.test(text(path)))).toEqual([]);
  });

  test("limits its lists", () => {
    const without = program
      .filter((path) => path !== "src/platform/db.ts")
      .flatMap((path) => listsIn(path).flatMap((list) => (/\blimit\b|\bgroup by\b/.test(list) ? [] : [`${path}: ${list.replace(/\s+/g, " ").slice(0, 80)}`])));
    const known = (line: string) => Object.keys(UNLIMITED).some((start) => line.replace("many( ", "many(").includes(start));
    expect(without.filter((line) => !known(line))).toEqual([]);
  });

  test("of one domain writes a table", () => {
    const writers = new Map<string, Set<string>>();
    for (const path of program)
      for (const [, table = ""] of text(path).matchAll(/(?:^|[`(])\s*(?:insert into|delete from|update) ([a-z_]+)/gm))
        writers.set(table, (writers.get(table) ?? new Set()).add(homeOf(path)));
    const shared = [...writers].filter(([, homes]) => homes.size > 1).map(([table, homes]) => `${table}: ${[...homes].sort().join(", ")}`);
    expect(shared).toEqual([]);
    expect(writers.size).toBeGreaterThan(8);
  });
});
