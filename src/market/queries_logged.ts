import * as v from "valibot";
import { toBase64 } from "../lib/bytes";
import { priceText } from "../lib/money";
import { many, type Sql } from "../platform/database/db";
import { quickLeafHash, quickNodeHash } from "../proof/hashing";
import { canonicalBytes } from "../proof/rules_canonical";
import { rootOfLeaves } from "../proof/rules_merkle";
import type { Tick } from "../proof/schema";
import type { NewRecord, Source } from "../proof/sources";
import { instruments } from "./rules_listed";

/** What the public log tells of prices: every recorded tick, those of a second at a time. */

const tickRow = v.strictObject({
  seq: v.number(),
  symbol: v.string(),
  source: v.string(),
  bid: v.string(),
  ask: v.string(),
  at: v.string(),
  receivedAt: v.string(),
});

/** The recorded ticks from one number to another, in their order. */
export async function readTicks(sql: Sql, first: number, last: number): Promise<Tick[]> {
  const rows = await many(
    tickRow,
    sql`
      select seq, symbol, source, bid, ask, at, received_at as "receivedAt" from ticks where seq between ${first} and ${last}
      order by seq limit ${last - first + 1}`,
  );
  return rows.map((row) => ({ v: 1, kind: "tick", ...row }));
}

/** Of ticks one after the other what the log says of them. */
function batchOf(ticks: readonly Tick[]): NewRecord | null {
  const [first, last] = [ticks[0], ticks.at(-1)];
  if (!first || !last) return null;
  return {
    kind: "ticks",
    fields: {
      source: first.source,
      first: first.seq,
      last: last.seq,
      count: ticks.length,
      symbols: [...new Set(ticks.map(({ symbol }) => symbol))].sort().join(" "),
      from: first.receivedAt,
      to: last.receivedAt,
      root: toBase64(
        rootOfLeaves(
          ticks.map((tick) => quickLeafHash(canonicalBytes(tick))),
          quickNodeHash,
        ),
      ),
    },
  };
}

export const loggedTicks: Source = {
  note: "ticks",
  async read(sql, told) {
    const records = new Map<string, NewRecord>();
    for (const { ref } of told) {
      const [first = 0, last = 0] = ref.split("-").map(Number);
      const record = batchOf(await readTicks(sql, first, last));
      if (record) records.set(ref, record);
    }
    return records;
  },
};

/** One pip of each instrument, for the terms. */
export const pips = (): Record<string, string> => Object.fromEntries(instruments.map(({ symbol, pipSize }) => [symbol, priceText(pipSize)]));
