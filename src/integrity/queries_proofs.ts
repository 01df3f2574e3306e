import * as v from "valibot";
import { toBase64 } from "../lib/bytes";
import { found } from "../lib/refusal";
import { many, one, type Sql } from "../platform/database/db";
import { currentLog } from "../proof/queries";
import { atOneMoment, headOf, lostForGood, notYet, partsBy } from "../proof/queries_files";
import type { LiabilityFile } from "../proof/rules_files";
import { NODE_BYTES, pathPlaces } from "../proof/rules_sums";
import type { LogCovers } from "./schema";

const bytes = v.instance(Uint8Array);
const leafRow = v.strictObject({ day: v.string(), place: v.number(), owed: v.string(), salt: bytes, size: v.number() });
const nodeRow = v.strictObject({ node: bytes });

/** The file that proves what a client was owed on a day, or on the newest. Refuses (not_found) where he is in no tree that is kept, and (conflict) where the log lost it. */
export const liabilityFile = (sql: Sql, userId: string, day: string | null, since: number | null): Promise<LiabilityFile> =>
  atOneMoment(sql, (moment) => fileOf(moment, userId, day, since));

async function fileOf(sql: Sql, userId: string, day: string | null, since: number | null): Promise<LiabilityFile> {
  const leaf = found(
    await one(
      leafRow,
      sql`
        select l.day::text, l.place, l.owed, l.salt, d.size
        from liability_leaves l join liability_days d on d.day = l.day
        where l.user_id = ${userId} and exists (select from liability_trees t where t.day = l.day)
          ${day === null ? sql`` : sql`and l.day = ${day}::date`}
        order by l.day desc limit 1
      `,
    ),
  );
  const nodes = await many(
    nodeRow,
    sql`
      select substring(t.nodes from p.place + 1 for ${NODE_BYTES}) as node
      from liability_trees t cross join unnest(${pathPlaces(leaf.size, leaf.place)}::integer[]) with ordinality as p (place, n)
      where t.day = ${leaf.day}::date
      order by p.n limit 64
    `,
  );
  const [root = null] = await partsBy(sql, "liabilities", [leaf.day]);
  if (root === null) throw notYet();
  if (root === "lost") throw lostForGood();
  const head = await headOf(sql, [root], since);
  return {
    ...head,
    kind: "liability",
    owed: { v: 1, kind: "owed", day: leaf.day, client: userId, owed: leaf.owed },
    salt: toBase64(leaf.salt),
    place: leaf.place,
    path: nodes.map(({ node }) => ({
      hash: toBase64(node.subarray(0, 32)),
      sum: Number(new DataView(node.buffer, node.byteOffset, NODE_BYTES).getBigUint64(32)),
    })),
    root,
  };
}

const kindRow = v.strictObject({ kind: v.string(), first: v.number(), last: v.number(), count: v.number() });
/** Where the log's records of each kind stand, going on from what was known: what was looked at is never looked at again. */
export async function logCovers(sql: Sql, known: LogCovers | null): Promise<LogCovers> {
  const log = await currentLog(sql);
  const before = known && log && known.number === log.number ? known : { number: log?.number ?? 0, upTo: 0, kinds: {} };
  if (!log || log.size === before.upTo) return before;
  const rows = await many(
    kindRow,
    sql`
      select kind, min(index) as first, max(index) as last, count(*) as count from proof_entries
      where log = ${log.number} and index >= ${before.upTo} and index < ${log.size}
      group by kind
    `,
  );
  const kinds = { ...before.kinds };
  for (const { kind, first, last, count } of rows) kinds[kind] = { first: kinds[kind]?.first ?? first, last, count: (kinds[kind]?.count ?? 0) + count };
  return { number: log.number, upTo: log.size, kinds };
}
