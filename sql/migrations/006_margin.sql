-- Margin calls and stop-outs. An account below 100 % of its used margin is called once; below 50 % its position with the
-- largest loss is closed, one after the other, until the level is back or nothing is left that can be closed.

-- Since when the account is below its used margin and its trader was told so; null while the level is at 100 % or above.
alter table trading_accounts add column margin_called_at timestamptz;

-- Why: the account's equity and used margin at the moment of a call, or just before a stop-out closed a position.
create table margin_events (
  id bigint generated always as identity primary key,
  account_id uuid not null references trading_accounts (id),
  kind text not null check (kind in ('margin_call', 'stop_out')),
  position_id uuid unique references positions (id),
  equity numeric(15, 2) not null check (equity <> 'NaN'),
  used numeric(15, 2) not null check (used > 0 and used <> 'NaN'),
  created_at timestamptz not null default clock_timestamp(),
  check ((kind = 'stop_out') = (position_id is not null)),
  check (equity < used and (kind = 'margin_call' or equity * 2 < used))
);
create index margin_events_account on margin_events (account_id, id desc);
create trigger margin_events_append_only before update or delete or truncate on margin_events for each statement execute function refuse_change();

-- Equity as a percentage of used margin, two decimals; null with nothing open.
create function margin_level(equity numeric, used numeric) returns numeric language sql immutable as $$
  select round(equity * 100 / nullif(used, 0), 2);
$$;

-- Closes a whole open position at `price` and books the result, with the account and the position locked by the caller.
-- A loss beyond the balance is advanced while other positions are open, and with the last one forgiven.
create function position_close(
  account trading_accounts, p positions, why text, price numeric, tier numeric, q deed_quote, requested numeric, actor uuid
) returns positions language plpgsql as $$
declare
  result numeric := profit_of(p.side, p.amount, p.open_price, price);
  book text := case when account.is_demo then 'demo' else 'live' end;
  before_balance numeric;
  pool numeric;
  moved numeric;
  others boolean;
begin
  select balance into before_balance from ledger_accounts where id = account.ledger_account_id;
  pool := before_balance - account.advance + result;
  moved := greatest(pool, 0) - before_balance;
  update positions
  set status = 'closed', close_price = price, profit = result, covered = moved - result, close_reason = why, closed_at = date_trunc('milliseconds', clock_timestamp())
  where id = p.id
  returning * into p;
  others := exists (select from positions where account_id = account.id and status = 'open');
  update trading_accounts
  set
    advance = case when others then greatest(-pool, 0) else 0 end,
    margin_called_at = case when others then margin_called_at end,
    last_traded_at = case when actor is null then last_traded_at else clock_timestamp() end,
    updated_at = now()
  where id = account.id;
  if result <> 0 or moved <> 0 then
    perform ledger_post(
      'trade_close', p.id, format('%s %s %s closed', upper(p.side), p.symbol, p.amount),
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
create or replace function trade_close(
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

-- Notes that an account fell below its used margin, or that it recovered, as it is on this board; null where nothing
-- changed since it was last noted.
create function trade_margin_call(of_account uuid, now_board board) returns json language plpgsql as $$
declare
  account trading_accounts;
  state record;
  below boolean;
begin
  select * into account from trading_accounts where id = of_account for update;
  select * into state from account_state(of_account, now_board);
  below := state.equity < state.used;
  if below = (account.margin_called_at is not null) then return null; end if;
  update trading_accounts set margin_called_at = case when below then clock_timestamp() end, updated_at = now() where id = of_account;
  if below then
    insert into margin_events (account_id, kind, equity, used) values (of_account, 'margin_call', state.equity, state.used);
  end if;
  return json_build_object(
    'called', below, 'accountNumber', account.account_number, 'equity', state.equity::text, 'used', state.used::text,
    'level', margin_level(state.equity, state.used)::text
  );
end $$;

-- Closes the position with the largest loss (where none loses, the least gain) of an account that on this board is below
-- half its used margin. Only what `quotes` names can be closed: {symbol, seq, at, age_ms, bid, ask, pip} of symbols with a
-- fresh price and an open market. Null where the level holds, nothing can be closed, or a position is younger than the
-- board, which then says nothing of it.
create function trade_stop_out(of_account uuid, now_board board, quotes json) returns json language plpgsql as $$
declare
  account trading_accounts;
  state record;
  worst record;
  p positions;
begin
  perform refuse_halted();
  select * into account from trading_accounts where id = of_account for update;
  if exists (
    select from json_to_recordset(quotes) as q (symbol text, seq bigint)
    join positions o on o.account_id = of_account and o.status = 'open' and o.symbol = q.symbol
    join fills f on f.position_id = o.id and f.kind = 'open' and f.quote_seq > q.seq
  ) then
    return null;
  end if;
  select * into state from account_state(of_account, now_board);
  if state.equity * 2 >= state.used then return null; end if;
  select o.id, c.price, t.spreads_from, q.seq, q.at, q.age_ms, q.bid, q.ask, q.pip into worst
  from json_to_recordset(quotes) as q (symbol text, seq bigint, at timestamptz, age_ms integer, bid numeric, ask numeric, pip numeric)
  join positions o on o.account_id = of_account and o.status = 'open' and o.symbol = q.symbol
  join account_types t on t.id = account.account_type_id
  cross join lateral account_price(q.bid, q.ask, q.pip, t.spreads_from) a
  cross join lateral (select case o.side when 'buy' then a.account_bid else a.account_ask end as price) c
  order by profit_of(o.side, o.amount, o.open_price, c.price), o.id
  limit 1;
  if not found then return null; end if;
  select * into p from positions where id = worst.id for update;
  p := position_close(
    account, p, 'stop_out', worst.price, worst.spreads_from, row(worst.seq, worst.at, worst.age_ms, worst.bid, worst.ask, worst.pip)::deed_quote, null, null
  );
  insert into margin_events (account_id, kind, position_id, equity, used) values (of_account, 'stop_out', p.id, state.equity, state.used);
  return json_build_object(
    'closed', position_json(p, p.close_price), 'equity', state.equity::text, 'used', state.used::text, 'level', margin_level(state.equity, state.used)::text
  );
end $$;
