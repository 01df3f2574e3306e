-- Money in and out: deposits, withdrawals, transfers, promotions. Each deed is one function; it locks the request's row,
-- then trading accounts by id, then ledger accounts by id, then the audit head.

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
  network text,
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
create index deposits_waiting on deposits (created_at) where status = 'pending';
create index deposits_wallet_use on deposits (wallet_id, decided_at) where status = 'approved';
-- One chain payment backs one deposit: the same output may not be claimed twice; another output of the same transaction may.
create unique index deposits_payment on deposits (currency, coalesce(network, ''), lower(transaction_hash), output_index)
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
create index withdrawals_waiting on withdrawals (created_at) where status = 'pending';
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
create index referral_payments_referrer on referral_payments (referrer_id);

-- Money moved into an account, less what was moved out again; its highest value opens the tier (funded_total).
alter table trading_accounts add column funded_net numeric(15, 2) not null default 0 check (funded_net <> 'NaN');

create function purse_of(person uuid, of_kind text) returns bigint language sql stable as $$
  select id from ledger_accounts where owner_id = person and kind = of_kind;
$$;

-- A staff decision on a request is made by somebody else than its owner.
create function refuse_own(admin uuid, owner uuid) returns void language plpgsql as $$
begin
  if admin = owner then
    perform refuse('forbidden', 'You can''t decide your own request. Ask another administrator.');
  end if;
end $$;

create function refuse_unapproved(person uuid) returns void language plpgsql as $$
begin
  if (select registration_status from users where id = person) <> 'approved' then
    perform refuse('registration_pending', 'Your registration is awaiting approval.');
  end if;
end $$;

-- Approves a deposit: credits the wallet in USD at `usd_rate`, and pays each promotion that it earns, once. Exactly one
-- decision wins; the others get a conflict.
create function deposit_approve(admin uuid, of_deposit uuid, usd_rate numeric, note text, ip text, agent text) returns uuid language plpgsql as $$
declare
  d deposits;
  usd numeric;
  wallet bigint;
  bonus numeric := 0;
  promo promotions;
  referrer uuid;
  is_first boolean;
begin
  update deposits
  set status = 'approved', rate = usd_rate, credited = round(amount * usd_rate, 2), admin_notes = note, decided_by = admin, decided_at = clock_timestamp()
  where id = of_deposit and status = 'pending'
  returning * into d;
  if not found then
    select * into d from deposits where id = of_deposit;
    if not found then perform refuse('not_found', 'Not found.'); end if;
    perform refuse('conflict', 'This deposit is already ' || d.status || '.');
  end if;
  perform refuse_own(admin, d.user_id);
  usd := d.credited;
  wallet := purse_of(d.user_id, 'wallet');
  select referred_by into referrer from users where id = d.user_id;
  -- Every account that this may touch, in order, before the first posting.
  perform 1 from ledger_accounts
  where id in (wallet, purse_of(referrer, 'wallet'), house_account('live', 'house_clearing'), house_account('live', 'house_bonus'))
  order by id for update;
  -- With the wallet locked no other approval of this person's is under way.
  is_first := not exists (select from deposits where user_id = d.user_id and status = 'approved' and id <> d.id);

  perform ledger_post('deposit', d.id, format('Deposit of %s %s by %s', d.amount, d.currency, d.method), array[wallet, house_account('live', 'house_clearing')], array[usd, -usd]);
  for promo in
    select * from promotions
    where is_active and usd >= minimum_deposit and (id = 'deposit_bonus' or (id = 'bitcoin_bonus' and d.currency = 'BTC'))
    order by id desc
  loop
    -- The entry's object is the person, so the ledger itself refuses a second one.
    if not exists (select from ledger_entries where kind = promo.id and object_id = d.user_id)
      and (promo.id = 'deposit_bonus' or bonus > 0)
    then
      perform ledger_post(promo.id, d.user_id, promo.title, array[wallet, house_account('live', 'house_bonus')], array[promo.amount, -promo.amount]);
      bonus := bonus + promo.amount;
    end if;
  end loop;
  update deposits set bonus_applied = bonus where id = d.id;

  select * into promo from promotions where id = 'referral_bonus' and is_active and usd >= minimum_deposit;
  if found and is_first and referrer is not null then
    insert into referral_payments (referred_id, referrer_id, deposit_id, amount) values (d.user_id, referrer, d.id, promo.amount) on conflict do nothing;
    if found then
      perform ledger_post('referral_bonus', d.user_id, 'Bonus for a person you referred', array[purse_of(referrer, 'wallet'), house_account('live', 'house_bonus')], array[promo.amount, -promo.amount]);
    end if;
  end if;
  perform audit_append(
    admin, d.user_id, 'deposit.approve', json_build_object('depositId', d.id, 'amount', d.amount::text, 'currency', d.currency, 'creditedUsd', usd::text, 'bonus', bonus::text),
    json_build_object('status', 'pending'), json_build_object('status', 'approved'), note, ip, agent
  );
  return d.user_id;
end $$;

create function deposit_reject(admin uuid, of_deposit uuid, why text, ip text, agent text) returns uuid language plpgsql as $$
declare
  d deposits;
begin
  update deposits set status = 'rejected', rejection_reason = why, decided_by = admin, decided_at = clock_timestamp()
  where id = of_deposit and status = 'pending'
  returning * into d;
  if not found then
    select * into d from deposits where id = of_deposit;
    if not found then perform refuse('not_found', 'Not found.'); end if;
    perform refuse('conflict', 'This deposit is already ' || d.status || '.');
  end if;
  perform refuse_own(admin, d.user_id);
  perform audit_append(
    admin, d.user_id, 'deposit.reject', json_build_object('depositId', d.id, 'amount', d.amount::text, 'currency', d.currency),
    json_build_object('status', 'pending'), json_build_object('status', 'rejected'), why, ip, agent
  );
  return d.user_id;
end $$;

create function deposit_cancel(caller uuid, of_deposit uuid) returns void language plpgsql as $$
declare
  d deposits;
begin
  update deposits set status = 'cancelled', decided_by = caller, decided_at = clock_timestamp()
  where id = of_deposit and user_id = caller and status = 'pending'
  returning * into d;
  if found then return; end if;
  select * into d from deposits where id = of_deposit and user_id = caller;
  if not found then perform refuse('not_found', 'Not found.'); end if;
  perform refuse('conflict', 'This deposit is already ' || d.status || '.');
end $$;

-- Asks for a withdrawal: the amount leaves the wallet for the hold, so that it can't be spent twice. `confirmed` says that
-- the password was given of late. Answers {status, answer} with the request's id.
create function withdrawal_request(
  caller uuid, of_amount numeric, of_currency text, of_method text, address text, confirmed boolean, once_key text, once_fingerprint text
) returns json language plpgsql as $$
declare
  earlier json;
  w withdrawals;
  available numeric;
  answer json;
begin
  earlier := once_begin(caller, once_key, once_fingerprint);
  if earlier is not null then return earlier; end if;
  perform refuse_unapproved(caller);
  select balance into available from ledger_accounts where id = purse_of(caller, 'wallet') for update;
  if available < of_amount then
    perform refuse('insufficient_funds', format('Your wallet holds $%s.', trim(to_char(available, '999,999,999,990.00'))), 'amount');
  end if;
  if not confirmed and not exists (
    select from withdrawals where user_id = caller and currency = of_currency and wallet_address = address and status = 'approved'
  ) then
    perform refuse('password_required', 'This is a new address. Please confirm your password and send the request again.');
  end if;
  insert into withdrawals (user_id, amount, currency, method, wallet_address) values (caller, of_amount, of_currency, of_method, address) returning * into w;
  perform ledger_post(
    'withdrawal_hold', w.id, format('Withdrawal of $%s in %s requested', w.amount, w.currency),
    array[purse_of(caller, 'wallet'), purse_of(caller, 'withdrawal_hold')], array[-w.amount, w.amount]
  );
  answer := json_build_object('id', w.id);
  if once_key is not null then perform once_end(caller, once_key, 201, answer); end if;
  return json_build_object('status', 201, 'answer', answer);
end $$;

-- Ends a withdrawal that waits, exactly once: approval pays the held money out, rejection and the owner's cancel give it back.
create function withdrawal_end(actor uuid, of_withdrawal uuid, new_status text, note text, hash text, ip text, agent text) returns uuid language plpgsql as $$
declare
  w withdrawals;
  is_owner boolean := new_status = 'cancelled';
begin
  update withdrawals
  set status = new_status, decided_by = actor, decided_at = clock_timestamp(), transaction_hash = hash,
    admin_notes = case when new_status = 'approved' then note end, rejection_reason = case when new_status = 'rejected' then note end
  where id = of_withdrawal and status = 'pending' and (not is_owner or user_id = actor)
  returning * into w;
  if not found then
    select * into w from withdrawals where id = of_withdrawal and (not is_owner or user_id = actor);
    if not found then perform refuse('not_found', 'Not found.'); end if;
    perform refuse('conflict', 'This withdrawal is already ' || w.status || '.');
  end if;
  if not is_owner then perform refuse_own(actor, w.user_id); end if;
  if new_status = 'approved' then
    perform ledger_post(
      'withdrawal_paid', w.id, format('Withdrawal of $%s in %s paid out', w.amount, w.currency),
      array[purse_of(w.user_id, 'withdrawal_hold'), house_account('live', 'house_clearing')], array[-w.amount, w.amount]
    );
  else
    perform ledger_post(
      'withdrawal_returned', w.id, format('Withdrawal of $%s in %s %s, money returned', w.amount, w.currency, new_status),
      array[purse_of(w.user_id, 'withdrawal_hold'), purse_of(w.user_id, 'wallet')], array[-w.amount, w.amount]
    );
  end if;
  if not is_owner then
    perform audit_append(
      actor, w.user_id, case new_status when 'approved' then 'withdrawal.approve' else 'withdrawal.reject' end,
      json_build_object('withdrawalId', w.id, 'amount', w.amount::text, 'currency', w.currency, 'address', w.wallet_address),
      json_build_object('status', 'pending'), json_build_object('status', new_status), note, ip, agent
    );
  end if;
  return w.user_id;
end $$;

-- Moves money between the wallet (null) and live trading accounts. Out of an account at most what its free margin allows.
create function transfer_make(
  caller uuid, source uuid, target uuid, of_amount numeric, now_board board, once_key text, once_fingerprint text
) returns json language plpgsql as $$
declare
  earlier json;
  account trading_accounts;
  source_purse bigint := purse_of(caller, 'wallet');
  target_purse bigint := purse_of(caller, 'wallet');
  state record;
  t transfers;
  answer json;
begin
  earlier := once_begin(caller, once_key, once_fingerprint);
  if earlier is not null then return earlier; end if;
  if source is not distinct from target then
    perform refuse('invalid', 'Choose two different accounts.', 'toAccountId');
  end if;
  for account in select * from trading_accounts where user_id = caller and id in (source, target) order by id for update loop
    if account.is_demo then
      perform refuse('demo_account', 'Demo money is virtual: it can''t be moved.', case when account.id = source then 'fromAccountId' else 'toAccountId' end);
    elsif account.status <> 'active' then
      perform refuse('conflict', 'This trading account is closed.');
    end if;
    if account.id = source then source_purse := account.ledger_account_id; else target_purse := account.ledger_account_id; end if;
  end loop;
  if source is not null and source_purse = purse_of(caller, 'wallet') or target is not null and target_purse = purse_of(caller, 'wallet') then
    perform refuse('not_found', 'Not found.');
  end if;
  if target is not null then perform refuse_unapproved(caller); end if;
  if source is not null then
    select * into state from account_state(source, now_board);
    if of_amount > least(state.free, state.balance) then
      perform refuse('insufficient_funds', format('At most $%s of this account is free.', trim(to_char(greatest(least(state.free, state.balance), 0), '999,999,999,990.00'))), 'amount');
    end if;
  end if;
  insert into transfers (user_id, from_account_id, to_account_id, amount) values (caller, source, target, of_amount) returning * into t;
  perform ledger_post('transfer', t.id, 'Transfer between your accounts', array[source_purse, target_purse], array[-of_amount, of_amount]);
  update trading_accounts set funded_net = funded_net - of_amount, updated_at = now() where id = source;
  update trading_accounts set funded_net = funded_net + of_amount, funded_total = greatest(funded_total, funded_net + of_amount), updated_at = now() where id = target;
  answer := json_build_object('id', t.id, 'fromAccountId', source, 'toAccountId', target, 'amount', of_amount::text, 'createdAt', iso(t.created_at));
  if once_key is not null then perform once_end(caller, once_key, 201, answer); end if;
  return json_build_object('status', 201, 'answer', answer);
end $$;
