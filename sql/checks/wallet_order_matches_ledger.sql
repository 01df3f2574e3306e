-- The list of wallets by their money says what the ledger says.
select coalesce(a.owner_id, w.owner_id) as owner_id, a.balance as ledger, w.balance as listed
from (select owner_id, balance from ledger_accounts where kind = 'wallet' /*new and id in (select id from new_accounts) */) a
full join (
  select owner_id, balance from wallet_order /*new where owner_id in (select owner_id from ledger_accounts where kind = 'wallet' and id in (select id from new_accounts)) */
) w on w.owner_id = a.owner_id
where a.balance is distinct from w.balance
