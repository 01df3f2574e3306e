-- The business day, which is the calendar day in UTC as on statements: what it brought the house, line by line, and its closing.

-- Each thing that live money did to the house on a day, taken from the house's own postings, so that the lines add up to the ledger. What a
-- closing brought is told apart: `spread` is half of the spread at the opening and at the closing fill, `clients` the rest of the market's
-- result; `commissions` and `swaps` are entries of their own. `forgiven` is what a loss took beyond a balance, or a later profit gave back of
-- it. Amounts are the house's, but for money `in` and `out` by method, which is the clients'. Each row is looked up by an index, whatever the
-- planner guesses of a day that statistics do not know yet: what a day costs is what happened on it.
create or replace function day_lines(of_day date) returns table (
  entry_id bigint, at timestamptz, part text, method text, user_id uuid, object_id uuid, memo text, amount numeric
) language sql stable set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  select e.id, e.created_at, line.part, line.method,
    coalesce(
      o.user_id, d.user_id, w.user_id,
      (select c.owner_id from ledger_postings g join ledger_accounts c on c.id = g.account_id and c.owner_id is not null where g.entry_id = e.id limit 1)
    ),
    e.object_id, e.memo, line.amount
  from (
    -- The day's entries first, and of each its own postings: the house's accounts have postings of all days.
    select id, kind, object_id, memo, created_at from ledger_entries
    where created_at >= of_day::timestamp at time zone 'UTC' and created_at < (of_day + 1)::timestamp at time zone 'UTC'
    offset 0
  ) e
  cross join lateral (
    select g.account_id, g.amount
    from ledger_postings g
    where g.entry_id = e.id and g.account_id = any (array(select id from ledger_accounts where owner_id is null and book = 'live'))
    offset 0
  ) p
  join ledger_accounts a on a.id = p.account_id
  left join positions o on e.kind = 'trade_close' and o.id = e.object_id
  left join fills opening on opening.position_id = coalesce(o.parent_id, o.id) and opening.kind = 'open'
  left join fills closing on closing.position_id = o.id and closing.kind = 'close'
  left join deposits d on e.kind = 'deposit' and d.id = e.object_id
  left join withdrawals w on e.kind = 'withdrawal_paid' and w.id = e.object_id
  cross join lateral (
    select coalesce(
      round(o.amount * (abs(opening.price - (opening.bid + opening.ask) / 2) + abs(closing.price - (closing.bid + closing.ask) / 2)) / o.open_price, 2), 0
    ) as spread
  ) s
  cross join lateral (
    select 'spread' as part, null::text as method, s.spread as amount where a.kind = 'house_pnl'
    union all
    select case e.kind when 'commission' then 'commissions' when 'swap' then 'swaps' else 'clients' end, null, p.amount - s.spread where a.kind = 'house_pnl'
    union all
    select 'corrections', null, p.amount + coalesce(o.covered, 0) where a.kind = 'house_adjustment'
    union all
    select 'forgiven', null, -coalesce(o.covered, 0) where a.kind = 'house_adjustment'
    union all
    select 'bonuses', null, p.amount where a.kind = 'house_bonus'
    union all
    select case when p.amount < 0 then 'in' else 'out' end, coalesce(d.method, w.method, 'other'), -p.amount where a.kind = 'house_clearing'
  ) line
  where line.amount <> 0
$$;

-- The day in sums, its lines read once: `figures`, each part of the house's result, money in and out by method, and the last entry that is in
-- them; and of whom it moved most, the first so many `byResult`, the house's, and `byMoney`, in less out.
create or replace function day_sums(of_day date, named integer) returns json language sql stable as $$
  with
    lines as materialized (select l.entry_id, l.part, l.method, l.user_id, l.amount from day_lines(of_day) l),
    summed as (
      select f.part, f.method, count(l.part) as count, coalesce(sum(l.amount), 0.00)::text as amount, f.place
      from (
        select part, null as method, place from unnest('{spread,clients,commissions,swaps,corrections,forgiven,bonuses}'::text[]) with ordinality as r (part, place)
        -- The release before knows no such parts.
        where part not in ('commissions', 'swaps') or part in (select l.part from lines l)
        union all
        select distinct part, method, 10 from lines where method is not null
      ) f
      left join lines l on l.part = f.part and l.method is not distinct from f.method
      group by f.part, f.method, f.place
    ),
    mover as materialized (
      select l.user_id,
        coalesce(-sum(l.amount) filter (where l.part in ('spread', 'commissions', 'swaps', 'clients', 'corrections', 'forgiven')), 0.00) as result,
        coalesce(sum(l.amount) filter (where l.part = 'in'), 0.00) as paid_in, coalesce(sum(l.amount) filter (where l.part = 'out'), 0.00) as paid_out
      from lines l
      where l.user_id is not null
      group by l.user_id
    ),
    first as (
      (
        select 'result' as list, m.*, row_number() over (order by abs(m.result) desc, m.user_id) as place
        from mover m where m.result <> 0 order by place limit named
      )
      union all
      (
        select 'money', m.*, row_number() over (order by m.paid_in - m.paid_out desc, m.user_id)
        from mover m where m.paid_in <> 0 or m.paid_out <> 0 order by 6 limit named
      )
    ),
    named_first as (
      select f.list, json_agg(
        json_build_object(
          'userId', f.user_id, 'firstName', u.first_name, 'lastName', u.last_name, 'email', u.email,
          'result', f.result::text, 'moneyIn', f.paid_in::text, 'moneyOut', f.paid_out::text
        ) order by f.place
      ) as movers
      from first f
      join users u on u.id = f.user_id
      group by f.list
    )
  select json_build_object(
    'figures', json_build_object(
      'house', (select coalesce(sum(amount) filter (where method is null), 0.00)::text from lines),
      'moneyIn', (select coalesce(sum(amount) filter (where part = 'in'), 0.00)::text from lines),
      'moneyOut', (select coalesce(sum(amount) filter (where part = 'out'), 0.00)::text from lines),
      'parts', (
        select json_agg(json_build_object('part', part, 'method', method, 'count', count, 'amount', amount) order by place, part, method) from summed
      ),
      'lastEntry', (select coalesce(max(entry_id), 0) from lines)
    ),
    'byResult', coalesce((select movers from named_first where list = 'result'), '[]'::json),
    'byMoney', coalesce((select movers from named_first where list = 'money'), '[]'::json)
  )
$$;
create or replace function day_figures(of_day date) returns json language sql stable as $$
  select day_sums(of_day, 0) -> 'figures'
$$;

-- Writes a day's figures down, for good, and in the audit book. Only a day that is over is closed, each once and in their order; the first
-- may be any since the first person was here.
create or replace function day_close(admin uuid, of_day date, now_floating numeric, ip text, agent text) returns bigint language plpgsql as $$
declare
  last date;
  figures json;
  entry bigint;
begin
  perform refuse_own(admin, null);
  if clock_timestamp() < (of_day + 1)::timestamp at time zone 'UTC' then perform refuse('conflict', 'This day is not over yet (days are in UTC).'); end if;
  -- One closing at a time, so that the order of days is judged on what is written.
  perform pg_advisory_xact_lock(hashtext('day_close'));
  select max(day) into last from closed_days;
  if of_day <= last then
    perform refuse('conflict', case when exists (select from closed_days where day = of_day) then 'This day is closed already.' else 'Later days are closed already.' end);
  elsif of_day > last + 1 then
    perform refuse('conflict', format('%s comes first: days are closed in their order.', to_char(last + 1, 'YYYY-MM-DD')));
  elsif last is null and of_day < coalesce((select (created_at at time zone 'UTC')::date from users order by created_at limit 1), of_day + 1) then
    perform refuse('conflict', 'Nobody was here on that day.');
  end if;
  -- Whoever books holds the house's accounts from before the entry gets its time until it is committed: held here for a moment and let go,
  -- they tell that all of a day that is over has been written.
  begin
    perform 1 from ledger_accounts where owner_id is null order by id for update;
    raise exception 'let go' using errcode = 'HL000';
  exception when sqlstate 'HL000' then null;
  end;
  figures := day_figures(of_day);
  entry := audit_append(
    admin, null, 'day.close', json_build_object('day', to_char(of_day, 'YYYY-MM-DD'), 'figures', figures, 'floating', now_floating::text), null, null, '', ip, agent
  );
  insert into closed_days (day, figures, floating, closed_by, closed_at, audit_id)
  select of_day, figures, now_floating, admin, created_at, id from admin_actions where id = entry;
  return entry;
end $$;

-- What is written stays.
create or replace trigger closed_days_append_only before delete or update or truncate on closed_days for each statement execute function refuse_change();
create or replace trigger closed_days_logged after insert on closed_days for each row execute function proof_note_row('day', 'day');
