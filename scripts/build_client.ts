import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { createGenerator } from "@unocss/core";
import { minify } from "terser";
import type { Manifest } from "../src/platform/page/assets";
import { baseCss, unoConfig } from "../views/theme";

const ROOT = join(import.meta.dir, "..");

/** Scripts of their own, without React: run as classic scripts in the order the page names them. */
const SCRIPTS = {
  theme: "islands/scripts/theme.ts",
  hold: "islands/scripts/hold.ts",
  chrome: "islands/scripts/chrome.ts",
  form: "islands/scripts/form_code.ts",
  boot: "islands/runtime/boot.ts",
  landing: "islands/scripts/landing.ts",
  clear: "islands/scripts/clear.ts",
  unread: "islands/scripts/unread.ts",
  tabs: "islands/scripts/tabs.ts",
  faq: "islands/scripts/faq.ts",
  passkey: "islands/scripts/passkey.ts",
};
/** Modules that a small script asks for when it needs them. */
const MODULES = {
  install: "islands/scripts/install.ts",
  tooltip: "islands/scripts/tooltip.ts",
  entrance: "islands/scripts/entrance.ts",
  contact: "islands/scripts/contact.ts",
};

/** Where class names are written. One sheet for all; pages without islands carry the part of it that they use (`platform/page/page_style.ts`). */
const STYLED = ["views/**/*.tsx", "islands/**/*.{ts,tsx}"];
/** The trading screen has a sheet of its own, two thirds as large: a slow phone paints nothing before it has read all of it. */
const DESK = ["views/portal/PortalPage.tsx", "views/Layout.tsx", "views/Document.tsx", ...Object.values(SCRIPTS), ...Object.values(MODULES)];

/**
 * Builds everything that a browser loads into `outdir`: islands (each an entry of its own, with shared chunks), the small scripts and the
 * style sheet. Each file's name carries its content's hash, and a .br and a .gz stand beside it. `manifest.json` maps entries to these names.
 * A `quick` build, while one develops, leaves them somewhat larger. Throws with the bundler's messages when something does not build.
 */
export async function buildClient({ outdir = ".build/client", quick = false } = {}): Promise<Manifest> {
  const final = resolve(ROOT, outdir);
  // A server that runs from the old files, or another build, must never meet a half-made folder.
  const out = `${final}.${process.pid}.new`;
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  const [scripts, islands, style, desk] = await Promise.all([
    buildScripts(out),
    buildIslands(out),
    buildStyle(out, "style", await matching(STYLED)),
    buildStyle(out, "desk", await reached(DESK)),
  ]);
  const manifest: Manifest = { scripts, islands, style, desk };
  const files = (await readdir(out)).map((name) => join(out, name));
  if (!quick) await Promise.all(files.filter((path) => path.endsWith(".js")).map(shrink));
  await Promise.all(files.map(compress));
  await Bun.write(join(out, "manifest.json"), JSON.stringify(manifest, null, 1));
  await swap(out, final);
  return manifest;
}

/** Puts the new folder in the old one's place by two renames. */
async function swap(made: string, final: string) {
  const old = `${final}.${process.pid}.old`;
  await rename(final, old).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
  await rename(made, final);
  await rm(old, { recursive: true, force: true });
}

async function buildScripts(out: string): Promise<Manifest["scripts"]> {
  const built = await Promise.all(
    Object.entries({ ...SCRIPTS, ...MODULES }).map(async ([name, path]) => {
      const result = await Bun.build({
        entrypoints: [join(ROOT, path)],
        outdir: out,
        target: "browser",
        format: name in MODULES ? "esm" : "iife",
        minify: true,
        naming: `${name}-[hash].js`,
      });
      return [name, nameOf(result.outputs[0]?.path)] as const;
    }),
  );
  return Object.fromEntries(built) as Manifest["scripts"];
}

/** Each island's file in `islands/`, by its name: an island is what a file there exports by default as `island("Name", …)`. Sorted by name. */
export async function findIslands(): Promise<Map<string, string>> {
  const root = join(ROOT, "islands");
  const paths = [...new Bun.Glob("*/*.tsx").scanSync(root)];
  const found = await Promise.all(
    paths.map(async (path) => [/^export default island\("(\w+)"/m.exec(await Bun.file(join(root, path)).text())?.[1] ?? "", path] as const),
  );
  return new Map(found.filter(([name]) => name !== "").toSorted());
}

async function buildIslands(out: string): Promise<Manifest["islands"]> {
  const sources = await findIslands();
  const entry = (name: string) => join(ROOT, "islands", `${name}.entry.ts`);
  const result = await Bun.build({
    entrypoints: [...sources.keys()].map(entry),
    files: Object.fromEntries(
      [...sources].map(([name, file]) => [
        entry(name),
        `import given from "./${file}"; import "./runtime/base"; import { wake } from "./runtime/wake"; export default (element: Element) => wake(element, given);`,
      ]),
    ),
    root: join(ROOT, "islands"),
    outdir: out,
    target: "browser",
    format: "esm",
    splitting: true,
    // A smaller one costs more by its request than by its bytes: it goes into a chunk that whoever needs it loads anyway.
    minChunkSize: 4000,
    minify: true,
    metafile: true,
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: [preact, chartLibrary],
    naming: { entry: "[name]-[hash].js", chunk: "shared-[hash].js" },
  });
  const outputs = result.metafile?.outputs ?? {};
  const islands: Manifest["islands"] = {};
  for (const [path, output] of Object.entries(outputs)) {
    const file = output.entryPoint && /(\w+)\.entry\.ts$/.exec(output.entryPoint)?.[1];
    if (file) islands[file] = { file: nameOf(path), imports: importsOf(path, outputs) };
  }
  const missing = [...sources.keys()].filter((name) => !islands[name]);
  if (missing.length) throw new Error(`islands without a bundle: ${missing.join(", ")}`);
  return islands;
}

/** What islands import of React comes from Preact in the browser: it does what they need of it in a quarter of the bytes. */
const RENDERER: Record<string, string> = {
  react: "preact/compat",
  "react/jsx-runtime": "preact/jsx-runtime",
  "react-dom/client": "preact/compat/client",
  "@preact/signals-react": "@preact/signals",
  "@preact/signals-react/runtime": join(ROOT, "islands/runtime/signals.ts"),
};
const preact: Bun.BunPlugin = {
  name: "preact",
  setup(build) {
    build.onResolve({ filter: /^(react|react-dom|@preact\/signals-react)($|\/)/ }, ({ path }) => {
      const name = RENDERER[path];
      if (!name) throw new Error(`islands import ${path}: name what stands for it in the browser`);
      return { path: Bun.resolveSync(name, ROOT) };
    });
  },
};

/** The chart library's readable half, since that one can be mended (`patches/lightweight-charts.patch`); its own names, which no one else uses, as short as in the other. */
const chartLibrary: Bun.BunPlugin = {
  name: "chart library",
  setup(build) {
    const readable = join(ROOT, "node_modules/lightweight-charts/dist/lightweight-charts.development.mjs");
    build.onResolve({ filter: /^lightweight-charts$/ }, () => ({ path: readable }));
    build.onLoad({ filter: /lightweight-charts\.development\.mjs$/ }, async ({ path }) => {
      const short = new Map<string, string>();
      const nameFor = (long: string) => short.get(long) ?? short.set(long, `$${short.size.toString(36)}`).get(long) ?? long;
      return { contents: (await Bun.file(path).text()).replace(/\b_(?:internal|private)_\w+/g, nameFor), loader: "js" };
    });
  },
};

type Outputs = Record<string, { imports: { path: string; kind: string }[] }>;

/** The chunks that an entry needs before it can run, deepest ones included; what it imports later on demand is not among them. */
function importsOf(path: string, outputs: Outputs, seen = new Set<string>()): string[] {
  for (const { path: imported, kind } of outputs[path]?.imports ?? []) {
    if (kind === "dynamic-import" || seen.has(imported)) continue;
    seen.add(imported);
    importsOf(imported, outputs, seen);
  }
  return [...seen].map(nameOf);
}

/** A sheet with the classes that these files name. */
async function buildStyle(out: string, name: string, paths: ReadonlySet<string>): Promise<string> {
  const generator = await createGenerator(unoConfig);
  const text = await Promise.all([...paths].sort().map((path) => Bun.file(join(ROOT, path)).text()));
  const { css } = await generator.generate(text.join("\n"), { preflights: true, minify: true });
  const code = withConstants(squeeze(css + baseCss));
  const file = `${name}-${Bun.hash(code).toString(36)}.css`;
  await Bun.write(join(out, file), code);
  return file;
}

async function matching(patterns: string[]): Promise<Set<string>> {
  const paths = new Set<string>();
  for (const pattern of patterns) for await (const path of new Bun.Glob(pattern).scan(ROOT)) if (!path.includes(".test.")) paths.add(path);
  return paths;
}

/** These files and whatever they import of views and islands, also what comes later, under a press. */
async function reached(paths: readonly string[], seen = new Set<string>()): Promise<Set<string>> {
  for (const path of paths) {
    if (seen.has(path)) continue;
    seen.add(path);
    const scanner = new Bun.Transpiler({ loader: path.endsWith("x") ? "tsx" : "ts" });
    const near = scanner.scanImports(await Bun.file(join(ROOT, path)).text()).filter((each) => each.path.startsWith("."));
    const found = near.map((each) => relative(ROOT, Bun.resolveSync(each.path, join(ROOT, path, ".."))));
    await reached(
      found.filter((each) => /^(views|islands)\//.test(each)),
      seen,
    );
  }
  return seen;
}

const squeeze = (css: string) =>
  css
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/\s*\n\s*/g, "")
    .replace(/\s{2,}/g, " ")
    .replace(/\s*([{};,])\s*/g, "$1")
    .replace(/: /g, ":")
    .replaceAll(";}", "}");

/**
 * Writes sizes, weights and radii of the theme in place of their names: no page changes them, and a browser that finds a value need not look it up
 * for each element.
 */
function withConstants(css: string): string {
  const theme = /:root,:host\{([^}]*)\}/.exec(css)?.[1] ?? "";
  let written = css;
  for (const [, name = "", value = ""] of theme.matchAll(/(--[\w-]+):([^;]+)/g))
    if (css.split(`${name}:`).length === 2) written = written.replaceAll(`var(${name})`, value);
  return written.replace(/calc\(([\d.]+)rem \* (-?[\d.]+)\)/g, (_, rem: string, times: string) => `${Number(rem) * Number(times)}rem`);
}

/** Minifies a script once more, in place: in what Bun leaves of it terser finds another 3 %. What stands outside of functions is read by nobody else. */
async function shrink(path: string) {
  const given = await Bun.file(path).text();
  const { code } = await minify(given, { module: true, ecma: 2020, compress: { passes: 2 } });
  if (!code) throw new Error(`nothing is left of ${nameOf(path)}`);
  if (brotli(Buffer.from(code)).length < brotli(Buffer.from(given)).length) await Bun.write(path, code);
}

const brotli = (bytes: Uint8Array) =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } });

async function compress(path: string) {
  const bytes = new Uint8Array(await Bun.file(path).arrayBuffer());
  await Promise.all([Bun.write(`${path}.br`, brotli(bytes)), Bun.write(`${path}.gz`, gzipSync(bytes, { level: 9 }))]);
}

const nameOf = (path: string | undefined) => (path ?? "").split("/").at(-1) ?? "";

if (import.meta.main) {
  const started = performance.now();
  const manifest = await buildClient();
  console.log(JSON.stringify(manifest, null, 1));
  console.log(`built in ${Math.round(performance.now() - started)} ms into ${relative(process.cwd(), join(ROOT, ".build/client"))}`);
}
