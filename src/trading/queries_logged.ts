import * as v from "valibot";
import { many } from "../platform/database/db";
import { refsOf, type Source } from "../proof/sources";

/** What the public log tells of deals beside their receipts. All of it is read from what never changes. */

const money = v.string();
const maybe = v.nullable(v.string());

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

export const loggedDeals: readonly Source[] = [cancellations, margins, corrections, confirmations];
