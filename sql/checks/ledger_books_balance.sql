-- Every entry sums to zero in each book.
select p.entry_id, a.book, sum(p.amount) as off_by
from ledger_postings p join ledger_accounts a on a.id = p.account_id
/*new where p.entry_id > :entry */
group by p.entry_id, a.book
having sum(p.amount) <> 0
