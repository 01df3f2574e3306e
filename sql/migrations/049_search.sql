-- Staff's one search: requests by their hashes and addresses, tickets by their subjects, accounts by their numbers, all by groups of three
-- letters as people are (`letter_groups`), which no extension has to be made for; and requests by their amounts.
create index deposits_search on deposits using gin (letter_groups(lower(coalesce(transaction_hash, '') || ' ' || coalesce(wallet_address, '')), 3))
  where transaction_hash is not null or wallet_address is not null;
create index withdrawals_search on withdrawals using gin (letter_groups(lower(coalesce(transaction_hash, '') || ' ' || wallet_address), 3));
create index support_tickets_search on support_tickets using gin (letter_groups(lower(subject), 3));
create index trading_accounts_search on trading_accounts using gin (letter_groups(lower(account_number), 3));
create index deposits_amount on deposits (amount, created_at desc);
create index withdrawals_amount on withdrawals (amount, created_at desc);
