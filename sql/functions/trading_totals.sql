-- What an account's deals brought, kept as they are made.

-- Adds openings to the turnover of their accounts, which whoever opens holds, and notes when these were last dealt on. A trigger, as for those that close.
create or replace function account_turnover_add() returns trigger language plpgsql as $$
begin
  update trading_accounts a
  set turnover = a.turnover + n.amount, last_traded_at = clock_timestamp(), updated_at = now()
  from (
    select p.account_id, sum(f.amount) as amount from written f join positions p on p.id = f.position_id where f.kind = 'open' group by p.account_id
  ) n
  where a.id = n.account_id;
  return null;
end $$;
create or replace trigger fills_add_up after insert on fills referencing new table as written for each statement execute function account_turnover_add();

-- Adds a position that closes to the totals of its account, which whoever closes it holds. A trigger, so that no way to close can leave it out.
create or replace function account_totals_add() returns trigger language plpgsql as $$
begin
  insert into account_symbols as s (account_id, symbol, closed, won, lost, gained, given, best, worst, held, charges)
  values (
    new.account_id, new.symbol, 1, (new.profit > 0)::integer, (new.profit < 0)::integer, greatest(new.profit, 0), greatest(-new.profit, 0), new.profit, new.profit,
    new.closed_at - new.opened_at, new.charges
  )
  on conflict (account_id, symbol) do update
  set closed = s.closed + 1, won = s.won + excluded.won, lost = s.lost + excluded.lost, gained = s.gained + excluded.gained,
    given = s.given + excluded.given, best = greatest(s.best, excluded.best), worst = least(s.worst, excluded.worst), held = s.held + excluded.held,
    charges = s.charges + excluded.charges;
  insert into account_days as d (account_id, day, closed, profit, booked)
  values (new.account_id, (new.closed_at at time zone 'UTC')::date, 1, new.profit, new.profit + new.covered)
  on conflict (account_id, day) do update set closed = d.closed + 1, profit = d.profit + excluded.profit, booked = d.booked + excluded.booked;
  return null;
end $$;
create or replace trigger positions_add_up after update on positions for each row when (new.status = 'closed'::text and old.status <> 'closed'::text) execute function account_totals_add();

-- All totals anew from the positions, where these were written otherwise than by deals: the demonstration moves its months' days. Called by the
-- owner, with the positions held.
create or replace function account_totals_rebuild() returns void language sql as $$
  delete from account_symbols;
  delete from account_days;
  insert into account_symbols (account_id, symbol, closed, won, lost, gained, given, best, worst, held, charges)
  select account_id, symbol, count(*), count(*) filter (where profit > 0), count(*) filter (where profit < 0), sum(greatest(profit, 0)), sum(greatest(-profit, 0)),
    max(profit), min(profit), sum(closed_at - opened_at), sum(charges)
  from positions
  where status = 'closed'
  group by account_id, symbol;
  insert into account_days (account_id, day, closed, profit, booked)
  select account_id, (closed_at at time zone 'UTC')::date, count(*), sum(profit), sum(profit + covered) from positions where status = 'closed' group by 1, 2;
$$;

-- The latest closings of an account, and what the ledger booked for each. Read in the index's order, whatever the planner, who knows what most
-- accounts have, guesses of one that has very many.
create or replace function account_latest(of_account uuid, most integer) returns table (id uuid, at timestamptz, booked numeric) language sql stable
set enable_bitmapscan = off set enable_sort = off as $$
  select p.id, p.closed_at, p.profit + p.covered
  from positions p
  where p.account_id = of_account and p.status = 'closed'
  order by p.closed_at desc, p.id desc
  limit most;
$$;
