-- Each cached balance is the sum of its postings, and the last posting carries it.
select a.id, a.kind, a.balance, coalesce(p.total, 0) as posted, p.last_balance
from ledger_accounts a
left join (
  select account_id, sum(amount) as total, (array_agg(balance_after order by entry_id desc))[1] as last_balance
    /*new, (array_agg(balance_after - amount order by entry_id))[1] as sealed */
  from ledger_postings /*new where entry_id > :entry */
  group by account_id
) p on p.account_id = a.id
where (a.balance <> coalesce(p.total, 0) /*new + p.sealed */ or a.balance <> coalesce(p.last_balance, 0)) /*new and p.account_id is not null */
