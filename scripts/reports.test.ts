import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { countReport, failedTests, lackOfVerifier, summaryOf, VERIFIER, withoutPassed } from "./reports.mjs";

/** What `npm test` says at its end is what happened: nothing that was skipped passes, and nothing is skipped without a reason. */

describe("the test by Go's verifiers", () => {
  test("is skipped where one of the things it needs is missing, and never where both are there", () => {
    const [go = "", tlog = ""] = VERIFIER.paths;
    expect(lackOfVerifier((path) => [go, tlog].includes(path))).toBeNull();
    for (const there of [[], [go], [tlog]]) expect(lackOfVerifier((path) => there.includes(path))).toContain("golang-golang-x-mod-dev");
  });

  test("is where the runner looks for it", async () => {
    expect(await Bun.file(`${import.meta.dir}/../${VERIFIER.test}`).exists()).toBe(true);
  });
});

/** A report as the runner writes it, of three tests of which those named so were skipped. */
const reportOf = (skipped: number, failures = 0, file = VERIFIER.test) => {
  const cases = Array.from({ length: 3 }, (_, n) => {
    const attributes = `name="n ${n}" classname="c" time="0.1" file="${n === 0 ? "src/lib/time.test.ts" : file}" line="${n}" assertions="1"`;
    return n >= 1 && n <= skipped ? `<testcase ${attributes}>\n      <skipped />\n    </testcase>` : `<testcase ${attributes} />`;
  });
  return `<?xml version="1.0"?>\n<testsuites name="bun test" tests="3" assertions="3" failures="${failures}" skipped="${skipped}" time="1">\n${cases.join("\n")}\n</testsuites>`;
};
const reasons = { [VERIFIER.test]: "no Go here" };

describe("a run's report", () => {
  test("counts what was skipped with a reason by itself: it neither passed nor failed", () => {
    expect(countReport(reportOf(0), true, reasons)).toEqual({ passed: 3, failed: 0, skipped: 0 });
    expect(countReport(reportOf(1), true, reasons)).toEqual({ passed: 2, failed: 0, skipped: 1 });
    expect(countReport(reportOf(1, 1), false, reasons)).toEqual({ passed: 1, failed: 1, skipped: 1 });
  });

  test("without a reason, or in another file, what was skipped has failed", () => {
    expect(countReport(reportOf(1), true)).toEqual({ passed: 2, failed: 1, skipped: 0 });
    expect(countReport(reportOf(2, 0, "src/lib/money.test.ts"), true, reasons)).toEqual({ passed: 1, failed: 2, skipped: 0 });
  });

  test("of a run that broke, or that is missing, is a failure", () => {
    expect(countReport("", false, reasons)).toEqual({ passed: 0, failed: 1, skipped: 0 });
    expect(countReport(reportOf(0), false)).toEqual({ passed: 3, failed: 1, skipped: 0 });
  });

  test("ends in one line, which says what was skipped and why, and nothing of that where nothing was", () => {
    expect(summaryOf({ passed: 12, failed: 0, skipped: 0 }, reasons)).toBe("12 passed, 0 failed");
    expect(summaryOf({ passed: 12, failed: 1, skipped: 1 }, reasons)).toBe("12 passed, 1 failed, 1 skipped: no Go here");
  });
});

test("the runner writes reports of this form", () => {
  const folder = `${import.meta.dir}/../.build`;
  const [file, report] = [`${folder}/skipped_${process.pid}.test.ts`, `${folder}/skipped_${process.pid}.xml`];
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, `import { expect, test } from "bun:test";\ntest("a", () => expect(1).toBe(1));\ntest.skipIf(true)("b", () => {});\n`);
  const { exitCode } = Bun.spawnSync([process.execPath, "test", "--reporter=junit", `--reporter-outfile=${report}`, file], {
    stdout: "ignore",
    stderr: "ignore",
  });
  const text = readFileSync(report, "utf8");
  for (const path of [file, report]) rmSync(path);
  const [, named = ""] = /\bfile="([^"]*)"/.exec(text) ?? [];
  expect([exitCode, countReport(text, true, { [named]: "a reason" }), countReport(text, true)]).toEqual([
    0,
    { passed: 1, failed: 0, skipped: 1 },
    { passed: 1, failed: 1, skipped: 0 },
  ]);
});

test("of a run that failed, what passed is left out, and each failure is named once", () => {
  const printed = "one.test.ts:\n(pass) a > b [1.00ms]\nerror: expected 1 (pass) here\n(fail) a > c [2.00ms]\n\n1 tests failed:\n(fail) a > c [2.00ms]\n";
  expect(withoutPassed(printed)).toBe("one.test.ts:\nerror: expected 1 (pass) here\n(fail) a > c [2.00ms]\n\n1 tests failed:\n(fail) a > c [2.00ms]\n");
  expect(failedTests(printed)).toEqual(["(fail) a > c [2.00ms]"]);
  expect(failedTests("(pass) all\n")).toEqual([]);
});
