import { notFound } from "../lib/refusal";
import type { BoardArrays } from "../market/board_sql";
import { type Fragment, inOrder, many, onDays, type Sql } from "../platform/database/db";
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
import { onBoard } from "./queries_priced";
import { found } from "./queries_found";
import { owner, type StaffSearch } from "./queries_staff";

/** What staff read of corrections. In each query `p` is the position, `a` its account, `u` its owner. */

type Search = StaffSearch & { sort?: CorrectionOrder };

/** What lists of corrections go by; `row` names the list's own columns. */
const sortKeys = (sql: Sql, row: { created: Fragment; settled: Fragment; market: Fragment }): Record<CorrectionSort, Fragment> => ({
  created: row.created,
  name: sql`lower(u.first_name || ' ' || u.last_name)`,
  symbol: sql`p.symbol`,
  settled: row.settled,
  impact: sql`(${row.settled} - ${row.market})`,
});

/** All corrections that were carried out, newest first unless told. */
export function manipulationsOf(sql: Sql, { sort = "-created", cursor, ...search }: Search): Promise<Manipulation[]> {
  const tables = sql`
    from corrections k
    join positions p on p.id = k.position_id
    join trading_accounts a on a.id = p.account_id
    join users u on u.id = p.user_id
    left join users s on s.id = k.confirmed_by
    left join disputes d on d.position_id = k.position_id
  `;
  const keys = sortKeys(sql, { created: sql`k.created_at`, settled: sql`k.settled_profit`, market: sql`k.market_profit` });
  const { rest, order } = inOrder(sql, { sort, cursor }, { keys, id: sql`k.position_id`, tables });
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
      where true ${found(sql, search.q)} ${onDays(sql, sql`k.created_at`, search)} ${rest}
      ${order}
      limit ${search.limit}
    `,
  );
}

/** Corrections that need a second administrator, newest first unless told. */
export function correctionRequestsOf(
  sql: Sql,
  { sort = "-created", cursor, ...search }: Search & { status: string },
  board: BoardArrays,
): Promise<CorrectionRequest[]> {
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
  const keys = sortKeys(sql, { created: sql`r.created_at`, settled: sql`r.settled_profit`, market: sql`r.market_profit` });
  const { rest, order } = inOrder(sql, { sort, cursor }, { keys, id: sql`r.id`, tables });
  return many(
    correctionRequestRow,
    sql`
      select r.id, r.position_id as "positionId", ${owner(sql)}, e.status, r.admin_id as "adminUserId",
        m.first_name || ' ' || m.last_name as administrator, r.settled_profit as "settledProfit", r.market_profit as "marketProfit",
        case e.status when 'pending' then c.profit end as "marketNow", r.reason, s.email as "decidedBy", d.reason as "decisionReason",
        d.created_at as "decidedAt", r.created_at as "createdAt"
      ${tables}
      where (${search.status} = 'all' or e.status = ${search.status}) ${found(sql, search.q)} ${onDays(sql, sql`r.created_at`, search)} ${rest}
      ${order}
      limit ${search.limit}
    `,
  );
}

/** What traders object to, newest first unless told. */
export function disputesOf(sql: Sql, { sort = "-created", cursor, ...search }: Search): Promise<Dispute[]> {
  const tables = sql`
    from disputes d
    join corrections k on k.position_id = d.position_id
    join positions p on p.id = d.position_id
    join trading_accounts a on a.id = p.account_id
    join users u on u.id = p.user_id
  `;
  const keys = sortKeys(sql, { created: sql`d.created_at`, settled: sql`k.settled_profit`, market: sql`k.market_profit` });
  const { rest, order } = inOrder(sql, { sort, cursor }, { keys, id: sql`d.id`, tables });
  return many(
    disputeRow,
    sql`
      select d.id, d.position_id as "positionId", ${owner(sql)}, d.message, k.reason, k.market_profit as "marketProfit",
        k.settled_profit as "settledProfit", k.administrator, d.ticket_id as "ticketId", d.created_at as "createdAt"
      ${tables}
      where true ${found(sql, search.q)} ${onDays(sql, sql`d.created_at`, search)} ${rest}
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
