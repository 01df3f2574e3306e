/** What the runs of the tests come to. Plain JavaScript, as scripts/setup.mjs, so that scripts/test.mjs needs nothing else. */

/** Debian's Go and its package x/mod, whose verifiers read the public log in a test. */
export const VERIFIER = { test: "src/proof/verifier.test.ts", paths: ["/usr/bin/go", "/usr/share/gocode/src/golang.org/x/mod/sumdb/tlog"] };

/** Why that test is skipped here; null where all it needs is there, and then it is never skipped. */
export const lackOfVerifier = (isThere) =>
  VERIFIER.paths.every(isThere)
    ? null
    : "Go and its package x/mod are missing (Debian: golang-go, golang-golang-x-mod-dev), so nobody else's verifier has looked at the public log";

const skippedCase = /<testcase ([^>]*[^/])>\s*<skipped\b/g;

/**
 * What a run's report (JUnit) counts, "" where there is none. A skipped test did not pass: it counts as skipped in a file that `reasons` has a reason for, and as
 * failed in any other. A run that broke (`ended` is false) without a failed test is a failure.
 */
export function countReport(report, ended, reasons = {}) {
  const head = /<testsuites [^>]*>/.exec(report)?.[0] ?? "";
  const number = (name) => Number(new RegExp(`\\b${name}="(\\d+)"`).exec(head)?.[1] ?? 0);
  const files = [...report.matchAll(skippedCase)].map(([, attributes]) => /\bfile="([^"]*)"/.exec(attributes)?.[1] ?? "");
  const skipped = files.filter((file) => Object.hasOwn(reasons, file)).length;
  const bad = number("failures") + number("errors") + number("skipped") - skipped;
  const failed = bad === 0 && !(ended && head) ? 1 : bad;
  return { passed: number("tests") - bad - skipped, failed, skipped };
}

/** What a run that failed printed, without a line for each test that passed: whoever reads only the end of it all sees every failure. */
export const withoutPassed = (printed) => printed.replaceAll(/^\(pass\) .*\n/gm, "");

/** The lines that name the tests that failed, each once: the runner tells them again at its end. */
export const failedTests = (printed) => [...new Set(printed.match(/^\(fail\) .*$/gm))];

/** The last line: how many passed and failed, and, where some were skipped, how many and why. */
export const summaryOf = ({ passed, failed, skipped }, reasons = {}) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped: ${Object.values(reasons).join("; ")}` : ""}`;
