-- The deeds on positions. Each is one function, so one round trip, that locks the trading account, then the position, then
-- ledger accounts by id.

-- Stop and target must lie beyond the price they are watched against, so that neither fires at once.
create function check_exits(side text, closing_price numeric, stop numeric, target numeric) returns void language plpgsql as $$
begin
  if side = 'buy' and stop >= closing_price then
    perform refuse('invalid', 'stopLoss must be below the current price for a buy', 'stopLoss');
  elsif side = 'sell' and stop <= closing_price then
    perform refuse('invalid', 'stopLoss must be above the current price for a sell', 'stopLoss');
  elsif side = 'buy' and target <= closing_price then
    perform refuse('invalid', 'takeProfit must be above the current price for a buy', 'takeProfit');
  elsif side = 'sell' and target >= closing_price then
    perform refuse('invalid', 'takeProfit must be below the current price for a sell', 'takeProfit');
  end if;
end $$;

-- The account that an order is for: the named one, else the one last traded on, else the oldest. Locked.
create function account_for_order(caller uuid, wanted uuid) returns trading_accounts language plpgsql as $$
declare
  account trading_accounts;
begin
  select * into account from trading_accounts
  where user_id = caller and (id = wanted or (wanted is null and status = 'active'))
  order by last_traded_at desc nulls last, created_at, id
  limit 1
  for update;
  if not found and wanted is null then
    perform refuse('conflict', 'Open a trading account first.');
  elsif not found then
    perform refuse('not_found', 'Not found.');
  elsif account.status <> 'active' then
    perform refuse('conflict', 'This trading account is closed.');
  end if;
  return account;
end $$;

-- What a live account still lacks before it may trade.
create function refuse_unready(account trading_accounts) returns void language plpgsql as $$
declare
  minimum numeric;
begin
  if account.is_demo then return; end if;
  if (select registration_status from users where id = account.user_id) <> 'approved' then
    perform refuse('registration_pending', 'Your registration is awaiting approval.');
  end if;
  select minimum_deposit into minimum from account_types where id = account.account_type_id;
  if account.funded_total < minimum then
    perform refuse('not_funded', format(
      'This account can trade once $%s has been moved into it; so far it is $%s.', trim(to_char(minimum, '999,999,999,990.00')), trim(to_char(account.funded_total, '999,999,999,990.00'))
    ));
  end if;
end $$;

create function refuse_without_margin(account trading_accounts, needed numeric, now_board board) returns void language plpgsql as $$
declare
  state record;
begin
  select * into state from account_state(account.id, now_board);
  if needed > state.free then
    perform refuse('insufficient_margin', format(
      'This order needs $%s of margin; $%s is free.', trim(to_char(needed, '999,999,999,990.00')), trim(to_char(greatest(state.free, 0), '999,999,999,990.00'))
    ), 'amount');
  end if;
end $$;

-- Gives a position its opening fill at the account's price on this tick.
create function position_fill(account trading_accounts, p positions, q deed_quote, requested numeric, actor uuid) returns positions language plpgsql as $$
declare
  tier numeric;
  price numeric;
begin
  select spreads_from into tier from account_types where id = account.account_type_id;
  select case p.side when 'buy' then account_ask else account_bid end into price from account_price(q.bid, q.ask, q.pip, tier);
  update positions
  set status = 'open', open_price = price, volume = round(p.amount / price, 8), opened_at = clock_timestamp()
  where id = p.id
  returning * into p;
  insert into fills (position_id, kind, quote_seq, quote_at, quote_age_ms, bid, ask, tier_spread_pips, requested_price, price, slippage, amount, margin, actor_id)
  values (
    p.id, 'open', q.seq, q.at, q.age_ms, q.bid, q.ask, case when q.pip > 0 then tier else 0 end, requested, price,
    case p.side when 'buy' then price - requested else requested - price end, p.amount, p.margin, actor
  );
  update trading_accounts set last_traded_at = clock_timestamp(), updated_at = now() where id = account.id;
  return p;
end $$;

-- An order. Answers {status, answer} with the position: open at the account's price on this tick, or pending while the
-- market is closed. `requested` is the price the trader saw; `max_slippage` how far from it the fill may be.
create function trade_open(
  caller uuid, wanted uuid, of_symbol text, of_side text, of_amount numeric, stop numeric, target numeric, requested numeric, max_slippage numeric,
  market_open boolean, q deed_quote, now_board board, once_key text, once_fingerprint text
) returns json language plpgsql as $$
declare
  earlier json;
  account trading_accounts;
  tier numeric;
  prices record;
  opening numeric;
  closing numeric;
  p positions;
  answer json;
begin
  earlier := once_begin(caller, once_key, once_fingerprint);
  if earlier is not null then return earlier; end if;
  perform refuse_halted();
  account := account_for_order(caller, wanted);
  perform refuse_unready(account);
  select spreads_from into tier from account_types where id = account.account_type_id;
  select * into prices from account_price(q.bid, q.ask, q.pip, tier);
  opening := case of_side when 'buy' then prices.account_ask else prices.account_bid end;
  closing := case of_side when 'buy' then prices.account_bid else prices.account_ask end;
  if market_open and abs(opening - requested) > max_slippage then
    perform refuse('price_moved', format('The price moved to %s.', trim_scale(opening)), 'currentPrice');
  end if;
  perform check_exits(of_side, closing, stop, target);
  perform refuse_without_margin(account, margin_of(of_amount, account.leverage), now_board);
  insert into positions (account_id, user_id, symbol, side, amount, leverage, margin, stop_loss, take_profit, status)
  values (account.id, caller, of_symbol, of_side, of_amount, account.leverage, margin_of(of_amount, account.leverage), stop, target, 'pending')
  returning * into p;
  if market_open then
    p := position_fill(account, p, q, requested, caller);
  end if;
  answer := position_json(p, case when market_open then closing end);
  if once_key is not null then
    perform once_end(caller, once_key, 201, answer);
  end if;
  return json_build_object('status', 201, 'answer', answer);
end $$;

-- Fills an order that waited for the opening, or cancels it where the margin no longer allows. Null: it waits no more.
create function trade_fill_pending(of_position uuid, q deed_quote, now_board board) returns json language plpgsql as $$
declare
  account trading_accounts;
  p positions;
  closing numeric;
  state record;
begin
  perform refuse_halted();
  select a.* into account from trading_accounts a join positions o on o.account_id = a.id where o.id = of_position for update of a;
  select * into p from positions where id = of_position and status = 'pending' for update;
  if not found then return null; end if;
  select * into state from account_state(account.id, now_board);
  if state.free < p.margin then
    update positions set status = 'cancelled', cancel_reason = 'Not enough free margin when the market opened.' where id = p.id returning * into p;
    return position_json(p, null);
  end if;
  p := position_fill(account, p, q, null, null);
  select case p.side when 'buy' then account_bid else account_ask end into closing
  from account_types t, account_price(q.bid, q.ask, q.pip, t.spreads_from) where t.id = account.account_type_id;
  return position_json(p, closing);
end $$;

-- Closes a whole open position at `price` and books the result, with the account and the position locked by the caller. A loss
-- beyond the balance is advanced while other positions are open, and with the last one forgiven. Where a result other than the
-- market's is `settled`, the fill keeps the market's, which goes to house_pnl, and house_adjustment bears the difference.
create function position_close(
  account trading_accounts, p positions, why text, price numeric, tier numeric, q deed_quote, requested numeric, actor uuid, settled numeric default null
) returns positions language plpgsql as $$
declare
  result numeric := profit_of(p.side, p.amount, p.open_price, price);
  due numeric := coalesce(settled, result);
  book text := case when account.is_demo then 'demo' else 'live' end;
  before_balance numeric;
  pool numeric;
  moved numeric;
  others boolean;
begin
  select balance into before_balance from ledger_accounts where id = account.ledger_account_id;
  pool := before_balance - account.advance + due;
  moved := greatest(pool, 0) - before_balance;
  update positions
  set status = 'closed', close_price = price, profit = due, covered = moved - due, close_reason = why, closed_at = date_trunc('milliseconds', clock_timestamp())
  where id = p.id
  returning * into p;
  others := exists (select from positions where account_id = account.id and status = 'open');
  update trading_accounts
  set
    advance = case when others then greatest(-pool, 0) else 0 end,
    realised = realised + due,
    margin_called_at = case when others then margin_called_at end,
    last_traded_at = case when actor = p.user_id then clock_timestamp() else last_traded_at end,
    updated_at = now()
  where id = account.id;
  if result <> 0 or moved <> 0 then
    perform ledger_post(
      'trade_close', p.id, format('%s %s %s %s', upper(p.side), p.symbol, p.amount, case when settled is null then 'closed' else 'settled by administrator' end),
      array[account.ledger_account_id, house_account(book, 'house_pnl'), house_account(book, 'house_adjustment')],
      array[moved, -result, result - moved]
    );
  end if;
  insert into fills (position_id, kind, quote_seq, quote_at, quote_age_ms, bid, ask, tier_spread_pips, requested_price, price, slippage, amount, margin, profit, reason, actor_id)
  values (
    p.id, 'close', q.seq, q.at, q.age_ms, q.bid, q.ask, case when q.pip > 0 then tier else 0 end, requested, price,
    case p.side when 'buy' then requested - price else price - requested end, p.amount, p.margin, result, why, actor
  );
  return p;
end $$;

-- Closes a position or a part of it on this tick and books the result. `caller` is the trader, or null for the engine,
-- whose stop or target is checked once more against this tick. Exactly one caller closes a position; the others get a conflict.
create function trade_close(
  caller uuid, of_position uuid, part numeric, why text, q deed_quote, requested numeric, once_key text, once_fingerprint text
) returns json language plpgsql as $$
declare
  earlier json;
  account trading_accounts;
  p positions;
  whole positions;
  tier numeric;
  prices record;
  price numeric;
  answer json;
begin
  if caller is not null then
    earlier := once_begin(caller, once_key, once_fingerprint);
    if earlier is not null then return earlier; end if;
  end if;
  select a.* into account from trading_accounts a join positions o on o.account_id = a.id
  where o.id = of_position and (caller is null or o.user_id = caller) for update of a;
  if not found then perform refuse('not_found', 'Not found.'); end if;
  select * into p from positions where id = of_position for update;
  if p.status = 'pending' then perform refuse('conflict', 'This order is still waiting for the market to open. Cancel it instead.'); end if;
  if p.status <> 'open' then perform refuse('conflict', 'This position is already closed.'); end if;
  if part > p.amount then perform refuse('invalid', 'amount must be at most the position''s amount', 'amount'); end if;

  select spreads_from into tier from account_types where id = account.account_type_id;
  select * into prices from account_price(q.bid, q.ask, q.pip, tier);
  price := case p.side when 'buy' then prices.account_bid else prices.account_ask end;
  if why = 'stop_loss' and (p.stop_loss is null or (p.side = 'buy' and price > p.stop_loss) or (p.side = 'sell' and price < p.stop_loss))
    or why = 'take_profit' and (p.take_profit is null or (p.side = 'buy' and price < p.take_profit) or (p.side = 'sell' and price > p.take_profit))
  then
    perform refuse('not_triggered', 'The stop or target was moved.');
  end if;

  if part < p.amount then
    whole := p;
    update positions
    set amount = amount - part, volume = round((amount - part) / open_price, 8), margin = margin_of(amount - part, leverage)
    where id = whole.id;
    insert into positions (account_id, user_id, parent_id, symbol, side, amount, volume, leverage, margin, open_price, stop_loss, take_profit, status, created_at, opened_at)
    values (
      p.account_id, p.user_id, p.id, p.symbol, p.side, part, round(part / p.open_price, 8), p.leverage, margin_of(part, p.leverage), p.open_price,
      p.stop_loss, p.take_profit, 'open', p.created_at, p.opened_at
    )
    returning * into p;
  end if;

  p := position_close(account, p, why, price, tier, q, requested, caller);
  answer := position_json(p, price);
  if caller is not null and once_key is not null then
    perform once_end(caller, once_key, 200, answer);
  end if;
  return json_build_object('status', 200, 'answer', answer);
end $$;

-- Cancels an order that still waits for the market to open.
create function trade_cancel(caller uuid, of_position uuid) returns json language plpgsql as $$
declare
  p positions;
begin
  perform 1 from trading_accounts a join positions o on o.account_id = a.id where o.id = of_position and o.user_id = caller for update of a;
  if not found then perform refuse('not_found', 'Not found.'); end if;
  update positions set status = 'cancelled', cancel_reason = 'Cancelled by the trader.' where id = of_position and status = 'pending' returning * into p;
  if not found then perform refuse('conflict', 'This order no longer waits, so it can''t be cancelled.'); end if;
  return position_json(p, null);
end $$;

-- Closes all open positions of a person, or of one account; what has no fresh price is left open and named. `quotes` is a
-- list of {symbol, seq, at, age_ms, bid, ask, pip}, one for each symbol whose price can be dealt on.
create function trade_close_all(caller uuid, wanted uuid, quotes json, once_key text, once_fingerprint text) returns json language plpgsql as $$
declare
  earlier json;
  p record;
  one json;
  closed json[] := '{}';
  refused json[] := '{}';
  answer json;
begin
  earlier := once_begin(caller, once_key, once_fingerprint);
  if earlier is not null then return earlier; end if;
  perform 1 from trading_accounts where user_id = caller and (wanted is null or id = wanted) order by id for update;
  if not found and wanted is not null then perform refuse('not_found', 'Not found.'); end if;
  for p in
    select o.id, o.symbol, q.seq, q.at, q.age_ms, q.bid, q.ask, q.pip
    from positions o
    left join json_to_recordset(quotes) as q (symbol text, seq bigint, at timestamptz, age_ms integer, bid numeric, ask numeric, pip numeric) on q.symbol = o.symbol
    where o.user_id = caller and o.status = 'open' and (wanted is null or o.account_id = wanted)
    order by o.account_id, o.created_at, o.id
    limit 1000
  loop
    if p.seq is null then
      refused := refused || json_build_object('id', p.id, 'symbol', p.symbol, 'message', 'There is no current price for ' || p.symbol || '.');
    else
      one := trade_close(caller, p.id, null, 'trader', row(p.seq, p.at, p.age_ms, p.bid, p.ask, p.pip)::deed_quote, null, null, null);
      closed := closed || (one -> 'answer');
    end if;
  end loop;
  answer := json_build_object('closed', to_json(closed), 'refused', to_json(refused));
  if once_key is not null then
    perform once_end(caller, once_key, 200, answer);
  end if;
  return json_build_object('status', 200, 'answer', answer);
end $$;

-- Moves stop and target of an open or waiting position; null clears. `keep_*` leaves one as it is.
create function trade_edit(
  caller uuid, of_position uuid, keep_stop boolean, stop numeric, keep_target boolean, target numeric, q deed_quote
) returns json language plpgsql as $$
declare
  account trading_accounts;
  p positions;
  closing numeric;
begin
  select a.* into account from trading_accounts a join positions o on o.account_id = a.id where o.id = of_position and o.user_id = caller for update of a;
  if not found then perform refuse('not_found', 'Not found.'); end if;
  select * into p from positions where id = of_position for update;
  if p.status not in ('open', 'pending') then perform refuse('conflict', 'This position is already closed.'); end if;
  select case p.side when 'buy' then account_bid else account_ask end into closing
  from account_types t, account_price(q.bid, q.ask, q.pip, t.spreads_from) where t.id = account.account_type_id;
  perform check_exits(p.side, closing, case when keep_stop then null else stop end, case when keep_target then null else target end);
  update positions
  set stop_loss = case when keep_stop then stop_loss else stop end, take_profit = case when keep_target then take_profit else target end
  where id = p.id
  returning * into p;
  return position_json(p, closing);
end $$;
