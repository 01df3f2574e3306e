-- What each administrator keeps for the queues: requests that are put away until a moment, and filters by name.
create table snoozes (
  kind text not null check (kind in ('deposit', 'withdrawal', 'registration', 'correction')),
  object_id uuid not null,
  admin_id uuid not null references users (id),
  until timestamptz(3) not null,
  created_at timestamptz not null default now(),
  primary key (kind, object_id, admin_id)
);
create index snoozes_end on snoozes (until);

create table saved_filters (
  id uuid primary key default gen_random_uuid(),
  admin_id uuid not null references users (id),
  -- The tab whose list it filters, and what its address says behind the tab.
  queue text not null check (queue ~ '^[a-z]{1,20}$'),
  name text not null check (length(name) between 1 and 60),
  query text not null check (length(query) between 1 and 500),
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp())
);
create unique index saved_filters_name on saved_filters (admin_id, queue, lower(name));

-- Who else is paid at an address.
create index withdrawals_address on withdrawals (wallet_address);
