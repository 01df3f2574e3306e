import { readTicks } from "../market/queries_logged";
import type { Sql } from "../platform/database/db";
import { batchesBetween, readProofs } from "../proof/queries";
import type { Batch } from "../proof/rules_verify_between";

/** So many batches, of a second each at most, are answered at a time. */
const AT_A_TIME = 60;

/** The next batches of the log with all of their ticks, for who checks that a stop was not reached before. `missing`: their ticks are no longer kept. */
export async function batchesFor(sql: Sql, after: number, before: number): Promise<{ batches: Batch[]; more: boolean; missing: boolean }> {
  const refs = await batchesBetween(sql, after, before, AT_A_TIME + 1);
  const now = refs.slice(0, AT_A_TIME);
  const proofs = await readProofs(
    sql,
    "ticks",
    now.map(({ ref }) => ref),
  );
  const batches: Batch[] = [];
  for (const { first, last, ref } of now) {
    const proof = proofs.get(ref);
    const ticks = await readTicks(sql, first, last);
    if (!proof || proof.record.kind !== "ticks" || ticks.length !== proof.record.count) return { batches, more: false, missing: true };
    batches.push({ proof, ticks });
  }
  return { batches, more: refs.length > AT_A_TIME, missing: false };
}
