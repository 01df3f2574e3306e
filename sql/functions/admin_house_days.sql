-- The house's days at a glance.

-- What the day (UTC) brought: who registered, what approvals credited and paid out, and what the house earned on live accounts (clients' realised
-- losses less profits, corrections included, less bonuses).
create or replace function house_day_of(of_day date) returns setof house_days language sql stable as $$
  select of_day,
    (select count(*)::integer from users where created_at >= d.since and created_at < d.before and role = 'user'),
    (select coalesce(sum(credited), 0.00) from deposits where status = 'approved' and decided_at >= d.since and decided_at < d.before),
    (select coalesce(sum(amount), 0.00) from withdrawals where status = 'approved' and decided_at >= d.since and decided_at < d.before),
    (
      select coalesce(sum(p.amount), 0.00)
      from (select id from ledger_entries where created_at >= d.since and created_at < d.before offset 0) e
      cross join lateral (select g.account_id, g.amount from ledger_postings g where g.entry_id = e.id offset 0) p
      join ledger_accounts a on a.id = p.account_id and a.owner_id is null and a.book = 'live' and a.kind in ('house_pnl', 'house_adjustment', 'house_bonus')
    )
  from (select of_day::timestamp at time zone 'UTC' as since, (of_day + 1)::timestamp at time zone 'UTC' as before) d;
$$;

-- Writes down the last `days` days that are over since an hour: what was being decided then has ended. Nothing of a past day changes afterwards.
create or replace function house_days_seal(days integer) returns void language sql as $$
  insert into house_days
  select h.*
  from generate_series(1, days) n
  cross join lateral (select ((now() - interval '1 hour') at time zone 'UTC')::date - n as day) d
  cross join lateral house_day_of(d.day) h
  where not exists (select from house_days k where k.day = d.day)
  on conflict do nothing;
$$;
