-- Groups: account types whose terms staff change, for now or for later. Every change is a version; account_types holds the terms of now, so
-- that a deal reads them in its own statement at no cost.

-- A group's terms at a moment, for what opens then. A later version overtakes an earlier one that still waits.
create or replace function group_terms_at(of_group text, moment timestamptz) returns group_versions language sql stable as $$
  select v from group_versions v where v.group_id = of_group and v.effective_at <= moment order by v.version desc limit 1;
$$;

-- The same for what was opened on its version `own` (null: on another group's): the newest that applies to what was open before it, or its own.
create or replace function group_held_at(of_group text, moment timestamptz, own integer) returns group_versions language sql stable as $$
  select v from group_versions v
  where v.group_id = of_group and v.effective_at <= moment and (v.applies_at <= moment or v.version = own)
  order by v.version desc
  limit 1;
$$;

-- What a position's closing is dealt by, of `t`, which has the terms of now: while a notice runs, what it was opened on may be dealt by earlier ones.
create or replace function terms_held(t account_types, own integer) returns account_types language plpgsql stable as $$
begin
  if t.applied < t.version and own is distinct from t.version then
    select v.version, v.spreads_from, v.spreads, v.commission into t.version, t.spreads_from, t.spreads, t.commission
    from group_versions v
    where v.group_id = t.id and v.version = greatest(own, t.applied);
  end if;
  return t;
end $$;

-- Spreads are in pips: an account's is at least so wide; below zero, exactly so wide, whatever the market's.

-- What a group says of an instrument: a rule for it comes before its class's, and that before what is said of all.
create or replace function spread_said(spreads jsonb, spreads_from numeric, i instruments) returns numeric language sql stable as $$
  select coalesce((
    select case when r.fixed then -r."spreadPips" else r."spreadPips" end
    from jsonb_to_recordset(spreads) as r ("for" text, "spreadPips" numeric, fixed boolean)
    where r."for" in (i.symbol, 'forex-' || i.class)
    order by r."for" = i.symbol desc
    limit 1
  ), spreads_from);
$$;

-- The narrowest spread that a group says of anything.
create or replace function group_least_spread(spreads jsonb, spreads_from numeric) returns numeric language sql immutable as $$
  select least(spreads_from, (select min(r."spreadPips") from jsonb_to_recordset(spreads) as r ("spreadPips" numeric)));
$$;

-- The same with what the instrument adds to every account's.
create or replace function spread_marked(t account_types, of_symbol text, markup numeric) returns numeric language plpgsql stable as $$
declare
  said numeric := (select spread_said(t.spreads, t.spreads_from, i) from instruments i where i.symbol = of_symbol);
begin
  return case when said < 0 then said - markup else said + markup end;
end $$;

-- The spread by which what was opened on `own` is closed, in an instrument that adds `markup`. One expression, which PostgreSQL writes into the
-- statement that calls it: where a group says one spread of all, and no notice runs, nothing else is asked.
create or replace function spread_of(t account_types, own integer, of_symbol text, markup numeric) returns numeric language sql stable as $$
  select case when t.applied = t.version and t.spreads = '[]' then t.spreads_from + markup else spread_marked(terms_held(t, own), of_symbol, markup) end;
$$;

-- The spreads that something open may still be dealt by, by version; null where all is dealt by the terms of now.
create or replace function held_json(t account_types) returns json language sql stable as $$
  select case when t.applied < t.version then (
    select json_object_agg(v.version, json_build_object('spreadsFrom', v.spreads_from::text, 'spreads', nullif(v.spreads, '[]')))
    from group_versions v where v.group_id = t.id and v.version >= t.applied and v.version < t.version
  ) end;
$$;

-- The leverage that a group's accounts deal at: the house's usual one, or less where the group allows less.
create or replace function group_leverage(advertised integer) returns integer language sql immutable as $$ select least(100, advertised); $$;

-- Puts the terms of this moment in force, for all at once. Answers whether they are others.
create or replace function group_apply(of_group text) returns boolean language plpgsql as $$
declare
  moment timestamptz;
  terms group_versions;
  held integer;
begin
  perform 1 from account_types where id = of_group for update;
  moment := clock_timestamp();
  terms := group_terms_at(of_group, moment);
  held := (group_held_at(of_group, moment, null)).version;
  update account_types
  set name = terms.name, spreads_from = terms.spreads_from, commission = terms.commission, minimum_deposit = terms.minimum_deposit,
    leverage = '1:' || terms.leverage, is_active = terms.is_active, countries = terms.countries, version = terms.version,
    spreads = terms.spreads, applied = held
  where id = of_group and (version, applied) <> (terms.version, held);
  if not found then return false; end if;
  perform 1 from trading_accounts
  where account_type_id = of_group and status = 'active' and leverage <> group_leverage(terms.leverage)
  order by id
  for update;
  update trading_accounts set leverage = group_leverage(terms.leverage), updated_at = now()
  where account_type_id = of_group and status = 'active' and leverage <> group_leverage(terms.leverage);
  return true;
end $$;

-- Puts in force what waited for its time. Answers how many groups have other terms now.
create or replace function groups_come_due() returns integer language sql as $$
  select count(*) filter (where group_apply(t.id))::integer
  from account_types t
  where t.version <> (group_terms_at(t.id, clock_timestamp())).version or t.applied <> (group_held_at(t.id, clock_timestamp(), null)).version;
$$;

create or replace function group_json(v group_versions) returns json language sql stable as $$
  select json_build_object(
    'id', v.group_id, 'version', v.version, 'name', v.name, 'spreadPips', v.spreads_from::text, 'commission', v.commission::text,
    'minimumDeposit', v.minimum_deposit::text, 'leverage', v.leverage, 'isOpen', v.is_active,
    'spreads', v.spreads, 'swaps', v.swaps, 'swapFreeFee', v.swap_fee::text, 'countries', v.countries,
    'effectiveAt', case when isfinite(v.effective_at) then iso(v.effective_at) end,
    'appliesAt', case when v.applies_at > v.effective_at then iso(v.applies_at) end
  );
$$;

-- Whether somebody who deals by terms `before` has it worse by `after`.
create or replace function group_worsens(before group_versions, after group_versions) returns boolean language sql stable as $$
  select exists (
      select from instruments i
      cross join lateral (select spread_said(before.spreads, before.spreads_from, i) as pips) b
      cross join lateral (select spread_said(after.spreads, after.spreads_from, i) as pips) a
      where i.class <> 'crypto' and (abs(a.pips) > abs(b.pips) or b.pips < 0 and a.pips >= 0)
    )
    or after.commission > before.commission or after.leverage < before.leverage or swap_worsens(before, after);
$$;

-- Refuses leverage that nobody could deal at where the group's people live.
create or replace function refuse_leverage(terms group_versions) returns void language plpgsql as $$
declare
  bound record;
begin
  select j.country, greatest(j.leverage_major, j.leverage_minor, j.leverage_crypto) as cap into bound
  from jurisdictions j
  where j.country = any (terms.countries) and j.leverage_major < terms.leverage and j.leverage_minor < terms.leverage and j.leverage_crypto < terms.leverage
  order by cap, j.country
  limit 1;
  if found then perform refuse('invalid', format('Where people live in %s, nothing is dealt above 1:%s.', bound.country, bound.cap), 'leverage'); end if;
end $$;

-- Whether a group takes somebody who lives there; null: nobody knows where.
create or replace function group_takes(countries text[], home text) returns boolean language sql immutable as $$
  select countries is null or coalesce(home = any (countries), false);
$$;

-- Changes a group's terms, or opens a group (`is_new`): what `terms` names takes the place of what was. In force at `wanted` (null: at once) for
-- what opens then; for what is open before, where something got worse, not before `notice` is over. `signed` among the terms: a second person signed it. Answers the version.
create or replace function group_set(
  admin uuid, of_group text, is_new boolean, seen integer, terms jsonb, wanted timestamptz, notice interval, why text, ip text, agent text
) returns json language plpgsql as $$
declare
  newest group_versions;
  after group_versions;
begin
  -- No deal is under way and no night is charged: each is made by the version before or by this one.
  perform pg_advisory_xact_lock(lead_lock());
  perform refuse_own(admin, null);
  if is_new then
    insert into account_types (id, name, minimum_deposit, spreads_from, leverage, features, is_active, place, version)
    select of_group, of_group, 0, 0, '1:100', '[]', false, max(place) + 1, 0 from account_types
    on conflict do nothing;
    if not found then perform refuse('conflict', 'There is a group of this id already.', 'id'); end if;
    after := jsonb_populate_record(row(of_group, 0, null, 0, 0, 0, 100, false, now(), now(), null, null, '[]', null, null, now(), '[]')::group_versions, terms);
  else
    perform 1 from account_types where id = of_group for update;
    if not found then perform refuse('not_found', 'Not found.'); end if;
    select * into newest from group_versions where group_id = of_group order by version desc limit 1;
    if newest.version <> seen then perform refuse('conflict', 'This group was changed meanwhile. Look at it again before you change it.'); end if;
    after := jsonb_populate_record(newest, terms);
  end if;
  if terms ->> 'signed' is null and (newest.swaps, newest.swap_fee) is distinct from (after.swaps, after.swap_fee) then
    perform refuse_swaps(after.swaps, after.swap_fee);
  end if;
  perform refuse_leverage(after);
  after.effective_at := greatest(coalesce(wanted, clock_timestamp()), clock_timestamp());
  after.applies_at := after.effective_at;
  -- Worse than any version that something open is dealt by, or will be.
  if exists (
    select from group_versions v join account_types t on t.id = v.group_id where v.group_id = of_group and v.version >= t.applied and group_worsens(v, after)
  ) then
    after.applies_at := greatest(after.effective_at, clock_timestamp() + notice);
  end if;
  insert into group_versions (
    group_id, version, name, spreads_from, commission, minimum_deposit, leverage, is_active, effective_at, changed_by, change_reason, swaps, swap_fee, countries,
    applies_at, spreads
  )
  values (
    of_group, after.version + 1, after.name, after.spreads_from, after.commission, after.minimum_deposit, after.leverage, after.is_active,
    after.effective_at, admin, why, after.swaps, after.swap_fee, after.countries, after.applies_at, after.spreads
  )
  returning * into after;
  perform group_apply(of_group);
  perform audit_append(
    admin, null, 'group.set', json_build_object('group', of_group, 'version', after.version), case when is_new then '{}' else group_json(newest) end,
    group_json(after), why, ip, agent
  );
  return group_json(after);
end $$;

create or replace trigger group_versions_append_only before delete or update or truncate on group_versions for each statement execute function refuse_change();
create or replace trigger group_versions_logged after insert on group_versions for each row execute function proof_note_row('group', 'group_id', 'version');

-- Counts a group's accounts as they are opened, moved and closed. Of the group's rows one is taken that nobody holds just now, or a new one: so nobody
-- waits, whatever else is held, and there are at most as many as ever counted at once.
create or replace function group_count(of_group text, more bigint) returns void language plpgsql as $$
begin
  update group_counts c set count = c.count + more
  where c.place = (select g.place from group_counts g where g.group_id = of_group order by g.place limit 1 for update skip locked);
  if not found then insert into group_counts (group_id, count) values (of_group, more); end if;
end $$;
create or replace function group_count_come() returns trigger language plpgsql as $$
begin
  perform group_count(account_type_id, count(*)) from come where status = 'active' group by account_type_id;
  return null;
end $$;
create or replace function group_count_change() returns trigger language plpgsql as $$
begin
  if old.status = 'active' then perform group_count(old.account_type_id, -1); end if;
  if new.status = 'active' then perform group_count(new.account_type_id, 1); end if;
  return null;
end $$;
create or replace trigger trading_accounts_come after insert on trading_accounts referencing new table as come for each statement execute function group_count_come();
create or replace trigger trading_accounts_change_group after update of account_type_id, status on trading_accounts for each row when (old.account_type_id is distinct from new.account_type_id or old.status is distinct from new.status) execute function group_count_change();
