-- A demo account's money is in the demo book, a live account's in the live book, each with its owner.
select a.id from trading_accounts a join ledger_accounts l on l.id = a.ledger_account_id
where (l.kind <> 'trading' or l.owner_id <> a.user_id or (l.book = 'demo') <> a.is_demo) /*new and l.id in (select id from new_accounts) */
