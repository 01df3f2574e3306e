-- Stops and targets: set, moved, and fired, many together.

-- Stop and target must lie beyond the price they are watched against, so that neither fires at once.
create or replace function check_exits(side text, closing_price numeric, stop numeric, target numeric) returns void language plpgsql as $$
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

-- Closes positions whose stop or target fired, each of another account, as trade_close would one by one: a list of
-- {id, why, seq, at, bid, ask, pip}. Answers with those that it closed. The others must be tried alone: another command holds
-- the account, the exit no longer holds, the balance does not bear the loss, the group has a commission, or a night is owed. What fails, fails as a whole.
create or replace function trade_exits(exits json) returns json language plpgsql as $$
declare
  free uuid[];
  due exit_due[];
  now_ms timestamptz;
begin
  perform refuse_halted();
  select array_agg(held.id) into free
  from (
    select a.id from trading_accounts a
    where a.id in (select p.account_id from positions p join json_to_recordset(exits) as e (id uuid) on e.id = p.id)
    order by a.id
    for update skip locked
  ) held;
  perform 1 from positions p where p.id in (select e.id from json_to_recordset(exits) as e (id uuid)) and p.account_id = any (free) order by p.id for update;
  perform booked_hold(free);

  now_ms := date_trunc('milliseconds', clock_timestamp());
  select array_agg(row(
    p.id, p.account_id, a.ledger_account_id, house_account(l.book, 'house_pnl'), format('%s %s %s closed', upper(p.side), p.symbol, p.amount),
    e.why, c.price, s.pips, r.result, row(e.seq, e.at, 0, e.bid, e.ask, e.pip)::deed_quote,
    h.id, h.version, nullif(greatest(p.terms_version, i.applied), 0)
  )::exit_due) into due
  from json_to_recordset(exits) as e (id uuid, why text, seq bigint, at timestamptz, bid numeric, ask numeric, pip numeric)
  join positions p on p.id = e.id and p.status = 'open' and p.account_id = any (free)
  join trading_accounts a on a.id = p.account_id and a.advance = 0
  join account_types t on t.id = a.account_type_id
  cross join lateral terms_held(t, p.group_version) h
  join ledger_accounts l on l.id = a.ledger_account_id
  join instruments i on i.symbol = p.symbol
  cross join lateral (select markup_held(i, p.terms_version) as markup offset 0) k
  cross join lateral (select spread_of(h, h.version, p.symbol, k.markup) as pips) s
  cross join lateral account_price(e.bid, e.ask, e.pip, s.pips) x
  cross join lateral (select case p.side when 'buy' then x.account_bid else x.account_ask end as price) c
  cross join lateral (select profit_left(p.side, p.moved, p.amount, p.open_price, c.price) as result) r
  where h.commission = 0 and l.balance + r.result >= 0 and not swaps_owed(p.opened_at, now_ms)
    and e.seq >= (select f.quote_seq from fills f where f.position_id = coalesce(p.parent_id, p.id) and f.kind = 'open')
    and case when (e.why = 'stop_loss') = (p.side = 'buy') then c.price <= case e.why when 'stop_loss' then p.stop_loss else p.take_profit end
      else c.price >= case e.why when 'stop_loss' then p.stop_loss else p.take_profit end end;
  if due is null then return '[]'; end if;

  update positions p
  set status = 'closed', close_price = d.price, profit = d.result, covered = 0, close_reason = d.why, closed_at = now_ms
  from unnest(due) d
  where p.id = d.id;
  update trading_accounts a
  set
    realised = realised + d.result,
    margin_called_at = case when exists (select from positions o where o.account_id = a.id and o.status = 'open') then margin_called_at end,
    updated_at = now()
  from unnest(due) d
  where a.id = d.account_id;
  perform ledger_post_list('trade_close', array_agg(d.id), array_agg(d.memo), array_agg(d.customer), array_agg(d.house), array_agg(d.result))
  from unnest(due) d
  where d.result <> 0
  having count(*) > 0;
  insert into fills (
    position_id, kind, quote_seq, quote_at, quote_age_ms, bid, ask, tier_spread_pips, price, amount, margin, profit, reason, group_id, group_version, spread_fixed,
    terms_version, commission
  )
  select d.id, 'close', (d.q).seq, (d.q).at, 0, (d.q).bid, (d.q).ask, case when (d.q).pip > 0 then abs(d.tier) else 0 end, d.price, p.amount, p.margin, d.result, d.why,
    d.group_id, d.group_version, d.tier < 0, d.terms_version, 0.00
  from unnest(due) d
  join positions p on p.id = d.id;
  return (select json_agg(position_json(p, p.close_price)) from positions p where p.id in (select d.id from unnest(due) d));
end $$;
