-- What people ask for of what is kept about them: one file, made in the background, encrypted like their documents, for a week.
create table data_exports (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id),
  status text not null default 'waiting' check (status in ('waiting', 'ready', 'failed')),
  key_id text,
  content bytea,
  size integer,
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  taken_at timestamptz,
  ready_at timestamptz,
  expires_at timestamptz not null default clock_timestamp() + interval '7 days',
  check ((status = 'ready') = (content is not null))
);
create unique index data_exports_waiting on data_exports (user_id) where status = 'waiting';
create index data_exports_due on data_exports (created_at) where status = 'waiting';
create index data_exports_user on data_exports (user_id, created_at desc, id desc);
create index data_exports_end on data_exports (expires_at);

-- When its owner closed an account, with names and contacts, and until when the rest of it is kept.
alter table users add column closed_at timestamptz, add column kept_until date;
