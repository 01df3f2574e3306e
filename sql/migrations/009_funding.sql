-- Money in and out: deposits, withdrawals, transfers, promotions. Each deed is one function; it locks the request's row,
-- then the people concerned, then trading accounts by id, then ledger accounts by id, then the audit head. Each takes an
-- Idempotency-Key (null for none) and answers {status, answer}.

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

-- Records a deposit that was announced; no money moves until it is approved.
create function deposit_request(
  caller uuid, of_amount numeric, of_currency text, of_method text, of_coin text, of_network text, of_wallet uuid, address text, note text,
  hash text, output integer, once_key text, once_fingerprint text
) returns json language plpgsql as $$
declare
  earlier json;
  d deposits;
begin
  earlier := once_begin(caller, once_key, once_fingerprint);
  if earlier is not null then return earlier; end if;
  if (select count(*) from (select from deposits where user_id = caller and status = 'pending' limit 1000) p) >= 1000 then
    perform refuse('too_many_waiting', 'Too many of your deposits are waiting for approval.');
  end if;
  insert into deposits (user_id, amount, currency, method, coin, network, wallet_id, wallet_address, notes, transaction_hash, output_index)
  values (caller, of_amount, of_currency, of_method, of_coin, of_network, of_wallet, address, note, hash, output)
  on conflict do nothing
  returning * into d;
  if not found then
    perform refuse('conflict', 'This transaction is already claimed by another deposit.', 'transactionHash');
  end if;
  return once_answer(caller, once_key, 201, deposit_json(d)::json);
end $$;

-- The deposit that this decision ended, exactly once; the loser of a race hears what it already is.
create function deposit_end(actor uuid, of_deposit uuid, new_status text, usd_rate numeric, note text) returns deposits language plpgsql as $$
declare
  d deposits;
  by_owner boolean := new_status = 'cancelled';
begin
  update deposits
  set status = new_status, decided_by = actor, decided_at = clock_timestamp(), rate = usd_rate, credited = round(amount * usd_rate, 2),
    admin_notes = case when new_status = 'approved' then note end, rejection_reason = case when new_status = 'rejected' then note end
  where id = of_deposit and status = 'pending' and (not by_owner or user_id = actor)
  returning * into d;
  if not found then
    select * into d from deposits where id = of_deposit and (not by_owner or user_id = actor);
    if not found then perform refuse('not_found', 'Not found.'); end if;
    perform refuse('conflict', 'This deposit is already ' || d.status || '.');
  end if;
  if not by_owner then perform refuse_own(actor, d.user_id); end if;
  return d;
end $$;

-- Pays what the site promises for this deposit, each promise once in a person's life; returns the sum. The person's first
-- deposit of a promotion's minimum or more earns it. With the wallet locked no other approval of this person's is under way.
create function deposit_bonuses(d deposits, wallet bigint) returns numeric language plpgsql as $$
declare
  promo promotions;
  total numeric := 0;
begin
  for promo in
    select * from promotions
    where is_active and d.credited >= minimum_deposit and (id = 'deposit_bonus' or (id = 'bitcoin_bonus' and coalesce(d.coin, d.currency) = 'BTC'))
    order by id desc
  loop
    -- The entry's object is the person, so the ledger itself refuses a second one.
    if not exists (select from deposits where user_id = d.user_id and status = 'approved' and id <> d.id and credited >= promo.minimum_deposit)
      and not exists (select from ledger_entries where kind = promo.id and object_id = d.user_id)
    then
      perform ledger_post(promo.id, d.user_id, promo.title, array[wallet, house_account('live', 'house_bonus')], array[promo.amount, -promo.amount]);
      total := total + promo.amount;
    end if;
  end loop;
  return total;
end $$;

-- Pays who referred this person, on the person's first approved deposit. Returns {userId, amount}, or null.
create function deposit_referral(d deposits, referrer uuid, referrer_wallet bigint) returns json language plpgsql as $$
declare
  promo promotions;
begin
  select * into promo from promotions where id = 'referral_bonus' and is_active and d.credited >= minimum_deposit;
  if not found or referrer is null or exists (select from deposits where user_id = d.user_id and status = 'approved' and id <> d.id) then
    return null;
  end if;
  insert into referral_payments (referred_id, referrer_id, deposit_id, amount) values (d.user_id, referrer, d.id, promo.amount) on conflict do nothing;
  if not found then return null; end if;
  perform ledger_post(
    'referral_bonus', d.user_id, 'Bonus for a person you referred', array[referrer_wallet, house_account('live', 'house_bonus')], array[promo.amount, -promo.amount]
  );
  return json_build_object('userId', referrer, 'amount', promo.amount::text);
end $$;

create function deposit_staff_json(d deposits) returns json language sql stable as $$
  select (deposit_json(d) || request_people(d.user_id, d.decided_by, d.admin_notes) || '{"creditsUsd": null}')::json;
$$;

create function deposit_memo(d deposits) returns text language sql immutable as $$
  select case
    when d.currency in ('EUR', 'GBP') then format('Deposit of %s %s by %s at %s', d.amount, d.currency, d.method, trim_scale(d.rate))
    when d.coin is not null then format('Deposit of %s in %s', money_text(d.amount), d.coin)
    else format('Deposit of %s by %s', money_text(d.amount), d.method)
  end;
$$;

-- Approves a deposit: credits the wallet in USD at `usd_rate`, and pays each promotion that it earns. Answers the deposit,
-- and beside it the referral that was paid.
create function deposit_approve(
  admin uuid, of_deposit uuid, usd_rate numeric, note text, ip text, agent text, once_key text default null, once_fingerprint text default null
) returns json language plpgsql as $$
declare
  earlier json;
  d deposits;
  wallet bigint;
  referrer uuid;
  referrer_wallet bigint;
  bonus numeric;
  referral json;
begin
  earlier := once_begin(admin, once_key, once_fingerprint);
  if earlier is not null then return earlier; end if;
  d := deposit_end(admin, of_deposit, 'approved', usd_rate, note);
  wallet := purse_of(d.user_id, 'wallet');
  select referred_by into referrer from users where id = d.user_id;
  referrer_wallet := purse_of(referrer, 'wallet');
  -- Every account that this may touch, in order, before the first posting.
  perform 1 from ledger_accounts
  where id = any (array[wallet, referrer_wallet, house_account('live', 'house_clearing'), house_account('live', 'house_bonus')])
  order by id for update;
  perform ledger_post(
    'deposit', d.id, deposit_memo(d),
    array[wallet, house_account('live', 'house_clearing')], array[d.credited, -d.credited]
  );
  bonus := deposit_bonuses(d, wallet);
  update deposits set bonus_applied = bonus where id = d.id returning * into d;
  referral := deposit_referral(d, referrer, referrer_wallet);
  perform audit_append(
    admin, d.user_id, 'deposit.approve',
    json_build_object(
      'depositId', d.id, 'amount', d.amount::text, 'currency', d.currency, 'rate', d.rate::text, 'creditedUsd', d.credited::text,
      'bonus', d.bonus_applied::text, 'referral', referral
    ),
    json_build_object('status', 'pending'), json_build_object('status', 'approved'), note, ip, agent
  );
  return (once_answer(admin, once_key, 200, deposit_staff_json(d))::jsonb || jsonb_build_object('referral', referral))::json;
end $$;

create function deposit_reject(
  admin uuid, of_deposit uuid, why text, ip text, agent text, once_key text default null, once_fingerprint text default null
) returns json language plpgsql as $$
declare
  earlier json;
  d deposits;
begin
  earlier := once_begin(admin, once_key, once_fingerprint);
  if earlier is not null then return earlier; end if;
  d := deposit_end(admin, of_deposit, 'rejected', null, why);
  perform audit_append(
    admin, d.user_id, 'deposit.reject', json_build_object('depositId', d.id, 'amount', d.amount::text, 'currency', d.currency),
    json_build_object('status', 'pending'), json_build_object('status', 'rejected'), why, ip, agent
  );
  return once_answer(admin, once_key, 200, deposit_staff_json(d));
end $$;

create function deposit_cancel(caller uuid, of_deposit uuid, once_key text default null, once_fingerprint text default null) returns json language plpgsql as $$
declare
  earlier json;
begin
  earlier := once_begin(caller, once_key, once_fingerprint);
  if earlier is not null then return earlier; end if;
  return once_answer(caller, once_key, 200, deposit_json(deposit_end(caller, of_deposit, 'cancelled', null, null))::json);
end $$;

-- Keeps the proof of a payment, in place of an earlier one, while the deposit waits. `quota`: bytes of one person's proofs in all.
create function deposit_prove(caller uuid, of_deposit uuid, type text, file bytea, quota bigint) returns json language plpgsql as $$
declare
  d deposits;
begin
  -- One upload of a person's at a time, so that the quota holds.
  perform pg_advisory_xact_lock(hashtextextended(caller::text, 5));
  select * into d from deposits where id = of_deposit and user_id = caller for update;
  if not found then perform refuse('not_found', 'Not found.'); end if;
  if d.status <> 'pending' then perform refuse('conflict', 'This deposit is already ' || d.status || '.'); end if;
  if octet_length(file) + coalesce((
    select sum(octet_length(p.content)) from deposit_proofs p join deposits o on o.id = p.deposit_id where o.user_id = caller and o.id <> d.id
  ), 0) > quota then
    perform refuse('too_many_files', 'Your proofs of payment take up all the room there is. Please contact support.');
  end if;
  insert into deposit_proofs (deposit_id, media_type, content) values (d.id, type, file)
  on conflict (deposit_id) do update set media_type = excluded.media_type, content = excluded.content, created_at = now();
  return deposit_json(d)::json;
end $$;

-- Asks for a withdrawal: the amount leaves the wallet for the hold, so that it can't be spent twice. `confirmed` says that
-- the password was given of late.
create function withdrawal_request(
  caller uuid, of_amount numeric, of_currency text, of_method text, address text, confirmed boolean, once_key text, once_fingerprint text,
  of_network text default null
) returns json language plpgsql as $$
declare
  earlier json;
  w withdrawals;
  available numeric;
begin
  earlier := once_begin(caller, once_key, once_fingerprint);
  if earlier is not null then return earlier; end if;
  perform refuse_unapproved(caller);
  select balance into available from ledger_accounts where id = purse_of(caller, 'wallet') for update;
  if available < of_amount then
    perform refuse('insufficient_funds', format('Your wallet holds %s.', money_text(available)), 'amount');
  end if;
  if not confirmed and not exists (
    select from withdrawals where user_id = caller and currency = of_currency and wallet_address = address and status = 'approved'
  ) then
    perform refuse('password_required', 'This is a new address. Please confirm your password and send the request again.');
  end if;
  insert into withdrawals (user_id, amount, currency, method, network, wallet_address)
  values (caller, of_amount, of_currency, of_method, of_network, address)
  returning * into w;
  perform ledger_post(
    'withdrawal_hold', w.id, format('Withdrawal of $%s in %s requested', w.amount, w.currency),
    array[purse_of(caller, 'wallet'), purse_of(caller, 'withdrawal_hold')], array[-w.amount, w.amount]
  );
  return once_answer(caller, once_key, 201, withdrawal_json(w)::json);
end $$;

create function withdrawal_staff_json(w withdrawals) returns json language sql stable as $$
  select (withdrawal_json(w) || request_people(w.user_id, w.decided_by, w.admin_notes))::json;
$$;

-- Ends a withdrawal that waits, exactly once: approval pays the held money out, rejection and the owner's cancel give it back.
create function withdrawal_end(
  actor uuid, of_withdrawal uuid, new_status text, note text, hash text, ip text, agent text, once_key text default null, once_fingerprint text default null
) returns json language plpgsql as $$
declare
  earlier json;
  w withdrawals;
  by_owner boolean := new_status = 'cancelled';
begin
  earlier := once_begin(actor, once_key, once_fingerprint);
  if earlier is not null then return earlier; end if;
  update withdrawals
  set status = new_status, decided_by = actor, decided_at = clock_timestamp(), transaction_hash = hash,
    admin_notes = case when new_status = 'approved' then note end, rejection_reason = case when new_status = 'rejected' then note end
  where id = of_withdrawal and status = 'pending' and (not by_owner or user_id = actor)
  returning * into w;
  if not found then
    select * into w from withdrawals where id = of_withdrawal and (not by_owner or user_id = actor);
    if not found then perform refuse('not_found', 'Not found.'); end if;
    perform refuse('conflict', 'This withdrawal is already ' || w.status || '.');
  end if;
  if not by_owner then perform refuse_own(actor, w.user_id); end if;
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
  if by_owner then return once_answer(actor, once_key, 200, withdrawal_json(w)::json); end if;
  perform audit_append(
    actor, w.user_id, case new_status when 'approved' then 'withdrawal.approve' else 'withdrawal.reject' end,
    json_build_object('withdrawalId', w.id, 'amount', w.amount::text, 'currency', w.currency, 'address', w.wallet_address),
    json_build_object('status', 'pending'), json_build_object('status', new_status), note, ip, agent
  );
  return once_answer(actor, once_key, 200, withdrawal_staff_json(w));
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
  available numeric;
  t transfers;
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
    -- Without a price nobody knows what is free.
    if exists (select from positions where account_id = source and status = 'open' and symbol <> all ((now_board).symbols)) then
      perform refuse('stale_price', 'An open position of this account has no current price. Please try again in a moment.');
    end if;
    select * into state from account_state(source, now_board);
    if of_amount > least(state.free, state.balance) then
      perform refuse('insufficient_funds', format('At most %s of this account is free.', money_text(greatest(least(state.free, state.balance), 0))), 'amount');
    end if;
  else
    select l.balance into available from ledger_accounts l where l.id = source_purse for update;
    if of_amount > available then
      perform refuse('insufficient_funds', format('Your wallet holds %s.', money_text(available)), 'amount');
    end if;
  end if;
  insert into transfers (user_id, from_account_id, to_account_id, amount) values (caller, source, target, of_amount) returning * into t;
  perform ledger_post('transfer', t.id, 'Transfer between your accounts', array[source_purse, target_purse], array[-of_amount, of_amount]);
  update trading_accounts set funded_net = funded_net - of_amount, updated_at = now() where id = source;
  update trading_accounts set funded_net = funded_net + of_amount, funded_total = greatest(funded_total, funded_net + of_amount), updated_at = now() where id = target;
  return once_answer(
    caller, once_key, 201, json_build_object('id', t.id, 'fromAccountId', source, 'toAccountId', target, 'amount', of_amount::text, 'createdAt', iso(t.created_at))
  );
end $$;

-- The balance screen: moves what its figures say between the wallet and the oldest live account. It can't make money, so
-- other sums than the ledger's are refused. With the accounts' rows and the wallet held, no figure changes meanwhile.
create function balance_change(caller uuid, of_wallet numeric, of_trading numeric, of_profit numeric, now_board board) returns void language plpgsql as $$
declare
  now_has user_financials;
  account uuid;
  moved numeric;
begin
  perform 1 from trading_accounts where user_id = caller and not is_demo order by id for update;
  perform 1 from ledger_accounts where id = purse_of(caller, 'wallet') for update;
  select * into now_has from user_financials where user_id = caller;
  if of_wallet < 0 or of_trading < 0 or of_profit <> now_has.total_profit or of_wallet + of_trading <> now_has.account_balance + now_has.trading_balance then
    perform refuse('balance_mismatch', format(
      'This only moves money between your wallet and your live trading account: the two balances must add up to %s, as now, and the total profit stays as it is. '
      'To put money in make a deposit, to take it out a withdrawal.', money_text(now_has.account_balance + now_has.trading_balance)
    ));
  end if;
  moved := of_trading - now_has.trading_balance;
  if moved = 0 then return; end if;
  select id into account from trading_accounts where user_id = caller and not is_demo and status = 'active' order by created_at, id limit 1;
  if not found then perform refuse('conflict', 'Open a live trading account first.'); end if;
  perform transfer_make(
    caller, case when moved < 0 then account end, case when moved > 0 then account end, abs(moved), now_board, null, null
  );
end $$;
