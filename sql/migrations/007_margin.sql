-- Margin calls and stop-outs. An account below 100 % of its used margin is called once; below 50 % its position with the
-- largest loss is closed, one after the other, until the level is back or nothing is left that can be closed.

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
