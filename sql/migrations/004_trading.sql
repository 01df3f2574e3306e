-- Trading accounts, positions, and the deeds on them. Each deed is one function, so one round trip, that locks the trading
-- account, then the position, then ledger accounts by id. Whoever changes a trading account's balance holds its row here first.

create table account_types (
  id text primary key check (id ~ '^[a-z]{1,20}$'),
  name text not null,
  minimum_deposit numeric(15, 2) not null check (minimum_deposit >= 0 and minimum_deposit <> 'NaN'),
  spreads_from numeric(5, 1) not null check (spreads_from >= 0 and spreads_from <> 'NaN'),
  leverage text not null,
  features json not null,
  is_active boolean not null default true,
  place integer not null
);
insert into account_types (id, name, minimum_deposit, spreads_from, leverage, features, place) values
  ('starter', 'Starter', 300, 3.3, '1:500', '["Live chart support","All platforms"]', 1),
  ('bronze', 'Bronze', 5000, 2.2, '1:700', '["Live chart support","All platforms","Education tools"]', 2),
  ('silver', 'Silver', 20000, 1.5, '1:1000', '["Live chart support","All platforms","Technical analysis report"]', 3),
  ('gold', 'Gold', 50000, 1.0, '1:3000', '["Live chart support","All platforms","Market update emails"]', 4),
  ('platinum', 'Platinum', 75000, 0.5, '1:5000', '["Live chart support","All platforms","Market update emails"]', 5);

create sequence account_numbers;
create table trading_accounts (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id),
  ledger_account_id bigint not null unique references ledger_accounts (id),
  account_number text not null unique,
  account_type_id text not null references account_types (id),
  is_demo boolean not null,
  status text not null default 'active' check (status in ('active', 'closed')),
  leverage integer not null default 100 check (leverage between 1 and 5000),
  -- Money moved in from the wallet, which opens the tier; never lowered.
  funded_total numeric(15, 2) not null default 0 check (funded_total >= 0 and funded_total <> 'NaN'),
  -- What the house paid for losses beyond the balance while other positions are open; later profits repay it, and with
  -- the last position closed it is forgiven (negative balance protection).
  advance numeric(15, 2) not null default 0 check (advance >= 0 and advance <> 'NaN'),
  last_traded_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index trading_accounts_user on trading_accounts (user_id, created_at);

create table positions (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references trading_accounts (id),
  user_id uuid not null references users (id),
  -- A part of a position that was closed on its own.
  parent_id uuid references positions (id),
  symbol text not null,
  side text not null check (side in ('buy', 'sell')),
  amount numeric(15, 2) not null check (amount > 0 and amount <> 'NaN'),
  volume numeric(28, 8) check (volume > 0 and volume <> 'NaN'),
  leverage integer not null check (leverage > 0),
  margin numeric(15, 2) not null check (margin >= 0 and margin <> 'NaN'),
  open_price numeric(20, 8) check (open_price > 0 and open_price <> 'NaN'),
  close_price numeric(20, 8) check (close_price > 0 and close_price <> 'NaN'),
  stop_loss numeric(20, 8) check (stop_loss > 0 and stop_loss <> 'NaN'),
  take_profit numeric(20, 8) check (take_profit > 0 and take_profit <> 'NaN'),
  profit numeric(15, 2) check (profit <> 'NaN'),
  -- The part of a loss that the house carried; negative where a profit repaid it. Balance moved by profit + covered.
  covered numeric(15, 2) not null default 0 check (covered <> 'NaN'),
  status text not null check (status in ('pending', 'open', 'closed', 'cancelled')),
  close_reason text check (close_reason in ('trader', 'stop_loss', 'take_profit', 'stop_out', 'admin')),
  cancel_reason text check (length(cancel_reason) <= 500),
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  opened_at timestamptz,
  closed_at timestamptz,
  check (status in ('pending', 'cancelled') or (open_price is not null and volume is not null and opened_at is not null)),
  check ((status = 'closed') = (close_price is not null and profit is not null and closed_at is not null and close_reason is not null))
);
create index positions_live on positions (account_id) where status in ('pending', 'open');
create index positions_live_user on positions (user_id, created_at desc) where status in ('pending', 'open');
create index positions_history on positions (user_id, closed_at desc, id desc) where status = 'closed';
create index positions_watch on positions (symbol) where status in ('pending', 'open');

-- The receipt: every fill with the quote it was made from; never changed.
create table fills (
  id bigint generated always as identity primary key,
  position_id uuid not null references positions (id),
  kind text not null check (kind in ('open', 'close')),
  quote_seq bigint not null,
  quote_at timestamptz not null,
  quote_age_ms integer not null check (quote_age_ms >= 0),
  bid numeric(20, 8) not null,
  ask numeric(20, 8) not null,
  tier_spread_pips numeric(5, 1) not null,
  requested_price numeric(20, 8),
  price numeric(20, 8) not null,
  slippage numeric(20, 8),
  amount numeric(15, 2) not null,
  margin numeric(15, 2) not null,
  profit numeric(15, 2),
  reason text,
  actor_id uuid references users (id),
  created_at timestamptz not null default clock_timestamp(),
  unique (position_id, kind)
);
create trigger fills_append_only before update or delete or truncate on fills for each statement execute function refuse_change();

create function iso(at timestamptz) returns text language sql immutable as $$
  select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
$$;

-- The board of quotes at one moment, as parallel arrays; pip is 0 where no tier spread applies (crypto).
create type board as (symbols text[], bids numeric[], asks numeric[], pips numeric[]);
-- The tick a deed is made on.
create type deed_quote as (seq bigint, at timestamptz, age_ms integer, bid numeric, ask numeric, pip numeric);

-- The account's own bid and ask: the market's, or mid ∓ half the tier's spread where that is wider.
create function account_price(bid numeric, ask numeric, pip numeric, tier_pips numeric, out account_bid numeric, out account_ask numeric) language sql immutable as $$
  select
    case when tier_pips * pip > ask - bid then round((bid + ask) / 2, 8) - round(tier_pips * pip / 2, 8) else bid end,
    case when tier_pips * pip > ask - bid then round((bid + ask) / 2, 8) + round(tier_pips * pip / 2, 8) else ask end;
$$;

-- Amount × move / open price, half away from zero to the cent; by whole-number division, so that no digit is lost on the way.
create function profit_of(side text, amount numeric, open_price numeric, close_price numeric) returns numeric language sql immutable as $$
  select round(sign(close_price - open_price) * case side when 'buy' then 1 else -1 end
    * div(200 * amount * abs(close_price - open_price) + open_price, 2 * open_price) * 0.01, 2);
$$;

-- Amount / leverage, up to the next cent.
create function margin_of(amount numeric, leverage integer) returns numeric language sql immutable as $$
  select round(ceil(amount * 100 / leverage) * 0.01, 2);
$$;

-- Balance, equity (balance less what the house advanced, plus floating profit), used and free margin of one account.
create function account_state(of_account uuid, now_board board, out balance numeric, out equity numeric, out used numeric, out free numeric) language sql stable as $$
  select l.balance, l.balance - a.advance + f.floating, f.used, l.balance - a.advance + f.floating - f.used
  from trading_accounts a
  join account_types t on t.id = a.account_type_id
  join ledger_accounts l on l.id = a.ledger_account_id
  cross join lateral (
    select
      coalesce(sum(p.margin), 0.00) as used,
      coalesce(sum(profit_of(p.side, p.amount, p.open_price, case p.side when 'buy' then q.account_bid else q.account_ask end)), 0.00) as floating
    from positions p
    left join unnest((now_board).symbols, (now_board).bids, (now_board).asks, (now_board).pips) as b (symbol, bid, ask, pip) on b.symbol = p.symbol
    left join lateral account_price(b.bid, b.ask, b.pip, t.spreads_from) q on true
    where p.account_id = a.id and p.status = 'open'
  ) f
  where a.id = of_account;
$$;

-- A position as the program's other rooms and the outside see it. `at_price` is what it would close at now.
create function position_json(p positions, at_price numeric) returns json language sql stable as $$
  select json_build_object(
    'id', p.id, 'accountId', p.account_id, 'symbol', p.symbol, 'type', p.side, 'amount', p.amount::text, 'volume', p.volume::text,
    'openPrice', p.open_price::text, 'entryPrice', p.open_price::text, 'currentPrice', at_price::text,
    'stopLoss', p.stop_loss::text, 'takeProfit', p.take_profit::text,
    'profit', coalesce(p.profit, profit_of(p.side, p.amount, p.open_price, at_price))::text,
    'status', p.status, 'openedAt', iso(p.opened_at), 'closePrice', p.close_price::text, 'closedAt', iso(p.closed_at), 'closeReason', p.close_reason
  );
$$;

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

-- Opens an account; a demo one is granted its virtual money at once.
create function account_open(owner uuid, type_id text, demo boolean, starting_demo numeric default 10000) returns uuid language plpgsql as $$
declare
  purse bigint;
  account uuid;
begin
  insert into ledger_accounts (owner_id, book, kind) values (owner, case when demo then 'demo' else 'live' end, 'trading') returning id into purse;
  insert into trading_accounts (user_id, ledger_account_id, account_number, account_type_id, is_demo)
  values (
    owner, purse, 'ACC' || (extract(epoch from clock_timestamp()) * 1000)::bigint || lpad((nextval('account_numbers') % 1000)::text, 3, '0'), type_id, demo
  )
  returning id into account;
  if demo then
    perform ledger_post('demo_grant', account, 'Virtual money for a demo account', array[purse, house_account('demo', 'house_demo')], array[starting_demo, -starting_demo]);
  end if;
  return account;
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
  result numeric;
  before_balance numeric;
  pool numeric;
  moved numeric;
  owed numeric;
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

  result := profit_of(p.side, p.amount, p.open_price, price);
  select balance into before_balance from ledger_accounts where id = account.ledger_account_id;
  pool := before_balance - account.advance + result;
  moved := greatest(pool, 0) - before_balance;
  owed := greatest(-pool, 0);
  update positions
  set status = 'closed', close_price = price, profit = result, covered = moved - result, close_reason = why, closed_at = date_trunc('milliseconds', clock_timestamp())
  where id = p.id
  returning * into p;
  if owed > 0 and not exists (select from positions where account_id = account.id and status = 'open') then
    owed := 0;
  end if;
  update trading_accounts set advance = owed, last_traded_at = case when caller is null then last_traded_at else clock_timestamp() end, updated_at = now()
  where id = account.id;
  if result <> 0 or moved <> 0 then
    perform ledger_post(
      'trade_close', p.id, format('%s %s %s closed', upper(p.side), p.symbol, p.amount),
      array[account.ledger_account_id, house_account(case when account.is_demo then 'demo' else 'live' end, 'house_pnl'), house_account(case when account.is_demo then 'demo' else 'live' end, 'house_adjustment')],
      array[moved, -result, result - moved]
    );
  end if;
  insert into fills (position_id, kind, quote_seq, quote_at, quote_age_ms, bid, ask, tier_spread_pips, requested_price, price, slippage, amount, margin, profit, reason, actor_id)
  values (
    p.id, 'close', q.seq, q.at, q.age_ms, q.bid, q.ask, case when q.pip > 0 then tier else 0 end, requested, price,
    case p.side when 'buy' then requested - price else price - requested end, p.amount, p.margin, result, why, caller
  );
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

-- A person's money as screens show it: the wallet, the live trading accounts' balances, realised profit on live accounts.
create view user_financials as
select
  u.id as user_id,
  coalesce((select balance from ledger_accounts where owner_id = u.id and kind = 'wallet'), 0.00) as account_balance,
  coalesce((select sum(balance) from ledger_accounts where owner_id = u.id and kind = 'trading' and book = 'live'), 0.00) as trading_balance,
  coalesce((
    select sum(p.profit) from positions p join trading_accounts a on a.id = p.account_id where p.user_id = u.id and p.status = 'closed' and not a.is_demo
  ), 0.00) as total_profit
from users u;

-- A new person's first money: an empty wallet, the hold for withdrawals, and a Starter demo account to trade at once.
create function person_open(person uuid) returns uuid language sql as $$
  insert into ledger_accounts (owner_id, book, kind) values (person, 'live', 'wallet'), (person, 'live', 'withdrawal_hold');
  select account_open(person, 'starter', true);
$$;
