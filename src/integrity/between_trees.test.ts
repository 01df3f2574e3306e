import { afterAll, beforeAll, expect, test } from "bun:test";
import { treesAmiss } from "../proof/rules_between_trees";
import { type Batch, begun, goOn, questionOf } from "../proof/rules_verify_between";
import { type TestApp, testApp } from "../testing/app";
import { LOG_KEY } from "../testing/database";
import { forge } from "../testing/public_log";
import { order, until } from "../testing/scenarios";

/** That no tick between had reached a stop is shown by ticks of the log that the file is of, and by none of a second one that the operator signed for this. */

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.end());

const readSite = async (path: string) => {
  const answer = await app.stranger().fetch("GET", path);
  return answer.ok ? new Uint8Array(await answer.arrayBuffer()) : null;
};

test("ticks of another log of that name, in order by itself and signed by the log's key, are not taken for those between", async () => {
  const tess = await app.trader();
  await app.quote("EUR/USD", "1.10000", "1.10002");
  const { id } = (await tess.post<{ id: string }>("/api/trading/positions", { ...order, takeProfit: "1.10500" })).body;
  for (const bid of ["1.10100", "1.10300", "1.10600"]) await app.quote("EUR/USD", bid, `${bid.slice(0, -1)}2`);
  let text = "";
  await until("the log has the deal, its end and their quotes", async () => {
    await app.logbook.wake();
    const answer = await tess.fetch("GET", `/api/trading/positions/${id}/proof`);
    text = await answer.text();
    return answer.ok;
  });
  const question = questionOf(text);
  if (!question) throw new Error("no question");
  // The log goes on: what is answered leads to a later checkpoint than the file does.
  await app.sql`select audit_append(null, null, 'books.release', '{}', '{}', '{}', 'One line more', '', '')`;
  await app.logbook.wake();
  const asked = async () =>
    goOn(question, begun(question), (await tess.get<{ batches: Batch[] }>(`/api/log/ticks?after=${question.after}&before=${question.before}`)).body.batches);
  const found = await asked();
  expect([found.fault, found.reached, found.ticks]).toEqual([null, null, 2]);
  expect([question.trees.length, found.trees.length]).toEqual([1, 1]);
  expect(found.trees[0]?.size).toBeGreaterThan(question.trees[0]?.size ?? 0);
  expect(await treesAmiss(question, found, readSite)).toBeNull();
  expect(await treesAmiss(question, found, () => Promise.resolve(null))).toEqual({
    isForked: false,
    why: "The site does not show that these ticks are of the log that the file is of.",
  });
  const elsewhere = { ...question, trees: question.trees.map((tree) => ({ ...tree, origin: "other.example/log" })) };
  expect((await treesAmiss(elsewhere, found, readSite))?.isForked).toBe(false);
  // Whoever has the key writes the log anew, with another word in a record that the file says nothing of, and each batch holds by itself.
  expect(await forge(app.sql, LOG_KEY, (record) => (record.kind === "start" ? { ...record, why: "another" } : null))).toBe(1);
  const forged = await asked();
  expect([forged.fault, forged.reached, forged.ticks]).toEqual([null, null, 2]);
  expect((await treesAmiss(question, forged, readSite))?.isForked).toBe(true);
  // So where both are of one size, and nothing is to be asked.
  const [tree] = forged.trees;
  if (!tree) throw new Error("no tree");
  expect((await treesAmiss({ ...question, trees: found.trees }, forged, () => Promise.resolve(null)))?.isForked).toBe(true);
});
