import { afterAll, beforeAll, expect, test } from "bun:test";
import { fromBase64, toHex } from "../lib/bytes";
import { type TestApp, testApp } from "../testing/app";
import { until } from "../testing/scenarios";
import { batchesBetween, readProofs, readTickProofs } from "./queries";
import { canonicalBytes } from "./rules_canonical";
import { isIncluded, leafHash, rootByInclusion } from "./rules_merkle";
import { openCheckpoint, parseVerifier, type Verifier } from "./rules_note";
import { commitmentOf, type Proof, type TickProof } from "./schema";

/** What was done stands in the log, in order and once, and whoever holds a proof can check it. */

let app: TestApp;
let verifier: Verifier;
beforeAll(async () => {
  app = await testApp({ PUBLIC_URL: "https://trade.example" });
  await app.logbook.wake();
  verifier = parseVerifier((await read("/log/key")).text.trim()) as Verifier;
});
afterAll(() => app.end());

async function read(path: string) {
  const response = await app.stranger().fetch("GET", path);
  const bytes = await response.bytes();
  return { status: response.status, headers: response.headers, bytes, text: new TextDecoder().decode(bytes) };
}
const hashesOf = (path: readonly string[]) => path.map((hash) => fromBase64(hash) as Uint8Array);

/** Whether a proof holds by its own word and the log's key. */
function holds({ index, salt, record, inclusion, checkpoint }: Proof): boolean {
  const signed = openCheckpoint(checkpoint, [verifier]);
  const leaf = leafHash(commitmentOf(fromBase64(salt) as Uint8Array, record));
  return signed !== null && signed.origin === "trade.example/log" && isIncluded(leaf, index, signed.size, hashesOf(inclusion), signed.root);
}
function tickHolds({ tick, place, path, batch }: TickProof): boolean {
  if (batch.record.kind !== "ticks" || !holds(batch)) return false;
  const root = rootByInclusion(leafHash(canonicalBytes(tick)), place, batch.record.count, hashesOf(path));
  return root !== null && toHex(root) === toHex(fromBase64(batch.record.root) as Uint8Array);
}

/** Waits until the newest tick that was dealt on is stored. */
const recorded = () =>
  until("the ticks are recorded", async () => {
    const [row] = await app.sql<{ there: boolean }[]>`select exists (select from ticks where seq = (select max(quote_seq) from fills)) as there`;
    return row?.there === true;
  });

const order = { symbol: "EUR/USD", type: "buy", amount: 100 };

test("a deal, its end and its quote are in the log when they are committed, with proofs that hold", async () => {
  const tess = await app.trader();
  await app.quote("EUR/USD", "1.10000", "1.10002");
  await app.quote("GBP/USD", "1.30000", "1.30002");
  const { body } = await tess.post<{ id: string }>("/api/trading/positions", order);
  await app.quote("EUR/USD", "1.10100", "1.10102");
  await tess.post(`/api/trading/positions/${body.id}/close`);
  await recorded();
  await app.logbook.wake();
  const fills = await app.sql<{ id: string; seq: number }[]>`select id::text, quote_seq as seq from fills where position_id = ${body.id} order by id`;
  const proofs = await readProofs(
    app.context.sql,
    "fill",
    fills.map(({ id }) => id),
  );
  const [opening, closing] = fills.map(({ id }) => proofs.get(id) as Proof);
  expect(opening?.record).toMatchObject({
    kind: "fill",
    position: body.id,
    symbol: "EUR/USD",
    side: "buy",
    amount: "100.00",
    pip: "0.00010000",
    terms: 1,
    demo: true,
  });
  expect(closing?.record).toMatchObject({ kind: "exit", position: body.id, reason: "trader", opening: Number(fills[0]?.id), openPrice: "1.10017500" });
  expect([opening, closing].map((proof) => holds(proof as Proof))).toEqual([true, true]);
  expect((opening as Proof).index).toBeLessThan((closing as Proof).index);
  const ticks = await readTickProofs(
    app.context.sql,
    fills.map(({ seq }) => seq),
  );
  expect([...ticks.keys()].sort()).toEqual(fills.map(({ seq }) => seq).sort());
  for (const proof of ticks.values()) expect(tickHolds(proof)).toBe(true);
  const first = ticks.get(fills[0]?.seq ?? 0) as TickProof;
  expect(first.tick).toMatchObject({ symbol: "EUR/USD", bid: "1.10000000" });
  const batch = first.batch.record as { first: number; last: number };
  expect((await batchesBetween(app.context.sql, first.tick.seq - 1, first.tick.seq + 1)).map(({ ref }) => ref)).toEqual([`${batch.first}-${batch.last}`]);
  // With anything said otherwise nothing holds.
  expect(holds({ ...(opening as Proof), record: { ...(opening as Proof).record, price: "1.10018500" } as Proof["record"] })).toBe(false);
  expect(tickHolds({ ...first, tick: { ...first.tick, bid: "1.09999000" } })).toBe(false);
});
