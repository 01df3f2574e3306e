-- What an account's pairs cost to deal, now and by what is decided for later.

-- The group that an account is in at a moment to come, by the moves that are decided.
create or replace function account_group_at(of_account uuid, moment timestamptz) returns text language sql stable as $$
  select coalesce(
    (select m.to_group from group_moves m where m.account_id = of_account and m.effective_at <= moment order by m.number desc limit 1),
    (select a.account_type_id from trading_accounts a where a.id = of_account)
  );
$$;

-- Each pair's spread for what opens in an account, in pips, below zero exactly so many: now (`since` null), and from each moment on that brings another, by
-- the versions of its groups and of instruments that wait, and a move that does. `held`: until when what was open before is closed by what held then.
create or replace function account_spreads(of_account uuid) returns table (symbol text, since timestamptz, pips numeric, held timestamptz) language sql stable as $$
  with here as (select account_group_at(of_account, m.at) as id, m.at from (values (clock_timestamp())) as m (at)),
  moments as (
    select at from here
    union
    select m.effective_at from group_moves m, here where m.account_id = of_account and m.effective_at > here.at
    union
    select v.effective_at from group_versions v, here
    where v.effective_at > here.at and (v.group_id = here.id or v.group_id in (select m.to_group from group_moves m where m.account_id = of_account and m.effective_at > here.at))
    union
    select t.effective_at from instrument_terms t, here where t.effective_at > here.at
  ),
  terms as (select m.at, v from moments m cross join lateral group_terms_at(account_group_at(of_account, m.at), m.at) v),
  said as (
    select i.symbol, t.at, case when s.pips < 0 then s.pips - s.markup else s.pips + s.markup end as pips,
      greatest((t.v).applies_at, (select n.applies_at from instrument_terms n where n.symbol = i.symbol and n.version = s.version)) as applies_at
    from terms t
    cross join instruments i
    cross join lateral (
      select spread_said((t.v).spreads, (t.v).spreads_from, i) as pips, d.version, markup_said(i.symbol, d.version) as markup from instrument_due(i.symbol, t.at) d
    ) s
    where i.class <> 'crypto'
  ),
  changes as (select symbol, at, pips, applies_at, lag(pips) over (partition by symbol order by at) as before from said)
  select c.symbol, nullif(c.at, here.at), c.pips, case when c.applies_at > c.at then c.applies_at end
  from changes c, here
  where c.before is distinct from c.pips;
$$;
