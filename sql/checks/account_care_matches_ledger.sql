-- Each reset of a demo account moved its amount once, for a demo account; what was closed holds nothing and deals no more.
select r.id, r.amount, coalesce(p.amount, 0) as moved
from demo_resets r
join trading_accounts a on a.id = r.account_id
left join ledger_entries e on e.kind = 'demo_reset' and e.object_id = r.id
left join ledger_postings p on p.entry_id = e.id and p.account_id = a.ledger_account_id
where (p.amount is distinct from r.amount or not a.is_demo) /*new and r.id in (select id from new_objects) */
union all
select e.object_id, null, null
from ledger_entries e
where (e.kind = 'demo_reset' and not exists (select from demo_resets where id = e.object_id)
   or e.kind = 'demo_return' and not exists (select from trading_accounts where id = e.object_id and is_demo and status = 'closed')) /*new and e.id > :entry */
union all
select a.id, l.balance, null
from trading_accounts a
join ledger_accounts l on l.id = a.ledger_account_id
where a.status = 'closed' /*new and a.ledger_account_id in (select id from new_accounts) */ and (l.balance <> 0 or exists (select from positions where account_id = a.id and status in ('pending', 'open')))
