import { accountsOf } from "../accounts/queries";
import { nextOf } from "../lib/cursor";
import { add, sum } from "../lib/money";
import type { BoardArrays } from "../market/board_sql";
import { after, type Days, type Fragment, many, onDays, one, type Sql, within } from "../platform/database/db";
import { type ClientEvent, type ClientSummary, countRow, type EventKind, eventRow, MOST_COUNTED, type Timeline, waitRow } from "./schema_timeline";
import * as v from "valibot";

/**
 * A client's events, each source in parts that are each found by an index on the client. In each: when it happened, an id that tells it from all
 * others, what, more of it, the amount, where it leads, and whether it is something to be angry about. An instant is cut to milliseconds, which is
 * what a cursor holds; positions, of which one client may have very many, keep theirs so: such a part is read no further than the page goes. What each row
 * has one of is joined on the left, so that a count needs none of it; what it may have is looked up of the client's own rows, whatever the house has.
 */
type Source = { kind: EventKind; parts: (sql: Sql, userId: string) => Fragment[] };

const REASONS =
  "case o.close_reason when 'trader' then 'the client' when 'stop_loss' then 'stop loss' when 'take_profit' then 'take profit' when 'stop_out' then 'stop-out' else 'an administrator' end";

const SOURCES: readonly Source[] = [
  {
    kind: "money",
    parts: (sql, userId) => [
      sql`
      select d.created_at, 'asked ' || d.id, format('Deposit asked for, by %s', d.method), nullif(d.notes, ''), d.amount, 'deposits', false
      from deposits d where d.user_id = ${userId}
      `,
      sql`
      select date_trunc('milliseconds', d.decided_at), 'decided ' || d.id, format('Deposit %s', d.status), d.rejection_reason, d.credited, 'deposits', d.status = 'rejected'
      from deposits d where d.user_id = ${userId} and d.decided_at is not null
      `,
      sql`
      select w.created_at, 'asked ' || w.id, format('Withdrawal asked for, by %s', w.method), w.wallet_address, -w.amount, 'withdrawals', false
      from withdrawals w where w.user_id = ${userId}
      `,
      sql`
      select date_trunc('milliseconds', w.decided_at), 'decided ' || w.id, case w.status when 'approved' then 'Withdrawal paid out' else format('Withdrawal %s, money returned', w.status) end,
        w.rejection_reason, case when w.status <> 'approved' then w.amount end, 'withdrawals', w.status = 'rejected'
      from withdrawals w where w.user_id = ${userId} and w.decided_at is not null
      `,
      sql`
      select t.created_at, 'transfer ' || t.id, 'Transfer between own accounts', null, t.amount, 'ledger', false from transfers t where t.user_id = ${userId}
      `,
      sql`
      select date_trunc('milliseconds', b.created_at), 'bonus ' || b.entry_id, 'Bonus', null, b.amount, 'ledger', false from bonuses b where b.user_id = ${userId}
      `,
    ],
  },
  {
    kind: "deals",
    parts: (sql, userId) => [
      opened(sql, sql`o.user_id = ${userId} and o.status in ('pending', 'open') and o.status = 'open' and o.parent_id is null`),
      opened(sql, sql`o.user_id = ${userId} and o.status = 'closed' and o.parent_id is null`),
      placed(sql, "waits", sql`o.user_id = ${userId} and o.status in ('pending', 'open') and o.status = 'pending'`),
      placed(sql, "cancelled", sql`o.user_id = ${userId} and o.status = 'cancelled'`),
      sql`
      select o.closed_at, 'closed ' || o.id, format('%s %s %s closed by %s', upper(o.side), o.symbol, money_text(o.amount), ${sql.unsafe(REASONS)}), ${book(sql)}, o.profit,
        'positions', o.close_reason in ('stop_out', 'admin') and o.close_reason = 'stop_out' and not a.is_demo
      from positions o left join trading_accounts a on a.id = o.account_id
      where o.user_id = ${userId} and o.status = 'closed'
      `,
      sql`
      select date_trunc('milliseconds', m.created_at), 'margin ' || m.id, 'Margin call', ${book(sql)}, null, 'positions', not a.is_demo
      from trading_accounts a cross join lateral (select id, created_at from margin_events where account_id = a.id and kind = 'margin_call' offset 0) m
      where a.user_id = ${userId}
      `,
    ],
  },
  {
    kind: "corrections",
    parts: (sql, userId) => [
      sql`
      select k.created_at, 'correction ' || k.position_id, format('%s %s settled by %s', upper(o.side), o.symbol, k.administrator),
        format('%s; the market''s result was %s', k.reason, replace(money_text(k.market_profit), '$-', '−$')), k.settled_profit, 'positions', k.settled_profit < k.market_profit
      from positions o cross join lateral (select position_id, administrator, reason, market_profit, settled_profit, created_at from corrections where position_id = o.id offset 0) k
      where o.user_id = ${userId} and o.close_reason in ('stop_out', 'admin') and o.close_reason = 'admin'
      `,
      sql`
      select d.created_at, 'dispute ' || d.id, 'Objected to a correction', d.message, null, 'tickets', true
      from positions o cross join lateral (select id, message, created_at from disputes where position_id = o.id offset 0) d
      where o.user_id = ${userId} and o.close_reason in ('stop_out', 'admin') and o.close_reason = 'admin'
      `,
    ],
  },
  {
    kind: "letters",
    parts: (sql, userId) => [
      sql`
      select l.created_at, 'letter ' || l.id, format('Letter: %s', replace(l.kind, '_', ' ')), concat_ws(': ', l.status, l.answer), null::numeric, 'letters', l.status = 'failed'
      from letters l where l.user_id = ${userId}
      `,
    ],
  },
  {
    kind: "tickets",
    parts: (sql, userId) => [
      sql`
      select t.created_at, 'ticket ' || t.id, format('Ticket: %s', t.subject), t.message, null::numeric, 'ticket ' || t.id, false
      from support_tickets t where t.user_id = ${userId}
      `,
      sql`
      select m.created_at, 'said ' || m.id, format(case when m.is_from_staff then 'Answered: %s' else 'Wrote again: %s' end, t.subject), m.message, null, 'ticket ' || t.id, false
      from support_tickets t cross join lateral (select id, message, is_from_staff, created_at from ticket_messages where ticket_id = t.id offset 0) m
      where t.user_id = ${userId}
      `,
    ],
  },
  {
    kind: "chats",
    parts: (sql, userId) => [
      sql`
      select s.created_at, 'chat ' || s.id, 'Chat began', s.last_message, null::numeric, 'chat ' || s.id, false from chat_sessions s where s.user_id = ${userId}
      `,
      sql`
      select date_trunc('milliseconds', s.ended_at), 'ended ' || s.id, 'Chat ended', s.last_message, null, 'chat ' || s.id, false from chat_sessions s where s.user_id = ${userId} and s.ended_at is not null
      `,
    ],
  },
  {
    kind: "sign-ins",
    parts: (sql, userId) => [
      sql`
      select date_trunc('milliseconds', s.created_at), 'session ' || s.id, 'Signed in', null::text, null::numeric, 'sessions', false from sessions s where s.user_id = ${userId}
      `,
      sql`
      select date_trunc('milliseconds', r.created_at), 'refused ' || r.id, format('Refused at %s', r.path), r.reason, null, null, true from refused_attempts r where r.user_id = ${userId}
      `,
    ],
  },
  {
    kind: "staff",
    parts: (sql, userId) => [
      sql`
      select date_trunc('milliseconds', e.created_at), 'deed ' || e.id, e.action, concat_ws(': ', a.first_name || ' ' || a.last_name, nullif(coalesce(nullif(e.reason, ''), e.details ->> 'note'), '')), null::numeric, 'audit',
        e.action in ('user.suspend', 'user.ban', 'registration.reject') or e.action = 'document.reject' or (e.action = 'user.kyc' and e.new_state ->> 'kyc_status' = 'rejected')
      from admin_actions e left join users a on a.id = e.admin_user_id
      where e.target_user_id = ${userId}
      `,
    ],
  },
];
const book = (sql: Sql) => sql`a.account_number || case when a.is_demo then ', demo' else '' end`;
const opened = (sql: Sql, which: Fragment) => sql`
  select o.opened_at, 'opened ' || o.id, format('%s %s %s opened', upper(o.side), o.symbol, money_text(o.amount)), ${book(sql)}, null::numeric, 'positions', false
  from positions o left join trading_accounts a on a.id = o.account_id
  where ${which}
`;
/**
 * Orders that wait, or ended unfilled, in the words of the client's own page and, as there, at the moment that they were placed: when one ended
 * no column says, so the words say that it was later. No list of staff shows them, so that they lead nowhere.
 */
const placed = (sql: Sql, what: "waits" | "cancelled", which: Fragment) => sql`
  select o.created_at, 'placed ' || o.id, format('%s %s %s order ${sql.unsafe(what)}', upper(o.side), o.symbol, money_text(o.amount)),
    concat_ws(
      '; ', case o.status when 'cancelled' then concat('placed at this moment, ended later: ', coalesce(rtrim(o.cancel_reason, '.'), 'cancelled')) end,
      case o.order_type when 'market' then 'at the market' else format('%s at %s', replace(o.order_type, '_', '-'), price_digits(o.trigger_price, (i.listing ->> 'digits')::integer)) end,
      ${book(sql)}
    ), null::numeric, null::text, false
  from positions o
  left join trading_accounts a on a.id = o.account_id
  left join instruments i on i.symbol = o.symbol
  where ${which}
`;

type Search = Days & { kind: "" | "wrong" | EventKind; limit: number; cursor?: string | undefined };

const joined = (sql: Sql, parts: Fragment[]) => parts.reduce((all, part) => sql`${all} union all ${part}`);

/** The newest of a part, as rows of the list. */
const newestOf = (sql: Sql, kind: EventKind, part: Fragment, { kind: asked, limit, cursor, ...days }: Search) => sql`
  (
    select s.at as created_at, md5(s.name)::uuid as id, ${kind}::text as kind, s.title, left(coalesce(s.detail, ''), 300) as detail, s.amount::text as amount, s.place, s.wrong
    from (${part}) s (at, name, title, detail, amount, place, wrong)
    where ${asked === "wrong" ? sql`s.wrong` : sql`true`} ${onDays(sql, sql`s.at`, days)} ${after(sql, sql`s.at`, sql`md5(s.name)::uuid`, cursor)}
    order by s.at desc, md5(s.name)::uuid desc
    limit ${limit}
  )
`;

/**
 * Most clients have few rows, so that the planner would gather all and sort them; of one with very many each part is walked in its index's order. For the
 * sake of one it may even read a table whole, and what else stands in it.
 */
const WALKS = ["bitmapscan", "sort", "seqscan", "hashjoin", "mergejoin"].map((way) => `set local enable_${way} = off`).join("; ");
const walking = <T>(sql: Sql, read: (tx: Sql) => Promise<T>): Promise<T> =>
  within(sql, async (tx) => {
    await tx.unsafe(WALKS);
    return read(tx);
  });

/** The events, newest first; each source gives its newest alone. */
const eventsOf = (sql: Sql, userId: string, search: Search): Promise<ClientEvent[]> => {
  const { kind, limit } = search;
  const wanted = SOURCES.filter((source) => kind === "" || kind === "wrong" || source.kind === kind);
  return walking(sql, async (tx) => {
    const parts = wanted.flatMap((source) => source.parts(tx, userId).map((part) => newestOf(tx, source.kind, part, search)));
    const rows = await many(
      eventRow,
      tx`
        select l.id, l.created_at as "createdAt", l.kind, l.title, l.detail, l.amount, l.place as href, l.wrong
        from (${joined(tx, parts)}) l
        order by l.created_at desc, l.id desc
        limit ${limit}
      `,
    );
    return rows.map((row) => ({ ...row, href: row.href && hrefOf(userId, row.href) }));
  });
};

/** Where an event leads: a tab of the client's page, a ticket or a chat. */
function hrefOf(userId: string, place: string): string {
  const [what, id] = place.split(" ");
  if (what === "ticket") return `/admin?tab=support&ticket=${id}`;
  return what === "chat" ? `/admin?tab=support&view=chat&session=${id}` : `/admin/users/${userId}?tab=${what}`;
}

/** Of each part no more is counted than is told of all. */
const countsOf = (sql: Sql, userId: string) =>
  walking(sql, (tx) => {
    const counted = ({ kind, parts }: Source) => {
      const each = parts(tx, userId).map((part) => tx`select count(*) as count from (select from (${part}) s limit ${MOST_COUNTED}) n`);
      return tx`select ${kind}::text as kind, least(sum(c.count), ${MOST_COUNTED}::integer)::integer as count from (${joined(tx, each)}) c`;
    };
    return many(countRow, tx`${joined(tx, SOURCES.map(counted))} limit 20`);
  });

const waitsOf = (sql: Sql, userId: string) =>
  many(
    waitRow,
    sql`
      select w.what, count(*) as count, min(w.since) as since
      from (
        select 'registration' as what, created_at as since from users where id = ${userId} and registration_status = 'pending' and role = 'user'
        union all
        select 'deposit', created_at from deposits where user_id = ${userId} and status = 'pending'
        union all
        select 'withdrawal', created_at from withdrawals where user_id = ${userId} and status = 'pending'
        union all
        select 'correction', r.created_at
        from positions p join correction_requests r on r.position_id = p.id
        where p.user_id = ${userId} and p.status = 'open' and not exists (select from correction_decisions d where d.request_id = r.id)
        union all
        select 'ticket', waiting_since from support_tickets where user_id = ${userId} and waiting_since is not null
        union all
        select 'chat', waiting_since from chat_sessions where user_id = ${userId} and waiting_since is not null
      ) w
      group by w.what
      order by min(w.since)
      limit 10
    `,
  );

const heldRow = v.strictObject({ wallet: v.string(), held: v.string() });

/** The client's three sentences. */
export async function summaryOf(sql: Sql, userId: string, board: BoardArrays): Promise<ClientSummary> {
  const [held, accounts, wrong, waits] = await Promise.all([
    one(
      heldRow,
      sql`
        select coalesce(sum(balance) filter (where kind = 'wallet'), 0.00) as wallet, coalesce(sum(balance) filter (where kind = 'withdrawal_hold'), 0.00) as held
        from ledger_accounts where owner_id = ${userId}
      `,
    ),
    accountsOf(sql, userId, board),
    eventsOf(sql, userId, { kind: "wrong", limit: 1 }),
    waitsOf(sql, userId),
  ]);
  const live = accounts.filter(({ isDemo }) => !isDemo);
  const wallet = held?.wallet ?? "0.00";
  const beside = add(wallet, held?.held ?? "0.00");
  const whole = (amounts: string[]) => add(beside, sum(amounts));
  return {
    wallet,
    balance: whole(live.map(({ balance }) => balance)),
    equity: whole(live.map(({ equity }) => equity)),
    wrong: wrong[0] ?? null,
    waits,
  };
}

/** A client's timeline as it is asked for, with what is said above it. */
export async function timelineOf(sql: Sql, userId: string, search: Search, board: BoardArrays): Promise<Timeline> {
  const [summary, counts, events] = await Promise.all([summaryOf(sql, userId, board), countsOf(sql, userId), eventsOf(sql, userId, search)]);
  return { summary, counts, events, next: nextOf(events, search.limit) };
}
