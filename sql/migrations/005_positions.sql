-- Positions and their fills, and what they are worth on a board of quotes.

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
create index positions_newest on positions (created_at desc, id desc) where status in ('pending', 'open');

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
  -- From the deed's arrival in the database, waiting for its account included, to the fill.
  latency_ms numeric(12, 3) not null default round(extract(epoch from clock_timestamp() - statement_timestamp()) * 1000, 3) check (latency_ms <> 'NaN'),
  created_at timestamptz not null default clock_timestamp(),
  unique (position_id, kind)
);
create index fills_time on fills (created_at);
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
