-- Each closed position moved its account by its profit plus what the house covered, and nothing else did so in its name.
select p.id, p.profit, p.covered, coalesce(sum(l.amount), 0) as posted
from positions p
join trading_accounts a on a.id = p.account_id
left join ledger_entries e on e.kind = 'trade_close' and e.object_id = p.id
left join ledger_postings l on l.entry_id = e.id and l.account_id = a.ledger_account_id
/*new where p.id in (select id from new_positions) */
group by p.id
having p.status = 'closed' and p.profit + p.covered <> coalesce(sum(l.amount), 0)
    or p.status <> 'closed' and count(e.id) > 0
