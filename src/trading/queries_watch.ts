import * as v from "valibot";
import { many, type Sql } from "../platform/database/db";
import { spreadEntries } from "../accounts/schema_rows";
import { orderTypes } from "./schema";

/** What the engine reads: the book that it watches, and what changed without its doing. */

const decimal = v.nullable(v.string());
/** What an account's group says by now, and to what of it is open (rules_prices). */
export const tier = { ...spreadEntries, version: v.number(), held: v.nullable(v.record(v.string(), v.strictObject(spreadEntries))) };
export const tierColumns = (sql: Sql) => sql`t.spreads_from as "spreadsFrom", nullif(t.spreads, '[]') as spreads, t.version, held_json(t) as held`;
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
  ...tier,
  groupVersion: v.nullable(v.number()),
  termsVersion: v.nullable(v.number()),
  leverage: v.number(),
  net: v.string(),
  called: v.boolean(),
  sinceSeq: v.number(),
  orderType: v.picklist(orderTypes),
  triggerPrice: decimal,
  limitPrice: decimal,
  setOff: v.boolean(),
  expiresAt: v.nullable(v.number()),
  place: v.number(),
  trailingDistance: decimal,
  breakEvenAt: decimal,
});
/**
 * What the engine needs to watch a position and its account. `net`: the balance less the house's advance. `called`: the trader was told of too
 * low a margin. `sinceSeq`: the tick at which the position was opened or its exits moved; 0: not known. `breakEvenAt`: null once that was done.
 */
export type Watched = v.InferOutput<typeof watchRow>;

/** One account's open positions and waiting orders. */
export const watchedPositions = (sql: Sql, accountId: string): Promise<Watched[]> =>
  many(
    watchRow,
    sql`
      select p.id, p.user_id as "userId", p.account_id as "accountId", p.symbol, p.side, p.status, p.amount, p.open_price as "openPrice", p.margin,
        p.stop_loss as "stopLoss", p.take_profit as "takeProfit", ${tierColumns(sql)}, p.group_version as "groupVersion", p.terms_version as "termsVersion", a.leverage, l.balance - a.advance as net,
        a.margin_called_at is not null as called, coalesce(p.since_seq, 0) as "sinceSeq", p.order_type as "orderType",
        p.trigger_price as "triggerPrice", p.limit_price as "limitPrice", p.set_off_seq is not null as "setOff", trunc(extract(epoch from p.expires_at) * 1000)::bigint as "expiresAt",
        coalesce(p.place, 0) as place, p.trailing_distance as "trailingDistance", case when p.broke_even_seq is null then p.break_even_at end as "breakEvenAt"
      from positions p
      join trading_accounts a on a.id = p.account_id
      join account_types t on t.id = a.account_type_id
      join ledger_accounts l on l.id = a.ledger_account_id
      where p.account_id = ${accountId} and p.status in ('pending', 'open')
      limit 1000
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
          '%s %s %s %s %s %s', trunc((l.balance - a.advance) * 100), count(p.id),
          trunc(coalesce(sum(p.stop_loss) filter (where p.status = 'open'), 0) * 100000000),
          trunc(coalesce(sum(p.take_profit) filter (where p.status = 'open'), 0) * 100000000),
          coalesce(sum(p.since_seq), 0),
          trunc(coalesce(sum(
            coalesce(p.trailing_distance, 0) + coalesce(case when p.broke_even_seq is null then p.break_even_at end, 0)
          ) filter (where p.status = 'open') , 0) * 100000000)
            + trunc(coalesce(sum(case when p.set_off_seq is null then p.trigger_price else p.limit_price end) filter (where p.status = 'pending'), 0) * 100000000)
            + coalesce(sum(trunc(extract(epoch from p.expires_at) * 1000)) filter (where p.status = 'pending'), 0)
        ) end as digest
      from trading_accounts a
      join ledger_accounts l on l.id = a.ledger_account_id
      left join positions p on p.account_id = a.id and p.status in ('pending', 'open')
      where a.updated_at >= now() - make_interval(secs => ${seconds})
      group by a.id, l.balance
      limit 100000
    `,
  );

/** The accounts that other programs asked the engine to check. Each is returned once, to the leader of this epoch. */
export const takeRechecks = (sql: Sql, epoch: number): Promise<{ id: string }[]> =>
  many(v.strictObject({ id: v.string() }), sql`select id from rechecks_take(${epoch}) as asked (id) limit 100000`);
