-- What closed positions cost beside the spread is kept with the account's other totals, by instrument. Whoever closes one waits, and is counted by
-- the trigger's next text: a closing that began under the one before it would leave its charges out.
lock table positions in share row exclusive mode;
alter table account_symbols add column charges numeric(15, 2) not null default 0 constraint account_symbols_charges_check check (charges >= 0 and charges <> 'NaN');
update account_symbols s
set charges = p.charges
from (select account_id, symbol, sum(charges) as charges from positions where status = 'closed' and charges > 0 group by account_id, symbol) p
where p.account_id = s.account_id and p.symbol = s.symbol;
