-- Swap in a group's terms: what holding over New York's 17:00 brings, by instrument and side.

-- Nights are named by New York's date of the 17:00 that they begin with: the last one at or before a moment, and the moment of one.
create or replace function night_at(moment timestamptz) returns date language sql immutable as $$
  select ((moment at time zone 'America/New_York') - interval '17 hours')::date;
$$;
create or replace function night_moment(night date) returns timestamptz language sql immutable as $$
  select (night + time '17:00') at time zone 'America/New_York';
$$;

-- How an instrument was listed at a moment: the mirror of instrument_due.
create or replace function listing_at(i instruments, moment timestamptz) returns jsonb language sql stable as $$
  select coalesce((
    select t.listing from instrument_terms t
    where t.symbol = i.symbol and t.effective_at <= moment
      and not exists (select from instrument_terms n where n.symbol = t.symbol and n.version = t.version + 1 and n.created_at < t.effective_at)
    order by t.version desc
    limit 1
  ), i.listing);
$$;

-- Whether an instrument's market was open at all on a night's date in New York before its 17:00: by hours of its own, else pairs Monday to Friday
-- but not on 25 December and 1 January, coins always.
create or replace function swap_market_open(i instruments, night date) returns boolean language sql stable as $$
  select case
    when h.hours ->> 'zone' is not null then exists (
      select from generate_series(h.begins::date, h.ends::date, interval '1 day') d
      join jsonb_to_recordset(h.hours -> 'sessions') as s (day integer, "from" integer, "to" integer) on s.day = extract(dow from d)
      where d + s."from" * interval '1 minute' < h.ends and d + s."to" * interval '1 minute' > h.begins
        and not h.hours -> 'holidays' ?| array[to_char(d, 'YYYY-MM-DD'), to_char(d, 'MM-DD')]
    )
    when i.class = 'crypto' then true
    else extract(isodow from night) <= 5 and (extract(month from night), extract(day from night)) not in ((12, 25), (1, 1))
  end
  from (
    select l.hours, (night::timestamp at time zone 'America/New_York') at time zone (l.hours ->> 'zone') as begins,
      night_moment(night) at time zone (l.hours ->> 'zone') as ends
    from (select listing_at(i, night_moment(night)) -> 'hours' as hours) l
  ) h;
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

-- One point of an instrument so listed: a tenth of its pip, a pair's last quoted digit.
create or replace function swap_point(listing jsonb) returns numeric language sql immutable as $$
  select (listing ->> 'pip')::numeric / 10;
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

-- What the next 17:00 goes by for what is opened now; null where it moves nothing. `open`: of instruments with hours of their own the nights to come that their market
-- is open before.
create or replace function group_swap_json(of_group text) returns json language sql stable as $$
  select json_build_object('rules', v.swaps, 'fee', v.swap_fee::text, 'open', (
    select json_object_agg(i.symbol, array(
      select d.night::text from generate_series(1, 14) g cross join lateral (select night_at(clock_timestamp()) + g as night) d
      where swap_market_open(i, d.night)
      order by d.night
    ))
    from instruments i where listing_at(i, clock_timestamp()) ->> 'hours' is not null
  ))
  from account_types t
  cross join lateral group_held_at(t.id, night_moment(night_at(clock_timestamp()) + 1), t.version) v
  where t.id = of_group and (v.swap_fee is not null or v.swaps <> '[]');
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

-- The swap, or the fee in its place, that moves more than 100 per cent a year, by its field; null for none. Points count by the last price that is known.
create or replace function swap_beyond(of_swaps jsonb, fee numeric) returns text language plpgsql stable as $$
declare
  beyond record;
begin
  if fee * 360 > 100000 then return 'swapFreeFee'; end if;
  select r.place - 1 as place, side.name as side into beyond
  from jsonb_array_elements(of_swaps) with ordinality as r (rule, place)
  cross join (values ('long'), ('short')) as side (name)
  cross join lateral (select abs((r.rule ->> side.name)::numeric) as rate) x
  where case r.rule ->> 'unit' when 'percent' then x.rate > 100 else exists (
    select from instruments i join quotes q on q.symbol = i.symbol
    where r.rule ->> 'for' in (i.symbol, 'forex-' || i.class) and x.rate * swap_point(i.listing) * 360 > (q.bid + q.ask) / 2
  ) end
  order by r.place, side.name
  limit 1;
  return case when found then format('swaps.%s.%s', beyond.place, beyond.side) end;
end $$;

create or replace function refuse_swaps(of_swaps jsonb, fee numeric) returns void language plpgsql as $$
declare
  beyond text := swap_beyond(of_swaps, fee);
begin
  if beyond = 'swapFreeFee' then
    perform refuse('swap_limit', 'A fee takes at most 100 % of the amount a year.', beyond);
  elsif beyond is not null then
    perform refuse('swap_limit', 'A swap moves at most 100 % of the amount a year.', beyond);
  end if;
end $$;
