-- What is changed of a position or a waiting order, by its trader or by the price.

-- The stop loss that trail and break-even ask for at this closing price; null where neither does.
create or replace function stop_wanted(p positions, closing numeric, out level numeric, out kind text, out broke boolean) language plpgsql immutable as $$
declare
  way integer := case p.side when 'buy' then 1 else -1 end;
  trail numeric := closing - way * p.trailing_distance;
begin
  broke := coalesce(p.broke_even_seq is null and (closing - p.open_price) * way >= p.break_even_at, false);
  if trail > 0 then
    level := trail;
    kind := 'trail';
  end if;
  if broke and (level is null or (p.open_price - level) * way > 0) then
    level := p.open_price;
    kind := 'break_even';
  end if;
end $$;

-- Moves the stop loss of an open position where the price of this tick asks for it: closer, never away. The position is locked by the caller.
create or replace function stop_advance(p positions, closing numeric, q deed_quote) returns positions language plpgsql as $$
declare
  wanted record := stop_wanted(p, closing);
  moves boolean := wanted.level is not null and (p.stop_loss is null or (wanted.level - p.stop_loss) * case p.side when 'buy' then 1 else -1 end > 0);
begin
  if not moves and not wanted.broke then return p; end if;
  if moves then
    insert into stop_moves (position_id, kind, quote_seq, quote_at, level) values (p.id, wanted.kind, q.seq, q.at, wanted.level);
  end if;
  update positions
  set
    stop_loss = case when moves then wanted.level else stop_loss end, stop_moved_seq = q.seq, since_seq = greatest(since_seq, q.seq),
    broke_even_seq = case when wanted.broke then q.seq else broke_even_seq end
  where id = p.id
  returning * into p;
  return p;
end $$;

-- Changes what `changes` names, by the columns of positions: of a waiting order what it waits for, until when, and with which others; of that
-- and of an open position stop and target, trail and break-even. Null clears. What is changed is held against the ticks after `q`, so that one was
-- `chosen` at most a second ago when all is locked: nobody sees first what an edit that waits would bring, and takes it back behind it or not.
create or replace function trade_edit(caller uuid, of_position uuid, changes json, q deed_quote, chosen timestamptz) returns json language plpgsql as $$
declare
  account trading_accounts;
  p positions;
  e positions;
  prices record;
  closing numeric;
begin
  select a.* into account from trading_accounts a join positions o on o.account_id = a.id where o.id = of_position and o.user_id = caller for update of a;
  if not found then perform refuse('not_found', 'Not found.'); end if;
  select * into p from positions where id = of_position for update;
  if p.status = 'cancelled' then perform refuse('conflict', 'This order no longer waits.'); end if;
  if p.status = 'closed' then perform refuse('conflict', 'This position is already closed.'); end if;
  if p.status = 'open' and exists (select from json_object_keys(changes) k where k in ('trigger_price', 'limit_price', 'expires_at', 'oco_group')) then
    perform refuse('conflict', 'This order no longer waits, so what it waited for can''t be changed.');
  end if;
  perform tick_age(q.age_ms, chosen);
  e := json_populate_record(p, changes);
  if p.order_type = 'market' and e.trigger_price is not null then
    perform refuse('invalid', 'triggerPrice is for limit, stop and stop-limit orders.', 'triggerPrice');
  elsif p.order_type <> 'stop_limit' and e.limit_price is not null then
    perform refuse('invalid', 'limitPrice is for stop-limit orders.', 'limitPrice');
  end if;
  select x.* into prices
  from account_types t, account_price(q.bid, q.ask, q.pip, spread_of(t, version_for(p, t), p.symbol, markup_for(p))) x
  where t.id = account.account_type_id;
  closing := case p.side when 'buy' then prices.account_bid else prices.account_ask end;
  if p.status = 'pending' and p.order_type <> 'market' then
    if (e.trigger_price, e.limit_price) is distinct from (p.trigger_price, p.limit_price) then
      perform check_trigger(e, case p.side when 'buy' then prices.account_ask else prices.account_bid end);
    end if;
    perform check_waiting_exits(e);
  else
    perform check_exits(
      p.side, closing, case when changes ->> 'stop_loss' is not null then e.stop_loss end, case when changes ->> 'take_profit' is not null then e.take_profit end
    );
  end if;
  perform check_distances(e, coalesce(case when p.status = 'pending' then e.trigger_price end, closing));
  update positions
  set
    stop_loss = e.stop_loss, take_profit = e.take_profit, trigger_price = e.trigger_price, limit_price = e.limit_price, expires_at = e.expires_at,
    oco_group = e.oco_group, trailing_distance = e.trailing_distance, break_even_at = e.break_even_at,
    broke_even_seq = case when changes ->> 'break_even_at' is null then broke_even_seq end, since_seq = greatest(since_seq, q.seq)
  where id = p.id
  returning * into p;
  if p.status = 'open' and (p.trailing_distance is not null or p.break_even_at is not null) then p := stop_advance(p, closing, q); end if;
  return position_json(p, closing);
end $$;

-- The engine compares what it knows of accounts that moved lately with the database. An exit that was moved is such a move too; one that the
-- price moved is the engine's own.
create or replace function positions_note_move() returns trigger language plpgsql as $$
begin
  update trading_accounts set updated_at = now() where id = new.account_id;
  return null;
end $$;
create or replace trigger positions_exits_moved after update of stop_loss, take_profit on positions for each row when (not new.stop_moved_seq is distinct from old.stop_moved_seq) execute function positions_note_move();

-- Moves stop losses as the price asked for, many together: `moves` is a list of {account, id, seq, at, bid, ask, pip}, a position and a tick each.
-- What another command closed meanwhile stays; so does what was changed after the tick. Answers with the positions that moved and with the accounts
-- that it held: unless it is `patient`, one that another command holds must be tried alone.
create or replace function stops_move(moves json, patient boolean) returns json language plpgsql as $$
declare
  wanted uuid[] := (select array_agg(distinct m.account) from json_to_recordset(moves) as m (account uuid));
  free uuid[];
  moved json;
begin
  if patient then
    perform 1 from trading_accounts a where a.id = any (wanted) order by a.id for update;
    free := wanted;
  else
    select array_agg(held.id) into free
    from (select a.id from trading_accounts a where a.id = any (wanted) order by a.id for update skip locked) held;
  end if;
  perform 1 from positions p
  where p.id in (select m.id from json_to_recordset(moves) as m (id uuid)) and p.account_id = any (free) and p.status = 'open'
  order by p.id
  for update;
  with
    asked as (
      select p.id, p.stop_loss, p.broke_even_seq, m.seq, m.at, w.level, w.kind, w.broke, case p.side when 'buy' then 1 else -1 end as way
      from json_to_recordset(moves) as m (id uuid, seq bigint, at timestamptz, bid numeric, ask numeric, pip numeric)
      join positions p on p.id = m.id and p.status = 'open' and p.account_id = any (free) and m.seq > p.since_seq
      join trading_accounts a on a.id = p.account_id
      join account_types t on t.id = a.account_type_id
      cross join lateral account_price(m.bid, m.ask, m.pip, spread_of(t, p.group_version, p.symbol, markup_of(p.symbol, p.terms_version))) x
      cross join lateral stop_wanted(p, case p.side when 'buy' then x.account_bid else x.account_ask end) w
    ),
    -- Each counts where it is closer than the stop loss and than those of the ticks before.
    ordered as (
      select a.*, max(a.level * a.way) over (partition by a.id order by a.seq rows between unbounded preceding and 1 preceding) as before from asked a
    ),
    closer as (
      select o.id, o.seq, o.at, o.level, o.kind, o.way from ordered o
      where o.level is not null and o.level * o.way > greatest(o.before, o.stop_loss * o.way, '-infinity')
    ),
    written as (
      insert into stop_moves (position_id, kind, quote_seq, quote_at, level)
      select c.id, c.kind, c.seq, c.at, c.level from closer c order by c.seq, c.id
    ),
    outcome as (
      select a.id, max(c.level * a.way) * min(a.way) as level, max(c.seq) as moved_seq, min(a.seq) filter (where a.broke) as broke_seq
      from asked a
      left join closer c on c.id = a.id and c.seq = a.seq
      group by a.id
    ),
    changed as (
      update positions p
      set
        stop_loss = coalesce(o.level, p.stop_loss), broke_even_seq = coalesce(p.broke_even_seq, o.broke_seq),
        stop_moved_seq = greatest(o.moved_seq, o.broke_seq), since_seq = greatest(p.since_seq, o.moved_seq, o.broke_seq)
      from outcome o
      where p.id = o.id and (o.moved_seq is not null or o.broke_seq is not null)
      returning p.id, p.account_id
    )
  select json_agg(json_build_object('id', c.id, 'accountId', c.account_id)) into moved from changed c;
  return json_build_object('held', coalesce(to_json(free), '[]'), 'moved', coalesce(moved, '[]'));
end $$;
