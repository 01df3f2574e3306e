import type { PendingQuery, Row } from "postgres";
import { placeOf } from "../lib/cursor";
import { notFound } from "../lib/refusal";
import type { BoardArrays } from "../market/board_sql";
import { many, type Sql } from "../platform/db";
import {
  type CorrectionOrder,
  type CorrectionRequest,
  correctionRequestRow,
  type CorrectionSort,
  type Dispute,
  disputeRow,
  type Manipulation,
  manipulationRow,
} from "./schema_corrections";
import { found, onBoard, owner, type StaffSearch } from "./queries_staff";

/** What staff read of corrections. In each query `p` is the position, `a` its account, `u` its owner. */

type Fragment = PendingQuery<Row[]>;
type Search = StaffSearch & { sort?: CorrectionOrder };

/** The order asked for, made whole by the rows' ids, and where it goes on. `tables` is what the list reads, `row` names its columns. */
function inOrder(
  sql: Sql,
  { sort = "-created", cursor }: Search,
  tables: Fragment,
  row: { id: Fragment; created: Fragment; settled: Fragment; market: Fragment },
) {
  const falls = sort.startsWith("-");
  const keys: Record<CorrectionSort, () => Fragment> = {
    created: () => row.created,
    name: () => sql`lower(u.first_name || ' ' || u.last_name)`,
    symbol: () => sql`p.symbol`,
    settled: () => row.settled,
    impact: () => sql`(${row.settled} - ${row.market})`,
  };
  const key = keys[sort.replace("-", "") as CorrectionSort]();
  const direction = falls ? sql`desc` : sql`asc`;
  const last = cursor === undefined ? null : placeOf(cursor).id;
  return {
    onwards: last ? sql`and (${key}, ${row.id}) ${falls ? sql`<` : sql`>`} (select ${key}, ${row.id} ${tables} where ${row.id} = ${last})` : sql``,
    order: sql`order by ${key} ${direction}, ${row.id} ${direction}`,
  };
}

/** All corrections that were carried out, newest first unless told. */
export function manipulationsOf(sql: Sql, search: Search): Promise<Manipulation[]> {
  const tables = sql`
    from corrections k
    join positions p on p.id = k.position_id
    join trading_accounts a on a.id = p.account_id
    join users u on u.id = p.user_id
    left join users s on s.id = k.confirmed_by
    left join disputes d on d.position_id = k.position_id
  `;
  const row = { id: sql`k.position_id`, created: sql`k.created_at`, settled: sql`k.settled_profit`, market: sql`k.market_profit` };
  const { onwards, order } = inOrder(sql, search, tables, row);
  return many(
    manipulationRow,
    sql`
      select k.position_id as id, k.position_id as "positionId", ${owner(sql)}, k.admin_id as "adminUserId", k.administrator, s.email as "confirmedBy",
        case when k.settled_profit > 0 then 'force_win' else 'force_loss' end as "manipulationType", k.reason, k.market_price as "marketPrice",
        k.market_profit as "marketProfit", k.settled_profit as "settledProfit",
        json_build_object('status', 'open', 'profit', k.market_profit::text) as "oldValues",
        json_build_object('status', 'closed', 'profit', k.settled_profit::text) as "newValues",
        k.settled_profit - k.market_profit as impact, k.settled_profit < k.market_profit as "againstClient", d.created_at as "disputedAt",
        k.created_at as "createdAt"
      ${tables}
      where true ${found(sql, search.q)} ${onwards}
      ${order}
      limit ${search.limit}
    `,
  );
}

/** Corrections that need a second administrator, newest first unless told. */
export function correctionRequestsOf(sql: Sql, search: Search & { status: string }, board: BoardArrays): Promise<CorrectionRequest[]> {
  const tables = sql`
    from correction_requests r
    join positions p on p.id = r.position_id
    join trading_accounts a on a.id = p.account_id
    join users u on u.id = p.user_id
    join users m on m.id = r.admin_id
    left join correction_decisions d on d.request_id = r.id
    left join users s on s.id = d.admin_id
    cross join lateral (select coalesce(d.decision, case p.status when 'open' then 'pending' else 'lapsed' end) as status) e
    ${onBoard(sql, board)}
  `;
  const row = { id: sql`r.id`, created: sql`r.created_at`, settled: sql`r.settled_profit`, market: sql`r.market_profit` };
  const { onwards, order } = inOrder(sql, search, tables, row);
  return many(
    correctionRequestRow,
    sql`
      select r.id, r.position_id as "positionId", ${owner(sql)}, e.status, r.admin_id as "adminUserId",
        m.first_name || ' ' || m.last_name as administrator, r.settled_profit as "settledProfit", r.market_profit as "marketProfit",
        case e.status when 'pending' then c.profit end as "marketNow", r.reason, s.email as "decidedBy", d.reason as "decisionReason",
        d.created_at as "decidedAt", r.created_at as "createdAt"
      ${tables}
      where (${search.status} = 'all' or e.status = ${search.status}) ${found(sql, search.q)} ${onwards}
      ${order}
      limit ${search.limit}
    `,
  );
}

/** What traders object to, newest first unless told. */
export function disputesOf(sql: Sql, search: Search): Promise<Dispute[]> {
  const tables = sql`
    from disputes d
    join corrections k on k.position_id = d.position_id
    join positions p on p.id = d.position_id
    join trading_accounts a on a.id = p.account_id
    join users u on u.id = p.user_id
  `;
  const row = { id: sql`d.id`, created: sql`d.created_at`, settled: sql`k.settled_profit`, market: sql`k.market_profit` };
  const { onwards, order } = inOrder(sql, search, tables, row);
  return many(
    disputeRow,
    sql`
      select d.id, d.position_id as "positionId", ${owner(sql)}, d.message, k.reason, k.market_profit as "marketProfit",
        k.settled_profit as "settledProfit", k.administrator, d.ticket_id as "ticketId", d.created_at as "createdAt"
      ${tables}
      where true ${found(sql, search.q)} ${onwards}
      ${order}
      limit ${search.limit}
    `,
  );
}

/** The symbol of a position, whoever's it is. Refuses one that does not exist. */
export async function symbolOfAny(sql: Sql, positionId: string): Promise<string> {
  const [row] = await sql<{ symbol: string }[]>`select symbol from positions where id = ${positionId}`;
  if (!row) throw notFound();
  return row.symbol;
}

/** The symbol of the position that a correction was asked for. Refuses a correction that does not exist. */
export async function subjectOfRequest(sql: Sql, requestId: string): Promise<{ symbol: string; positionId: string }> {
  const [row] = await sql<{ symbol: string; positionId: string }[]>`
    select p.symbol, p.id as "positionId" from correction_requests r join positions p on p.id = r.position_id where r.id = ${requestId}
  `;
  if (!row) throw notFound();
  return row;
}
