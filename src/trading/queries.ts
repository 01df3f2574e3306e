import * as v from "valibot";
import { notFound } from "../lib/refusal";
import { type BoardArrays, boardValue } from "../market/board_sql";
import { after, many, one, type Sql } from "../platform/db";
import { type ClosedPosition, closeReasons, type Fill, type Position, type Receipt } from "./schema";

const decimal = v.nullable(v.string());
const positionEntries = {
  id: v.string(),
  accountId: v.string(),
  symbol: v.string(),
  type: v.picklist(["buy", "sell"]),
  amount: v.string(),
  volume: decimal,
  openPrice: decimal,
  entryPrice: decimal,
  currentPrice: decimal,
  stopLoss: decimal,
  takeProfit: decimal,
  profit: decimal,
  status: v.picklist(["pending", "open", "closed", "cancelled"]),
  openedAt: decimal,
  closePrice: decimal,
  closedAt: decimal,
  closeReason: v.nullable(v.picklist(closeReasons)),
};
const positionRow = v.strictObject(positionEntries);
const correction = v.nullable(
  v.strictObject({
    reason: v.string(),
    marketProfit: v.string(),
    settledProfit: v.string(),
    administrator: v.string(),
    at: v.string(),
    disputedAt: v.nullable(v.string()),
    ticketId: v.nullable(v.string()),
  }),
);
const closedRow = v.strictObject({ ...positionEntries, correction });

const positionColumns = (sql: Sql) => sql`
  p.id, p.account_id as "accountId", p.symbol, p.side as type, p.amount, p.volume, p.open_price as "openPrice", p.open_price as "entryPrice",
  p.stop_loss as "stopLoss", p.take_profit as "takeProfit", p.status, p.opened_at as "openedAt", p.close_price as "closePrice",
  p.closed_at as "closedAt", p.close_reason as "closeReason"
`;

/** Positions with what each would close at and bring on the quotes of `board`. */
const onBoard = (sql: Sql, board: BoardArrays, more = sql``) => sql`
  select ${positionColumns(sql)}, coalesce(p.close_price, c.price) as "currentPrice",
    coalesce(p.profit, profit_of(p.side, p.amount, p.open_price, c.price)) as profit ${more}
  from positions p
  join trading_accounts a on a.id = p.account_id
  join account_types t on t.id = a.account_type_id
  cross join lateral (select ${boardValue(sql, board)} as quotes) now
  left join lateral unnest((now.quotes).symbols, (now.quotes).bids, (now.quotes).asks, (now.quotes).pips) as b (symbol, bid, ask, pip) on b.symbol = p.symbol
  left join lateral account_price(b.bid, b.ask, b.pip, t.spreads_from) q on true
  left join lateral (select case p.side when 'buy' then q.account_bid else q.account_ask end as price) c on true
`;

/** Open positions and waiting orders, newest first. */
export const openPositionsOf = (sql: Sql, userId: string, board: BoardArrays): Promise<Position[]> =>
  many(
    positionRow,
    sql`
      ${onBoard(sql, board)}
      where p.user_id = ${userId} and p.status in ('pending', 'open')
      order by p.created_at desc, p.id desc
      limit 1000
    `,
  );

/** One of the person's own positions, whatever its state; with its correction, where an administrator settled it. */
export const positionOf = (sql: Sql, userId: string, positionId: string, board: BoardArrays): Promise<ClosedPosition | null> =>
  one(closedRow, sql`${onBoard(sql, board, sql`, correction_told(p.id) as correction`)} where p.id = ${positionId} and p.user_id = ${userId}`);

/** Closed positions, newest first; `cursor` as `cursorOf` made it of the last one seen. */
export const historyOf = (
  sql: Sql,
  userId: string,
  { limit, cursor, accountId }: { limit: number; cursor?: string | undefined; accountId?: string | undefined },
): Promise<ClosedPosition[]> => {
  return many(
    closedRow,
    sql`
      select ${positionColumns(sql)}, p.close_price as "currentPrice", p.profit, correction_told(p.id) as correction
      from positions p
      where p.user_id = ${userId} and p.status = 'closed'
        ${accountId ? sql`and p.account_id = ${accountId}` : sql``}
        ${after(sql, "p.closed_at", "p.id", cursor)}
      order by p.closed_at desc, p.id desc
      limit ${limit}
    `,
  );
};
export const cursorOf = (last: { closedAt: string | null; id: string }) => `${last.closedAt}_${last.id}`;

const fillRow = v.strictObject({
  kind: v.picklist(["open", "close"]),
  at: v.string(),
  quoteId: v.number(),
  quoteTime: v.string(),
  quoteAgeMs: v.number(),
  bid: v.string(),
  ask: v.string(),
  tierSpreadPips: v.string(),
  requestedPrice: decimal,
  price: v.string(),
  slippage: decimal,
  amount: v.string(),
  margin: v.string(),
  profit: decimal,
  reason: decimal,
  marginLevel: decimal,
  equity: decimal,
  usedMargin: decimal,
  by: v.string(),
});
const receiptHead = v.strictObject({
  ...positionEntries,
  correction,
  parentId: v.nullable(v.string()),
  accountNumber: v.string(),
  isDemo: v.boolean(),
  covered: v.string(),
  cancelReason: v.nullable(v.string()),
  marginCall: v.nullable(v.strictObject({ at: v.string(), level: v.string(), equity: v.string(), usedMargin: v.string() })),
});

/** The receipt of a person's own position: its fills with the quotes they were made from. Refuses another's. */
export async function receiptOf(sql: Sql, userId: string, positionId: string): Promise<Receipt> {
  const head = await one(
    receiptHead,
    sql`
      select ${positionColumns(sql)}, p.close_price as "currentPrice", p.profit, correction_told(p.id) as correction, p.parent_id as "parentId",
        a.account_number as "accountNumber", a.is_demo as "isDemo", p.covered, p.cancel_reason as "cancelReason", (
          select json_build_object('at', iso(c.created_at), 'level', margin_level(c.equity, c.used)::text, 'equity', c.equity::text, 'usedMargin', c.used::text)
          from margin_events s
          join margin_events c on c.account_id = s.account_id and c.kind = 'margin_call' and c.id < s.id
          where s.position_id = p.id
          order by c.id desc
          limit 1
        ) as "marginCall"
      from positions p
      join trading_accounts a on a.id = p.account_id
      where p.id = ${positionId} and p.user_id = ${userId}
    `,
  );
  if (!head) throw notFound();
  const { parentId, accountNumber, isDemo, covered, cancelReason, marginCall, ...position } = head;
  return { position, accountNumber, isDemo, covered, cancelReason, marginCall, fills: await fillsOf(sql, positionId, parentId ?? positionId, userId) };
}

/** The opening fill is the whole position's, also for a part that was closed on its own. */
const fillsOf = (sql: Sql, positionId: string, openedAs: string, userId: string): Promise<Fill[]> =>
  many(
    fillRow,
    sql`
      select f.kind, f.created_at as at, f.quote_seq as "quoteId", f.quote_at as "quoteTime", f.quote_age_ms as "quoteAgeMs", f.bid, f.ask,
        f.tier_spread_pips as "tierSpreadPips", f.requested_price as "requestedPrice", f.price, f.slippage, f.amount, f.margin, f.profit, f.reason,
        margin_level(e.equity, e.used) as "marginLevel", e.equity, e.used as "usedMargin",
        case when f.actor_id = ${userId} then 'you' when f.actor_id is null then 'the trading engine' else 'an administrator' end as by
      from fills f
      left join margin_events e on e.position_id = f.position_id and f.kind = 'close'
      where (f.position_id = ${openedAs} and f.kind = 'open') or (f.position_id = ${positionId} and f.kind = 'close')
      order by f.id
      limit 10
    `,
  );

const watchRow = v.strictObject({
  id: v.string(),
  userId: v.string(),
  accountId: v.string(),
  symbol: v.string(),
  side: v.picklist(["buy", "sell"]),
  status: v.picklist(["pending", "open"]),
  amount: v.string(),
  openPrice: decimal,
  margin: v.string(),
  stopLoss: decimal,
  takeProfit: decimal,
  tierPips: v.string(),
  leverage: v.number(),
  net: v.string(),
  called: v.boolean(),
  sinceSeq: v.number(),
});
/**
 * What the engine needs to know of a position and its account to watch both: `net` is the balance less the house's
 * advance, `called` whether the trader was told of too low a margin, `sinceSeq` the tick at which the position was opened or
 * its exits moved, 0 where that is not known.
 */
export type Watched = v.InferOutput<typeof watchRow>;

/** All open positions and waiting orders, or one account's. Read in one pass, since it is the whole book. */
export const watchedPositions = (sql: Sql, accountId: string | null = null): Promise<Watched[]> =>
  many(
    watchRow,
    sql`
      select p.id, p.user_id as "userId", p.account_id as "accountId", p.symbol, p.side, p.status, p.amount, p.open_price as "openPrice", p.margin,
        p.stop_loss as "stopLoss", p.take_profit as "takeProfit", t.spreads_from as "tierPips", a.leverage, l.balance - a.advance as net,
        a.margin_called_at is not null as called, coalesce(p.since_seq, 0) as "sinceSeq"
      from positions p
      join trading_accounts a on a.id = p.account_id
      join account_types t on t.id = a.account_type_id
      join ledger_accounts l on l.id = a.ledger_account_id
      where p.status in ('pending', 'open') ${accountId ? sql`and p.account_id = ${accountId}` : sql``}
    `,
  );

const movedRow = v.strictObject({ id: v.string(), userId: v.string(), digest: v.nullable(v.string()) });
/** An account that moved, and its digest (recheck.ts); null where it has no open position and no waiting order. */
export type Moved = v.InferOutput<typeof movedRow>;

/** Accounts whose positions or money moved in the last `seconds`, as they are now. */
export const movedLately = (sql: Sql, seconds: number): Promise<Moved[]> =>
  many(
    movedRow,
    sql`
      select a.id, a.user_id as "userId", case when count(p.id) > 0 then format(
          '%s %s %s %s %s', trunc((l.balance - a.advance) * 100), count(p.id),
          trunc(coalesce(sum(p.stop_loss) filter (where p.status = 'open'), 0) * 100000000),
          trunc(coalesce(sum(p.take_profit) filter (where p.status = 'open'), 0) * 100000000),
          coalesce(sum(p.since_seq) filter (where p.status = 'open'), 0)
        ) end as digest
      from trading_accounts a
      join ledger_accounts l on l.id = a.ledger_account_id
      left join positions p on p.account_id = a.id and p.status in ('pending', 'open')
      where a.updated_at >= now() - make_interval(secs => ${seconds})
      group by a.id, l.balance
      limit 100000
    `,
  );

/** The accounts that the engine was asked to look at by programs where it does not run. Each is told once, to the leader of this epoch. */
export const takeLooks = (sql: Sql, epoch: number): Promise<{ id: string }[]> =>
  many(v.strictObject({ id: v.string() }), sql`select id from looks_take(${epoch}) as asked (id) limit 100000`);
