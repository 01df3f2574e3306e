-- An approved deposit was credited once, by what it says; any other was not; bonuses paid are those on record.
select d.id, d.status, d.credited, p.amount
from deposits d
left join ledger_entries e on e.kind = 'deposit' and e.object_id = d.id
left join ledger_accounts w on w.owner_id = d.user_id and w.kind = 'wallet'
left join ledger_postings p on p.entry_id = e.id and p.account_id = w.id
where ((d.status = 'approved') <> (e.id is not null) or d.credited is distinct from p.amount) /*new and d.id in (select id from new_objects) */
union all
select u.user_id, 'bonuses', u.recorded, coalesce(l.paid, 0)
from (select user_id, sum(bonus_applied) as recorded from deposits /*new where user_id in (select id from new_objects) */ group by user_id) u
left join (
  select e.object_id, sum(p.amount) as paid
  from ledger_entries e
  join ledger_postings p on p.entry_id = e.id
  join ledger_accounts a on a.id = p.account_id and a.owner_id = e.object_id
  where e.kind in ('deposit_bonus', 'bitcoin_bonus') /*new and e.object_id in (select id from new_objects) */
  group by e.object_id
) l on l.object_id = u.user_id
where u.recorded <> coalesce(l.paid, 0)
