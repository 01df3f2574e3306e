/**
 * From a fresh clone, with Node and npm alone, to what the next step needs; each step only where it is missing or out of
 * date, so that a second run costs some tens of milliseconds. Plain JavaScript: at this point there may be nothing else.
 *
 *   node scripts/setup.mjs            installs what package-lock.json names
 *   node scripts/setup.mjs --build    and builds dist/halyard where the sources changed
 *   node scripts/setup.mjs --rebuild  and builds it in any case
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..");
export const bun = join(root, "node_modules", ".bin", "bun");
const executable = join(root, "dist", "halyard");
const stamp = join(root, ".build", "sources.sha256");
/** Says which patches the installed packages have. */
const note = join(root, "node_modules", ".patched.sha256");
const SOURCES = ["src", "views", "islands", "sql", "public", "scripts", "patches", "package.json", "package-lock.json", "tsconfig.json", "bunfig.toml"];

/** Runs a command in the project's folder with its output shown; stops the program where it fails. */
function must(command, args) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: "inherit" });
  if (status === 0) return;
  console.error(`setup: '${[command, ...args].join(" ")}' failed${error ? ` (${error.message})` : ""}`);
  process.exit(1);
}

const readJson = (path) => JSON.parse(readFileSync(join(root, path), "utf8"));

/** Compares npm's own record of what it installed, and the folders themselves, with the lock. Packages for other systems are rightly absent. */
function isInstalled() {
  if (!existsSync(join(root, "node_modules", ".package-lock.json"))) return false;
  const installed = readJson("node_modules/.package-lock.json").packages;
  return Object.entries(readJson("package-lock.json").packages)
    .filter(([path]) => path !== "")
    .every(([path, { version, integrity, optional }]) => {
      const found = installed[path];
      return found ? found.version === version && found.integrity === integrity && existsSync(join(root, path)) : optional === true;
    });
}

/** Our patches of packages, and the checksum of all. */
function readPatches() {
  const folder = join(root, "patches");
  const unified = readdirSync(folder).map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }));
  return { unified, now: createHash("sha256").update(JSON.stringify(unified)).digest("hex") };
}

/** The checksum of the patches that the installed packages have; null where they have none. */
const notedPatches = () => (existsSync(note) ? readFileSync(note, "utf8") : null);

/** Applies patches/<package>.patch to the installed package, each file once. A patch that does not fit stops the set-up. */
async function mend({ unified, now }) {
  const { applyPatch, parsePatch, reversePatch } = await import("diff");
  for (const { name, text } of unified)
    for (const patch of parsePatch(text)) {
      const path = join(root, "node_modules", name.replace(/\.patch$/, ""), patch.newFileName.replace(/^b\//, ""));
      const source = readFileSync(path, "utf8");
      if (applyPatch(source, reversePatch(patch)) !== false) continue;
      const mended = applyPatch(source, patch);
      if (mended === false) {
        console.error(`setup: patches/${name} does not fit ${path}; is it another version, or changed by hand? Delete node_modules and try again.`);
        process.exit(1);
      }
      writeFileSync(path, mended);
    }
  writeFileSync(note, now);
}

const bunRuns = () => spawnSync(bun, ["--version"], { stdio: "ignore" }).status === 0;

/**
 * Installs the locked packages where they are missing or carry other patches, with our patches, and Bun's program itself where npm did
 * not let it finish.
 */
export async function install() {
  const patches = readPatches();
  const patched = notedPatches();
  if (!isInstalled() || (patched && patched !== patches.now)) must("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"]);
  if (notedPatches() !== patches.now) await mend(patches);
  if (!bunRuns()) must(process.execPath, [join("node_modules", "bun", "install.js")]);
  if (bunRuns()) return;
  console.error("setup: Bun does not run on this machine; it needs Linux with glibc on x64 or arm64");
  process.exit(1);
}

/** A checksum of everything that the executable is made of; tests are not part of it. */
function sourcesChecksum() {
  const hash = createHash("sha256");
  const add = (path) =>
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update("\0");
  for (const source of SOURCES.filter((name) => existsSync(join(root, name)))) {
    if (/\.\w+$/.test(source)) add(source);
    else
      for (const name of readdirSync(join(root, source), { recursive: true }).sort())
        if (/\.\w+$/.test(name) && !/\.test\.tsx?$|^testing\//.test(name)) add(join(source, name));
  }
  return hash.digest("hex");
}

/** Builds dist/halyard where it is missing or its sources changed. */
export function build(always = false) {
  const now = sourcesChecksum();
  const built = existsSync(stamp) && existsSync(executable) ? readFileSync(stamp, "utf8") : "";
  if (built === now && !always) return;
  must(bun, ["scripts/build.ts"]);
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, now);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await install();
  const wanted = process.argv[2];
  if (wanted) build(wanted === "--rebuild");
}
