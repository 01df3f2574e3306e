-- Money in and out: promotions, deposit wallets, deposits, withdrawals, transfers, referrals, and how they are told.

-- What the site promises and what approval pays are the same rows.
create table promotions (
  id text primary key check (id in ('deposit_bonus', 'bitcoin_bonus', 'referral_bonus')),
  title text not null,
  amount numeric(15, 2) not null check (amount > 0 and amount <> 'NaN'),
  minimum_deposit numeric(15, 2) not null check (minimum_deposit >= 0 and minimum_deposit <> 'NaN'),
  is_active boolean not null default true
);
insert into promotions (id, title, amount, minimum_deposit) values
  ('deposit_bonus', 'Bonus on a first deposit of the minimum or more', 500, 5000),
  ('bitcoin_bonus', 'Sign-up bonus when that deposit is made in Bitcoin', 100, 5000),
  ('referral_bonus', 'Bonus for who referred a person, on that person''s first approved deposit', 50, 0);

-- Addresses that customers send coins to.
create table deposit_wallets (
  id uuid primary key default gen_random_uuid(),
  currency text not null check (currency in ('BTC', 'ETH', 'USDT', 'LTC')),
  network text not null check (network in ('Mainnet', 'ERC-20', 'BEP-20', 'TRC-20')),
  wallet_address text not null check (length(wallet_address) between 20 and 200),
  wallet_type text not null default 'deposit',
  is_active boolean not null default true,
  is_default boolean not null default false,
  daily_limit numeric(15, 2) check (daily_limit > 0 and daily_limit <> 'NaN'),
  monthly_limit numeric(15, 2) check (monthly_limit > 0 and monthly_limit <> 'NaN'),
  description text not null default '' check (length(description) <= 500),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index deposit_wallets_address on deposit_wallets (currency, network, wallet_address);
create unique index deposit_wallets_default on deposit_wallets (currency, network) where is_default and is_active;

create table deposits (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id),
  amount numeric(15, 2) not null check (amount > 0 and amount <> 'NaN'),
  currency text not null check (currency in ('USD', 'EUR', 'GBP', 'BTC', 'ETH', 'USDT', 'LTC')),
  method text not null check (method in ('card', 'bank', 'crypto')),
  -- The coin that it is sent in; an amount in USD may be sent in one too.
  coin text check (coin in ('BTC', 'ETH', 'USDT', 'LTC')),
  network text check (network in ('Mainnet', 'ERC-20', 'BEP-20', 'TRC-20')),
  wallet_id uuid references deposit_wallets (id),
  wallet_address text check (length(wallet_address) <= 200),
  transaction_hash text check (length(transaction_hash) between 8 and 128),
  output_index integer not null default 0 check (output_index between 0 and 100000),
  notes text not null default '' check (length(notes) <= 500),
  status text not null default 'pending' check (status in ('pending', 'approved', 'rejected', 'cancelled')),
  -- USD for one unit of the currency, and what was credited; set by approval.
  rate numeric(20, 8) check (rate > 0 and rate <> 'NaN'),
  credited numeric(15, 2) check (credited > 0 and credited <> 'NaN'),
  bonus_applied numeric(15, 2) not null default 0 check (bonus_applied >= 0 and bonus_applied <> 'NaN'),
  admin_notes text check (length(admin_notes) <= 500),
  rejection_reason text check (length(rejection_reason) <= 500),
  decided_by uuid references users (id),
  decided_at timestamptz,
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  check ((status = 'approved') = (credited is not null and rate is not null)),
  check ((status = 'pending') = (decided_at is null))
);
create index deposits_user on deposits (user_id, created_at desc, id desc);
create index deposits_newest on deposits (created_at desc, id desc);
create index deposits_waiting on deposits (created_at desc, id desc) where status = 'pending';
create index deposits_wallet_use on deposits (wallet_id, decided_at) where status = 'approved';

-- One chain payment backs one deposit: the same output may not be claimed twice; another output of the same transaction may.
-- Ethereum goes by two names, and a hash may be written with 0x or without.
create unique index deposits_payment on deposits (
  coalesce(coin, currency), (case when coin = 'ETH' and network = 'Mainnet' then 'ERC-20' else coalesce(network, '') end),
  regexp_replace(lower(transaction_hash), '^0x', ''), output_index
)
  where transaction_hash is not null and status in ('pending', 'approved');

-- Kept apart, so that lists never read megabytes.
create table deposit_proofs (
  deposit_id uuid primary key references deposits (id),
  media_type text not null check (media_type in ('image/png', 'image/jpeg', 'image/webp', 'application/pdf')),
  content bytea not null check (octet_length(content) between 1 and 5242880),
  created_at timestamptz not null default now()
);

create table withdrawals (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id),
  amount numeric(15, 2) not null check (amount > 0 and amount <> 'NaN'),
  currency text not null check (currency in ('USD', 'BTC', 'ETH', 'USDT', 'LTC')),
  method text not null check (method in ('card', 'bank', 'crypto')),
  network text check (network in ('Mainnet', 'ERC-20', 'BEP-20', 'TRC-20')),
  wallet_address text not null check (length(wallet_address) between 1 and 200),
  status text not null default 'pending' check (status in ('pending', 'approved', 'rejected', 'cancelled')),
  admin_notes text check (length(admin_notes) <= 500),
  rejection_reason text check (length(rejection_reason) <= 500),
  transaction_hash text check (length(transaction_hash) <= 128),
  decided_by uuid references users (id),
  decided_at timestamptz,
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  check ((status = 'pending') = (decided_at is null))
);
create index withdrawals_user on withdrawals (user_id, created_at desc, id desc);
create index withdrawals_newest on withdrawals (created_at desc, id desc);
create index withdrawals_waiting on withdrawals (created_at desc, id desc) where status = 'pending';
create index withdrawals_known on withdrawals (user_id, currency, wallet_address) where status = 'approved';

create table transfers (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id),
  -- Null is the wallet.
  from_account_id uuid references trading_accounts (id),
  to_account_id uuid references trading_accounts (id),
  amount numeric(15, 2) not null check (amount > 0 and amount <> 'NaN'),
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  check (from_account_id is distinct from to_account_id)
);
create index transfers_user on transfers (user_id, created_at desc, id desc);

-- A referral that was paid; who referred whom is in users.
create table referral_payments (
  referred_id uuid primary key references users (id),
  referrer_id uuid not null references users (id),
  deposit_id uuid not null references deposits (id),
  amount numeric(15, 2) not null check (amount > 0 and amount <> 'NaN'),
  created_at timestamptz not null default now(),
  check (referrer_id <> referred_id)
);
create index users_referred_by on users (referred_by) where referred_by is not null;
create index referral_payments_referrer on referral_payments (referrer_id);

create function purse_of(person uuid, of_kind text) returns bigint language sql stable as $$
  select id from ledger_accounts where owner_id = person and kind = of_kind;
$$;

create function refuse_unapproved(person uuid) returns void language plpgsql as $$
begin
  if (select registration_status from users where id = person) <> 'approved' then
    perform refuse('registration_pending', 'Your registration is awaiting approval.');
  end if;
end $$;

-- A deposit as its owner sees it.
create function deposit_json(d deposits) returns jsonb language sql stable as $$
  select jsonb_build_object(
    'id', d.id, 'userId', d.user_id, 'amount', d.amount::text, 'currency', d.currency, 'method', d.method, 'cryptoType', d.coin, 'network', d.network,
    'walletAddress', d.wallet_address, 'transactionHash', d.transaction_hash, 'outputIndex', d.output_index, 'notes', d.notes, 'status', d.status,
    'proofOfPayment', (select '/api/deposits/' || d.id || '/proof' from deposit_proofs where deposit_id = d.id),
    'rate', d.rate::text, 'credited', d.credited::text, 'bonusApplied', d.bonus_applied::text, 'rejectionReason', d.rejection_reason,
    'approvedAt', case d.status when 'approved' then iso(d.decided_at) end, 'rejectedAt', case d.status when 'rejected' then iso(d.decided_at) end,
    'completedAt', iso(d.decided_at), 'createdAt', iso(d.created_at)
  );
$$;

create function withdrawal_json(w withdrawals) returns jsonb language sql immutable as $$
  select jsonb_build_object(
    'id', w.id, 'userId', w.user_id, 'amount', w.amount::text, 'currency', w.currency, 'method', w.method, 'network', w.network,
    'walletAddress', w.wallet_address, 'fee', '0.00', 'status', w.status, 'rejectionReason', w.rejection_reason, 'transactionHash', w.transaction_hash,
    'approvedAt', case w.status when 'approved' then iso(w.decided_at) end, 'rejectedAt', case w.status when 'rejected' then iso(w.decided_at) end,
    'processedAt', iso(w.decided_at), 'createdAt', iso(w.created_at)
  );
$$;

-- What staff see beside it: whose it is, and how it was decided.
create function request_people(owner uuid, decider uuid, notes text) returns jsonb language sql stable as $$
  select jsonb_build_object(
    'firstName', u.first_name, 'lastName', u.last_name, 'email', u.email, 'adminNotes', notes,
    'decidedBy', (select email from users where id = decider and role = 'admin')
  )
  from users u
  where u.id = owner;
$$;

-- Ends a deed with its answer, which a repeat of the same key hears again.
create function once_answer(caller uuid, once_key text, answer_status integer, answer json) returns json language plpgsql as $$
begin
  if once_key is not null then perform once_end(caller, once_key, answer_status, answer); end if;
  return json_build_object('status', answer_status, 'answer', answer);
end $$;
