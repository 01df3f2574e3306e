-- From when on a withdrawal may be paid out, where its address was new or a factor had just been removed; null where it need not wait.
alter table withdrawals add column not_before timestamptz;

-- The address book: where a person's withdrawals go, by names. Who is in it since a day is no new address.
create table payout_addresses (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id),
  name text not null check (length(name) between 1 and 60),
  currency text not null check (currency in ('USD', 'BTC', 'ETH', 'USDT', 'LTC')),
  address text not null check (length(address) between 1 and 200),
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  unique (user_id, currency, address)
);
create index payout_addresses_user on payout_addresses (user_id, created_at desc, id desc);
