-- Passkeys: keys that a person's device holds, by which one signs in. Only the public half is here.
create table passkeys (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id),
  credential text not null unique check (credential ~ '^[A-Za-z0-9_-]+$' and length(credential) <= 1400),
  public_key bytea not null check (octet_length(public_key) <= 4096),
  counter bigint not null default 0,
  transports text[] not null default '{}',
  name text not null check (length(name) between 1 and 60),
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  used_at timestamptz
);
create index passkeys_user on passkeys (user_id, created_at);

-- What a device is asked to sign, once. `user_id` is whose: null where nobody is signed in yet.
create table passkey_challenges (
  challenge text primary key check (challenge ~ '^[A-Za-z0-9_-]{43}$'),
  user_id uuid references users (id),
  purpose text not null check (purpose in ('add', 'sign_in', 'confirm')),
  created_at timestamptz not null default now()
);
create index passkey_challenges_end on passkey_challenges (created_at);

-- When a person's second factor or passkey was last removed: withdrawals to new addresses wait from then on.
alter table users add column factor_removed_at timestamptz;
