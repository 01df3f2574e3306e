import * as v from "valibot";
import { marginSteps } from "./schema_instruments";
import { notFound } from "../lib/refusal";
import type { BoardArrays } from "../market/board_sql";
import { after, type Fragment, many, one, type Sql } from "../platform/database/db";
import type { Reading } from "../platform/database/reading";
import { NO_PROOF } from "../proof/schema";
import { onBoard } from "./queries_priced";
import { fillProofs } from "./queries_proofs";
import type { QueryOf } from "../lib/endpoint";
import { type ClosedPosition, closeReasons, type positionHistory, orderTypes, type Fill, type Position, type Receipt, type SwapNight } from "./schema";

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
  charges: decimal,
  swap: decimal,
  groupVersion: v.nullable(v.number()),
  termsVersion: v.nullable(v.number()),
  status: v.picklist(["pending", "open", "closed", "cancelled"]),
  openedAt: decimal,
  closePrice: decimal,
  closedAt: decimal,
  closeReason: v.nullable(v.picklist(closeReasons)),
  createdAt: v.string(),
  orderType: v.picklist(orderTypes),
  triggerPrice: decimal,
  limitPrice: decimal,
  setOff: v.boolean(),
  expiresAt: decimal,
  trailingDistance: decimal,
  trailingStop: decimal,
  breakEvenAt: decimal,
  brokeEven: v.boolean(),
  ocoGroup: decimal,
  cancelReason: decimal,
  cancelFigures: v.nullable(v.strictObject({ needed: v.string(), free: v.string() })),
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
  p.id, p.account_id as "accountId", p.symbol, nullif(p.charges, 0) as charges, nullif(p.swap, 0) as swap, p.group_version as "groupVersion", p.terms_version as "termsVersion", p.side as type, p.amount, p.volume, p.open_price as "openPrice", p.open_price as "entryPrice",
  p.stop_loss as "stopLoss", p.take_profit as "takeProfit", p.status, p.opened_at as "openedAt", p.close_price as "closePrice",
  p.closed_at as "closedAt", p.close_reason as "closeReason", p.created_at as "createdAt", p.order_type as "orderType", p.trigger_price as "triggerPrice",
  p.limit_price as "limitPrice", p.set_off_seq is not null as "setOff", p.expires_at as "expiresAt", p.trailing_distance as "trailingDistance",
  case when p.status <> 'pending' and p.trailing_distance is not null then p.stop_loss end as "trailingStop", p.break_even_at as "breakEvenAt",
  p.broke_even_seq is not null as "brokeEven", p.oco_group as "ocoGroup", coalesce(p.cancel_code, p.cancel_reason) as "cancelReason",
  case when p.cancel_needed is not null then json_build_object('needed', p.cancel_needed::text, 'free', p.cancel_free::text) end as "cancelFigures"
`;

/** Positions with what each would close at and bring on the quotes of `board`. */
const priced = (sql: Sql, board: BoardArrays, more = sql``) => sql`
  select ${positionColumns(sql)}, coalesce(p.close_price, c.price) as "currentPrice", coalesce(p.profit, c.profit) as profit ${more}
  from positions p
  join trading_accounts a on a.id = p.account_id
  ${onBoard(sql, board)}
`;

/** Open positions and waiting orders, newest first. */
export const openPositionsOf = (sql: Sql, userId: string, board: BoardArrays): Reading<Position[]> =>
  many(
    positionRow,
    sql`
      ${priced(sql, board)}
      where p.user_id = ${userId} and p.status in ('pending', 'open')
      order by p.created_at desc, p.id desc
      limit 1000
    `,
  );

/** One of the person's own positions, whatever its state; with its correction, where an administrator settled it. */
export const positionOf = (sql: Sql, userId: string, positionId: string, board: BoardArrays): Promise<ClosedPosition | null> =>
  one(closedRow, sql`${priced(sql, board, sql`, correction_told(p.id) as correction`)} where p.id = ${positionId} and p.user_id = ${userId}`);

/**
 * Holds closed positions to those that were opened or closed in a time; a part goes by its close alone, since it was opened as what it is a part of. Both ends
 * are found by the indexes, so that a time long past does not wait for all that was closed since.
 */
function dealtIn(sql: Sql, userId: string, since: number | undefined, until: number | undefined): Fragment {
  if (since === undefined) return until === undefined ? sql`` : sql`and p.opened_at < to_timestamp(${until}::bigint)`;
  if (until === undefined) return sql`and p.closed_at >= to_timestamp(${since}::bigint)`;
  const within = (at: Fragment) => sql`${at} >= to_timestamp(${since}::bigint) and ${at} < to_timestamp(${until}::bigint)`;
  return sql`
    and p.id = any (array(
      select id from positions where user_id = ${userId} and status = 'closed' and ${within(sql`closed_at`)}
      union
      select id from positions where user_id = ${userId} and status = 'closed' and parent_id is null and ${within(sql`opened_at`)}
    ))
  `;
}

type HistoryQuery = Omit<QueryOf<typeof positionHistory>, "limit"> & { limit: number };
/** Closed positions, newest first; `cursor` as `cursorOf` made it of the last one seen. `since`, `until`: dealt in between, opened or closed, in Unix seconds. */
export const historyOf = (sql: Sql, userId: string, { limit, cursor, accountId, symbol, since, until }: HistoryQuery): Promise<ClosedPosition[]> => {
  return many(
    closedRow,
    sql`
      select ${positionColumns(sql)}, p.close_price as "currentPrice", p.profit, correction_told(p.id) as correction
      from positions p
      where p.user_id = ${userId} and p.status = 'closed'
        ${accountId ? sql`and p.account_id = ${accountId}` : sql``}
        ${symbol === undefined ? sql`` : sql`and p.symbol = ${symbol}`}
        ${dealtIn(sql, userId, since, until)}
        ${after(sql, "p.closed_at", "p.id", cursor)}
      order by p.closed_at desc, p.id desc
      limit ${limit}
    `,
  );
};
/** Orders that ended unfilled, those placed last first; `cursor` as `cursorOf` of lib made it of the last one seen. */
export const cancelledOf = (
  sql: Sql,
  userId: string,
  { limit, cursor, accountId }: { limit: number; cursor?: string | undefined; accountId?: string | undefined },
): Promise<Position[]> =>
  many(
    positionRow,
    sql`
      select ${positionColumns(sql)}, null::text as "currentPrice", null::text as profit
      from positions p
      where p.user_id = ${userId} and p.status = 'cancelled'
        ${accountId ? sql`and p.account_id = ${accountId}` : sql``}
        ${after(sql, "p.created_at", "p.id", cursor)}
      order by p.created_at desc, p.id desc
      limit ${limit}
    `,
  );
export const cursorOf = (last: { closedAt: string | null; id: string }) => `${last.closedAt}_${last.id}`;

const fillRow = v.strictObject({
  number: v.number(),
  kind: v.picklist(["open", "close"]),
  at: v.string(),
  quoteId: v.number(),
  quoteTime: v.string(),
  quoteAgeMs: v.number(),
  bid: v.string(),
  ask: v.string(),
  tierSpreadPips: v.string(),
  spreadFixed: v.boolean(),
  requestedPrice: decimal,
  price: v.string(),
  slippage: decimal,
  amount: v.string(),
  margin: v.string(),
  held: decimal,
  profit: decimal,
  reason: decimal,
  commission: decimal,
  commissionRate: decimal,
  groupTerms: decimal,
  marginLevel: decimal,
  equity: decimal,
  usedMargin: decimal,
  terms: v.nullable(
    v.strictObject({
      version: v.number(),
      minimum: decimal,
      step: decimal,
      maximum: decimal,
      marginPercent: decimal,
      marginSteps,
      clientLimit: decimal,
      markup: decimal,
    }),
  ),
  by: v.string(),
});
const receiptHead = v.strictObject({
  ...positionEntries,
  correction,
  parentId: v.nullable(v.string()),
  accountNumber: v.string(),
  isDemo: v.boolean(),
  covered: v.string(),
  cancelText: v.nullable(v.string()),
  placed: v.nullable(v.strictObject({ at: v.string(), quoteId: v.number(), quoteTime: v.string(), bid: v.string(), ask: v.string() })),
  moves: v.array(v.strictObject({ kind: v.picklist(["trail", "break_even"]), quoteId: v.number(), time: v.string(), level: v.string() })),
  marginCall: v.nullable(v.strictObject({ at: v.string(), level: v.string(), equity: v.string(), usedMargin: v.string() })),
});

/** The receipt of a person's own position: its fills with the quotes they were made from. Refuses another's. */
export async function receiptOf(sql: Sql, userId: string, positionId: string): Promise<Receipt> {
  const head = await one(
    receiptHead,
    sql`
      select ${positionColumns(sql)}, p.close_price as "currentPrice", p.profit, correction_told(p.id) as correction, p.parent_id as "parentId",
        a.account_number as "accountNumber", a.is_demo as "isDemo", p.covered, p.cancel_reason as "cancelText", (
          select json_build_object('at', iso(p.created_at), 'quoteId', x.seq, 'quoteTime', iso(x.at), 'bid', x.bid::text, 'ask', x.ask::text)
          from (
            select p.placed_seq as seq, p.placed_at as at, p.placed_bid as bid, p.placed_ask as ask where p.placed_seq is not null
            union all
            -- An order that was filled at once was placed on the tick that it was filled on.
            select f.quote_seq, f.quote_at, f.bid, f.ask from fills f where f.position_id = coalesce(p.parent_id, p.id) and f.kind = 'open' and f.actor_id is not null
            limit 1
          ) x
        ) as placed, (
          select coalesce(json_agg(json_build_object('kind', m.kind, 'quoteId', m.quote_seq, 'time', iso(m.quote_at), 'level', m.level::text) order by m.id), '[]')
          from stop_moves m
          where m.position_id = coalesce(p.parent_id, p.id)
            and m.quote_seq <= coalesce((select f.quote_seq from fills f where f.position_id = p.id and f.kind = 'close'), m.quote_seq)
        ) as moves, (
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
  const { parentId, accountNumber, isDemo, covered, cancelText, placed, moves, marginCall, ...position } = head;
  const { triggerPrice, limitPrice, cancelReason } = position;
  const trigger = triggerPrice === null ? null : { price: triggerPrice, limitPrice };
  return {
    position,
    accountNumber,
    isDemo,
    covered,
    cancelReason,
    cancelText,
    placed,
    trigger,
    moves,
    marginCall,
    fills: await fillsOf(sql, positionId, parentId ?? positionId, userId),
    nights: await nightsOf(sql, positionId),
  };
}

const nightRow = v.strictObject({
  night: v.string(),
  nights: v.number(),
  held: v.string(),
  unit: v.picklist(["points", "percent", "fee"]),
  rate: v.string(),
  groupTerms: v.string(),
  due: v.string(),
  amount: v.string(),
  advanced: v.string(),
});
/** So many nights are ten years' and more. */
const MOST_NIGHTS = 4000;
const nightsOf = (sql: Sql, positionId: string): Promise<SwapNight[]> =>
  many(
    nightRow,
    sql`
      select night::text, nights, held, unit, rate, group_id || ' v' || version as "groupTerms", due, amount, advanced
      from swaps where position_id = ${positionId} order by night limit ${MOST_NIGHTS}`,
  );

/** The opening fill is the whole position's, also for a part that was closed on its own. */
async function fillsOf(sql: Sql, positionId: string, openedAs: string, userId: string): Promise<Fill[]> {
  const fills = await many(
    fillRow,
    sql`
      select f.id as number, f.kind, f.created_at as at, f.quote_seq as "quoteId", f.quote_at as "quoteTime", f.quote_age_ms as "quoteAgeMs", f.bid, f.ask,
        f.tier_spread_pips as "tierSpreadPips", coalesce(f.spread_fixed, false) as "spreadFixed", f.requested_price as "requestedPrice", f.price, f.slippage, f.amount, f.margin, f.held, f.profit, f.reason,
        c.amount as commission, c.rate as "commissionRate",
        coalesce(f.group_id || ' v' || f.group_version, c.group_id || ' v' || c.version) as "groupTerms",
        margin_level(e.equity, e.used) as "marginLevel", e.equity, e.used as "usedMargin", (
          select instrument_json(t)::jsonb - 'state' - 'houseLimit' || jsonb_build_object('version', t.version)
          from positions p join instrument_terms t on t.symbol = p.symbol and t.version = f.terms_version
          where p.id = f.position_id
        ) as terms,
        case when f.actor_id = ${userId} then 'you' when f.actor_id is null then 'the trading engine' else 'an administrator' end as by
      from fills f
      left join margin_events e on e.position_id = f.position_id and f.kind = 'close'
      left join commissions c on c.position_id = f.position_id and c.side = f.kind
      where (f.position_id = ${openedAs} and f.kind = 'open') or (f.position_id = ${positionId} and f.kind = 'close')
      order by f.id
      limit 10
    `,
  );
  const proofs = await fillProofs(
    sql,
    fills.map(({ number, quoteId }) => ({ number, tick: quoteId })),
  );
  const found = new Map(fills.map(({ number }, n) => [number, proofs[n]]));
  return fills.map(({ number, ...fill }) => {
    const { proof = null, quote = null, word = NO_PROOF.notYet } = found.get(number) ?? {};
    return { ...fill, proof, quote, proofWord: word };
  });
}
