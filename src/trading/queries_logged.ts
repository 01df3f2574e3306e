import * as v from "valibot";
import { priceText } from "../lib/money";
import { pipOf } from "../market/schema";
import { many } from "../platform/database/db";
import type { NewRecord, Source, Told } from "../proof/sources";

/** What the public log tells of deals. All of it is read from what never changes: receipts, and positions that have ended. */

const money = v.string();
const maybe = v.nullable(v.string());
const fillRow = v.strictObject({
  fill: v.number(),
  kind: v.picklist(["open", "close"]),
  position: v.string(),
  parent: maybe,
  opening: v.nullable(v.number()),
  account: v.string(),
  demo: v.boolean(),
  symbol: v.string(),
  side: v.string(),
  order: v.string(),
  amount: money,
  leverage: v.number(),
  margin: money,
  price: money,
  openPrice: maybe,
  moved: money,
  requested: maybe,
  slippage: maybe,
  slippageBound: maybe,
  trigger: maybe,
  limit: maybe,
  profit: maybe,
  booked: maybe,
  covered: money,
  reason: maybe,
  stopLoss: maybe,
  takeProfit: maybe,
  watchedFrom: v.nullable(v.number()),
  tick: v.number(),
  tickAt: v.string(),
  tickAgeMs: v.number(),
  bid: money,
  ask: money,
  spreadPips: money,
  at: v.string(),
});
type FillRow = v.InferOutput<typeof fillRow>;

const refsOf = (told: readonly Told[]) => told.map(({ ref }) => ref);

const fills: Source = {
  note: "fill",
  async read(sql, told, { terms }) {
    const rows = await many(
      fillRow,
      sql`
        select f.id as fill, f.kind, p.id as position, p.parent_id as parent,
          case f.kind when 'close' then (select o.id from fills o where o.position_id = coalesce(p.parent_id, p.id) and o.kind = 'open') end as opening,
          p.account_id as account, a.is_demo as demo, p.symbol, p.side, p.order_type as "order", f.amount, p.leverage, f.margin, f.price,
          p.open_price as "openPrice", p.moved, f.requested_price as requested, f.slippage, p.max_slippage as "slippageBound",
          p.trigger_price as trigger, p.limit_price as limit, f.profit, p.profit as booked, p.covered, f.reason, p.stop_loss as "stopLoss",
          p.take_profit as "takeProfit", p.since_seq as "watchedFrom", f.quote_seq as tick, f.quote_at as "tickAt", f.quote_age_ms as "tickAgeMs", f.bid, f.ask,
          f.tier_spread_pips as "spreadPips", f.created_at as at
        from fills f
        join positions p on p.id = f.position_id
        join trading_accounts a on a.id = p.account_id
        where f.id = any(${refsOf(told)}::bigint[])
        limit ${told.length}`,
    );
    return new Map(rows.map((row) => [String(row.fill), row.kind === "open" ? fillOf(row, terms) : exitOf(row, terms)]));
  },
};

const pricedOf = ({ symbol, tick, tickAt, tickAgeMs, bid, ask, spreadPips }: FillRow, terms: number) => ({
  tick,
  tickAt,
  tickAgeMs,
  bid,
  ask,
  pip: priceText(pipOf(symbol)),
  spreadPips,
  terms,
});
const dealtOf = ({ fill, position, account, demo, symbol, side, amount, leverage, margin, price, requested, slippage, at }: FillRow) => ({
  fill,
  position,
  account,
  demo,
  symbol,
  side,
  amount,
  leverage,
  margin,
  price,
  requested,
  slippage,
  at,
});

/** Of a position that may be open still, what does not change any more. */
const fillOf = (row: FillRow, terms: number): NewRecord => ({
  kind: "fill",
  fields: { ...dealtOf(row), order: row.order, slippageBound: row.slippageBound, trigger: row.trigger, limit: row.limit, ...pricedOf(row, terms) },
});
const exitOf = (row: FillRow, terms: number): NewRecord => ({
  kind: "exit",
  fields: {
    ...dealtOf(row),
    parent: row.parent,
    opening: row.opening ?? 0,
    openPrice: row.openPrice ?? "",
    moved: row.moved,
    profit: row.profit ?? "",
    booked: row.booked ?? "",
    covered: row.covered,
    reason: row.reason ?? "",
    stopLoss: row.stopLoss,
    takeProfit: row.takeProfit,
    watchedFrom: row.watchedFrom,
    ...pricedOf(row, terms),
  },
});

const cancellationRow = v.strictObject({
  position: v.string(),
  account: v.string(),
  demo: v.boolean(),
  symbol: v.string(),
  side: v.string(),
  order: v.string(),
  amount: money,
  trigger: maybe,
  limit: maybe,
  code: maybe,
  tick: v.nullable(v.number()),
  needed: maybe,
  free: maybe,
});

const cancellations: Source = {
  note: "cancellation",
  async read(sql, told) {
    const rows = await many(
      cancellationRow,
      sql`
        select p.id as position, p.account_id as account, a.is_demo as demo, p.symbol, p.side, p.order_type as "order", p.amount, p.trigger_price as trigger,
          p.limit_price as limit, p.cancel_code as code, p.since_seq as tick, p.cancel_needed as needed, p.cancel_free as free
        from positions p join trading_accounts a on a.id = p.account_id
        where p.id = any(${refsOf(told)}::uuid[]) and p.status = 'cancelled'
        limit ${told.length}`,
    );
    const at = new Map(told.map((each) => [each.ref, each.at]));
    return new Map(rows.map((row) => [row.position, { kind: "cancellation", fields: { ...row, at: at.get(row.position) ?? "" } }]));
  },
};

const marginRow = v.strictObject({
  number: v.number(),
  event: v.string(),
  account: v.string(),
  demo: v.boolean(),
  position: maybe,
  equity: money,
  used: money,
  at: v.string(),
});

const margins: Source = {
  note: "margin",
  async read(sql, told) {
    const rows = await many(
      marginRow,
      sql`
        select m.id as number, m.kind as event, m.account_id as account, a.is_demo as demo, m.position_id as position, m.equity, m.used, m.created_at as at
        from margin_events m join trading_accounts a on a.id = m.account_id
        where m.id = any(${refsOf(told)}::bigint[])
        limit ${told.length}`,
    );
    return new Map(rows.map((row) => [String(row.number), { kind: "margin", fields: row }]));
  },
};

const correctionRow = v.strictObject({
  position: v.string(),
  account: v.string(),
  demo: v.boolean(),
  request: maybe,
  administrator: v.string(),
  reason: v.string(),
  marketPrice: money,
  marketProfit: money,
  settledProfit: money,
  at: v.string(),
});

const corrections: Source = {
  note: "correction",
  async read(sql, told) {
    const rows = await many(
      correctionRow,
      sql`
        select c.position_id as position, p.account_id as account, a.is_demo as demo, c.request_id as request, c.administrator, c.reason,
          c.market_price as "marketPrice", c.market_profit as "marketProfit", c.settled_profit as "settledProfit", c.created_at as at
        from corrections c join positions p on p.id = c.position_id join trading_accounts a on a.id = p.account_id
        where c.position_id = any(${refsOf(told)}::uuid[])
        limit ${told.length}`,
    );
    return new Map(rows.map((row) => [row.position, { kind: "correction", fields: row }]));
  },
};

const confirmationRow = v.strictObject({
  request: v.string(),
  position: v.string(),
  account: v.string(),
  demo: v.boolean(),
  decision: v.string(),
  marketProfit: money,
  settledProfit: money,
  reason: v.string(),
  at: v.string(),
});

const confirmations: Source = {
  note: "confirmation",
  async read(sql, told) {
    const rows = await many(
      confirmationRow,
      sql`
        select d.request_id as request, r.position_id as position, p.account_id as account, a.is_demo as demo, d.decision, r.market_profit as "marketProfit",
          r.settled_profit as "settledProfit", d.reason, d.created_at as at
        from correction_decisions d join correction_requests r on r.id = d.request_id join positions p on p.id = r.position_id
          join trading_accounts a on a.id = p.account_id
        where d.request_id = any(${refsOf(told)}::uuid[])
        limit ${told.length}`,
    );
    return new Map(rows.map((row) => [row.request, { kind: "confirmation", fields: row }]));
  },
};

export const loggedDeals: readonly Source[] = [fills, cancellations, margins, corrections, confirmations];
