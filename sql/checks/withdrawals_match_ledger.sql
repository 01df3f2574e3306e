-- What is held for each person is the sum of their waiting withdrawals, and each request's entries are those of its state, each of
-- its amount.
select a.owner_id, a.balance as held, coalesce(sum(w.amount), 0) as waiting
from ledger_accounts a
left join withdrawals w on w.user_id = a.owner_id and w.status = 'pending'
where a.kind = 'withdrawal_hold' /*new and a.id in (select id from new_accounts) */
group by a.id, a.owner_id, a.balance
having a.balance <> coalesce(sum(w.amount), 0)
union all
select w.id, w.amount, count(e.id)
from withdrawals w
left join ledger_entries e on e.object_id = w.id and e.kind in ('withdrawal_hold', 'withdrawal_paid', 'withdrawal_returned')
/*new where w.id in (select id from new_objects) */
group by w.id
having count(*) filter (where e.kind = 'withdrawal_hold') <> 1
  or count(*) filter (where e.kind = 'withdrawal_paid') <> (w.status = 'approved')::integer
  or count(*) filter (where e.kind = 'withdrawal_returned') <> (w.status in ('rejected', 'cancelled'))::integer
union all
select w.id, w.amount, p.amount
from withdrawals w
join ledger_entries e on e.object_id = w.id and e.kind in ('withdrawal_hold', 'withdrawal_paid', 'withdrawal_returned')
left join ledger_accounts a on a.owner_id = w.user_id and a.kind = 'withdrawal_hold'
left join ledger_postings p on p.entry_id = e.id and p.account_id = a.id
where /*new e.id > :entry and */ p.amount is distinct from case e.kind when 'withdrawal_hold' then w.amount else -w.amount end
