import * as v from "valibot";
import { many, one, type Sql } from "../platform/database/db";
import { receiptOf } from "./queries";
import { type Evidence, tickRow } from "./schema_evidence";

/** So many ticks of all symbols are looked through on either side of a fill; a busy feed sends far fewer in half a minute. */
const BESIDE = 50_000;
/** Drawn at most, the ones nearest to the fill. */
const MOST_TICKS = 2000;
const ownerRow = v.strictObject({ userId: v.string() });

/** What a corrected position's closing can be judged by: the symbol's ticks of the minute around it, as far as they are kept, and the receipt. Null for no such position. */
export async function evidenceOf(sql: Sql, positionId: string): Promise<Evidence | null> {
  const owner = await one(ownerRow, sql`select p.user_id as "userId" from positions p join corrections k on k.position_id = p.id where p.id = ${positionId}`);
  if (!owner) return null;
  const ticks = await many(
    tickRow,
    sql`
      select n.seq, n.at, n.bid, n.ask
      from (
        select t.seq, t.at, t.bid, t.ask
        from fills f
        join positions p on p.id = f.position_id
        join ticks t on t.seq between f.quote_seq - ${BESIDE} and f.quote_seq + ${BESIDE} and t.symbol = p.symbol
          and t.at between f.quote_at - interval '30 seconds' and f.quote_at + interval '30 seconds'
        where f.position_id = ${positionId} and f.kind = 'close'
        order by abs(t.seq - f.quote_seq)
        limit ${MOST_TICKS}
      ) n
      order by n.seq
      limit ${MOST_TICKS}
    `,
  );
  return { receipt: await receiptOf(sql, owner.userId, positionId), ticks };
}
