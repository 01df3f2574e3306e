-- Where there are two administrators, making a third takes both: one asks, another decides. What is written stays.
create table role_requests (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id),
  admin_id uuid not null references users (id),
  reason text not null check (length(reason) between 1 and 500),
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  check (user_id <> admin_id)
);
create index role_requests_newest on role_requests (created_at desc, id desc);
create index role_requests_user on role_requests (user_id);
create table role_decisions (
  request_id uuid primary key references role_requests (id),
  admin_id uuid not null references users (id),
  decision text not null check (decision in ('confirmed', 'declined')),
  reason text not null check (length(reason) <= 500),
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp())
);
