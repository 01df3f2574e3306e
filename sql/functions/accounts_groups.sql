-- Groups: account types whose terms staff change, for now or for later. Every change is a version; account_types holds the terms of now, so
-- that a deal reads them in its own statement at no cost.

-- A group's terms at a moment. A later version overtakes an earlier one that still waits.
create or replace function group_terms_at(of_group text, moment timestamptz) returns group_versions language sql stable as $$
  select v from group_versions v where v.group_id = of_group and v.effective_at <= moment order by v.version desc limit 1;
$$;

-- Nights are named by New York's date of the 17:00 that they begin with: the last one at or before a moment, and the moment of one.
create or replace function night_at(moment timestamptz) returns date language sql immutable as $$
  select ((moment at time zone 'America/New_York') - interval '17 hours')::date;
$$;
create or replace function night_moment(night date) returns timestamptz language sql immutable as $$
  select (night + time '17:00') at time zone 'America/New_York';
$$;

-- What a group's version says of an instrument and a side: an instrument's own rule comes before its class's. Null: no swap.
create or replace function swap_terms(v group_versions, i instruments, of_side text, out unit text, out rate numeric, out triple integer) language sql stable as $$
  select t.unit, t.rate, t.triple
  from (
    select 'fee' as unit, -v.swap_fee as rate, null::integer as triple, true as own where v.swap_fee is not null
    union all
    select r.unit, case of_side when 'buy' then r.long else r.short end, r."tripleDay", r."for" = i.symbol
    from jsonb_to_recordset(v.swaps) as r ("for" text, unit text, long numeric, short numeric, "tripleDay" integer)
    where v.swap_fee is null and r."for" in (i.symbol, case i.class when 'crypto' then i.class else 'forex-' || i.class end)
  ) t
  order by t.own desc
  limit 1;
$$;

-- One point of a pair: its last quoted digit.
create or replace function swap_point(of_symbol text) returns numeric language sql immutable as $$
  select case when of_symbol like '%/JPY' then 0.001 else 0.00001 end;
$$;

-- A group's swap in words, for its holders.
create or replace function group_swap_words(v group_versions) returns text language sql stable as $$
  select case
    when v.swap_fee is not null then format(', swap-free for $%s a night for each $100,000', v.swap_fee)
    when v.swaps = '[]' then ''
    else ', swap a night ' || (
      select left(string_agg(format(
        '%s %s long and %s short %s', r."for", r.long, r.short, case r.unit when 'percent' then '% a year' else 'points' end
      ), ', '), 300)
      from jsonb_to_recordset(v.swaps) as r ("for" text, unit text, long text, short text)
    )
  end;
$$;

-- What the next 17:00 goes by; null where it moves nothing.
create or replace function group_swap_json(of_group text) returns json language sql stable as $$
  select json_build_object('rules', v.swaps, 'fee', v.swap_fee::text)
  from group_terms_at(of_group, night_moment(night_at(clock_timestamp()) + 1)) v
  where v.swap_fee is not null or v.swaps <> '[]';
$$;

-- The leverage that a group's accounts deal at: the house's usual one, or less where the group allows less.
create or replace function group_leverage(advertised integer) returns integer language sql immutable as $$ select least(100, advertised); $$;

-- Puts the terms of this moment in force, for all at once. Answers whether they are others.
create or replace function group_apply(of_group text) returns boolean language plpgsql as $$
declare
  terms group_versions;
begin
  perform 1 from account_types where id = of_group for update;
  terms := group_terms_at(of_group, clock_timestamp());
  update account_types
  set name = terms.name, spreads_from = terms.spreads_from, commission = terms.commission, minimum_deposit = terms.minimum_deposit,
    leverage = '1:' || terms.leverage, is_active = terms.is_active, version = terms.version
  where id = of_group and version <> terms.version;
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
  select count(*) filter (where group_apply(t.id))::integer from account_types t where t.version <> (group_terms_at(t.id, clock_timestamp())).version;
$$;

create or replace function group_json(v group_versions) returns json language sql stable as $$
  select json_build_object(
    'id', v.group_id, 'version', v.version, 'name', v.name, 'spreadPips', v.spreads_from::text, 'commission', v.commission::text,
    'minimumDeposit', v.minimum_deposit::text, 'leverage', v.leverage, 'isOpen', v.is_active,
    'swaps', v.swaps, 'swapFreeFee', v.swap_fee::text,
    'effectiveAt', case when isfinite(v.effective_at) then iso(v.effective_at) end
  );
$$;

-- Whether some instrument's swap is worse for one side. Of two units, or triple days, nobody can say in advance which costs less.
create or replace function swap_worsens(before group_versions, after group_versions) returns boolean language sql stable as $$
  select exists (
    select from instruments i
    cross join (values ('buy'), ('sell')) as side (name)
    cross join lateral swap_terms(before, i, side.name) b
    cross join lateral swap_terms(after, i, side.name) a
    where coalesce(a.rate, 0) < coalesce(b.rate, 0)
      or coalesce(a.rate, 0) < 0 and b.rate < 0 and (a.unit, a.triple) is distinct from (b.unit, b.triple)
      or b.rate > 0 and (a.unit, a.triple) is distinct from (b.unit, b.triple)
  );
$$;

-- No swap, and no fee in its place, moves more than 100 per cent a year; points count by the last price that is known.
create or replace function refuse_swaps(of_swaps jsonb, fee numeric) returns void language plpgsql as $$
declare
  beyond record;
begin
  if fee * 360 > 100000 then perform refuse('swap_limit', 'A fee takes at most 100 % of the amount a year.', 'swapFreeFee'); end if;
  select r.place - 1 as place, side.name as side into beyond
  from jsonb_array_elements(of_swaps) with ordinality as r (rule, place)
  cross join (values ('long'), ('short')) as side (name)
  cross join lateral (select abs((r.rule ->> side.name)::numeric) as rate) x
  where case r.rule ->> 'unit' when 'percent' then x.rate > 100 else exists (
    select from instruments i join quotes q on q.symbol = i.symbol
    where r.rule ->> 'for' in (i.symbol, 'forex-' || i.class) and x.rate * swap_point(i.symbol) * 360 > (q.bid + q.ask) / 2
  ) end
  order by r.place, side.name
  limit 1;
  if found then
    perform refuse('swap_limit', 'A swap moves at most 100 % of the amount a year.', format('swaps.%s.%s', beyond.place, beyond.side));
  end if;
end $$;

-- Whether somebody who deals by terms `before` has it worse by `after`.
create or replace function group_worsens(before group_versions, after group_versions) returns boolean language sql stable as $$
  select after.spreads_from > before.spreads_from or after.commission > before.commission or after.leverage < before.leverage or swap_worsens(before, after);
$$;

-- Changes a group's terms, or opens a group (`is_new`): what `terms` names takes the place of what was. In force at `wanted` (null: at once);
-- worse ones not before `notice` is over, where somebody deals by the terms of now. Answers the version.
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
    after := jsonb_populate_record(row(of_group, 0, null, 0, 0, 0, 100, false, now(), now(), null, null, '[]', null)::group_versions, terms);
  else
    perform 1 from account_types where id = of_group for update;
    if not found then perform refuse('not_found', 'Not found.'); end if;
    select * into newest from group_versions where group_id = of_group order by version desc limit 1;
    if newest.version <> seen then perform refuse('conflict', 'This group was changed meanwhile. Look at it again before you change it.'); end if;
    after := jsonb_populate_record(newest, terms);
  end if;
  perform refuse_swaps(after.swaps, after.swap_fee);
  after.effective_at := greatest(coalesce(wanted, clock_timestamp()), clock_timestamp());
  if not is_new and group_worsens(group_terms_at(of_group, clock_timestamp()), after) and (
    exists (select from positions p join trading_accounts a on a.id = p.account_id where a.account_type_id = of_group and p.status in ('pending', 'open'))
    or exists (select from group_moves m where m.to_group = of_group and m.effective_at > m.created_at and m.effective_at > clock_timestamp())
  ) then
    after.effective_at := greatest(after.effective_at, clock_timestamp() + notice);
  end if;
  insert into group_versions (
    group_id, version, name, spreads_from, commission, minimum_deposit, leverage, is_active, effective_at, changed_by, change_reason, swaps, swap_fee
  )
  values (
    of_group, after.version + 1, after.name, after.spreads_from, after.commission, after.minimum_deposit, after.leverage, after.is_active,
    after.effective_at, admin, why, after.swaps, after.swap_fee
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
