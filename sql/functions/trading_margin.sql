-- Margin calls and stop-outs. An account below 100 % of its used margin is called once; below 50 % its position with the
-- largest loss is closed, one after the other, until the level is back or nothing is left that can be closed.

-- Equity as a percentage of used margin, two decimals; null with nothing open.
create or replace function margin_level(equity numeric, used numeric) returns numeric language sql immutable as $$
  select round(equity * 100 / nullif(used, 0), 2);
$$;

-- Notes that an account, by this board, fell below its used margin or recovered; null where nothing changed since the last note.
create or replace function trade_margin_call(of_account uuid, now_board board) returns json language plpgsql as $$
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
    perform letter_post(account.user_id, 'margin_call', jsonb_build_object(
      'account', account.account_number, 'book', case when account.is_demo then 'demo' else 'live' end, 'level', margin_level(state.equity, state.used)
    ));
  end if;
  return json_build_object(
    'called', below, 'accountNumber', account.account_number, 'equity', state.equity::text, 'used', state.used::text,
    'level', margin_level(state.equity, state.used)::text
  );
end $$;

-- Like trade_margin_call and trade_stop_out, on a board whose newest tick is `of_seq`.
create or replace function trade_margin_call(of_account uuid, now_board board, of_seq bigint) returns json language plpgsql as $$
declare
  noted json := trade_margin_call(of_account, now_board);
begin
  if noted is not null then update trading_accounts set judged_seq = of_seq where id = of_account; end if;
  return noted;
end $$;

-- Closes the position with the largest loss (where none loses, the least gain) of an account that on this board is below half its used margin.
-- Only what `quotes` names can be closed: {symbol, seq, at, age_ms, bid, ask, pip} of symbols with a fresh price and an open market. Null
-- where the level holds, nothing can be closed, or a position is younger than the board and so not priced by it.
create or replace function trade_stop_out(of_account uuid, now_board board, quotes json) returns json language plpgsql as $$
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
  select o.id, c.price, t as terms, q.seq, q.at, q.age_ms, q.bid, q.ask, q.pip into worst
  from json_to_recordset(quotes) as q (symbol text, seq bigint, at timestamptz, age_ms integer, bid numeric, ask numeric, pip numeric)
  join positions o on o.account_id = of_account and o.status = 'open' and o.symbol = q.symbol
  join account_types t on t.id = account.account_type_id
  cross join lateral account_price(q.bid, q.ask, q.pip, spread_of(t, o.group_version, q.symbol, markup_of(q.symbol, o.terms_version))) a
  cross join lateral (select case o.side when 'buy' then a.account_bid else a.account_ask end as price) c
  order by profit_left(o.side, o.moved, o.amount, o.open_price, c.price), o.id
  limit 1;
  if not found then return null; end if;
  select * into p from positions where id = worst.id for update;
  p := position_close(
    account, p, 'stop_out', worst.price, worst.terms, row(worst.seq, worst.at, worst.age_ms, worst.bid, worst.ask, worst.pip)::deed_quote, null, null
  );
  insert into margin_events (account_id, kind, position_id, equity, used) values (of_account, 'stop_out', p.id, state.equity, state.used);
  perform letter_post(p.user_id, 'stop_out', jsonb_build_object(
    'account', account.account_number, 'book', case when account.is_demo then 'demo' else 'live' end, 'positionId', p.id,
    'position', upper(p.side) || ' ' || p.symbol || ' ' || money_text(p.amount), 'result', replace(money_text(p.profit), '$-', '-$')
  ));
  return json_build_object(
    'closed', position_json(p, p.close_price), 'equity', state.equity::text, 'used', state.used::text, 'level', margin_level(state.equity, state.used)::text
  );
end $$;

create or replace function trade_stop_out(of_account uuid, now_board board, quotes json, of_seq bigint) returns json language plpgsql as $$
declare
  done json := trade_stop_out(of_account, now_board, quotes);
begin
  if done is not null then update trading_accounts set judged_seq = of_seq where id = of_account; end if;
  return done;
end $$;

-- What is written stays.
create or replace trigger margin_events_append_only before delete or update or truncate on margin_events for each statement execute function refuse_change();
create or replace trigger margin_events_logged after insert on margin_events for each row execute function proof_note_row('margin', 'id');
