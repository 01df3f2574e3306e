-- Who else said that a payment is theirs: a hash can be read on its chain, so the first to name it need not be who paid.
create table deposit_claims (
  id uuid primary key default gen_random_uuid(),
  deposit_id uuid not null references deposits (id),
  user_id uuid not null references users (id),
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  unique (deposit_id, user_id)
);

-- A payment's hash as chains know it, without case and prefix: its other claims are found by it.
create index deposits_hash on deposits (regexp_replace(lower(transaction_hash), '^0x', '')) where transaction_hash is not null;
