import { afterAll, beforeAll, expect, test } from "bun:test";
import { toBase64 } from "../lib/bytes";
import { type TestApp, testApp } from "../testing/app";
import { key, logOf, signer } from "../testing/proofs";
import { order, until } from "../testing/scenarios";
import { currentLog } from "./queries";
import { type PositionFile, written } from "./rules_files";
import { inclusionProof, leafHash, readerOf, rootOfLeaves } from "./rules_merkle";
import { checkpointText, cosignerOf, signNote } from "./rules_note";
import { verify } from "./rules_verify";
import { commitmentOf, type LogRecord, type Proof } from "./schema";

/** All proofs of a file are of one tree: a checkpoint that somebody kept is compared with one, and what leads to another would be passed over. */

const log = logOf();
const checkpointOf = (leaves: readonly Uint8Array[]) =>
  signNote(checkpointText({ origin: signer.name, size: leaves.length, root: rootOfLeaves([...leaves]) }), [signer, cosignerOf(signer)], 1_763_640_000);
/** The proof as the operator would sign it in a second log of that name, of its first `size` records, in which it says something else. */
function inAnother(proof: Proof, change: Partial<LogRecord>, size: number): Proof {
  const record = { ...proof.record, ...change } as LogRecord;
  const salt = Uint8Array.from(Buffer.from(proof.salt, "base64"));
  const leaves = log.leaves.slice(0, size).map((leaf, n) => (n === proof.index ? leafHash(commitmentOf(salt, record)) : leaf));
  return { ...proof, record, inclusion: inclusionProof(proof.index, size, readerOf(leaves)).map(toBase64), checkpoint: checkpointOf(leaves) };
}
const { position } = log.files;
const LATER = { at: "2026-11-20T12:00:00.999Z" };
const withClosing = (proof: Proof, grew: PositionFile["grew"] = position.grew) => written({ ...position, grew, closing: { ...position.closing, proof } });

test("a deal of another log of that name is not taken for one of the log that a kept checkpoint is of", () => {
  const forged = withClosing(inAnother(position.closing.proof, LATER, 9));
  expect(verify(written(position), { key, old: log.kept }).reason).toBeNull();
  expect(verify(forged, { key, old: log.kept })).toMatchObject({
    holds: false,
    reason: `The file’s proofs in ${signer.name}: they lead to more than one checkpoint, and one alone can be compared; take the file again.`,
  });
});

test("two checkpoints of one size that differ are two logs of one name, which needs no checkpoint that was kept", () => {
  expect(verify(withClosing(inAnother(position.closing.proof, LATER, log.leaves.length), null), { key })).toMatchObject({
    holds: false,
    reason: `The file’s proofs: they show two logs of the name ${signer.name}, each of 11 records.`,
  });
});

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.end());

test("what is logged while a file is read is not in it: its proofs have one checkpoint", async () => {
  await app.quote("EUR/USD", "1.10000", "1.10002");
  const tess = await app.trader();
  const { id } = (await tess.post<{ id: string }>("/api/trading/positions", { ...order, amount: 100 })).body;
  const asked = () => tess.get<PositionFile>(`/api/trading/positions/${id}/proof`);
  await until("the log has the deal and its quote", async () => {
    await app.logbook.wake();
    return (await asked()).status === 200;
  });
  // The file's deal is read by then, and the terms that it was dealt by are not.
  const { file } = await app.sql.begin(async (tx) => {
    await tx`lock table corrections in access exclusive mode`;
    const file = asked();
    await until("the file waits", async () => {
      const [row] = await app.sql<{ waits: boolean }[]>`
        select exists (
          select from pg_locks where relation = 'corrections'::regclass and not granted and database = (select oid from pg_database where datname = current_database())
        ) as waits`;
      return row?.waits === true;
    });
    await app.sql`insert into country_versions (version, rules) values (2, country_rules())`;
    await app.logbook.wake();
    return { file };
  });
  const { status, body } = await file;
  const proofs = [body.opening?.proof, body.opening?.quote.batch, ...body.others].flatMap((proof) => proof ?? []);
  const sizes = [...new Set(proofs.map(({ checkpoint }) => Number(checkpoint.split("\n")[1])))];
  expect([status, proofs.length, sizes.length]).toEqual([200, 5, 1]);
  expect((await currentLog(app.sql))?.size).toBeGreaterThan(sizes[0] ?? 0);
});
