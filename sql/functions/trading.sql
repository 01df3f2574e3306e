-- What the commands on positions share. Each command is one function, so one round trip; it locks the trading account, then the
-- position, then ledger accounts by id.

-- Stands before a deal. Refuses a tick of an earlier epoch (null: no tick is dealt on). Where the caller is not the leader of
-- this moment, the leader's engine is asked to look at the account, position or person concerned.
create or replace function deal_fence(of_seq bigint, of_epoch bigint, subject uuid) returns void language plpgsql as $$
declare
  lead leadership;
begin
  perform pg_advisory_xact_lock_shared(lead_lock());
  select * into lead from leadership;
  if of_seq < lead.first_seq then
    perform refuse('stale_price', 'The price is being renewed. Please try again in a moment.');
  end if;
  if of_epoch is distinct from lead.epoch then
    insert into engine_looks (subject) values (subject);
  end if;
end $$;

-- How old a tick is now, in ms, that was `age` old when the program chose it, at `chosen`. Since then a trader's deal may have waited for a
-- connection, a key or an account. Nobody may choose by later prices whether it counts, so beyond a second it is refused.
create or replace function tick_age(age integer, chosen timestamptz) returns integer language plpgsql as $$
declare
  waited integer := greatest(extract(epoch from clock_timestamp() - chosen) * 1000, 0);
begin
  if waited > 1000 then perform refuse('stale_price', 'The price was renewed while this waited, and nothing was done. Please try again.'); end if;
  return age + waited;
end $$;

-- Nothing closes on a tick older than the one it was opened on.
create or replace function refuse_earlier_tick(p positions, of_seq bigint) returns void language plpgsql as $$
begin
  if of_seq < (select f.quote_seq from fills f where f.position_id = coalesce(p.parent_id, p.id) and f.kind = 'open') then
    perform refuse('stale_price', 'The price is older than this position, and nothing was done. Please try again in a moment.');
  end if;
end $$;

-- The accounts that the engine was asked to look at, each once.
create or replace function rechecks_take(of_epoch bigint) returns setof uuid language plpgsql as $$
begin
  perform lead_fence(of_epoch);
  return query
    with taken as (delete from engine_looks returning engine_looks.subject)
    select a.id from trading_accounts a join taken t on a.id = t.subject or a.user_id = t.subject
    union
    select p.account_id from positions p join taken t on p.id = t.subject;
end $$;

-- Amount / leverage, up to the next cent.
create or replace function margin_of(amount numeric, leverage integer) returns numeric language sql immutable as $$
  select round(ceil(amount * 100 / leverage) * 0.01, 2);
$$;

-- The version of its group's terms that a position is priced by: what waits would open by those of now.
create or replace function version_for(p positions, t account_types) returns integer language sql immutable as $$
  select case p.status when 'pending' then t.version else p.group_version end;
$$;

-- A position as the program's other rooms and the outside see it. `at_price` is what it would close at now.
create or replace function position_json(p positions, at_price numeric) returns json language sql stable as $$
  select json_build_object(
    'id', p.id, 'accountId', p.account_id, 'symbol', p.symbol, 'type', p.side, 'amount', p.amount::text, 'volume', p.volume::text,
    'openPrice', p.open_price::text, 'entryPrice', p.open_price::text, 'currentPrice', at_price::text,
    'stopLoss', p.stop_loss::text, 'takeProfit', p.take_profit::text,
    'profit', coalesce(p.profit, profit_left(p.side, p.moved, p.amount, p.open_price, at_price))::text, 'charges', nullif(p.charges, 0)::text,
    'swap', nullif(p.swap, 0)::text, 'groupVersion', p.group_version, 'termsVersion', p.terms_version,
    'status', p.status, 'openedAt', iso(p.opened_at), 'closePrice', p.close_price::text, 'closedAt', iso(p.closed_at), 'closeReason', p.close_reason,
    'createdAt', iso(p.created_at), 'orderType', p.order_type, 'triggerPrice', p.trigger_price::text, 'limitPrice', p.limit_price::text,
    'setOff', p.set_off_seq is not null, 'expiresAt', iso(p.expires_at), 'trailingDistance', p.trailing_distance::text,
    'trailingStop', case when p.status <> 'pending' and p.trailing_distance is not null then p.stop_loss end::text, 'breakEvenAt', p.break_even_at::text,
    'brokeEven', p.broke_even_seq is not null, 'ocoGroup', p.oco_group, 'cancelReason', coalesce(p.cancel_code, p.cancel_reason),
    'cancelFigures', case when p.cancel_needed is not null then json_build_object('needed', p.cancel_needed::text, 'free', p.cancel_free::text) end
  );
$$;

create or replace trigger positions_news after insert on positions referencing new table as placed for each statement execute function trade_news();

-- What is written stays.
create or replace trigger stop_moves_append_only before delete or update or truncate on stop_moves for each statement execute function refuse_change();
create or replace trigger fills_append_only before delete or update or truncate on fills for each statement execute function refuse_change();
