import { expect, test } from "bun:test";
import { toBase64 } from "../lib/bytes";
import { key as firstKey, logOf, signer } from "../testing/proofs";
import { treesAmiss } from "./rules_between_trees";
import { canonicalBytes } from "./rules_canonical";
import { written } from "./rules_files";
import { type Hash, inclusionProof, leafHash, readerOf, rootOfLeaves } from "./rules_merkle";
import { checkpointText, type Signer, signerOf, signNote, verifierText } from "./rules_note";
import { type Batch, begun, gapsIn, goOn, questionOf } from "./rules_verify_between";
import { commitmentOf, type LogRecord, type Proof } from "./schema";

/** The ticks between lie in a log that ended, whose records the file holds none of: the opening is in the one before, the closing in the one after. */

const log = logOf();
const salt = new Uint8Array(32).fill(7);
const [second, third] = [2, 3].map((n) => signerOf(`${signer.name}/${n}`, signer.seed)) as [Signer, Signer];
const { tick } = log.files.tick;
const { closing } = log.files.position;

/** A log that begins with the end of the one before, with these records behind that; the rest is anybody's. */
function follow(by: Signer, before: { name: string; leaves: Hash[] }, records: LogRecord[]) {
  const start: LogRecord<"start"> = {
    ...{ v: 1, kind: "start", origin: by.name, key: verifierText(by), why: "A tile is lost", at: "2026-11-21T00:00:00.000Z" },
    ...{ previousOrigin: before.name, previousSize: before.leaves.length, previousRoot: toBase64(rootOfLeaves(before.leaves)) },
  };
  const held = [start, ...records];
  const leaves = [...held.map((record) => leafHash(commitmentOf(salt, record))), ...Array.from({ length: 9 }, (_, n) => leafHash(Uint8Array.of(n)))];
  const checkpoint = signNote(checkpointText({ origin: by.name, size: leaves.length, root: rootOfLeaves(leaves) }), [by]);
  const proofOf = (index: number): Proof => ({
    ...{ index, salt: toBase64(salt), record: held[index] as LogRecord, checkpoint },
    inclusion: inclusionProof(index, leaves.length, readerOf(leaves)).map(toBase64),
  });
  return { name: by.name, leaves, checkpoint, proofOf };
}

const batch: LogRecord<"ticks"> = {
  ...{ v: 1, kind: "ticks", source: tick.source, first: tick.seq, last: tick.seq, count: 1, symbols: tick.symbol, from: tick.receivedAt, to: tick.receivedAt },
  root: toBase64(rootOfLeaves([leafHash(canonicalBytes(tick))])),
};
const middle = follow(second, { name: signer.name, leaves: log.leaves }, [batch]);
const newest = follow(third, middle, [closing.proof.record, closing.quote.batch.record]);
const text = written({
  ...{ ...log.files.position, grew: null, keys: [verifierText(third), firstKey] },
  closing: { proof: newest.proofOf(1), quote: { ...closing.quote, batch: newest.proofOf(2) } },
});
const answer: Batch[] = [{ proof: middle.proofOf(1), ticks: [tick] }];
const served = new Map([
  ["/log/2/checkpoint", middle.checkpoint],
  ["/log/3/start", written(newest.proofOf(0))],
]);
const readSite = async (path: string) => (served.has(path) ? new TextEncoder().encode(served.get(path)) : null);
const question = questionOf(text);
if (!question) throw new Error("no question");
const found = goOn(question, begun(question), answer);

test("they are taken for that log's by the key of the file's, and shown to be its end, which the next one names", async () => {
  expect([found.fault, found.stranger, found.reached, found.ticks, gapsIn(question, found)]).toEqual([null, null, null, 1, 0]);
  expect(await treesAmiss(question, found, readSite)).toBeNull();
});

test("where the site does not show that, or the file leads to no log after it, nothing is said of them", async () => {
  for (const missing of served.keys())
    expect(await treesAmiss(question, found, async (path) => (path === missing ? null : readSite(path)))).toEqual({
      isForked: false,
      why: `The site does not show how ${third.name}, which the file is of, follows ${second.name}, which holds some of these ticks.`,
    });
  const earlier = { ...question, trees: question.trees.filter(({ origin }) => origin === signer.name) };
  expect(await treesAmiss(earlier, found, readSite)).toEqual({ isForked: false, why: expect.stringContaining("is followed by no log that the file holds") });
});

test("those of another log of that name are found out", async () => {
  const other = follow(second, { name: signer.name, leaves: log.leaves }, [batch, { ...batch, last: 999 }]);
  const forged = goOn(question, begun(question), [{ proof: other.proofOf(1), ticks: [tick] }]);
  expect(forged.fault).toBeNull();
  expect(await treesAmiss(question, forged, readSite)).toEqual({ isForked: true, why: expect.stringContaining("are not of the log that the file’s follows") });
});

test("a log of a key that nobody gave is said to be that, and no fault of the ticks", async () => {
  const strange = [third, signer].map(({ name }) => signerOf(name, salt));
  expect(goOn({ ...question, keys: strange }, begun(question), answer)).toMatchObject({ fault: null, stranger: second.name, ticks: 0 });
  expect(await treesAmiss({ ...question, keys: strange }, found, readSite)).toEqual({ isForked: false, why: expect.stringContaining("No key that was given") });
  expect(goOn(question, begun(question), [{ proof: newest.proofOf(2), ticks: [tick] }]).fault).toContain("not those that the log holds");
  expect(goOn(question, begun(question), [{} as Batch]).fault).toBe("The server’s answer can’t be read.");
  // Where it has a key of its own it is enough that it was given beside the file's.
  expect(questionOf(text, ` ${verifierText(second)} `)?.keys.map(({ name }) => name)).toEqual([third.name, signer.name, second.name]);
});
