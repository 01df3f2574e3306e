import { beforeAll, expect, test } from "bun:test";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Manifest } from "../src/platform/page/assets";
import { buildClient, findIslands } from "./build_client";

const OUT = ".build/client-test";
const path = (file: string) => join(import.meta.dir, "..", OUT, file);
const source = (file: string) => Bun.file(path(file)).text();
const KB = 1000;
let built: Manifest;
beforeAll(async () => {
  built = await buildClient({ outdir: OUT });
});

test("each file has its compressed forms beside it", () => {
  for (const file of readdirSync(path("")).filter((name) => /\.(js|css)$/.test(name))) {
    expect(existsSync(path(`${file}.br`)), file).toBe(true);
    expect(existsSync(path(`${file}.gz`)), file).toBe(true);
  }
});

const sent = (files: string[]) => files.reduce((sum, file) => sum + statSync(path(`${file}.br`)).size, 0);

test("a static page ships at most 2 kB of scripts, as sent, and 1.1 kB once something is pointed at; the landing page 5 kB, register and login 6 kB, the passkeys of the latter 3.5 kB", () => {
  const { theme, chrome, install, tooltip, landing, form, entrance, passkey } = built.scripts;
  expect(sent([theme, chrome, install])).toBeLessThanOrEqual(2 * KB);
  expect(sent([tooltip])).toBeLessThanOrEqual(1.1 * KB);
  expect(sent([theme, chrome, install, landing])).toBeLessThanOrEqual(5 * KB);
  expect(sent([theme, chrome, install, form, entrance])).toBeLessThanOrEqual(6 * KB);
  expect(sent([passkey])).toBeLessThanOrEqual(3.5 * KB);
});

/** The islands of a page, and those of them that wake as it comes. */
async function islandsOf(page: string) {
  const root = join(import.meta.dir, "..");
  const names = [...(await Bun.file(join(root, page)).text()).matchAll(/from "..\/..\/islands\/\w+\/(\w+)"/g)].map(([, name]) => name as string);
  const sources = await findIslands();
  const of = async (whens: RegExp) => {
    const found: string[] = [];
    for (const name of names)
      if (whens.test(/when: "(\w+)"/.exec(await Bun.file(join(root, `islands/${sources.get(name)}`)).text())?.[1] ?? "load")) found.push(name);
    return found;
  };
  return { names, atOnce: await of(/load/), unasked: await of(/load|idle|visible/) };
}
const filesOf = (name: string) => [built.islands[name]?.file ?? "", ...(built.islands[name]?.imports ?? [])];

test("the traders portal ships at most 45 kB before its chart, and 130 kB with it, as sent", async () => {
  const { names, atOnce } = await islandsOf("views/portal/PortalPage.tsx");
  expect(atOnce).toContain("OrderPanel");
  expect(names).toContain("PriceChart");
  const library: string[] = [];
  for (const file of readdirSync(path(""))) if (file.endsWith(".js") && (await source(file)).includes("TradingView Lightweight Charts")) library.push(file);
  expect(library).toHaveLength(1);
  const { boot, chrome } = built.scripts;
  const before = new Set([boot, chrome, ...atOnce.flatMap(filesOf)]);
  expect(sent([...before])).toBeLessThanOrEqual(45 * KB);
  // Each file is a request that SELL and BUY wait for.
  expect([...new Set(atOnce.flatMap(filesOf))]).toHaveLength(3);
  expect(sent([...new Set([...before, ...names.flatMap(filesOf), ...library])])).toBeLessThanOrEqual(130 * KB);
});

test("until something is pressed the dashboard asks for at most 12 scripts, 50 kB as sent", async () => {
  const { boot, chrome, unread, tabs } = built.scripts;
  const { unasked } = await islandsOf("views/portal/DashboardPage.tsx");
  // Those that the first tab shows.
  const shown = unasked.filter((name) => !["Positions", "MoneyRequests", "OpenDemoAccount"].includes(name));
  expect(shown).toContain("DashboardFigures");
  const files = [...new Set([boot, chrome, unread, tabs, ...shown.flatMap(filesOf)])];
  expect(files.length).toBeLessThanOrEqual(12);
  expect(sent(files)).toBeLessThanOrEqual(50 * KB);
});

test("what draws islands is in one shared chunk, never in an island's own file nor in the small scripts; React itself is nowhere", async () => {
  const islands = Object.values(built.islands);
  expect(islands.length).toBeGreaterThan(1);
  const holders = new Set<string>();
  for (const file of readdirSync(path("")).filter((name) => name.endsWith(".js"))) {
    const text = await source(file);
    if (text.includes("UNSAFE_")) holders.add(file);
    expect(text, file).not.toContain("onRecoverableError");
  }
  expect(holders.size).toBe(1);
  const [drawing = ""] = holders;
  expect(drawing).toStartWith("shared-");
  for (const island of islands) expect(island.imports).toContain(drawing);
});

test("no bundle carries React's server half or PostgreSQL's client", async () => {
  for (const file of readdirSync(path("")).filter((name) => name.endsWith(".js"))) {
    const text = await source(file);
    expect(text, file).not.toContain("renderToStaticMarkup");
    expect(text, file).not.toContain("PostgresError");
  }
});

test("the style sheet knows the tokens and both themes", async () => {
  const css = await source(built.style);
  expect(css).toContain("--c-accent:#0b5fcc");
  expect(css).toContain("[data-theme=dark]");
  expect(css).toContain("prefers-reduced-motion");
  expect(css).toContain(".bg-accent{");
  expect(css).not.toContain("var(--spacing)");
});

test("what is laid over a whole card is there: a placed pseudo-element has a content", async () => {
  const css = await source(built.style);
  expect(css).toMatch(/\.before\\:content-empty(::|:)before\{content:""/);
  for await (const name of new Bun.Glob("{views,islands}/**/*.tsx").scan(".")) {
    const text = await Bun.file(name).text();
    for (const [classes, which] of text.matchAll(/"[^"\n]*\b(before|after):absolute[^"\n]*"/g)) expect(classes, name).toContain(`${which}:content-`);
  }
});
