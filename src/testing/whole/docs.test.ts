import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { Glob } from "bun";
import { readConfig } from "../../config";

/** What README and docs say of the project, held to the project. */

const ROOT = join(import.meta.dir, "../../..");
const docs = ["README.md", ...new Glob("docs/*.md").scanSync({ cwd: ROOT })].sort();
const text = (path: string) => readFileSync(join(ROOT, path), "utf8");
/** The text without its blocks of code. */
const prose = (path: string) => text(path).replace(/^ *```[^]*?^ *```/gm, "");

/** The anchor that GitHub gives a heading: small letters, a dash for each space, no other signs. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");
const anchorsOf = (path: string) => [...prose(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => anchorOf(heading));

/** Files that the docs tell how to make. */
const MADE_UP = [
  "views/content/HoursPage.tsx",
  "islands/trading/PipValue.tsx",
  "sql/migrations/NNN_name.sql",
  "sql/migrations/NNN_functions.sql",
  "sql/checks/name.sql",
  "src/market/feed_yours.ts",
  "bench/results.json",
];

type Link = { from: string; file: string; anchor: string };
/** Links and pictures that lead to a file of the project. */
const linksIn = (from: string): Link[] =>
  [...prose(from).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = ""]) => {
    if (/^[a-z]+:/.test(target)) return [];
    const [path = "", anchor = ""] = target.split("#");
    return [{ from, file: path ? normalize(join(dirname(from), path)) : from, anchor }];
  });

describe("README and docs", () => {
  const links = docs.flatMap(linksIn);

  test("link to files that are there", () => {
    expect(links.length).toBeGreaterThan(20);
    expect(links.filter(({ file }) => !existsSync(join(ROOT, file)))).toEqual([]);
  });

  test("link to headings that are there, each of which stands once in its file", () => {
    expect(links.filter(({ file, anchor }) => anchor !== "" && !anchorsOf(file).includes(anchor))).toEqual([]);
    expect(docs.filter((path) => new Set(anchorsOf(path)).size < anchorsOf(path).length)).toEqual([]);
  });

  test("name files that are there", () => {
    const named = docs.flatMap((from) => [...prose(from).matchAll(/`((?:\w+\/)+\w+\.(?:tsx?|mjs|sql|txt|sh|yml|json))`/g)].map(([, path = ""]) => path));
    expect(named.length).toBeGreaterThan(20);
    const isThere = (path: string) => [path, join("src", path)].some((each) => existsSync(join(ROOT, each)));
    expect(named.filter((path) => !MADE_UP.includes(path) && !isThere(path))).toEqual([]);
  });

  test("say of every alert rule what to do when it fires, and of no other", () => {
    const rules = [...text("scripts/ops/alerts.yml").matchAll(/- alert: (\w+)/g)].map(([, name = ""]) => name);
    expect(rules.length).toBeGreaterThan(15);
    const rows = [...prose("docs/operate.md").matchAll(/^\| (`Halyard[^|]*)\|[^|]+\|[^|]+\|$/gm)].map(([, seen = ""]) => seen);
    const told = rows.flatMap((seen) => [...seen.matchAll(/`(Halyard\w+)`/g)].map(([, name = ""]) => name));
    expect(rules.filter((name) => !told.includes(name))).toEqual([]);
    expect(told.filter((name) => !rules.includes(name))).toEqual([]);
  });

  test("are all reached from README, which is read in some minutes", () => {
    const reached = new Set(linksIn("README.md").map(({ file }) => file));
    expect(docs.filter((path) => path !== "README.md" && !reached.has(path))).toEqual([]);
    expect(text("README.md").split("\n").length).toBeLessThanOrEqual(170);
  });

  test("list the settings that the program reads, and no others", () => {
    const read = new Set<string>();
    readConfig(new Proxy({}, { get: (_, name) => void read.add(String(name)) }));
    const rows = text("docs/operate.md").matchAll(/^\| ((?:`[A-Z0-9_]+`(?:, )?)+) +\|/gm);
    const listed = [...rows].flatMap(([, names = ""]) => names.replaceAll("`", "").split(", "));
    expect(listed.sort()).toEqual([...read].sort());
  });
});
