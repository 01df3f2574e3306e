import { invalidField, notFound } from "../lib/refusal";
import { type BoardArrays, boardValue } from "../market/board_sql";
import { many, type Sql } from "../platform/db";
import {
  type CorrectionRequest,
  correctionRequestRow,
  type Dispute,
  disputeRow,
  type Manipulation,
  manipulationRow,
  type StaffPosition,
  staffPositionRow,
} from "./schema_corrections";

/** What staff read of positions and corrections. In each query `p` is the position, `a` its account, `u` its owner. */

type Search = { q: string; limit: number; cursor?: string | undefined };

const CURSOR = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
/** Where a list of staff's goes on after its last row. */
export const staffCursorOf = ({ createdAt, id }: { createdAt: string; id: string }) => `${createdAt}_${id}`;

function keyOf(cursor: string): { at: string; id: string } {
  const [, at, id] = CURSOR.exec(cursor) ?? [];
  if (!at || !id) throw invalidField("cursor", "cursor is not valid.");
  return { at, id };
}

const owner = (sql: Sql) => sql`
  u.id as "userId", u.first_name as "firstName", u.last_name as "lastName", u.email, a.id as "accountId", a.account_number as "accountNumber",
  a.is_demo as "isDemo", p.symbol, p.side as type, p.amount
`;

/** Holds a list to a search by person, account, symbol or the position's id. */
function found(sql: Sql, q: string) {
  if (!q) return sql``;
  const like = `%${q.replace(/[\\%_]/g, "\\$&")}%`;
  return sql`
    and (
      u.first_name || ' ' || u.last_name ilike ${like} or u.email ilike ${like} or a.account_number ilike ${like} or p.symbol ilike ${like}
      or p.id::text = ${q}
    )
  `;
}

/** What each position would close at, and bring, on the quotes of `board`, as `c.price` and `c.profit`. */
const onBoard = (sql: Sql, board: BoardArrays) => sql`
  join account_types t on t.id = a.account_type_id
  cross join lateral (select ${boardValue(sql, board)} as quotes) now
  left join lateral unnest((now.quotes).symbols, (now.quotes).bids, (now.quotes).asks, (now.quotes).pips) as b (symbol, bid, ask, pip) on b.symbol = p.symbol
  left join lateral account_price(b.bid, b.ask, b.pip, t.spreads_from) x on true
  left join lateral (select case p.side when 'buy' then x.account_bid else x.account_ask end as price) w on true
  left join lateral (select w.price, profit_of(p.side, p.amount, p.open_price, w.price) as profit) c on true
`;

/** Open positions (or waiting orders) of all accounts, newest first. */
export function staffPositionsOf(
  sql: Sql,
  { q, limit, cursor, status, id }: Search & { status: "open" | "pending"; id?: string | undefined },
  board: BoardArrays,
): Promise<StaffPosition[]> {
  const after = cursor === undefined ? null : keyOf(cursor);
  return many(
    staffPositionRow,
    sql`
      select p.id, ${owner(sql)}, p.open_price as "openPrice", c.price as "currentPrice", p.stop_loss as "stopLoss", p.take_profit as "takeProfit",
        c.profit, l.balance, p.status, p.opened_at as "openedAt", p.created_at as "createdAt",
        exists (
          select from correction_requests r
          where r.position_id = p.id and not exists (select from correction_decisions d where d.request_id = r.id)
        ) as waits
      from positions p
      join trading_accounts a on a.id = p.account_id
      join ledger_accounts l on l.id = a.ledger_account_id
      join users u on u.id = p.user_id
      ${onBoard(sql, board)}
      where p.status in ('pending', 'open') and p.status = ${status} ${found(sql, q)}
        ${id ? sql`and p.id = ${id}` : sql``}
        ${after ? sql`and (p.created_at, p.id) < (${after.at}::timestamptz, ${after.id}::uuid)` : sql``}
      order by p.created_at desc, p.id desc
      limit ${limit}
    `,
  );
}

/** All corrections that were carried out, newest first. */
export function manipulationsOf(sql: Sql, { q, limit, cursor }: Search): Promise<Manipulation[]> {
  const after = cursor === undefined ? null : keyOf(cursor);
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
      from corrections k
      join positions p on p.id = k.position_id
      join trading_accounts a on a.id = p.account_id
      join users u on u.id = p.user_id
      left join users s on s.id = k.confirmed_by
      left join disputes d on d.position_id = k.position_id
      where true ${found(sql, q)}
        ${after ? sql`and (k.created_at, k.position_id) < (${after.at}::timestamptz, ${after.id}::uuid)` : sql``}
      order by k.created_at desc, k.position_id desc
      limit ${limit}
    `,
  );
}

/** Corrections that need a second administrator, newest first. */
export function correctionRequestsOf(sql: Sql, { q, limit, cursor, status }: Search & { status: string }, board: BoardArrays): Promise<CorrectionRequest[]> {
  const after = cursor === undefined ? null : keyOf(cursor);
  return many(
    correctionRequestRow,
    sql`
      select r.id, r.position_id as "positionId", ${owner(sql)}, e.status, r.admin_id as "adminUserId",
        m.first_name || ' ' || m.last_name as administrator, r.settled_profit as "settledProfit", r.market_profit as "marketProfit",
        case e.status when 'pending' then c.profit end as "marketNow", r.reason, s.email as "decidedBy", d.reason as "decisionReason",
        d.created_at as "decidedAt", r.created_at as "createdAt"
      from correction_requests r
      join positions p on p.id = r.position_id
      join trading_accounts a on a.id = p.account_id
      join users u on u.id = p.user_id
      join users m on m.id = r.admin_id
      left join correction_decisions d on d.request_id = r.id
      left join users s on s.id = d.admin_id
      cross join lateral (select coalesce(d.decision, case p.status when 'open' then 'pending' else 'lapsed' end) as status) e
      ${onBoard(sql, board)}
      where (${status} = 'all' or e.status = ${status}) ${found(sql, q)}
        ${after ? sql`and (r.created_at, r.id) < (${after.at}::timestamptz, ${after.id}::uuid)` : sql``}
      order by r.created_at desc, r.id desc
      limit ${limit}
    `,
  );
}

/** What traders object to, newest first. */
export function disputesOf(sql: Sql, { q, limit, cursor }: Search): Promise<Dispute[]> {
  const after = cursor === undefined ? null : keyOf(cursor);
  return many(
    disputeRow,
    sql`
      select d.id, d.position_id as "positionId", ${owner(sql)}, d.message, k.reason, k.market_profit as "marketProfit",
        k.settled_profit as "settledProfit", k.administrator, d.created_at as "createdAt"
      from disputes d
      join corrections k on k.position_id = d.position_id
      join positions p on p.id = d.position_id
      join trading_accounts a on a.id = p.account_id
      join users u on u.id = p.user_id
      where true ${found(sql, q)}
        ${after ? sql`and (d.created_at, d.id) < (${after.at}::timestamptz, ${after.id}::uuid)` : sql``}
      order by d.created_at desc, d.id desc
      limit ${limit}
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
export async function symbolOfRequest(sql: Sql, requestId: string): Promise<string> {
  const [row] = await sql<{ symbol: string }[]>`
    select p.symbol from correction_requests r join positions p on p.id = r.position_id where r.id = ${requestId}
  `;
  if (!row) throw notFound();
  return row.symbol;
}
