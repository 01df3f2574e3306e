import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import { Glob } from "bun";
import { FLOORS, floorOf, homeOf, mayUse } from "../floors";
import { climbsIn, piecesIn, strangersIn, writersOf } from "../sql_floors";

/** The project's rules, run. */

const ROOT = join(import.meta.dir, "../../..");
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

/** The floors of what is drawn, views and islands alike, from the ground up: bricks, the way to the server, what islands run on. */
const DRAWN_FLOORS = [
  ["views/ui", "islands/wire"],
  ["views", "islands/runtime"],
  ["islands/ui", "islands/scripts"],
  ...FLOORS.slice(floorOf("proof")).map((floor) => floor.flatMap((home) => [`views/${home}`, `islands/${home}`])),
];
/** `views/funding/words.ts` is of views/funding, `views/Layout.tsx` of views. */
const drawnHomeOf = (path: string) => path.split("/").slice(0, -1).slice(0, 2).join("/");
const drawnFloorOf = (home: string) => DRAWN_FLOORS.findIndex((floor) => floor.includes(home));
const domainOf = (home: string) => home.split("/")[1];
const isDrawn = (path: string) => /^(views|islands)\//.test(path);
/** Imports of what stands higher or beside, each with its reason. */
const ACROSS: Record<string, string> = {
  "islands/runtime/trading_store_base.ts → views/accounts/Profit.tsx": "names what the islands of trading screens share, so that it travels as one file",
  "src/support/routes_contact.tsx → views/content/ContactPage.tsx": "the contact form is one of the visitors' pages, made of their parts",
};

/** Views and islands take these of a domain: what is pure and may go to a browser. */
const PURE = /^src\/(lib\/\w+|\w+\/(schema|rules)(_\w+)?)\.ts$/;

function mayDraw(from: string, to: string): boolean {
  if (!isDrawn(to)) return PURE.test(to);
  const [own, other] = [drawnHomeOf(from), drawnHomeOf(to)];
  return own === other || (domainOf(own) === domainOf(other) && floorOf(domainOf(own) ?? "") > 0) || drawnFloorOf(own) > drawnFloorOf(other);
}

/** The platform draws the frame round every page; a domain shows its own views, and those of lower floors. */
function mayShow(from: string, to: string): boolean {
  if (from === "platform") return to === "views";
  return to === "views" || to === "views/ui" || domainOf(to) === from || floorOf(from) > floorOf(domainOf(to) ?? "");
}

function mayImport(from: string, to: string): boolean {
  if (`${from} → ${to}` in ACROSS) return true;
  if (isDrawn(from)) return mayDraw(from, to);
  if (from.startsWith("scripts/")) return true;
  if (to.startsWith("src/testing/")) return false;
  // Islands are reached through views alone.
  if (to.startsWith("islands/")) return false;
  if (to.startsWith("views/")) return mayShow(homeOf(from), drawnHomeOf(to));
  return mayUse(homeOf(from), homeOf(to));
}

/** The name that a file gives its island; null where it makes none. */
const islandIn = (path: string) => (path.startsWith("islands/") ? (/^export default island\("(\w+)"/m.exec(text(path))?.[1] ?? null) : null);

describe("imports", () => {
  test("every room has its floor", () => {
    const homes = new Set(sources.filter((path) => path.startsWith("src/") && !isTesting(path)).map(homeOf));
    expect([...homes].filter((home) => floorOf(home) < 0)).toEqual([]);
    const drawn = new Set(sources.filter(isDrawn).map(drawnHomeOf));
    expect([...drawn].filter((home) => drawnFloorOf(home) < 0)).toEqual([]);
  });

  test("go to the same domain or a lower floor", () => {
    const wrong = sources
      .filter((path) => !isTesting(path))
      .flatMap((from) => importsOf(from).flatMap((to) => (mayImport(from, to) ? [] : [`${from} → ${to}`])));
    expect(wrong).toEqual([]);
    expect(Object.keys(ACROSS).filter((line) => !importsOf(line.split(" → ")[0] ?? "").some((to) => line.endsWith(` → ${to}`)))).toEqual([]);
  });

  test("what a browser may take of a domain takes no more than that itself", () => {
    const pure = sources.filter((path) => PURE.test(path));
    expect(pure.flatMap((from) => importsOf(from).flatMap((to) => (PURE.test(to) ? [] : [`${from} → ${to}`])))).toEqual([]);
  });

  test("no files of what is drawn need each other in a circle, types among it", () => {
    const [open, done]: [string[], Set<string>] = [[], new Set()];
    const circles: string[] = [];
    const visit = (path: string) => {
      if (open.includes(path)) return void circles.push([...open.slice(open.indexOf(path)), path].join(" → "));
      if (done.has(path)) return;
      open.push(path);
      importsOf(path).filter(isDrawn).forEach(visit);
      open.pop();
      done.add(path);
    };
    sources.filter(isDrawn).forEach(visit);
    expect(circles).toEqual([]);
  });

  test("no file is dead", () => {
    // The build writes each island's entry, which wakes it by runtime/wake.
    const named = ["src/main.ts", "islands/runtime/wake.tsx", "islands/runtime/base.ts"];
    const starts = sources.filter((path) => named.includes(path) || isTest(path) || path.startsWith("scripts/") || islandIn(path) !== null);
    const reached = new Set<string>();
    const visit = (path: string) => {
      if (reached.has(path)) return;
      reached.add(path);
      importsOf(path).forEach(visit);
      // Scripts and tests name some files by their path: entry points for the bundler, programs to start.
      if (path.startsWith("scripts/") || isTest(path)) sources.filter((other) => text(path).includes(`"${other}"`)).forEach(visit);
    };
    starts.forEach(visit);
    expect(sources.filter((path) => !reached.has(path))).toEqual([]);
  });
});

// Names and sizes -------------------------------------------------------------------------------------------------------

/** Files of a domain beside those that each may have. */
const NAMED: Record<string, string[]> = {
  proof: ["check", "edge", "entries", "fault", "hashing", "key", "logbook", "reader", "signing", "sources", "witness_file", "witnesses"],
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
    "levels",
    "listings",
    "market",
    "publisher",
    "quotes",
    "random",
    "recent",
    "recorder",
    "reference",
    "renewal",
    "replay",
  ],
  identity: ["authenticator", "cookies", "housekeeping", "totp", "weak_passwords"],
  audit: ["csv"],
  texts: ["brand", "pictures", "terms_due"],
  admin: ["channel", "day_books", "metrics", "pulse", "system"],
  funding: ["addresses", "announce", "csv", "keccak", "requests"],
  trading: [
    "announce",
    "books",
    "channel",
    "elsewhere",
    "engine",
    "engine_parts",
    "exits",
    "groups_due",
    "swaps",
    "instruments",
    "limits",
    "losses",
    "margin",
    "margin_desk",
    "moves",
    "order_batches",
    "orders",
    "queue",
    "recheck",
    "terms_now",
    "triggers",
    "trading",
    "watched",
  ],
  portal: ["analysis", "channel", "chosen", "history", "watch"],
  mail: ["compose", "letter_words", "mailer", "smtp"],
  support: ["channel", "typing"],
  integrity: ["integrity", "liabilities"],
  compliance: ["countries", "reminders", "vault"],
  demo: ["calendar", "cast", "dealing", "demo", "dice", "market", "months", "people"],
  notifications: ["channel", "envelope", "broadcaster", "push", "teller"],
  alerts: ["alerts", "book", "channel", "engine"],
  watchlists: ["channel"],
  visitors: ["channel", "broadcaster", "tracker", "zones"],
};
const USUAL = /^(index|(schema|rules|queries|commands|routes|staff)(_[a-z]+)*)$/;
const LONGEST = 350;
/** Longer files, each with its reason. */
const LONG: Record<string, string> = {};

describe("files", () => {
  test("of a domain have the names that are looked for", () => {
    const files = sources.filter((path) => /^src\/(?!lib|platform|testing)\w+\//.test(path) && !isTest(path));
    const nameOf = (path: string) => basename(path).replace(/\.tsx?$/, "");
    expect(files.filter((path) => !USUAL.test(nameOf(path)) && !NAMED[homeOf(path)]?.includes(nameOf(path)))).toEqual([]);
    const there = new Set(files.map((path) => `${homeOf(path)}/${nameOf(path)}`));
    expect(Object.entries(NAMED).flatMap(([home, names]) => names.map((name) => `${home}/${name}`).filter((name) => !there.has(name)))).toEqual([]);
  });

  test("of islands carry their island's name, which no other has", () => {
    const islands = sources.flatMap((path) => (islandIn(path) === null ? [] : [path]));
    expect(islands.filter((path) => basename(path) !== `${islandIn(path)}.tsx`)).toEqual([]);
    expect(new Set(islands.map(islandIn)).size).toBe(islands.length);
    // Whatever else makes an island would be drawn, and never wake.
    expect(sources.filter((path) => path.startsWith("islands/") && !isTest(path) && /\bisland\(/.test(text(path)) && islandIn(path) === null)).toEqual([]);
  });
  test("that are drawn once for many look neither at the clock nor at instruments", () => {
    const shared = sources.filter((path) => path.startsWith("islands/") && /\bshared: true \}\);$/m.test(text(path)));
    expect(shared.length).toBeGreaterThan(3);
    expect(shared.filter((path) => /\bDate\b|\bnow\(|rules_listed|rules_terms|runtime\/listed/.test(text(path)))).toEqual([]);
  });

  test("have one subject's length", () => {
    const lengthOf = (path: string) => (textOf.get(path) ?? readFileSync(join(ROOT, path), "utf8")).split("\n").length;
    const long = [...sources, ...found("sql/functions/*.sql")].filter((path) => lengthOf(path) > LONGEST + 1);
    expect(long.filter((path) => !(path in LONG))).toEqual([]);
  });

  test("migrations are numbered without gaps", () => {
    const names = found("sql/migrations/*").map((path) => basename(path));
    expect(names.filter((name) => !/^\d{3}_[a-z_]+\.sql$/.test(name))).toEqual([]);
    expect(names.map((name) => Number(name.slice(0, 3)))).toEqual(names.map((_, n) => n + 1));
  });

  test("migrations after 031 hold no text that runs: it stands in sql/functions alone", () => {
    const texts = found("sql/migrations/*").filter((path) => basename(path) > "032");
    const made = /^\s*create (or replace )?(function|procedure|trigger|view)\b/im;
    expect(texts.filter((path) => made.test(readFileSync(join(ROOT, path), "utf8")))).toEqual([]);
  });

  test("nothing is left for later, and no test is left out", () => {
    const later = /\b(TO[D]O|FIX[M]E|XX[X])\b/;
    const out = /\b(test|it|describe)\.(ski[p]|onl[y]|tod[o])(If)?\b/;
    expect([...sources, ...found("sql/**/*.sql")].filter((path) => later.test(textOf.get(path) ?? readFileSync(join(ROOT, path), "utf8")))).toEqual([]);
    // Where Go can't be installed its verifiers can't look at the log, and the runner says so.
    expect(sources.filter((path) => out.test(text(path)))).toEqual(["src/proof/verifier.test.ts"]);
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
  "many(watchedRow,": "the engine must watch every alert",
  "many(faultRow, sql.unsafe(check.text))": "a check returns what is wrong with the books, and nothing else",
};

/** Who writes a table that another domain owns, each with its reason. */
const SHARED: Record<string, string> = {
  "trading: trading_accounts": "a deal notes on the account that it holds what it made of it: result, advance, margin call, when it was",
  "demo: admin_actions": "the demonstration's days are put into the past, and the chain of hashes covers the time",
  "demo: audit_head": "and so its head",
};
/** Calls that go aside or upwards, each with its reason. */
const CLIMBS: Record<string, string> = {
  "identity → person_open": "who registers has a wallet and a demo account in the same transaction",
  "ledger → audit_append": "the audit book notes who released halted books, in the same transaction",
  "trading → support_turn": "an objection to a correction is a support ticket, opened in the same transaction",
  "trading → ticket_write": "and is written as one",
};

describe("SQL", () => {
  const program = sources.filter((path) => path.startsWith("src/") && !isTesting(path));

  test("names its columns", () => {
    expect(program.filter((path) => /\b(select|returning)\s+(\w+\.)?\*/i.test(text(path)))).toEqual([]);
  });

  test("limits its lists", () => {
    const without = program
      .filter((path) => path !== "src/platform/database/db.ts")
      .flatMap((path) => listsIn(path).flatMap((list) => (/\blimit\b|\bgroup by\b/.test(list) ? [] : [`${path}: ${list.replace(/\s+/g, " ").slice(0, 80)}`])));
    const known = (line: string) => Object.keys(UNLIMITED).some((start) => line.replace("many( ", "many(").includes(start));
    expect(without.filter((line) => !known(line))).toEqual([]);
  });

  const functions = found("sql/functions/*.sql").flatMap((path) => piecesIn(path, readFileSync(join(ROOT, path), "utf8")));
  const pieces = program.map((path) => ({ home: homeOf(path), name: path, text: text(path) }));

  test("stands in files of a domain", () => {
    expect(functions.length).toBeGreaterThan(100);
    expect([...new Set(functions.map(({ home }) => home))].filter((home) => floorOf(home) < floorOf("platform"))).toEqual([]);
  });

  test("of one domain writes a table", () => {
    const writers = writersOf(functions, pieces);
    expect(strangersIn(writers, Object.keys(SHARED))).toEqual([]);
    expect(Object.keys(SHARED).filter((name) => !writers.get(name.split(": ")[1] ?? "")?.has(name.split(": ")[0] ?? ""))).toEqual([]);
    expect(writers.size).toBeGreaterThan(40);
  });

  test("moves money in two functions alone", () => {
    const movers = functions.filter(({ name, home, text: body }) => writersOf([{ name, home, text: body }], []).has("ledger_postings"));
    expect(movers.map(({ name }) => name)).toEqual(["ledger_post", "ledger_post_list"]);
  });

  test("calls functions of its own domain or a lower floor", () => {
    expect(climbsIn(functions, pieces)).toEqual(Object.keys(CLIMBS).sort());
  });
});
