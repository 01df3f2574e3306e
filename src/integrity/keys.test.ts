import { afterAll, beforeAll, expect, test } from "bun:test";
import { logged } from "../admin/queries_logged";
import { currentLog, keyOfLog, keysOfLogs } from "../proof/queries";
import { type PositionFile, written } from "../proof/rules_files";
import { signatureLine, signerOf, verifierText } from "../proof/rules_note";
import { verify } from "../proof/rules_verify";
import { keyChangeText, type LogRecord } from "../proof/schema";
import { type TestApp, testApp } from "../testing/app";
import type { Receipt } from "../trading/schema";
import { changeEach } from "../testing/changed_bytes";
import { LOG_KEY } from "../testing/database";
import { appending, drain, seedOf } from "../testing/log_notes";
import { fundLive, until } from "../testing/scenarios";

/** What was kept before the log's key changed goes on being of use after it; and of a real file no byte can be changed. */

/** So many bytes apart are those that are changed of a statement, and of a receipt with a change of the key; `CASES` changes all. */
const STRIDE = process.env.CASES ? 1 : 29;
let app: TestApp;
let tess: Awaited<ReturnType<TestApp["trader"]>>;
let accountId: string;
beforeAll(async () => {
  app = await testApp({ PUBLIC_URL: "https://trade.example" });
  tess = await app.trader();
  await app.quote("EUR/USD", "1.10000", "1.10002");
  accountId = await fundLive(app, tess, "1000.00");
});
afterAll(() => app.end());

const order = { symbol: "EUR/USD", type: "buy", amount: 500 };
async function dealt(): Promise<string> {
  const { body } = await tess.post<{ id: string }>("/api/trading/positions", { ...order, accountId });
  await app.quote("EUR/USD", "1.10100", "1.10102");
  await tess.post(`/api/trading/positions/${body.id}/close`);
  await app.quote("EUR/USD", "1.10000", "1.10002");
  await until("the ticks are recorded", async () => {
    const [row] = await app.sql<{ there: boolean }[]>`select exists (select from ticks where seq = (select max(quote_seq) from fills)) as there`;
    return row?.there === true;
  });
  return body.id;
}
const textOf = async (path: string) => (await tess.fetch("GET", path)).text();
const fileOf = (id: string, since = "") => textOf(`/api/trading/positions/${id}/proof${since}`);
const keyOf = async () => (await keyOfLog(app.sql)) ?? "";

test("no byte of a receipt's or a statement's file can be changed, nor the change of a key that it holds; kept checkpoints and keys go on", async () => {
  const id = await dealt();
  await app.logbook.wake();
  const before = (await currentLog(app.sql))!;
  const first = await fileOf(id);
  expect(verify(first, { key: before.key }).reason).toBeNull();
  changeEach(first, before.key);

  const next = { seed: seedOf("31".repeat(32)), before: seedOf(LOG_KEY) };
  const [lead] = await app.sql<{ epoch: number }[]>`select epoch from leadership`;
  await drain(appending(app.sql, lead?.epoch ?? 0, { key: next, sources: logged }));
  // Both keys signed the checkpoint of this minute: a single proof that is copied now holds by the new one alone.
  expect((await currentLog(app.sql))?.note?.match(/^— /gm)).toHaveLength(3);
  const { body: receipt } = await tess.get<Receipt>(`/api/trading/positions/${id}/receipt`);
  const singles = receipt.fills.flatMap(({ proof, quote }) => [proof, quote]);
  for (const single of singles) expect(verify(written(single!), { key: await keyOf() }).reason).toBeNull();
  await dealt();
  await drain(appending(app.sql, lead?.epoch ?? 0, { key: { ...next, before: null }, sources: logged }));
  const key = await keyOf();
  expect(key).not.toBe(before.key);
  expect(await keysOfLogs(app.sql)).toEqual([key, before.key]);

  const file = await fileOf(id, `?since=${before.size}`);
  const follows = (words: string) => words.includes("as both signed, is record no.");
  // Whoever knows the key of now, and whoever noted the one before; his checkpoint shows that the log only grew.
  for (const known of [key, before.key]) {
    const { reason, steps } = verify(file, { key: known, old: before.note });
    expect([reason, steps.some(({ what }) => follows(what)), steps.at(-1)?.what]).toEqual([
      null,
      true,
      `Since your checkpoint of ${before.size} records the log only grew.`,
    ]);
  }
  expect(verify(file, { key: verifierText(signerOf(before.origin, seedOf("77".repeat(32)))) }).reason).toContain("another log's");
  // A file of before holds by the keys that the site names, not by the newer one alone.
  expect(verify(first, { key: (await keysOfLogs(app.sql)).join(" ") }).reason).toBeNull();
  expect(verify(first, { key }).reason).toContain("another log's");
  const page = await app.stranger().get("/verify");
  expect([page.text.includes(key), page.text.includes(before.key)]).toEqual([true, true]);

  changeEach(file, key, STRIDE);
  const month = new Date().toISOString().slice(0, 7);
  const statement = await textOf(`/api/statements/proof?month=${month}&accountId=${accountId}`);
  expect(verify(statement, { key }).reason).toBeNull();
  changeEach(statement, key, STRIDE);

  // A change that was never logged, or that the former key did not sign.
  const given = JSON.parse(file) as PositionFile;
  const [change] = given.changes ?? [];
  const foreign = signerOf(before.origin, seedOf("99".repeat(32)));
  const changed = (from: string, by: typeof foreign) => {
    const { record, ...rest } = change!;
    const { to, at } = record as LogRecord<"key">;
    const said = keyChangeText(before.origin, from, to, at);
    const signatureTo = signatureLine(said, signerOf(before.origin, next.seed)).trim();
    const forged = { ...(record as LogRecord<"key">), from, signatureFrom: signatureLine(said, by).trim(), signatureTo };
    return written({ ...given, changes: [{ ...rest, record: forged }] });
  };
  expect(verify(changed(verifierText(foreign), foreign), { key: verifierText(foreign) }).reason).toContain("it is not in the log as it stands here");
  expect(verify(changed(before.key, foreign), { key: before.key }).reason).toContain("none that both keys signed");
  expect(verify(written({ ...given, changes: undefined }).replace('"changes":null,', ""), { key: before.key }).reason).toContain("another log's");
});
