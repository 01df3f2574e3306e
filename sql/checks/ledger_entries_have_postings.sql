-- Every entry moved something. Earlier releases noted the close of a demo position so, too, of which the house bore all.
select e.id, e.kind, e.object_id
from ledger_entries e
where /*new e.id > :entry and */ not exists (select from ledger_postings where entry_id = e.id)
  and not (e.kind = 'trade_close' and exists (
    select from positions p join trading_accounts a on a.id = p.account_id where p.id = e.object_id and a.is_demo and p.profit + p.covered = 0
  ))
