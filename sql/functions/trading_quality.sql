-- How orders were filled, from the receipts themselves.

-- What the fills from one moment to before another say, as a day is written down: one row for live accounts and one for demo. Slippage in
-- hundredths of a percent of the price that the trader saw, positive against him.
create or replace function quality_of(since timestamptz, before timestamptz) returns setof quality_days language sql stable as $$
  with
    fill as materialized (
      select a.is_demo, f.kind, f.reason, f.slippage / f.requested_price * 10000 as points, f.quote_age_ms as age, round(f.latency_ms, 1) as latency
      from fills f
      join positions p on p.id = f.position_id
      join trading_accounts a on a.id = p.account_id
      where f.created_at >= since and f.created_at < before
    )
  select (since at time zone 'UTC')::date, book.is_demo, n.opened::integer, n.closed::integer, n.worse_by_more::integer, n.worse::integer, n.as_requested::integer,
    n.better::integer, n.better_by_more::integer, n.slippage, n.stop_outs::integer, coalesce(a.found, '{}'), coalesce(a.counts, '{}'), coalesce(l.found, '{}'), coalesce(l.counts, '{}')
  from (values (false), (true)) as book (is_demo)
  cross join lateral (
    select count(*) filter (where kind = 'open') as opened, count(*) filter (where kind = 'close') as closed,
      count(*) filter (where points > 1) as worse_by_more, count(*) filter (where points > 0 and points <= 1) as worse, count(*) filter (where points = 0) as as_requested,
      count(*) filter (where points < 0 and points >= -1) as better, count(*) filter (where points < -1) as better_by_more, coalesce(sum(points), 0) as slippage,
      count(*) filter (where reason = 'stop_out') as stop_outs
    from fill
    where fill.is_demo = book.is_demo
  ) n
  cross join lateral (
    select array_agg(age order by age) as found, array_agg(n::integer order by age) as counts
    from (select age, count(*) as n from fill where fill.is_demo = book.is_demo group by age) each
  ) a
  cross join lateral (
    select array_agg(latency order by latency) as found, array_agg(n::integer order by latency) as counts
    from (select latency, count(*) as n from fill where fill.is_demo = book.is_demo group by latency) each
  ) l;
$$;

-- Writes down the last `days` days that are over since an hour: whatever was being filled then has ended. Fills are never changed, so a day stays true.
create or replace function quality_seal(days integer) returns void language sql as $$
  insert into quality_days
  select q.*
  from generate_series(1, days) n
  cross join lateral (select ((now() - interval '1 hour') at time zone 'UTC')::date - n as day) d
  cross join lateral quality_of(d.day::timestamp at time zone 'UTC', (d.day + 1)::timestamp at time zone 'UTC') q
  where not exists (select from quality_days k where k.day = d.day)
  on conflict do nothing;
$$;
