-- Account types and trading accounts. Whoever changes a trading account's balance holds its row here first.

create table account_types (
  id text primary key check (id ~ '^[a-z]{1,20}$'),
  name text not null,
  minimum_deposit numeric(15, 2) not null check (minimum_deposit >= 0 and minimum_deposit <> 'NaN'),
  spreads_from numeric(5, 1) not null check (spreads_from >= 0 and spreads_from <> 'NaN'),
  leverage text not null,
  features json not null,
  is_active boolean not null default true,
  place integer not null
);
insert into account_types (id, name, minimum_deposit, spreads_from, leverage, features, place) values
  ('starter', 'Starter', 300, 3.3, '1:500', '["Live chart support","All platforms"]', 1),
  ('bronze', 'Bronze', 5000, 2.2, '1:700', '["Live chart support","All platforms","Education tools"]', 2),
  ('silver', 'Silver', 20000, 1.5, '1:1000', '["Live chart support","All platforms","Technical analysis report"]', 3),
  ('gold', 'Gold', 50000, 1.0, '1:3000', '["Live chart support","All platforms","Market update emails"]', 4),
  ('platinum', 'Platinum', 75000, 0.5, '1:5000', '["Live chart support","All platforms","Market update emails"]', 5);

create sequence account_numbers;

create table trading_accounts (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id),
  ledger_account_id bigint not null unique references ledger_accounts (id),
  account_number text not null unique,
  account_type_id text not null references account_types (id),
  is_demo boolean not null,
  status text not null default 'active' check (status in ('active', 'closed')),
  leverage integer not null default 100 check (leverage between 1 and 5000),
  -- The highest that money moved in, less money moved out, ever was: it opens the tier.
  funded_total numeric(15, 2) not null default 0 check (funded_total >= 0 and funded_total <> 'NaN'),
  -- What was moved in, less what was moved out, to this day.
  funded_net numeric(15, 2) not null default 0 check (funded_net <> 'NaN'),
  -- Profit and loss of all closed positions, kept at each closing.
  realised numeric(15, 2) not null default 0 check (realised <> 'NaN'),
  -- What the house paid for losses beyond the balance while other positions are open; later profits repay it, and with
  -- the last position closed it is forgiven (negative balance protection).
  advance numeric(15, 2) not null default 0 check (advance >= 0 and advance <> 'NaN'),
  -- Since when the account is below its used margin and its trader was told so; null while the level is at 100 % or above.
  margin_called_at timestamptz,
  last_traded_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index trading_accounts_user on trading_accounts (user_id, created_at);

-- Opens an account; a demo one is granted its virtual money at once.
create function account_open(owner uuid, type_id text, demo boolean, starting_demo numeric default 10000) returns uuid language plpgsql as $$
declare
  purse bigint;
  account uuid;
begin
  insert into ledger_accounts (owner_id, book, kind) values (owner, case when demo then 'demo' else 'live' end, 'trading') returning id into purse;
  insert into trading_accounts (user_id, ledger_account_id, account_number, account_type_id, is_demo)
  values (
    owner, purse, 'ACC' || (extract(epoch from clock_timestamp()) * 1000)::bigint || lpad((nextval('account_numbers') % 1000)::text, 3, '0'), type_id, demo
  )
  returning id into account;
  if demo then
    perform ledger_post('demo_grant', account, 'Virtual money for a demo account', array[purse, house_account('demo', 'house_demo')], array[starting_demo, -starting_demo]);
  end if;
  return account;
end $$;

-- A person's money as screens show it: the wallet, the live trading accounts' balances, realised profit on live accounts.
create view user_financials as
select
  u.id as user_id,
  coalesce((select balance from ledger_accounts where owner_id = u.id and kind = 'wallet'), 0.00) as account_balance,
  coalesce((select sum(balance) from ledger_accounts where owner_id = u.id and kind = 'trading' and book = 'live'), 0.00) as trading_balance,
  coalesce((select sum(realised) from trading_accounts where user_id = u.id and not is_demo), 0.00) as total_profit
from users u;

-- A new person's first money: an empty wallet, the hold for withdrawals, and a Starter demo account to trade at once.
create function person_open(person uuid) returns uuid language sql as $$
  insert into ledger_accounts (owner_id, book, kind) values (person, 'live', 'wallet'), (person, 'live', 'withdrawal_hold');
  select account_open(person, 'starter', true);
$$;
