-- How orders were filled, from the receipts themselves.

-- What the fills from one moment to before another say, as a day is written down: one row for live accounts and one for demo. Slippage in
-- hundredths of a percent of the price that the trader saw, positive against him. Each row is looked up by an index, whatever the planner
-- guesses of a span that it does not know: what a day costs is what was filled on it, not all positions that there ever were.
create or replace function quality_of(since timestamptz, before timestamptz) returns setof quality_days language sql stable
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
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

-- Of the last `days` days that are over since an hour those that are not written down. Each is looked for by itself, so that those of years are not read.
create or replace function quality_due(days integer) returns setof quality_days language sql stable
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  select q.*
  from generate_series(1, days) n
  cross join lateral (select ((now() - interval '1 hour') at time zone 'UTC')::date - n as day) d
  cross join lateral quality_of(d.day::timestamp at time zone 'UTC', (d.day + 1)::timestamp at time zone 'UTC') q
  where not exists (select from quality_days k where k.day = d.day offset 0);
$$;

-- Writes these down: whatever was being filled then has ended. Fills are never changed, so a day stays true.
create or replace function quality_seal(days integer) returns void language sql as $$
  insert into quality_days select q.* from quality_due(days) q on conflict do nothing;
$$;

-- The last `days` times 24 hours, in days and, at both ends, parts of days: whole days as they were written down, the rest from the receipts.
create or replace function quality_lately(days integer) returns setof quality_days language sql stable
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  select k.*
  from quality_days k
  where k.day > (now() at time zone 'UTC')::date - days and k.day <= (now() at time zone 'UTC')::date
  union all
  select q.*
  from generate_series(0, days) n
  cross join lateral (select (now() at time zone 'UTC')::date - n as day) d
  cross join lateral quality_of(
    greatest(now() - make_interval(days => days), d.day::timestamp at time zone 'UTC'), (d.day + 1)::timestamp at time zone 'UTC'
  ) q
  where n = days or not exists (select from quality_days k where k.day = d.day offset 0);
$$;

-- How many of the closings of that time administrators settled, and how many of them below the market's result. A correction is written right
-- after its fill, in the same transaction; the hour more allows for a clock that was put back between the two. The corrections come first, and of
-- each its own fill: the planner would rather read all fills of that time.
create or replace function quality_corrections(days integer) returns table (is_demo boolean, settled bigint, against bigint) language sql stable
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  select a.is_demo, count(*), count(*) filter (where c.settled_profit < c.market_profit)
  from (
    select position_id, settled_profit, market_profit from corrections where created_at > now() - make_interval(days => days, hours => 1) offset 0
  ) c
  cross join lateral (
    select from fills f
    where f.position_id = c.position_id and f.kind = 'close' and f.created_at >= now() - make_interval(days => days)
    offset 0
  ) f
  join positions p on p.id = c.position_id
  join trading_accounts a on a.id = p.account_id
  group by a.is_demo;
$$;
