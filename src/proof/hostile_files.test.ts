import { expect, test } from "bun:test";
import { key, logOf } from "../testing/proofs";
import { written } from "./rules_files";
import { signerOf, verifierText } from "./rules_note";
import { verify } from "./rules_verify";
import { begun, goOn, questionOf } from "./rules_verify_between";
import type { Proof } from "./schema";

/** Files that were made to throw a check off: each is refused in one sentence, and none makes it throw. */

const log = logOf();
type Changing = Record<string, unknown>;
const changed = (name: keyof typeof log.files, change: (file: Changing) => Changing) =>
  verify(written(change(log.files[name] as unknown as Changing)), { key });
const reasonOf = ({ holds, reason }: ReturnType<typeof verify>) => [holds, reason];

test("half a character, which has no UTF-8, in a record, in a tick, and in what is owed", () => {
  const half = "EUR/\ud800";
  const sentence = expect.stringMatching(/^The file holds what can’t be checked: a string holds half a character\.$/);
  const { position, liability } = log.files;
  const opened = { ...position.opening, proof: { ...position.opening.proof, record: { ...position.opening.proof.record, symbol: half } } };
  expect(reasonOf(changed("position", (file) => ({ ...file, opening: opened })))).toEqual([false, sentence]);
  const quoted = { ...position.opening, quote: { ...position.opening.quote, tick: { ...position.opening.quote.tick, symbol: half } } };
  expect(reasonOf(changed("position", (file) => ({ ...file, opening: quoted })))).toEqual([false, sentence]);
  expect(reasonOf(changed("liability", (file) => ({ ...file, owed: { ...liability.owed, client: half } })))).toEqual([false, sentence]);
  // And in what the server answers of the ticks between.
  const question = questionOf(log.texts.position ?? "");
  if (!question) throw new Error("nothing is asked");
  const batch = { proof: position.closing.quote.batch as Proof, ticks: [{ ...position.closing.quote.tick, symbol: half }] };
  expect(goOn(question, begun(question), [batch]).fault).toBe("The server’s answer can’t be read.");
});

test("what is owed that is no amount, and sums beyond all money", () => {
  const { liability } = log.files;
  const [first, ...rest] = liability.path;
  for (const owed of ["much", "1e3", "1.234", "-1.00"])
    expect([owed, ...reasonOf(changed("liability", (file) => ({ ...file, owed: { ...liability.owed, owed } })))]).toEqual([
      owed,
      false,
      expect.stringMatching(/^The file holds what can’t be checked: [a-z ]+\.$/),
    ]);
  const beyond = [{ ...first, sum: Number.MAX_SAFE_INTEGER }, ...rest];
  expect(reasonOf(changed("liability", (file) => ({ ...file, path: beyond })))).toEqual([
    false,
    "The file holds what can’t be checked: a sum is out of range.",
  ]);
});

test("a proof of growth that nothing in the file is of", () => {
  const next = verifierText(signerOf("halyard.test/log/2", new Uint8Array(32).fill(1)));
  const { keys, grew } = log.files.statement;
  for (const name of ["statement", "liability", "position"] as const) {
    const file = log.files[name] as unknown as Changing;
    const of = (more: Changing) => verify(written({ ...file, ...more }));
    expect(of({}).holds).toBe(true);
    expect([of({ keys: [next, ...keys], grew: null }).reason, of({ keys: [next, ...keys], grew }).reason]).toEqual([
      null,
      "That the log only grew: the file has no record of the log that this is of.",
    ]);
  }
});

test("terms whose JSON names nothing where there should be something", () => {
  for (const forged of [
    logOf((record) => (record.kind === "terms" ? { ...record, accountTypes: '{"starter":null}' } : record)),
    logOf((record) => (record.kind === "terms" ? { ...record, instruments: '{"EUR/USD":null}' } : record)),
    logOf((record) => (record.kind === "group" ? { ...record, spreads: "[null]" } : record)),
    logOf((record) => (record.kind === "instrument" ? ({ ...record, marginSteps: "[null]" } as typeof record) : record)),
    logOf((record) => (record.kind === "countries" ? { ...record, rules: '{"DE":null}' } : record)),
  ])
    for (const name of ["position", "margin"] as const) expect(verify(forged.texts[name] ?? "", { key }).steps.length).toBeGreaterThan(0);
});
