-- What staff were refused, and what others were refused at the doors of staff.
create table refused_attempts (
  id bigint generated always as identity primary key,
  user_id uuid not null references users (id),
  method text not null,
  path text not null,
  code text not null,
  reason text not null,
  ip_address text not null,
  request_id text not null,
  created_at timestamptz not null default now()
);
create index refused_attempts_by_person on refused_attempts (user_id, path, created_at);
create index refused_attempts_by_age on refused_attempts (created_at);
