import * as v from "valibot";
import { type Db, many, type Sql } from "../platform/database/db";
import { spreadEntries } from "../accounts/schema_rows";
import { orderTypes } from "./schema";

/** What the engine reads: the book that it watches, and what changed without its doing. */

const decimal = v.nullable(v.string());
/** What an account's group says by now, and to what of it is open (rules_prices). */
const tier = { ...spreadEntries, version: v.number(), held: v.nullable(v.record(v.string(), v.strictObject(spreadEntries))) };
const tierColumns = (sql: Sql) => sql`t.spreads_from as "spreadsFrom", nullif(t.spreads, '[]') as spreads, t.version, held_json(t) as held`;
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
  expiresAt: decimal,
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
        p.trigger_price as "triggerPrice", p.limit_price as "limitPrice", p.set_off_seq is not null as "setOff", p.expires_at as "expiresAt",
        coalesce(p.place, 0) as place, p.trailing_distance as "trailingDistance", case when p.broke_even_seq is null then p.break_even_at end as "breakEvenAt"
      from positions p
      join trading_accounts a on a.id = p.account_id
      join account_types t on t.id = a.account_type_id
      join ledger_accounts l on l.id = a.ledger_account_id
      where p.account_id = ${accountId} and p.status in ('pending', 'open')
      limit 1000
    `,
  );

const { id, symbol, side, amount, openPrice, margin, stopLoss, takeProfit, sinceSeq } = watchRow.entries;
const { userId, accountId, groupVersion, termsVersion, leverage, net, called, orderType, triggerPrice, limitPrice, setOff, expiresAt, place } =
  watchRow.entries;
const { trailingDistance, breakEvenAt } = watchRow.entries;
const bookAccount = v.strictObject({ accountId, userId, ...tier, leverage, net, called });
const openEntries = {
  id,
  accountId,
  symbol,
  side,
  amount,
  openPrice,
  margin,
  stopLoss,
  takeProfit,
  sinceSeq,
  trailingDistance,
  breakEvenAt,
  groupVersion,
  termsVersion,
};
const bookOpen = v.strictObject(openEntries);
const bookWaiting = v.strictObject({ id, accountId, symbol, side, orderType, triggerPrice, limitPrice, setOff, expiresAt, place, sinceSeq });
const NOT_WAITING = { status: "open", orderType: "market", triggerPrice: null, limitPrice: null, setOff: false, expiresAt: null, place: 0 } as const;
const NOT_OPEN = {
  status: "pending",
  amount: "0",
  openPrice: null,
  margin: "0",
  stopLoss: null,
  takeProfit: null,
  trailingDistance: null,
  breakEvenAt: null,
  groupVersion: null,
  termsVersion: null,
} as const;

/**
 * The whole book, by account: all open positions and waiting orders, as of one moment. What each needs is read by itself, since a start waits
 * for it; of a waiting order amount, margin and exits are not told.
 */
export async function watchedBook(sql: Db): Promise<Watched[][]> {
  const [accounts, open, waiting] = await sql.begin("isolation level repeatable read read only", async (tx) => [
    await many(
      bookAccount,
      tx`
        select a.id as "accountId", a.user_id as "userId", ${tierColumns(tx)}, a.leverage, l.balance - a.advance as net, a.margin_called_at is not null as called
        from trading_accounts a
        join account_types t on t.id = a.account_type_id
        join ledger_accounts l on l.id = a.ledger_account_id
        where exists (select from positions p where p.account_id = a.id and p.status in ('pending', 'open'))
      `,
    ),
    await many(
      bookOpen,
      tx`
        select id, account_id as "accountId", symbol, side, amount, open_price as "openPrice", margin, stop_loss as "stopLoss", take_profit as "takeProfit",
          coalesce(since_seq, 0) as "sinceSeq", trailing_distance as "trailingDistance", case when broke_even_seq is null then break_even_at end as "breakEvenAt",
          group_version as "groupVersion", terms_version as "termsVersion"
        from positions where status in ('pending', 'open') and status = 'open'
      `,
    ),
    await many(
      bookWaiting,
      tx`
        select id, account_id as "accountId", symbol, side, order_type as "orderType", trigger_price as "triggerPrice", limit_price as "limitPrice",
          set_off_seq is not null as "setOff", expires_at as "expiresAt", coalesce(place, 0) as place, coalesce(since_seq, 0) as "sinceSeq"
        from positions where status in ('pending', 'open') and status = 'pending'
      `,
    ),
  ]);
  const book = new Map(accounts.map((account) => [account.accountId, { account, rows: [] as Watched[] }]));
  for (const row of open) {
    const its = book.get(row.accountId);
    its?.rows.push({ ...NOT_WAITING, ...its.account, ...row });
  }
  for (const row of waiting) {
    const its = book.get(row.accountId);
    its?.rows.push({ ...NOT_OPEN, ...its.account, ...row });
  }
  return [...book.values()].map(({ rows }) => rows);
}

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
