-- What each account has realised is the sum of its closed positions' results.
select a.id, a.realised, coalesce(sum(p.profit), 0) as results
from trading_accounts a
left join positions p on p.account_id = a.id and p.status = 'closed'
group by a.id
having a.realised <> coalesce(sum(p.profit), 0)
