-- Each posting's balance_after is the one before plus its amount.
select entry_id, account_id, amount, balance_after, previous
from (
  select entry_id, account_id, amount, balance_after, coalesce(
    lag(balance_after) over (partition by account_id order by entry_id),
    /*new (select s.balance_after from ledger_postings s where s.account_id = l.account_id and s.entry_id <= :entry order by s.entry_id desc limit 1), */
    0
  ) as previous
  from ledger_postings l /*new where entry_id > :entry */
) p
where balance_after <> previous + amount
