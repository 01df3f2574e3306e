-- The house's days at a glance.

-- What people asked for on the day (UTC), and got: who registered, what approvals credited and paid out.
create or replace function house_day_granted(of_day date, out registrations integer, out deposits numeric, out withdrawals numeric) language sql stable as $$
  select (select count(*)::integer from users where created_at >= d.since and created_at < d.before and role = 'user'),
    (select coalesce(sum(credited), 0.00) from deposits where status = 'approved' and decided_at >= d.since and decided_at < d.before),
    (select coalesce(sum(amount), 0.00) from withdrawals where status = 'approved' and decided_at >= d.since and decided_at < d.before)
  from (select of_day::timestamp at time zone 'UTC' as since, (of_day + 1)::timestamp at time zone 'UTC' as before) d;
$$;

-- The day with what the house earned on live accounts (clients' realised losses less profits, corrections included, less bonuses), by its entries.
create or replace function house_day_of(of_day date) returns setof house_days language sql stable as $$
  select of_day, g.registrations, g.deposits, g.withdrawals, (
    select coalesce(sum(p.amount), 0.00)
    from (
      select id from ledger_entries
      where created_at >= of_day::timestamp at time zone 'UTC' and created_at < (of_day + 1)::timestamp at time zone 'UTC'
      offset 0
    ) e
    cross join lateral (
      select g.amount
      from ledger_postings g
      where g.entry_id = e.id and g.account_id = any (
        array(select id from ledger_accounts where owner_id is null and book = 'live' and kind in ('house_pnl', 'house_adjustment', 'house_bonus'))
      )
      offset 0
    ) p
  )
  from house_day_granted(of_day) g;
$$;

-- What the house has earned on live accounts since a moment, by what its accounts held then: however much has happened since.
create or replace function house_earned_since(moment timestamptz) returns numeric language sql stable as $$
  select coalesce(sum(balance - balance_before(id, moment)), 0.00)
  from ledger_accounts
  where owner_id is null and book = 'live' and kind in ('house_pnl', 'house_adjustment', 'house_bonus');
$$;

-- Today so far; each of its figures is the one that is written down once the day is over.
create or replace function house_day_now() returns setof house_days language sql stable as $$
  select d.day, g.registrations, g.deposits, g.withdrawals, house_earned_since(d.day::timestamp at time zone 'UTC')
  from (select (now() at time zone 'UTC')::date as day) d
  cross join lateral house_day_granted(d.day) g;
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
