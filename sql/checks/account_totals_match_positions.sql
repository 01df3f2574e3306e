-- What is kept of each account's closed positions, by instrument and by day, is what those positions say.
select coalesce(k.account_id, p.account_id) as account_id, coalesce(k.symbol, p.symbol) as part
from account_symbols k
full join (
  select account_id, symbol, count(*) as closed, count(*) filter (where profit > 0) as won, count(*) filter (where profit < 0) as lost,
    sum(greatest(profit, 0)) as gained, sum(greatest(-profit, 0)) as given, max(profit) as best, min(profit) as worst, sum(closed_at - opened_at) as held,
    sum(charges) as charges
  from positions
  where status = 'closed'
  group by account_id, symbol
) p on p.account_id = k.account_id and p.symbol = k.symbol
where (k.closed, k.won, k.lost, k.gained, k.given, k.best, k.worst, k.held, k.charges)
  is distinct from (p.closed, p.won, p.lost, p.gained, p.given, p.best, p.worst, p.held, p.charges)
union all
select coalesce(k.account_id, p.account_id), coalesce(k.day, p.day)::text
from account_days k
full join (
  select account_id, (closed_at at time zone 'UTC')::date as day, count(*) as closed, sum(profit) as profit, sum(profit + covered) as booked
  from positions
  where status = 'closed'
  group by 1, 2
) p on p.account_id = k.account_id and p.day = k.day
where (k.closed, k.profit, k.booked) is distinct from (p.closed, p.profit, p.booked)
