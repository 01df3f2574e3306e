/**
 * Everything that can be checked, on a bare machine: sets up what it needs, then types, format, lint, the build, and the
 * tests (units, real PostgreSQL, real browser). The last line is `N passed, N failed`, and how many were skipped and why where some
 * were; each of the first four counts as one.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { apt } from "./debian.mjs";
import { ensureExim } from "./exim.mjs";
import { ensurePatroni } from "./patroni.mjs";
import { ensurePrometheus } from "./prometheus.mjs";
import { countReport, failedTests, lackOfVerifier, summaryOf, VERIFIER, withoutPassed } from "./reports.mjs";
import { bun, install, root } from "./setup.mjs";

/** For each test and hook, in ms: so long that only a hanging test reaches it, on a busy machine too. */
const PATIENCE = 600_000;
const REPORTS = join(root, ".build", "tests");
/** Runs side by side: a test waits a good part of its time, for a browser, a program or the database. */
const LANES = 4;
/** Files of one run at most, so that no long run is left alone at the end. */
const TOGETHER = 12;
const BROWSERS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

function run(command, args, env = {}) {
  return spawnSync(command, args, { cwd: root, stdio: "inherit", env: { ...process.env, ...env } }).status === 0;
}

/** Installs packages of Debian's, whose lists are read first. */
const fetch = (...names) => apt("install", "-y", "--no-install-recommends", ...names);
const mayInstall = () => existsSync("/usr/bin/apt-get") && apt("update");

/** The browser tests drive a real Chromium; Debian has it as a package, and beside it the engine alone, which most tests are content with. */
function ensureBrowser() {
  if (process.env.CHROMIUM || BROWSERS.some(existsSync)) return true;
  if (mayInstall() && fetch("chromium")) return fetch("chromium-headless-shell") || true;
  console.error("Chromium is missing and could not be installed: install it, or set CHROMIUM to its path.");
  return false;
}

/** Why tests may be skipped on this machine, by file. */
const reasons = {};
/** The public log is read by a verifier that is not ours, which is Go's; where that can't be had, its test is skipped. */
function ensureVerifier() {
  if (lackOfVerifier(existsSync) !== null && mayInstall()) fetch("golang-go", "golang-golang-x-mod-dev");
  const lack = lackOfVerifier(existsSync);
  if (lack !== null) reasons[VERIFIER.test] = lack;
}

/** One throw-away PostgreSQL for all test processes; it ends when this program does, because its standard input closes then. */
async function startDatabase() {
  const server = spawn(bun, ["src/testing/server.ts"], { cwd: root, stdio: ["pipe", "pipe", "inherit"] });
  const url = await new Promise((resolve) => {
    server.stdout.once("data", (data) => resolve(String(data).trim()));
    server.once("exit", () => resolve(null));
  });
  const stop = () =>
    new Promise((resolve) => {
      if (server.exitCode !== null) return resolve();
      server.once("exit", resolve);
      server.stdin.end();
    });
  return { url, stop };
}

/** Every test file of the project, with the path that tells the runner that this very file is meant. */
const testFiles = () =>
  readdirSync(root)
    .filter((name) => !/^(\..*|node_modules|dist|data)$/.test(name) && statSync(join(root, name)).isDirectory())
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true }).map((name) => `./${folder}/${name}`))
    .filter((path) => /\.test\.tsx?$/.test(path))
    .sort();

/** Here each file tests the whole program and takes long. */
const WHOLE = "./src/testing/whole/";

/**
 * The runs of the runner, each a list of files. A test of the whole program is a run of its own, and these come first, so that the
 * short ones fill up what is left at the end. The others run by folder, of a full one some files at a time, the fullest first.
 */
function planRuns() {
  const own = process.argv.slice(2);
  if (own.length > 0) return [own];
  const runs = new Map();
  for (const path of testFiles()) {
    const [, top, domain] = dirname(path).split("/");
    const name = path.startsWith(WHOLE) ? path : top === "src" && domain ? `${top}/${domain}` : top;
    runs.set(name, [...(runs.get(name) ?? []), path]);
  }
  const isLong = ([name]) => name.startsWith(WHOLE);
  const sorted = [...runs].sort((one, other) => isLong(other) - isLong(one) || other[1].length - one[1].length).map(([, paths]) => paths);
  return sorted.flatMap((paths) => Array.from({ length: Math.ceil(paths.length / TOGETHER) }, (_, n) => paths.slice(n * TOGETHER, (n + 1) * TOGETHER)));
}

/** One run of the runner. What it prints is held back until it ends, so that two runs do not speak at once, and until the very end if it failed. */
async function runOnce(index, args, env) {
  const report = join(REPORTS, `${index}.xml`);
  const options = [`--timeout=${PATIENCE}`, "--reporter=junit", `--reporter-outfile=${report}`];
  const child = spawn(bun, ["test", ...options, ...args], { cwd: root, stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...env } });
  const printed = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => void printed.push(chunk));
  const status = await new Promise((resolve) => child.once("close", resolve));
  const count = countReport(existsSync(report) ? readFileSync(report, "utf8") : "", status === 0, reasons);
  if (count.failed === 0) process.stdout.write(Buffer.concat(printed));
  return { ...count, printed: withoutPassed(Buffer.concat(printed).toString()) };
}

async function runTests() {
  rmSync(REPORTS, { recursive: true, force: true });
  mkdirSync(REPORTS, { recursive: true });
  const database = await startDatabase();
  if (!database.url) return { passed: 0, failed: 1, skipped: 0 };
  const runs = planRuns().entries();
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const bad = [];
  const lane = async () => {
    for (const [index, args] of runs) {
      const { passed, failed, skipped, printed } = await runOnce(index, args, { HALYARD_TEST_DATABASE: database.url });
      counts.passed += passed;
      counts.failed += failed;
      counts.skipped += skipped;
      if (failed > 0) bad.push(printed);
    }
  };
  try {
    await Promise.all(Array.from({ length: LANES }, lane));
    for (const printed of bad) process.stdout.write(printed);
    for (const line of bad.flatMap(failedTests)) console.log(line);
    return counts;
  } finally {
    await database.stop();
  }
}

await install();
const parts = [
  ["browser", ensureBrowser],
  ["mail server", () => ensureExim() !== null],
  ["Patroni", () => ensurePatroni() !== null],
  ["Prometheus", () => ensurePrometheus() !== null],
  ["types", () => run(bun, ["check"])],
  ["format", () => run(bun, ["fmt", "--check", "--no-script"])],
  ["lint", () => run(join(root, "node_modules", ".bin", "oxlint"), ["--deny-warnings"])],
  ["build", () => run(process.execPath, ["scripts/setup.mjs", "--build"])],
];
/** What is only put in place is no test that passed. */
const INSTALLED = ["browser", "mail server", "Patroni", "Prometheus"];
let passed = 0;
let failed = 0;
for (const [name, check] of parts) {
  const fine = check();
  console.log(`${fine ? "ok" : "FAIL"} ${name}`);
  if (!fine) failed++;
  else if (!INSTALLED.includes(name)) passed++;
}
ensureVerifier();
console.log(VERIFIER.test in reasons ? `skipped verifier: ${reasons[VERIFIER.test]}` : "ok verifier");
const tests = await runTests();
passed += tests.passed;
failed += tests.failed;
console.log(summaryOf({ passed, failed, skipped: tests.skipped }, reasons));
process.exit(failed === 0 ? 0 : 1);
