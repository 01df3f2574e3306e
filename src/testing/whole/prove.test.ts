import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { written } from "../../proof/rules_files";
import { signerOf, verifierText } from "../../proof/rules_note";
import { buildProgram, runProgram } from "../program";

/** `halyard prove` as a client runs it: the executable, a file and nothing else, neither settings nor a database nor a line. */

setDefaultTimeout(600_000);
const PROOFS = join(import.meta.dir, "..", "..", "..", "docs", "proofs");
const home = mkdtempSync("/tmp/halyard-prove-");
beforeAll(() => {
  buildProgram();
  chmodSync(home, 0o755);
  cpSync(PROOFS, home, { recursive: true });
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const prove = (...args: string[]) => runProgram(home, {}, ["prove", ...args]);
const text = (name: string) => readFileSync(join(home, name), "utf8");
const changed = (name: string, change: (text: string) => string) => {
  writeFileSync(join(home, "changed"), change(text(name)));
  return "changed";
};

test("what holds ends with 0 and says what was checked; with the site's key, and an earlier checkpoint, that too", async () => {
  for (const [name, what] of [
    ["position", "BUY EUR/USD, $1,000.00, closed with $2.43"],
    ["margin", "BUY EUR/USD, $150,000.00, opened at 1.10017500"],
    ["statement", "Statement 2026-11, 1 closings, 1 nights"],
    ["liability", "$1,250.75 owed on 2026-11-20"],
  ] as const) {
    const own = await prove(`${name}.json`);
    expect([name, own.status, own.stderr, own.stdout.split("\n").at(-1)]).toEqual([name, 0, "", `holds: ${what}`]);
    const { status, stdout } = await prove(`${name}.json`, "--key", "key", "--checkpoint", "earlier-checkpoint");
    expect([name, status]).toEqual([name, 0]);
    expect(stdout).toContain("ok Since your checkpoint of 3 records the log only grew.");
    // Of a target that was reached the file does not hold the ticks before, and that is said.
    const open =
      name === "position" ? ["-- That no tick between no. 100 and no. 102 had reached 1.10280000 is not in the file: /verify asks the site for them."] : [];
    expect([...(stdout.match(/^(--|FAIL).*$/gm) ?? [])]).toEqual(open);
  }
  // The key as text, as a letter says it.
  expect((await prove("position.json", "--key", text("key").trim())).status).toBe(0);
  // Nothing was made beside the files.
  expect(readdirSync(home).sort()).toEqual(["earlier-checkpoint", "key", "liability.json", "margin.json", "position.json", "statement.json"]);
});

test("what does not hold ends with 1 and one sentence that says which check failed", async () => {
  const refused = async (args: string[], reason: RegExp) => {
    const { status, stderr, stdout } = await prove(...args);
    expect([args, status]).toEqual([args, 1]);
    expect(stderr).toMatch(reason);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(stdout).not.toContain("holds:");
  };
  await refused([changed("position.json", (file) => file.replace("1.10300000", "1.10310000"))], /^halyard: does not hold: ./);
  await refused([changed("statement.json", (file) => file.slice(0, -200))], /^halyard: does not hold: ./);
  await refused([changed("liability.json", () => "[".repeat(100_000))], /^halyard: does not hold: ./);
  await refused([changed("position.json", () => "")], /^halyard: does not hold: ./);
  const another = text("key").replace(/.{4}\s*$/, "AAA=\n");
  writeFileSync(join(home, "another"), another);
  await refused(["position.json", "--key", "another"], /^halyard: ./);
  await refused(["position.json", "--checkpoint", changed("earlier-checkpoint", (file) => file.replace("\n3\n", "\n2\n"))], /^halyard: does not hold: ./);
  // Of a log that has ended, which a file says nothing of.
  const second = verifierText(signerOf("halyard.test/log/2", new Uint8Array(32).fill(1)));
  const ended = changed("position.json", (file) => written({ ...(JSON.parse(file) as object), grew: null, keys: [second, text("key").trim()] }));
  const given = ["--key", `${second} ${text("key").trim()}`, "--checkpoint", "earlier-checkpoint"];
  await refused([ended, ...given], /^halyard: does not hold: .* nothing in this file shows that; the page \/verify of the site asks it for what does\.$/m);
  // What a file says is no line of the terminal's: whoever made it could write that it holds, or clear the screen.
  const said = changed("liability.json", (file) => file.replace(/"client": ?"[^"]*"/, '"client": "a\\nok all of it.\\n\\u001b[2J"'));
  await refused([said], /^halyard: does not hold: [^\u001b]*\ufffd[^\u001b]*$/);
  const { stdout } = await prove(said);
  expect([stdout.includes("\u001b"), stdout.split("\n").filter((line) => line.startsWith("ok all"))]).toEqual([false, []]);
  const named = changed("liability.json", (file) => file.replace('"day"', '"day\\n\\u001b[2J"'));
  await refused([named], /^halyard: does not hold: [^\u001b]*$/);
  await refused(["position.json", "--key", ""], /^halyard: the key that was given is empty/);
  await refused(["nowhere"], /^halyard: nowhere can't be read: ENOENT/);
});
