-- Orders that wait: placed, set off, filled, ended.

-- Whether a price of the opening side has reached `level`: from below where it `rises` to it.
create or replace function price_reached(price numeric, level numeric, rises boolean) returns boolean language sql immutable as $$
  select case when rises then price >= level else price <= level end;
$$;

-- Stop and target of a waiting order must lie beyond the price that it waits for.
create or replace function check_waiting_exits(p positions) returns void language plpgsql as $$
declare
  way integer := case p.side when 'buy' then 1 else -1 end;
begin
  if (p.trigger_price - p.stop_loss) * way <= 0 then
    perform refuse('invalid', format('stopLoss must be %s triggerPrice for a %s', case p.side when 'buy' then 'below' else 'above' end, p.side), 'stopLoss');
  elsif (p.take_profit - p.trigger_price) * way <= 0 then
    perform refuse('invalid', format('takeProfit must be %s triggerPrice for a %s', case p.side when 'buy' then 'above' else 'below' end, p.side), 'takeProfit');
  end if;
end $$;

-- What an order waits for must not be there yet: a limit on the better side of the account's price, a stop on the other. A stop-limit that was
-- set off is a limit.
create or replace function check_trigger(p positions, price numeric) returns void language plpgsql as $$
declare
  level numeric := case when p.set_off_seq is null then p.trigger_price else p.limit_price end;
  rises boolean := (p.side = 'buy') <> (p.order_type = 'limit' or p.set_off_seq is not null);
  field text := case when p.set_off_seq is null then 'triggerPrice' else 'limitPrice' end;
begin
  if p.order_type = 'market' or not price_reached(price, level, rises) then return; end if;
  perform refuse('invalid', format(
    '%s must be %s the current price for a %s %s', field, case when rises then 'above' else 'below' end, p.side, replace(p.order_type, '_', '-')
  ), field);
end $$;

-- A stop loss can't follow at a distance that is more than the price.
create or replace function check_distances(p positions, price numeric) returns void language plpgsql as $$
begin
  if p.trailing_distance >= price then perform refuse('invalid', 'trailingDistance must be less than the price', 'trailingDistance'); end if;
end $$;

-- What comes with an opening fill: the stop loss that follows begins, and the waiting orders of its group end, of which their owner is told.
create or replace function fill_follows(p positions, closing numeric, q deed_quote, out filled positions, out gone uuid[]) language plpgsql as $$
declare
  ended positions[];
begin
  filled := case when p.trailing_distance is null and p.break_even_at is null then p else stop_advance(p, closing, q) end;
  if p.oco_group is not null then
    with siblings as (
      update positions o
      set status = 'cancelled', cancel_code = 'oco', cancel_reason = 'Another order of its group was filled.', since_seq = q.seq
      where o.account_id = p.account_id and o.oco_group = p.oco_group and o.status = 'pending' and o.id <> p.id
      returning o as one
    )
    select array_agg(one) into ended from siblings;
    perform tell_orders_ended(ended);
  end if;
  gone := array(select e.id from unnest(ended) e);
end $$;

-- Tells their owner, on pages and devices, that these waiting orders, which ended for one reason, were cancelled; of many at once in one message.
create or replace function tell_orders_ended(ended positions[]) returns void language plpgsql as $$
declare
  p positions := ended[1];
  many integer := cardinality(ended);
begin
  if many = 1 then
    perform tell_person(
      p.user_id, 'Order cancelled', format('Your waiting %s %s order was cancelled. %s', upper(p.side), p.symbol, p.cancel_reason), 'warning', 'trades',
      format('/positions/%s/receipt', p.id), 'order-' || p.id
    );
  elsif many > 1 then
    perform tell_person(
      p.user_id, 'Orders cancelled', format('%s of your waiting orders were cancelled. %s', many, p.cancel_reason), 'warning', 'trades', '/positions',
      'order-' || p.id
    );
  end if;
end $$;

-- An order that is more than a plain one at the market, or that comes while the market is closed: `terms` has the columns of positions that
-- say what it waits for and how its stop loss moves. Answers as trade_open, with the ids of the orders that its fill ended.
create or replace function order_place(
  caller uuid, wanted uuid, of_symbol text, of_side text, of_amount numeric, stop numeric, target numeric, requested numeric, max_slippage numeric,
  market_open boolean, q deed_quote, now_board board, terms json, once_key text, once_fingerprint text, chosen timestamptz
) returns json language plpgsql as $$
declare
  earlier json;
  account trading_accounts;
  p positions := json_populate_record(null::positions, terms);
  prices record;
  closing numeric;
  follows record;
  terms instrument_terms;
  bound record;
  geared integer;
  gone uuid[] := '{}';
  answer json;
begin
  earlier := once_begin(caller, once_key, once_fingerprint);
  if earlier is not null then return earlier; end if;
  perform refuse_halted();
  account := account_for_order(caller, wanted);
  select x.* into prices
  from account_types t, account_price(q.bid, q.ask, q.pip, spread_of(t, t.version, of_symbol, markup_of(of_symbol))) x
  where t.id = account.account_type_id;
  closing := case of_side when 'buy' then prices.account_bid else prices.account_ask end;
  perform check_distances(p, coalesce(p.trigger_price, closing));
  if p.order_type = 'market' then
    answer := trade_open(
      caller, account.id, of_symbol, of_side, of_amount, stop, target, requested, max_slippage, market_open, q, now_board, null, null, chosen
    ) -> 'answer';
    update positions o
    set
      expires_at = p.expires_at, trailing_distance = p.trailing_distance, break_even_at = p.break_even_at, oco_group = p.oco_group,
      place = nextval('order_places'), placed_seq = q.seq, placed_at = q.at, placed_bid = q.bid, placed_ask = q.ask, since_seq = q.seq
    where o.id = (answer ->> 'id')::uuid
    returning * into p;
    if market_open then
      follows := fill_follows(p, closing, q);
      p := follows.filled;
      gone := follows.gone;
    end if;
  else
    perform refuse_unready(account);
    if of_amount < smallest_deal(of_symbol) then
      perform refuse('invalid', format('The amount must be at least %s.', money_text(smallest_deal(of_symbol))), 'amount');
    end if;
    terms := instrument_now(of_symbol);
    if terms.version is not null then perform refuse_instrument(terms, account, of_side, of_amount, false); end if;
    perform refuse_crowd(account, 'pending');
    select b.country, b.version, b.cap into bound from leverage_bound(caller, of_symbol) b;
    geared := instrument_leverage(terms, least(account.leverage, bound.cap), of_amount, 0);
    p.side := of_side;
    p.stop_loss := stop;
    p.take_profit := target;
    perform check_trigger(p, case of_side when 'buy' then prices.account_ask else prices.account_bid end);
    perform check_waiting_exits(p);
    perform tick_age(q.age_ms, chosen);
    insert into positions (
      account_id, user_id, symbol, side, amount, leverage, margin, stop_loss, take_profit, requested_price, max_slippage, status, order_type, trigger_price,
      limit_price, expires_at, trailing_distance, break_even_at, oco_group, place, placed_seq, placed_at, placed_bid, placed_ask, since_seq,
      country, country_version
    )
    values (
      account.id, caller, of_symbol, of_side, of_amount, geared, margin_of(of_amount, geared), stop, target, requested, max_slippage,
      'pending', p.order_type, p.trigger_price, p.limit_price, p.expires_at, p.trailing_distance, p.break_even_at, p.oco_group, nextval('order_places'), q.seq,
      q.at, q.bid, q.ask, q.seq, bound.country, bound.version
    )
    returning * into p;
    -- The engine compares accounts that moved lately with what it knows.
    update trading_accounts set updated_at = now() where id = account.id;
  end if;
  answer := position_json(p, case when p.status = 'open' then closing end);
  if once_key is not null then perform once_end(caller, once_key, 201, answer); end if;
  return json_build_object('status', 201, 'answer', answer, 'gone', gone);
end $$;

-- Why an order that waited may not fill at this price of the account's, for programs and in words; null where it may. With the margin
-- that it needs and that is free, where that is why.
create or replace function order_bar(
  account trading_accounts, p positions, price numeric, pip numeric, now_board board, out code text, out why text, out needed numeric, out free numeric
) language plpgsql stable as $$
declare
  -- How far the price is from what was asked for; from a trigger only the worse side counts.
  away numeric := case
    when p.order_type = 'market' then abs(price - p.requested_price)
    when p.order_type = 'stop' then (price - p.trigger_price) * case p.side when 'buy' then 1 else -1 end end;
begin
  if standing_bars(p.user_id) then
    code := 'suspended';
    why := 'The account''s owner may not trade.';
  elsif away > p.max_slippage then
    code := 'price_moved';
    why := format('The price %s %s, further away than the order allows.', case p.order_type when 'market' then 'opened at' else 'came to' end, deal_price_text(price, pip));
  elsif (select count(*) from positions o where o.account_id = account.id and o.status = 'open') >= 200 then
    code := 'too_many_positions';
    why := '200 positions were open already.';
  else
    select p.margin + commission_of(p.amount, t.commission) into needed from account_types t where t.id = account.account_type_id;
    -- Floating profit pays no commission: that must be in the balance.
    select case when needed - p.margin > s.balance then least(s.free, s.balance) else s.free end into free from account_state(account.id, now_board) s;
    if free < needed then
      code := 'insufficient_margin';
      why := case p.order_type
        when 'market' then 'Not enough free margin when the market opened.'
        else format('It needed %s of margin; %s was free.', money_text(needed), money_text(greatest(free, 0))) end;
    end if;
  end if;
  if code is distinct from 'insufficient_margin' then
    free := null;
    needed := null;
  end if;
end $$;

-- Fills a waiting order that this tick reaches, or ends it where its end has come (`market_at` is the market's time then), or its bounds, its
-- owner's standing or the margin no longer allow it. A stop-limit may be set off and go on waiting. Null: it waits no more. Answers
-- {order, gone}: the orders that its fill ended. Refused (not_triggered) where the tick does not reach it, or is not later than its last edit.
create or replace function order_trigger(of_position uuid, q deed_quote, now_board board, market_at timestamptz) returns json language plpgsql as $$
declare
  account trading_accounts;
  p positions;
  prices record;
  price numeric;
  closing numeric;
  terms instrument_terms;
  placed integer;
  bar record;
  follows record;
begin
  perform refuse_halted();
  select a.* into account from trading_accounts a join positions o on o.account_id = a.id where o.id = of_position for update of a;
  select * into p from positions where id = of_position and status = 'pending' for update;
  if not found then return null; end if;
  if p.expires_at <= market_at then return json_build_object('order', position_json(order_end_told(p, 'expired', 'Its time was over.', q.seq), null)); end if;
  select x.* into prices
  from account_types t, account_price(q.bid, q.ask, q.pip, spread_of(t, t.version, p.symbol, markup_of(p.symbol))) x
  where t.id = account.account_type_id;
  price := case p.side when 'buy' then prices.account_ask else prices.account_bid end;
  closing := case p.side when 'buy' then prices.account_bid else prices.account_ask end;
  if q.seq <= p.since_seq then perform refuse('not_triggered', 'The order was placed or changed after this price.'); end if;
  if p.order_type in ('stop', 'stop_limit') and p.set_off_seq is null then
    if not price_reached(price, p.trigger_price, p.side = 'buy') then perform refuse('not_triggered', 'The price does not reach the order.'); end if;
    if p.order_type = 'stop_limit' then
      update positions set set_off_seq = q.seq, since_seq = q.seq where id = p.id returning * into p;
    end if;
  end if;
  if p.order_type in ('limit', 'stop_limit') and not price_reached(price, coalesce(p.limit_price, p.trigger_price), p.side = 'sell') then
    if p.set_off_seq = q.seq then return json_build_object('order', position_json(p, null)); end if;
    perform refuse('not_triggered', 'The price does not reach the order.');
  end if;
  terms := instrument_now(p.symbol);
  if terms.version is not null then
    bar := instrument_bar(terms, account, p.side, p.amount, true);
    if bar.code is not null then return json_build_object('order', position_json(order_end_told(p, bar.code, bar.why, q.seq), null)); end if;
  end if;
  -- What opens now is dealt by the terms of now.
  placed := p.leverage;
  p.leverage := least(placed, instrument_leverage(terms, account.leverage, p.amount, instrument_held(terms, account.id, p.side)));
  p.margin := margin_of(p.amount, p.leverage);
  bar := order_bar(account, p, price, q.pip, now_board);
  if bar.code is not null then
    return json_build_object('order', position_json(order_end_told(p, bar.code, bar.why, q.seq, bar.needed, bar.free), null));
  end if;
  p := position_fill(account, p, q, coalesce(p.limit_price, p.trigger_price), null, terms.version, placed);
  follows := fill_follows(p, closing, q);
  return json_build_object('order', position_json(follows.filled, closing), 'gone', follows.gone);
end $$;

-- Ends a waiting order unfilled without its owner's doing, and tells the owner, on pages and devices.
create or replace function order_end_told(p positions, code text, why text, on_seq bigint, needed numeric default null, free numeric default null) returns positions language plpgsql as $$
begin
  p := order_end(p, code, why, on_seq, needed, free);
  perform tell_orders_ended(array[p]);
  return p;
end $$;

-- Ends a waiting order unfilled, on this tick (null: on none), with the account and the order locked by the caller.
create or replace function order_end(p positions, code text, why text, on_seq bigint, needed numeric default null, free numeric default null) returns positions language plpgsql as $$
begin
  update positions
  set status = 'cancelled', cancel_code = code, cancel_reason = why, cancel_needed = needed, cancel_free = free, since_seq = coalesce(on_seq, since_seq)
  where id = p.id
  returning * into p;
  return p;
end $$;

-- Who may not sign in may not deal either: what of theirs waits ends. Positions that are open stay under the engine's care, which is told.
create or replace function standing_bars(of_user uuid) returns boolean language sql stable as $$
  select u.registration_status = 'rejected' or u.account_status = 'banned' or (u.account_status = 'suspended' and (u.suspended_until is null or u.suspended_until > now()))
  from users u where u.id = of_user;
$$;
create or replace function waiting_orders_end() returns trigger language plpgsql as $$
declare
  ended positions[];
begin
  if standing_bars(new.id) then
    perform 1 from trading_accounts a
    where a.user_id = new.id and exists (select from positions p where p.account_id = a.id and p.status = 'pending')
    order by a.id
    for update;
    if not found then return null; end if;
    with stopped as (
      update positions p set status = 'cancelled', cancel_code = 'suspended', cancel_reason = 'The account''s owner may not trade.'
      where p.user_id = new.id and p.status = 'pending'
      returning p as one
    )
    select array_agg(one) into ended from stopped;
    perform tell_orders_ended(ended);
    insert into engine_looks (subject) values (new.id);
  end if;
  return null;
end $$;

-- Cancels an order that still waits.
create or replace function trade_cancel(caller uuid, of_position uuid) returns json language plpgsql as $$
declare
  p positions;
begin
  perform 1 from trading_accounts a join positions o on o.account_id = a.id where o.id = of_position and o.user_id = caller for update of a;
  if not found then perform refuse('not_found', 'Not found.'); end if;
  select * into p from positions where id = of_position and status = 'pending' for update;
  if not found then perform refuse('conflict', 'This order no longer waits, so it can''t be cancelled.'); end if;
  return position_json(order_end(p, 'trader', 'Cancelled by the trader.', null), null);
end $$;

-- Cancels all waiting orders of a person, or of one account.
create or replace function trade_cancel_all(caller uuid, wanted uuid) returns json language plpgsql as $$
declare
  ended json;
begin
  perform 1 from trading_accounts where user_id = caller and (wanted is null or id = wanted) order by id for update;
  if not found and wanted is not null then perform refuse('not_found', 'Not found.'); end if;
  with held as (
    select p as o from positions p where p.user_id = caller and p.status = 'pending' and (wanted is null or p.account_id = wanted) order by p.id for update
  )
  select json_agg(position_json(order_end(h.o, 'trader', 'Cancelled by the trader.', null), null)) into ended from held h;
  return coalesce(ended, '[]');
end $$;

-- Ends those of an account's waiting orders whose time is over. Answers with them.
create or replace function orders_expire(of_account uuid, market_at timestamptz) returns json language plpgsql as $$
declare
  ended json;
begin
  perform 1 from trading_accounts where id = of_account for update;
  with held as (
    select p as o from positions p where p.account_id = of_account and p.status = 'pending' and p.expires_at <= market_at order by p.id for update
  )
  select json_agg(position_json(order_end_told(h.o, 'expired', 'Its time was over.', null), null)) into ended from held h;
  return coalesce(ended, '[]');
end $$;

create or replace trigger users_end_waiting_orders after update of account_status, registration_status on users for each row execute function waiting_orders_end();
