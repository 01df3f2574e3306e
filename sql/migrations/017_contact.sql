-- What anyone may write to us without an account, and what staff did with it.

create table contact_messages (
  id uuid primary key default gen_random_uuid(),
  name text not null check (length(name) between 1 and 100),
  email text not null check (length(email) between 3 and 254),
  subject text not null default '' check (length(subject) <= 200),
  message text not null check (length(message) between 1 and 5000),
  status text not null default 'new' check (status in ('new', 'answered', 'closed')),
  -- Who wrote, where somebody was signed in.
  user_id uuid references users (id),
  -- The client network, by which senders are counted.
  network text not null check (length(network) <= 64),
  note text not null default '' check (length(note) <= 500),
  handled_by uuid references users (id),
  handled_at timestamptz,
  -- Milliseconds are what the outside sees; more would make a list's cursor skip rows.
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  check ((status = 'new') = (handled_by is null) and (handled_by is null) = (handled_at is null))
);
create index contact_messages_newest on contact_messages (created_at desc, id desc);
create index contact_messages_network on contact_messages (network, created_at desc);
create index contact_messages_new on contact_messages (created_at) where status = 'new';
