-- Browsers in which a person signed in before: strangers' guesses do not lock their owners out of them.
create table devices (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id),
  -- The SHA-256 of the cookie's value; several people may use one browser.
  token_hash text not null check (token_hash ~ '^[0-9a-f]{64}$'),
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  unique (user_id, token_hash)
);
create index devices_token on devices (token_hash);
create index devices_seen on devices (seen_at);

-- A session that began before devices were remembered has none.
alter table sessions add column device_id uuid references devices (id) on delete set null;
create index sessions_device on sessions (device_id);
