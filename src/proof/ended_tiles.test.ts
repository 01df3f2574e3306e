import { afterAll, beforeAll, expect, test } from "bun:test";
import { logged } from "../admin/queries_logged";
import { type TestApp, testApp } from "../testing/app";
import { LOG_KEY } from "../testing/database";
import { tamper, until } from "../testing/scenarios";
import { rowsRead, sentBy } from "../testing/statements";
import { endLog } from "./commands";
import { openKeyring } from "./key";
import { Logbook } from "./logbook";
import { readProofs } from "./queries";
import { toldBefore } from "./queries_lost";
import { isIncluded, leafHash } from "./rules_merkle";
import { parseCheckpoint } from "./rules_note";
import { commitmentOf, type Proof } from "./schema";

/** A tile of a log that has ended is changed on the disk: who runs the site is told, and what it held is lost rather than proven wrongly. */

let app: TestApp;
/** The groups' versions, which the first log has told. */
let refs: string[] = [];
const groups = () => app.sql<{ ref: string; index: number }[]>`select ref, index from proof_entries where log = 1 and kind = 'group' order by index`;
beforeAll(async () => {
  app = await testApp();
  await app.logbook.wake();
  refs = (await groups()).map(({ ref }) => ref);
  await endLog(app.sql, "The key is lost");
  await app.logbook.wake();
  await app.logbook.rest();
});
afterAll(() => app.end());

const bytesOf = (text: string) => Uint8Array.from(Buffer.from(text, "base64"));
function holds({ index, salt, record, inclusion, checkpoint }: Proof): boolean {
  const signed = parseCheckpoint(checkpoint.slice(0, checkpoint.indexOf("\n\n") + 1));
  return signed !== null && isIncluded(leafHash(commitmentOf(bytesOf(salt), record)), index, signed.size, inclusion.map(bytesOf), signed.root);
}
/** Of each version whether its proof holds, or null where none is told. */
const proofs = async () => {
  const found = await readProofs(app.sql, "group", refs);
  return refs.map((ref) => found.get(ref) ?? null).map((proof) => proof && holds(proof));
};
const put = (hex: string, leaf: number) =>
  tamper(
    app.sql,
    (tx) => tx`update proof_tiles set hashes = overlay(hashes placing decode(${hex}, 'hex') from ${1 + 32 * leaf}) where log = 1 and level = 0 and n = 0`,
  );

test("what a changed tile held is lost; a record that was changed is told, and its proof fails", async () => {
  const [first] = await groups();
  const at = first?.index ?? 0;
  expect(await proofs()).toEqual(refs.map(() => true));
  const [tile] = await app.sql<{ hashes: string }[]>`
    select encode(substring(hashes from ${1 + 32 * at} for 32), 'hex') as hashes from proof_tiles where log = 1 and level = 0 and n = 0`;
  await put("00".repeat(32), at);
  // The path of a record does not go over its own leaf. What has no proof, and stands in no other log, is said to be lost (`lostOf`).
  expect(await proofs()).toEqual([true, ...refs.slice(1).map(() => null)]);
  await put(tile?.hashes ?? "", at);
  expect(await proofs()).toEqual(refs.map(() => true));
  const [was] = await app.sql<{ record: string }[]>`select record from proof_entries where log = 1 and index = ${at}`;
  const write = (record: string) => tamper(app.sql, (tx) => tx`update proof_entries set record = ${record} where log = 1 and index = ${at}`);
  await write((was?.record ?? "").replace('"version":1', '"version":2'));
  expect(await proofs()).toEqual([false, ...refs.slice(1).map(() => true)]);
  await write(was?.record ?? "");
});

test("a program that starts says which log that has ended is not as it was, and goes on with the one of now", async () => {
  const { sql, log, config } = app.context;
  const told = () => app.lines.filter((line) => line.includes("a public log that has ended is not as it was written"));
  const look = async () => {
    const book = new Logbook({ sql, log, config }, { sources: logged, keyring: openKeyring({ ...config, logKey: LOG_KEY }) });
    await book.start();
    await book.check();
    await book.stop();
    return book.missing;
  };
  expect([await look(), told()]).toEqual([null, []]);
  await put("00".repeat(32), 0);
  expect(await look()).toBeNull();
  await until("it is told", () => told().length > 0);
  expect(told().map((line) => line.includes("tile 0/000 is not what its entries say"))).toEqual([true]);
});

test("what an ended log told of few versions is found among very many receipts, by the plan that rounds have for any kind", async () => {
  const [sent] = await sentBy(app.sql, () => toldBefore(app.sql, "group", 3));
  if (!sent) throw new Error("nothing was asked");
  const anyPlan = { text: "set local plan_cache_mode = force_generic_plan", values: [], types: [] };
  const few = await rowsRead(app.sql, sent, [anyPlan]);
  await tamper(app.sql, async (tx) => {
    await tx`
      insert into proof_entries (log, index, kind, ref, salt, record)
      select 1, 1000000 + n, 'fill', 'long ago ' || n, sha256('salt'::bytea), '{}' from generate_series(1, 30000) n`;
    // As a sample of millions of rows has it, in which hardly another kind is.
    await tx`alter table proof_entries alter column kind set (n_distinct = 2)`;
    await tx`analyze proof_entries`;
  });
  expect(await toldBefore(app.sql, "group", 3)).toEqual(refs);
  expect(await rowsRead(app.sql, sent, [anyPlan])).toBeLessThanOrEqual(few);
});
