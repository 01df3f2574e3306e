-- Web Push: the server's own keys, and the devices of administrators that want to be told.

create table push_keys (
  single boolean primary key default true check (single),
  public_key text not null,
  private_key text not null,
  created_at timestamptz not null default now()
);

create table push_devices (
  id uuid primary key default gen_random_uuid(),
  admin_id uuid not null references users (id),
  -- The session that asked for it: signing out there ends it. Without a reference, since a session that only ran out does not.
  session_id uuid not null,
  endpoint text not null unique check (length(endpoint) between 10 and 1000),
  p256dh text not null check (length(p256dh) = 87),
  auth text not null check (length(auth) = 22),
  kinds text[] not null check (cardinality(kinds) between 0 and 20),
  user_agent text not null check (length(user_agent) <= 512),
  -- In a row; a device that fails for long is dead.
  failures integer not null default 0,
  created_at timestamptz not null default now(),
  told_at timestamptz
);
create index push_devices_admin on push_devices (admin_id, created_at);
create index push_devices_session on push_devices (session_id);
