-- Swap: what holding a position over New York's 17:00 costs or brings, by its group's terms at that moment.
-- Charged by a batch once a night; what closes before that, or while no program ran, is charged as it closes.

-- How many nights' swap a night moves: none where the market was shut, three on the triple day, which takes the weekend's.
create or replace function swap_nights_of(i instruments, night date, triple integer) returns integer language sql stable as $$
  select case
    when triple is not null and extract(isodow from night) > 5 or not swap_market_open(i, night) then 0
    when extract(isodow from night) = triple then 3
    else 1
  end;
$$;

-- The group that an account was in at a moment.
create or replace function account_group_at(account trading_accounts, moment timestamptz) returns text language sql stable as $$
  select coalesce(
    (select m.to_group from group_moves m where m.account_id = account.id and m.effective_at <= moment order by m.number desc limit 1),
    (select m.from_group from group_moves m where m.account_id = account.id order by m.number limit 1),
    account.account_type_id
  );
$$;

-- Swap in USD for so many nights, once rounded half away from zero to the cent, by whole-number division. Points move the price, as a profit
-- does; per cent are a year's, of 360 days; a fee is for each 100,000.
create or replace function swap_of(of_unit text, rate numeric, held numeric, open_price numeric, point numeric, nights integer) returns numeric language sql immutable as $$
  select round(sign(rate) * div(200 * x.whole + x.part, 2 * x.part) * 0.01, 2)
  from (
    select held * abs(rate) * nights * case of_unit when 'points' then point else 1 end as whole,
      case of_unit when 'points' then open_price when 'percent' then 36000 else 100000 end as part
  ) x;
$$;

-- What open positions owe for the nights from `first` to `last`, or are owed, and was not charged to them, or to what they were a part of.
create or replace function swaps_due(of_positions uuid[], first date, last date) returns table (
  position_id uuid, account_id uuid, night date, group_id text, version integer, unit text, rate numeric, nights integer, held numeric, due numeric
) language sql stable as $$
  select p.id, p.account_id, n.night, v.group_id, v.version, t.unit, t.rate, c.nights, p.amount, d.due
  from positions p
  join trading_accounts a on a.id = p.account_id
  join instruments i on i.symbol = p.symbol
  cross join lateral (select first + g as night from generate_series(0, last - first) g) n
  cross join lateral (select account_group_at(a, night_moment(n.night)) as id) g
  -- What it was opened on counts in the group that the account is in.
  cross join lateral group_held_at(g.id, night_moment(n.night), case when g.id = a.account_type_id then p.group_version end) v
  cross join lateral swap_terms(v, i, p.side) t
  cross join lateral (select case when t.rate <> 0 then swap_nights_of(i, n.night, t.triple) else 0 end as nights) c
  cross join lateral (
    select swap_of(t.unit, t.rate, p.amount, p.open_price, swap_point(listing_at(i, night_moment(n.night))), c.nights) as due
    where c.nights > 0
  ) d
  where p.id = any (of_positions) and p.status = 'open' and p.opened_at < night_moment(n.night) and d.due <> 0
    and not exists (select from swaps s where s.night = n.night and s.position_id in (p.id, p.parent_id));
$$;

-- Charges it, with the accounts held by the caller; each night to each position once. An account pays no more than its balance: what that does
-- not bear the house advances, as it does a loss, so that whoever moves the balance away before 17:00, or never had it, pays with the next results.
-- Answers the accounts that were charged.
create or replace function swaps_charge(of_positions uuid[], first date, last date) returns uuid[] language plpgsql as $$
declare
  done record;
begin
  perform booked_hold(array(select p.account_id from positions p where p.id = any (of_positions)));
  with
    due as materialized (
      select d.position_id, d.account_id, d.night, d.group_id, d.version, d.unit, d.rate, d.nights, d.held, d.due, l.balance + sum(d.due) over later as worth
      from swaps_due(of_positions, first, last) d
      join trading_accounts a on a.id = d.account_id
      join ledger_accounts l on l.id = a.ledger_account_id
      window later as (partition by d.account_id order by d.night, d.position_id)
    ),
    borne as (
      select position_id, account_id, night, group_id, version, unit, rate, nights, held, due, greatest(max(-worth) over later, 0) as lacking
      from due
      window later as (partition by account_id order by night, position_id)
    ),
    parted as (
      select borne.*, lacking - coalesce(lag(lacking) over later, 0) as advanced
      from borne
      window later as (partition by account_id order by night, position_id)
    ),
    charged as (
      insert into swaps (position_id, night, group_id, version, unit, rate, nights, held, due, amount, advanced)
      select position_id, night, group_id, version, unit, rate, nights, held, due, due + advanced, advanced
      from parted
      order by night, position_id
      returning id, position_id, night, nights, amount, advanced
    ),
    held as (
      update positions p set swap = p.swap + c.amount
      from (select position_id, sum(amount) as amount from charged group by position_id) c
      where p.id = c.position_id
    )
  select array_agg(distinct a.id) as accounts, array_agg(a.id) as owners, array_agg(c.amount) as all_amounts, array_agg(c.advanced) as all_advanced,
    array_agg(c.id order by c.night, c.position_id) filter (where c.amount <> 0) as ids,
    array_agg(format('Swap, %s %s, night of %s%s', upper(p.side), p.symbol, c.night, case c.nights when 1 then '' else ' (' || c.nights || ' nights)' end) order by c.night, c.position_id)
      filter (where c.amount <> 0) as memos,
    array_agg(a.ledger_account_id order by c.night, c.position_id) filter (where c.amount <> 0) as customers,
    array_agg(house_account(case when a.is_demo then 'demo' else 'live' end, 'house_pnl') order by c.night, c.position_id) filter (where c.amount <> 0) as houses,
    array_agg(c.amount order by c.night, c.position_id) filter (where c.amount <> 0) as amounts
  into done
  from charged c
  join positions p on p.id = c.position_id
  join trading_accounts a on a.id = p.account_id;
  if done.ids is not null then
    perform ledger_post_list('swap', done.ids, done.memos, done.customers, done.houses, done.amounts);
  end if;
  update trading_accounts a set swap = a.swap + c.amount, advance = a.advance + c.advanced, updated_at = now()
  from (
    select account, sum(amount) as amount, sum(advanced) as advanced
    from unnest(done.owners, done.all_amounts, done.all_advanced) as u (account, amount, advanced)
    group by account
  ) c
  where a.id = c.account;
  return coalesce(done.accounts, '{}');
end $$;

-- Whether a position opened then may owe a night before `until` that the batch has not come to.
create or replace function swaps_owed(opened timestamptz, until timestamptz) returns boolean language sql stable as $$
  select night_at(until) > greatest(night_at(opened), (select max(night) from swap_nights));
$$;

-- Charges a position that is about to close, or to part, what it owes until then; with its account held by the caller. Answers it as it is then.
create or replace function swaps_settle(p positions, until timestamptz) returns positions language plpgsql as $$
begin
  if swaps_owed(p.opened_at, until) then
    perform swaps_charge(array[p.id], greatest(night_at(p.opened_at), (select max(night) from swap_nights)) + 1, night_at(until));
    p.swap := (select swap from positions where id = p.id);
  end if;
  return p;
end $$;

-- The same of all that an account holds, before it goes to another group.
create or replace function swaps_settle_account(of_account uuid) returns void language plpgsql as $$
begin
  perform swaps_settle(p, clock_timestamp()) from positions p where p.account_id = of_account and p.status in ('pending', 'open') and p.status = 'open' order by p.id;
end $$;

-- The first night that is over and was not charged to all; null: none.
create or replace function swap_night_due() returns date language sql stable as $$
  select d.night from (select max(night) + 1 as night from swap_nights) d where night_moment(d.night) <= clock_timestamp();
$$;

-- That night, once no deal and no change of terms is under way that began before it: from here on all that was open over it is there to be seen.
create or replace function swap_night_begin(of_epoch bigint) returns date language plpgsql as $$
begin
  perform pg_advisory_xact_lock(lead_lock());
  if of_epoch is not null then perform lead_fence(of_epoch); end if;
  return swap_night_due();
end $$;

-- Charges a night to the next accounts after `after`, at most so many. Answers the last of them (null: there is none any more) and those that
-- were charged, with whose they are.
create or replace function swap_night_charge(of_night date, after uuid, most integer) returns json language plpgsql as $$
declare
  held uuid[];
  charged uuid[];
begin
  perform refuse_halted();
  select array_agg(h.id order by h.id) into held
  from (
    select a.id from trading_accounts a
    where (after is null or a.id > after)
      and (exists (select from group_moves m where m.account_id = a.id) or a.account_type_id in (
        select v.group_id from group_versions v
        where (v.swap_fee > 0 or (v.swap_fee is null and v.swaps <> '[]'))
          and v.version >= (group_held_at(v.group_id, night_moment(of_night), null)).version and v.effective_at <= night_moment(of_night)
      ))
      and exists (
        select from positions p where p.account_id = a.id and p.status in ('pending', 'open') and p.status = 'open' and p.opened_at < night_moment(of_night)
      )
    order by a.id
    limit most
    for update
  ) h;
  if held is null then return json_build_object('last', null, 'charged', '[]'::json); end if;
  charged := swaps_charge(
    array(select p.id from positions p where p.account_id = any (held) and p.status in ('pending', 'open') and p.status = 'open' order by p.id for update), of_night, of_night
  );
  return json_build_object('last', held[cardinality(held)], 'charged', (
    select coalesce(json_agg(json_build_object('accountId', a.id, 'userId', a.user_id)), '[]') from trading_accounts a where a.id = any (charged)
  ));
end $$;

-- Notes that a night was charged to all.
create or replace function swap_night_end(of_night date) returns void language sql as $$
  insert into swap_nights (night) select of_night where of_night = swap_night_due() on conflict do nothing;
$$;

-- What is written stays.
create or replace trigger swaps_append_only before delete or update or truncate on swaps for each statement execute function refuse_change();
create or replace trigger swap_nights_append_only before delete or update or truncate on swap_nights for each statement execute function refuse_change();
