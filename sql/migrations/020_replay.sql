-- A replay that was cut short goes on where it was: each file that is played has numbers of its own for its ticks, so that
-- what was dealt and what was recorded says how far it came.

-- A file being played, from its first line to its last: line n of it is the tick first + n - 1.
create table replays (
  first bigint primary key,
  fingerprint text not null check (length(fingerprint) = 64),
  begun_at timestamptz not null default now(),
  ended_at timestamptz
);

-- The tick at which a position was opened or its exits were moved: they answer only to later ones.
alter table positions add column since_seq bigint;
-- The newest tick when the account's margin was last called, found well again, or cut by a stop-out.
alter table trading_accounts add column judged_seq bigint;

create or replace function position_fill(account trading_accounts, p positions, q deed_quote, requested numeric, actor uuid) returns positions language plpgsql as $$
declare
  tier numeric;
  price numeric;
begin
  select spreads_from into tier from account_types where id = account.account_type_id;
  select case p.side when 'buy' then account_ask else account_bid end into price from account_price(q.bid, q.ask, q.pip, tier);
  update positions
  set status = 'open', open_price = price, volume = round(p.amount / price, 8), opened_at = clock_timestamp(), since_seq = q.seq
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

create or replace function trade_edit(
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
  set stop_loss = case when keep_stop then stop_loss else stop end, take_profit = case when keep_target then take_profit else target end, since_seq = q.seq
  where id = p.id
  returning * into p;
  return position_json(p, closing);
end $$;

-- Like trade_margin_call and trade_stop_out, on a board whose newest tick is `of_seq`.
create function trade_margin_call(of_account uuid, now_board board, of_seq bigint) returns json language plpgsql as $$
declare
  noted json := trade_margin_call(of_account, now_board);
begin
  if noted is not null then update trading_accounts set judged_seq = of_seq where id = of_account; end if;
  return noted;
end $$;
create function trade_stop_out(of_account uuid, now_board board, quotes json, of_seq bigint) returns json language plpgsql as $$
declare
  done json := trade_stop_out(of_account, now_board, quotes);
begin
  if done is not null then update trading_accounts set judged_seq = of_seq where id = of_account; end if;
  return done;
end $$;

-- Where the replay of a file stands, begun anew where there is none that has not ended: the number of its first tick, how
-- many of its ticks are recorded, and the newest one that anything was dealt on; both counted from 1, and 0 for none.
create function replay_resume(of_file text, out first bigint, out recorded bigint, out dealt bigint) language plpgsql as $$
declare
  size bigint := (select increment_by from pg_sequences where schemaname = current_schema() and sequencename = 'tick_numbers');
begin
  select r.first into first from replays r where r.fingerprint = of_file and r.ended_at is null order by r.first desc limit 1;
  if not found then
    insert into replays (first, fingerprint) values (nextval('tick_numbers'), of_file) returning replays.first into first;
  end if;
  select coalesce(max(t.seq) - first + 1, 0) into recorded from ticks t where t.seq between first and first + size - 1;
  select coalesce(max(d.seq) - first + 1, 0) into dealt
  from (
    select max(quote_seq) as seq from fills where quote_seq between first and first + size - 1
    union all select max(since_seq) from positions where since_seq between first and first + size - 1
    union all select max(judged_seq) from trading_accounts where judged_seq between first and first + size - 1
  ) d;
end $$;
