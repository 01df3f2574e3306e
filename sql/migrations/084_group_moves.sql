-- Moves of accounts between groups, as staff decided them. An account's row holds the group of now.
create table group_moves (
  number bigint generated always as identity primary key,
  account_id uuid not null references trading_accounts (id),
  from_group text not null references account_types (id),
  to_group text not null references account_types (id),
  -- Later than it was decided where it had to be told first.
  effective_at timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  moved_by uuid not null references users (id),
  reason text not null check (length(reason) between 1 and 500)
);
create index group_moves_account on group_moves (account_id, number desc);
create index group_moves_waiting on group_moves (effective_at) where effective_at > created_at;
