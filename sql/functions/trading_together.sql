-- Orders at the market of several people in one statement and one commit.

-- Opens what nothing stands against, of at most one order for each account. The rules are trade_open's, which places each other order alone, or
-- says why not. It waits for no account: one that is locked is left to trade_open, so that nobody's order waits for another's.
-- `orders`: place (its number in the list), session, account or null, symbol, side, amount, stop, target, requested, slippage, the tick (seq,
-- at, age_ms, bid, ask, pip) and when that was chosen, the sender's epoch or null, key and fingerprint or null. Answers [{place, userId, idle,
-- answer}] with those that it opened.
create or replace function trade_opens(orders json, now_board board) returns json language plpgsql as $$
declare
  lead_epoch bigint;
  lead_first bigint;
  is_halted boolean;
  are_keyed boolean := strpos(orders::text, '"key":"') > 0;
  keyed record;
  claimed integer[] := '{}';
  held record;
  opened record;
begin
  -- Planned once for a connection, not for each batch.
  perform pg_advisory_xact_lock_shared(lead_lock()), set_config('plan_cache_mode', 'force_generic_plan', true);
  select l.epoch, l.first_seq, s.halted into lead_epoch, lead_first, is_halted from leadership l, ledger_state s;
  if is_halted then return '[]'; end if;

  -- Keys before accounts, as trade_open takes them: what waits for a key holds no account. Each look at the list reads all of it, so there is none for keys
  -- where no order has one.
  if are_keyed then
    select array_agg(o.place) as places, array_agg(w.id) as callers, array_agg(o.key) as keys, array_agg(o.fingerprint) as fingerprints into keyed
    from json_to_recordset(orders) as o (place integer, session text, key text, fingerprint text) cross join lateral session_person(o.session) w
    where o.key is not null;
    select array_agg(keyed.places[n]) into claimed from unnest(once_begin_list(keyed.callers, keyed.keys, keyed.fingerprints)) as c (n);
  end if;

  select array_agg(h.place) as places, array_agg(h.caller) as callers, array_agg(h.idle) as idles, array_agg(h.id) as accounts into held
  from (
    select c.place, c.caller, c.idle, a.id
    from (
      select distinct on (b.id) o.place, w.id as caller, w.idle, b.id as account
      from json_to_recordset(orders) as o (place integer, session text, account uuid, key text)
      cross join lateral session_person(o.session) w
      cross join lateral (
        select a.id from trading_accounts a
        where a.user_id = w.id and (a.id = o.account or (o.account is null and a.status = 'active'))
        order by a.last_traded_at desc nulls last, a.created_at, a.id
        limit 1
      ) b
      where o.key is null or o.place = any (claimed)
      order by b.id, o.place
    ) c
    join trading_accounts a on a.id = c.account
    order by a.id
    for update of a skip locked
  ) h;

  with due as materialized (
    select
      gen_random_uuid() as id, h.place, h.caller, h.idle, h.account, t.id as group_id, t.version as group_version, a.leverage as own, k.cap, k.country, k.version as country_version, g.leverage, i.version as terms, y.pips as tier, o.symbol, o.side, o.amount, o.stop, o.target,
      o.requested, o.slippage, o.seq, o.at, o.bid, o.ask, o.pip, o.epoch, x.opening, x.closing, m.margin,
      o.age_ms + greatest(extract(epoch from clock_timestamp() - o.chosen) * 1000, 0)::integer as age
    from unnest(held.places, held.callers, held.idles, held.accounts) as h (place, caller, idle, account)
    join json_to_recordset(orders) as o (
      place integer, symbol text, side text, amount numeric, stop numeric, target numeric, requested numeric, slippage numeric,
      seq bigint, at timestamptz, age_ms integer, bid numeric, ask numeric, pip numeric, chosen timestamptz, epoch bigint
    ) on o.place = h.place
    join trading_accounts a on a.id = h.account and a.status = 'active'
    join account_types t on t.id = a.account_type_id
    join account_states(held.accounts, now_board) s on s.account_id = h.account
    left join instruments l on l.symbol = o.symbol
    left join instrument_terms i on i.symbol = l.symbol and i.version = l.version
    cross join lateral (select spread_of(t, t.version, o.symbol, l.markup) as pips offset 0) y
    cross join lateral (select account_bid(o.bid, o.ask, o.pip, y.pips) as bid, account_ask(o.bid, o.ask, o.pip, y.pips) as ask) r
    cross join lateral (select
      case o.side when 'buy' then r.ask else r.bid end as opening, case o.side when 'buy' then r.bid else r.ask end as closing,
      case o.side when 'buy' then 1 else -1 end as way
    ) x
    cross join lateral (select b.country, b.version, b.cap from leverage_bound(h.caller, o.symbol) b offset 0) k
    -- Of terms by size, which are left to trade_open, it would be another.
    cross join lateral (select least(a.leverage, k.cap, i.leverage) as leverage) g
    cross join lateral (select margin_of(o.amount, g.leverage) as margin) m
    where o.seq >= lead_first and t.commission = 0
      and (a.is_demo or (a.funded_total >= t.minimum_deposit and (select u.registration_status from users u where u.id = h.caller) = 'approved'))
      and (
        a.is_demo or not exists (select from level_rules r where not r.live_trading)
        or not exists (select from level_rules r where not r.live_trading and r.level = person_level(h.caller))
      )
      and (
        a.is_demo or not exists (select from jurisdictions j where not j.is_served)
        or not exists (select from jurisdictions j join users u on u.country = j.country where u.id = h.caller and not j.is_served)
      )
      and o.amount >= coalesce(l.smallest_deal, 10.00)
      and instrument_lets(i, o.amount)
      and i.margin_steps is null
      and s.open_positions < 200
      and (abs(x.opening - o.requested) > o.slippage) is not true
      and ((x.closing - o.stop) * x.way <= 0) is not true
      and ((o.target - x.closing) * x.way <= 0) is not true
      and m.margin <= s.free
      and clock_timestamp() - o.chosen <= interval '1 second'
  ),
  positioned as (
    insert into positions as p (
      id, account_id, user_id, symbol, side, amount, leverage, margin, stop_loss, take_profit, requested_price, max_slippage, status, open_price, volume, opened_at, since_seq,
      group_version, terms_version, country, country_version
    )
    select
      id, account, caller, symbol, side, amount, leverage, margin, stop, target, requested, slippage, 'open', opening, round(amount / opening, 8),
      date_trunc('milliseconds', clock_timestamp()), seq, group_version, terms, country, country_version
    from due
    returning p as one, p.id
  ),
  filled as (
    insert into fills (
      position_id, kind, quote_seq, quote_at, quote_age_ms, bid, ask, tier_spread_pips, requested_price, price, slippage, amount, margin, actor_id, terms_version,
      group_id, group_version, spread_fixed, account_leverage, cap_leverage, commission
    )
    select
      id, 'open', seq, at, age, bid, ask, case when pip > 0 then abs(tier) else 0 end, requested, opening,
      case side when 'buy' then opening - requested else requested - opening end, amount, margin, caller, terms,
      group_id, group_version, tier < 0, own, cap, 0.00
    from due
  )
  select
    array_agg(d.place) as places, array_agg(a.answer) as answers, array_agg(d.caller) filter (where d.epoch is distinct from lead_epoch) as elsewhere,
    json_agg(json_build_object('place', d.place, 'userId', d.caller, 'idle', d.idle, 'answer', a.answer)) as told
  into opened
  from due d join positioned p on p.id = d.id cross join lateral (select position_json(p.one, d.closing) as answer offset 0) a;

  if are_keyed then
    perform once_end_list(array_agg(keyed.callers[k.n]), array_agg(keyed.keys[k.n]), 201, array_agg(opened.answers[array_position(opened.places, k.place)]))
    from unnest(keyed.places) with ordinality as k (place, n)
    where k.place = any (claimed);
  end if;
  -- Where the engine runs elsewhere it is asked to look at the people concerned.
  if opened.elsewhere is not null then
    insert into engine_looks (subject) select unnest(opened.elsewhere);
  end if;
  return coalesce(opened.told, '[]');
end $$;
