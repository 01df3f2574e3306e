-- Deeds that take a second person's signature: which do, what waits, and how it was decided. What is written stays.
create table signature_rules (
  deed text primary key check (deed in ('deposit', 'withdrawal', 'wallet', 'compliance')),
  is_on boolean not null,
  above numeric(15,2) check (above >= 0 and above <> 'NaN'),
  updated_at timestamptz not null default date_trunc('milliseconds', clock_timestamp())
);
-- Whoever could change where depositors pay alone could take every deposit.
insert into signature_rules (deed, is_on, above) values ('deposit', false, 10000), ('withdrawal', false, 10000), ('wallet', true, null), ('compliance', false, null);
create table signatures (
  id uuid primary key default gen_random_uuid(),
  deed text not null,
  kind text not null,
  permission text not null,
  object text not null,
  title text not null check (length(title) between 1 and 300),
  admin_id uuid not null references users (id),
  user_id uuid references users (id),
  body jsonb not null,
  before jsonb not null,
  after jsonb not null,
  reason text not null check (length(reason) <= 500),
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  expires_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()) + interval '1 day'
);
create index signatures_newest on signatures (created_at desc, id desc);
create index signatures_object on signatures (kind, object);
create index signatures_user on signatures (user_id);
create table signature_decisions (
  signature_id uuid primary key references signatures (id),
  admin_id uuid not null references users (id),
  decision text not null check (decision in ('signed', 'declined')),
  reason text not null check (length(reason) <= 500),
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp())
);
