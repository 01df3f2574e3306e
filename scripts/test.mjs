/**
 * Everything that can be checked, on a bare machine: sets up what it needs, then types, format, lint, the build, and the
 * tests (units, real PostgreSQL, real browser). The last line is `N passed, N failed`; each of the first four counts as one.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { bun, install, root } from "./setup.mjs";

/** For each test and hook, in ms; so long that only a test that hangs meets it, on a busy machine too. */
const PATIENCE = 120_000;
const REPORT = join(root, ".build", "tests.xml");
const BROWSERS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

function run(command, args, env = {}) {
  return spawnSync(command, args, { cwd: root, stdio: "inherit", env: { ...process.env, ...env } }).status === 0;
}

/** The browser tests drive a real Chromium; Debian and Ubuntu have it as a package. */
function ensureBrowser() {
  if (process.env.CHROMIUM || BROWSERS.some(existsSync)) return true;
  const sudo = process.getuid() === 0 ? [] : ["sudo", "-n"];
  const apt = (...args) => run("env", ["DEBIAN_FRONTEND=noninteractive", ...sudo, "apt-get", "-qq", ...args]);
  if (existsSync("/usr/bin/apt-get") && apt("update") && apt("install", "-y", "--no-install-recommends", "chromium")) return true;
  console.error("Chromium is missing and could not be installed: install it, or set CHROMIUM to its path.");
  return false;
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

/** What the runner's report counts. A skipped test is a test that did not pass; a run that broke without one is a failure. */
function countReport(ended) {
  const report = existsSync(REPORT) ? readFileSync(REPORT, "utf8") : "";
  const head = /<testsuites [^>]*>/.exec(report)?.[0] ?? "";
  const number = (name) => Number(new RegExp(`\\b${name}="(\\d+)"`).exec(head)?.[1] ?? 0);
  const bad = number("failures") + number("errors") + number("skipped");
  const failed = bad === 0 && !ended ? 1 : bad;
  return { passed: number("tests") - bad, failed };
}

async function runTests() {
  rmSync(REPORT, { force: true });
  mkdirSync(join(root, ".build"), { recursive: true });
  const database = await startDatabase();
  if (!database.url) return { passed: 0, failed: 1 };
  try {
    const ended = run(bun, ["test", `--timeout=${PATIENCE}`, "--reporter=junit", `--reporter-outfile=${REPORT}`, ...process.argv.slice(2)], {
      HALYARD_TEST_DATABASE: database.url,
    });
    return countReport(ended);
  } finally {
    await database.stop();
  }
}

install();
const parts = [
  ["browser", ensureBrowser],
  ["types", () => run(bun, ["check"])],
  ["format", () => run(bun, ["fmt", "--check", "--no-script"])],
  ["lint", () => run(join(root, "node_modules", ".bin", "oxlint"), ["--deny-warnings"])],
  ["build", () => run(process.execPath, ["scripts/setup.mjs", "--build"])],
];
let passed = 0;
let failed = 0;
for (const [name, check] of parts) {
  const fine = check();
  console.log(`${fine ? "ok" : "FAIL"} ${name}`);
  if (!fine) failed++;
  else if (name !== "browser") passed++;
}
const tests = await runTests();
passed += tests.passed;
failed += tests.failed;
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
