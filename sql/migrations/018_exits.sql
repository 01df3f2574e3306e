-- Exits that fire together are written together.

-- Several entries of one kind at once, each of two legs: `amounts` from the house's account to the customer's. Entries are
-- written in the order given, with the running balance of each account after each of them.
create function ledger_post_list(entry_kind text, objects uuid[], memos text[], customers bigint[], houses bigint[], amounts numeric[]) returns void language plpgsql as $$
begin
  perform refuse_halted();
  if exists (select from unnest(objects, customers, houses, amounts) as l (object, customer, house, amount) where l is null or l.amount = 'NaN' or l.amount = 0) then
    raise exception 'ledger_post_list: an entry lacks an account or an amount' using errcode = '22004';
  end if;
  perform 1 from ledger_accounts where id = any (customers || houses) order by id for update;
  with
    entry as (
      insert into ledger_entries (kind, object_id, memo)
      select entry_kind, l.object, l.memo from unnest(objects, memos) with ordinality as l (object, memo, place) order by l.place
      returning id, object_id
    ),
    leg as (
      select e.id as entry, side.account, side.amount
      from unnest(objects, customers, houses, amounts) as l (object, customer, house, amount)
      join entry e on e.object_id = l.object
      cross join lateral (values (l.customer, l.amount), (l.house, -l.amount)) as side (account, amount)
    ),
    running as (
      select leg.entry, leg.account, leg.amount, a.balance + sum(leg.amount) over (partition by leg.account order by leg.entry) as balance
      from leg join ledger_accounts a on a.id = leg.account
    ),
    moved as (
      update ledger_accounts a set balance = a.balance + total.amount
      from (select account, sum(amount) as amount from leg group by account) total
      where a.id = total.account
    )
  insert into ledger_postings (entry_id, account_id, amount, balance_after) select entry, account, amount, balance from running;
end $$;

-- An exit that is due: the position, what it closes at, and on which tick.
create type exit_due as (id uuid, account_id uuid, customer bigint, house bigint, memo text, why text, price numeric, tier numeric, result numeric, q deed_quote);

-- Closes positions whose stop or target fired, each of another account, as trade_close would one by one: a list of
-- {id, why, seq, at, bid, ask, pip}. Answers with those that it closed. The others must be tried alone: another deed holds
-- the account, the exit no longer holds, or the balance does not bear the loss. What fails, fails as a whole.
create function trade_exits(exits json) returns json language plpgsql as $$
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
  perform 1 from ledger_accounts
  where id in (select ledger_account_id from trading_accounts where id = any (free)) or kind in ('house_pnl', 'house_demo')
  order by id
  for update;

  select array_agg(row(
    p.id, p.account_id, a.ledger_account_id, house_account(l.book, 'house_pnl'), format('%s %s %s closed', upper(p.side), p.symbol, p.amount),
    e.why, c.price, t.spreads_from, r.result, row(e.seq, e.at, 0, e.bid, e.ask, e.pip)::deed_quote
  )::exit_due) into due
  from json_to_recordset(exits) as e (id uuid, why text, seq bigint, at timestamptz, bid numeric, ask numeric, pip numeric)
  join positions p on p.id = e.id and p.status = 'open' and p.account_id = any (free)
  join trading_accounts a on a.id = p.account_id and a.advance = 0
  join account_types t on t.id = a.account_type_id
  join ledger_accounts l on l.id = a.ledger_account_id
  cross join lateral account_price(e.bid, e.ask, e.pip, t.spreads_from) x
  cross join lateral (select case p.side when 'buy' then x.account_bid else x.account_ask end as price) c
  cross join lateral (select profit_of(p.side, p.amount, p.open_price, c.price) as result) r
  where l.balance + r.result >= 0
    and case when (e.why = 'stop_loss') = (p.side = 'buy') then c.price <= case e.why when 'stop_loss' then p.stop_loss else p.take_profit end
      else c.price >= case e.why when 'stop_loss' then p.stop_loss else p.take_profit end end;
  if due is null then return '[]'; end if;

  now_ms := date_trunc('milliseconds', clock_timestamp());
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
  insert into fills (position_id, kind, quote_seq, quote_at, quote_age_ms, bid, ask, tier_spread_pips, price, amount, margin, profit, reason)
  select d.id, 'close', (d.q).seq, (d.q).at, 0, (d.q).bid, (d.q).ask, case when (d.q).pip > 0 then d.tier else 0 end, d.price, p.amount, p.margin, d.result, d.why
  from unnest(due) d
  join positions p on p.id = d.id;
  return (select json_agg(position_json(p, p.close_price)) from positions p where p.id in (select d.id from unnest(due) d));
end $$;

-- Orders that were cancelled while they waited, by whose they were.
create index positions_cancelled on positions (user_id, created_at desc) where status = 'cancelled';
