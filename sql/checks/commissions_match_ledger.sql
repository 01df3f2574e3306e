-- Each commission was taken from its account once, and a position's charges are all that was taken for it.
select c.position_id, c.amount, l.amount as posted, null::numeric as charges
from commissions c
join positions p on p.id = c.position_id
join trading_accounts a on a.id = p.account_id
left join ledger_entries e on e.kind = 'commission' and e.object_id = c.id
left join ledger_postings l on l.entry_id = e.id and l.account_id = a.ledger_account_id
where l.amount is distinct from -c.amount /*new and c.position_id in (select id from new_positions) */
union all
select e.object_id, null::numeric, null::numeric, null::numeric from ledger_entries e where e.kind = 'commission' /*new and e.id > :entry */ and not exists (select from commissions c where c.id = e.object_id)
union all
select p.id, sum(c.amount), null, p.charges
from positions p
left join commissions c on c.position_id = p.id
where (p.charges <> 0 or c.id is not null) /*new and p.id in (select id from new_positions) */
group by p.id
having p.charges <> coalesce(sum(c.amount), 0)
