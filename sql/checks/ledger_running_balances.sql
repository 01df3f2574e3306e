-- Each posting's balance_after is the one before plus its amount.
select entry_id, account_id, amount, balance_after, previous
from (
  select entry_id, account_id, amount, balance_after, lag(balance_after, 1, 0::numeric) over (partition by account_id order by entry_id) as previous
  from ledger_postings
) p
where balance_after <> previous + amount
