-- Closing: a position, a part of it, or all of a person's.

-- Holds what a result on any of these accounts moves, in the order of ids: what each holds in the ledger, and the house's of their books alone, so that
-- whoever deals demo money never comes to live money's. The accounts are held by the caller.
create or replace function booked_hold(accounts uuid[]) returns void language plpgsql as $$
begin
  perform 1 from ledger_accounts
  where id = any (array(
    select ledger_account_id from trading_accounts where id = any (accounts)
    union all
    select house_account(b.book, 'house_pnl')
    from (select distinct case when is_demo then 'demo' else 'live' end as book from trading_accounts where id = any (accounts)) b
  ))
  order by id
  for update;
end $$;

-- Closes a whole open position at `price`, which is by the version of `terms` that holds for it, and books the result, with the account and the
-- position locked by the caller. A loss beyond the balance is advanced while other positions are open, and with the last one forgiven; what was
-- advanced before, for losses and nights, is repaid first. Where
-- another result than the market's is `settled`, the fill keeps the market's: that goes to house_pnl, the difference to house_adjustment. The
-- group's commission takes no more than what the account then has, and nothing where a result is settled. Nights that it was open over and that
-- were not charged are charged first.
create or replace function position_close(
  account trading_accounts, p positions, why text, price numeric, terms account_types, q deed_quote, requested numeric, actor uuid,
  settled numeric default null
) returns positions language plpgsql as $$
declare
  result numeric := profit_left(p.side, p.moved, p.amount, p.open_price, price);
  due numeric := coalesce(settled, result);
  book text := case when account.is_demo then 'demo' else 'live' end;
  before_balance numeric;
  before_advance numeric;
  pool numeric;
  booking numeric;
  fee numeric := 0;
  spread numeric;
  others boolean;
  listed instruments := (select i from instruments i where i.symbol = p.symbol);
  moment timestamptz := date_trunc('milliseconds', clock_timestamp());
begin
  perform refuse_earlier_tick(p, q.seq);
  terms := terms_held(terms, p.group_version);
  spread := spread_of(terms, terms.version, p.symbol, markup_held(listed, p.terms_version));
  p := swaps_settle(p, moment);
  -- Read now: a night that was just charged may have been advanced.
  select l.balance, a.advance into before_balance, before_advance
  from trading_accounts a join ledger_accounts l on l.id = a.ledger_account_id where a.id = account.id;
  pool := before_balance - before_advance + due;
  booking := greatest(pool, 0) - before_balance;
  if settled is null and pool > 0 then
    fee := least(commission_of(p.amount, terms.commission), pool);
  end if;
  update positions
  set
    status = 'closed', close_price = price, profit = due, covered = booking - due, close_reason = why, closed_at = moment,
    charges = charges + fee
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
  if result <> 0 or booking <> 0 then
    perform ledger_post(
      'trade_close', p.id, format('%s %s %s %s', upper(p.side), p.symbol, p.amount, case when settled is null then 'closed' else 'settled by administrator' end),
      array[account.ledger_account_id, house_account(book, 'house_pnl'), house_account(book, 'house_adjustment')],
      array[booking, -result, result - booking]
    );
  end if;
  if fee > 0 then perform commission_charge(account, p, 'close', terms, fee); end if;
  insert into fills (
    position_id, kind, quote_seq, quote_at, quote_age_ms, bid, ask, tier_spread_pips, requested_price, price, slippage, amount, margin, profit, reason, actor_id,
    group_id, group_version, spread_fixed, terms_version, commission
  )
  values (
    p.id, 'close', q.seq, q.at, q.age_ms, q.bid, q.ask,
    case when q.pip > 0 then abs(spread) else 0 end, requested, price,
    case p.side when 'buy' then requested - price else price - requested end, p.amount, p.margin, result, why, actor, terms.id, terms.version, spread < 0,
    nullif(greatest(p.terms_version, listed.applied), 0), fee
  );
  return p;
end $$;

-- Closes a position or a part of it on this tick and books the result. `caller` is the trader, or null for the engine,
-- whose stop or target is checked once more against this tick. Exactly one caller closes a position; the others get a conflict.
-- A trader's tick was `chosen` at most a second ago when all is locked; a rest below the smallest deal closes with the part.
create or replace function trade_close(
  caller uuid, of_position uuid, part numeric, why text, q deed_quote, requested numeric, once_key text, once_fingerprint text, chosen timestamptz
) returns json language plpgsql as $$
declare
  earlier json;
  account trading_accounts;
  p positions;
  whole positions;
  terms account_types;
  prices record;
  price numeric;
  age integer := q.age_ms;
  smallest numeric;
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
  if p.status = 'pending' then perform refuse('conflict', 'This order still waits. Cancel it instead.'); end if;
  if p.status <> 'open' then perform refuse('conflict', 'This position is already closed.'); end if;
  if part > p.amount then perform refuse('invalid', format('The amount to close must be at most %s.', money_text(p.amount)), 'amount'); end if;
  if part < p.amount then
    smallest := smallest_deal(p.symbol);
    if part < smallest then
      perform refuse('invalid', format('The amount to close must be at least %s, or the whole position.', money_text(smallest)), 'amount');
    end if;
    if p.amount - part < smallest then part := null; end if;
  end if;

  select * into terms from account_types where id = account.account_type_id;
  select * into prices from account_price(q.bid, q.ask, q.pip, spread_of(terms, p.group_version, p.symbol, markup_of(p.symbol, p.terms_version)));
  price := case p.side when 'buy' then prices.account_bid else prices.account_ask end;
  if why = 'stop_loss' and (p.stop_loss is null or (p.side = 'buy' and price > p.stop_loss) or (p.side = 'sell' and price < p.stop_loss))
    or why = 'take_profit' and (p.take_profit is null or (p.side = 'buy' and price < p.take_profit) or (p.side = 'sell' and price > p.take_profit))
  then
    perform refuse('not_triggered', 'The stop or target was moved.');
  end if;

  if part < p.amount then
    -- The nights until now are the whole's.
    p := swaps_settle(p, clock_timestamp());
    whole := p;
    update positions
    set
      amount = amount - part, volume = round((amount - part) / open_price, 8), margin = margin_of(amount - part, leverage),
      moved = moved + part * (price - open_price)
    where id = whole.id;
    insert into positions (
      account_id, user_id, parent_id, symbol, side, amount, moved, volume, leverage, margin, open_price, stop_loss, take_profit, status, created_at, opened_at,
      order_type, trigger_price, limit_price, set_off_seq, expires_at, trailing_distance, break_even_at, broke_even_seq, oco_group,
      placed_seq, placed_at, placed_bid, placed_ask, group_version, terms_version
    )
    values (
      p.account_id, p.user_id, p.id, p.symbol, p.side, part, p.moved, round(part / p.open_price, 8), p.leverage, margin_of(part, p.leverage), p.open_price,
      p.stop_loss, p.take_profit, 'open', p.created_at, p.opened_at,
      p.order_type, p.trigger_price, p.limit_price, p.set_off_seq, p.expires_at, p.trailing_distance, p.break_even_at, p.broke_even_seq, p.oco_group,
      p.placed_seq, p.placed_at, p.placed_bid, p.placed_ask, p.group_version, p.terms_version
    )
    returning * into p;
  end if;

  if caller is not null then q.age_ms := tick_age(age, chosen); end if;
  p := position_close(account, p, why, price, terms, q, requested, caller);
  -- The ledger may have been waited for.
  if caller is not null then perform tick_age(age, chosen); end if;
  answer := position_json(p, price);
  if caller is not null and once_key is not null then
    perform once_end(caller, once_key, 200, answer);
  end if;
  return json_build_object('status', 200, 'answer', answer);
end $$;

-- Closes all open positions of a person, or of one account; what has no fresh price is left open and named. `quotes` is a
-- list of {symbol, seq, at, age_ms, bid, ask, pip, chosen}, one for each symbol whose price can be dealt on.
create or replace function trade_close_all(caller uuid, wanted uuid, quotes json, once_key text, once_fingerprint text) returns json language plpgsql as $$
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
    select o.id, o.symbol, q.seq, q.at, q.age_ms, q.bid, q.ask, q.pip, coalesce(q.chosen, statement_timestamp()) as chosen
    from positions o
    join trading_accounts a on a.id = o.account_id
    left join json_to_recordset(quotes)
      as q (symbol text, seq bigint, at timestamptz, age_ms integer, bid numeric, ask numeric, pip numeric, chosen timestamptz) on q.symbol = o.symbol
    where o.user_id = caller and o.status = 'open' and (wanted is null or o.account_id = wanted)
    -- Live ones first, as the house's accounts are locked.
    order by a.is_demo, o.account_id, o.created_at, o.id
    limit 1000
  loop
    if p.seq is null then
      refused := refused || json_build_object('id', p.id, 'symbol', p.symbol, 'message', 'There is no current price for ' || p.symbol || '.');
    else
      one := trade_close(caller, p.id, null, 'trader', row(p.seq, p.at, p.age_ms, p.bid, p.ask, p.pip)::deed_quote, null, null, null, p.chosen);
      closed := closed || (one -> 'answer');
    end if;
  end loop;
  answer := json_build_object('closed', to_json(closed), 'refused', to_json(refused));
  if once_key is not null then
    perform once_end(caller, once_key, 200, answer);
  end if;
  return json_build_object('status', 200, 'answer', answer);
end $$;
