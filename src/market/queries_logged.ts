import * as v from "valibot";
import { toBase64 } from "../lib/bytes";
import { priceText } from "../lib/money";
import { many, one, type Sql } from "../platform/database/db";
import { quickNodeHash } from "../proof/hashing";
import { HASH_SIZE, rootOfLeaves } from "../proof/rules_merkle";
import type { Tick } from "../proof/schema";
import type { NewRecord, Source } from "../proof/sources";
import { instruments } from "./rules_listed";

/** What the public log tells of prices: every recorded tick, those of at most a second at a time. */

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

const batchRow = v.strictObject({
  source: v.string(),
  seqs: v.array(v.pipe(v.unknown(), v.transform(Number))),
  symbols: v.string(),
  from: v.string(),
  to: v.string(),
  texts: v.string(),
  leaves: v.instance(Uint8Array),
});

/** What the log says of the recorded ticks from one number to another. Each tick's canonical JSON is written and hashed where it is: to read its fields here takes many times as long. */
async function batchOf(sql: Sql, first: number, last: number): Promise<NewRecord | null> {
  const row = await one(
    batchRow,
    sql`
      select (array_agg(t.source order by t.seq))[1] as source, array_agg(t.seq order by t.seq) as seqs,
        string_agg(distinct t.symbol collate "C", ' ' order by t.symbol collate "C") as symbols, (array_agg(t.received order by t.seq))[1] as "from",
        (array_agg(t.received order by t.seq desc))[1] as "to", string_agg(t.text, E'\n' order by t.seq) as texts,
        string_agg(sha256('\\x00'::bytea || convert_to(t.text, 'UTF8')), ''::bytea order by t.seq) as leaves
      from (
        select r.seq, r.source, r.symbol, r.received,
          '{"ask":"' || r.ask || '","at":"' || iso(r.at) || '","bid":"' || r.bid || '","kind":"tick","receivedAt":"' || r.received || '","seq":' || r.seq ||
            ',"source":"' || r.source || '","symbol":"' || r.symbol || '","v":1}' as text
        from (
          select seq, source, symbol, at, bid, ask, iso(received_at) as received from ticks
          where seq between ${first} and ${last} order by seq limit ${last - first + 1}
        ) r
      ) t
      having count(*) > 0`,
  );
  if (!row) return null;
  const { seqs, texts: lines, leaves: hashes, ...said } = row;
  const texts = lines.split("\n");
  const leaves = seqs.map((seq, n) => ({ seq, text: texts[n] ?? "", leaf: hashes.subarray(n * HASH_SIZE, (n + 1) * HASH_SIZE) }));
  const root = rootOfLeaves(
    leaves.map(({ leaf }) => leaf),
    quickNodeHash,
  );
  return { kind: "ticks", fields: { ...said, first: seqs[0] ?? first, last: seqs.at(-1) ?? last, count: seqs.length, root: toBase64(root) }, leaves };
}

export const loggedTicks: Source = {
  note: "ticks",
  async read(sql, told) {
    const records = new Map<string, NewRecord>();
    for (const { ref } of told) {
      const [first = 0, last = 0] = ref.split("-").map(Number);
      const record = await batchOf(sql, first, last);
      if (record) records.set(ref, record);
    }
    return records;
  },
};

/** One pip of each instrument, for the terms. */
export const pips = (): Record<string, string> => Object.fromEntries(instruments.map(({ symbol, pipSize }) => [symbol, priceText(pipSize)]));
