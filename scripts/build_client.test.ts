import { beforeAll, expect, test } from "bun:test";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Manifest } from "../src/platform/assets";
import { buildClient } from "./build_client";

const OUT = ".build/client-test";
const path = (file: string) => join(import.meta.dir, "..", OUT, file);
const source = (file: string) => Bun.file(path(file)).text();
const KB = 1024;
let built: Manifest;
beforeAll(async () => {
  built = await buildClient(OUT);
});

test("each file has its compressed forms beside it", () => {
  for (const file of readdirSync(path("")).filter((name) => /\.(js|css)$/.test(name))) {
    expect(existsSync(path(`${file}.br`)), file).toBe(true);
    expect(existsSync(path(`${file}.gz`)), file).toBe(true);
  }
});

test("the landing page ships at most 5 kB of scripts, as sent", () => {
  const bytes = [built.scripts.theme, built.scripts.landing].reduce((sum, file) => sum + statSync(path(`${file}.gz`)).size, 0);
  expect(bytes).toBeLessThanOrEqual(5 * KB);
});

test("React is in one shared chunk, never in an island's own file nor in the small scripts", async () => {
  const islands = Object.values(built.islands);
  expect(islands.length).toBeGreaterThan(1);
  const holders = new Set<string>();
  for (const file of readdirSync(path("")).filter((name) => name.endsWith(".js"))) if ((await source(file)).includes("onRecoverableError")) holders.add(file);
  expect(holders.size).toBe(1);
  const [react = ""] = holders;
  expect(react).toStartWith("shared-");
  for (const island of islands) expect(island.imports).toContain(react);
});

test("no bundle carries React's server half or PostgreSQL's client", async () => {
  for (const file of readdirSync(path("")).filter((name) => name.endsWith(".js"))) {
    const text = await source(file);
    expect(text, file).not.toContain("renderToStaticMarkup");
    expect(text, file).not.toContain("PostgresError");
  }
});

test("an island's own code stays small", async () => {
  for (const name of ["LoginForm", "RegisterForm"]) {
    const file = built.islands[name]?.file ?? "";
    expect(gzipSync(await source(file)).length).toBeLessThanOrEqual(5 * KB);
  }
});

test("the style sheet knows the tokens and both themes", async () => {
  const css = await source(built.style);
  expect(css).toContain("--c-accent:#0b5fcc");
  expect(css).toContain(":root[data-theme=dark]");
  expect(css).toContain("prefers-reduced-motion");
  expect(css).toContain(".bg-accent{");
});
