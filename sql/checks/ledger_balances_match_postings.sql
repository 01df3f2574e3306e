-- Each cached balance is the sum of its postings, and the last posting carries it.
select a.id, a.kind, a.balance, coalesce(p.total, 0) as posted, p.last_balance
from ledger_accounts a
left join (
  select account_id, sum(amount) as total, (array_agg(balance_after order by entry_id desc))[1] as last_balance
  from ledger_postings
  group by account_id
) p on p.account_id = a.id
where a.balance <> coalesce(p.total, 0) or a.balance <> coalesce(p.last_balance, 0)
