-- The house's own name, colours and pictures; each version kept. Before the first, settings say the name, and the pictures are the program's.
create table brand_versions (
  version integer primary key check (version > 0),
  name text not null check (length(name) between 1 and 40),
  sender text not null check (length(sender) <= 60),
  accent_light text check (accent_light ~ '^#[0-9a-f]{6}$'),
  accent_dark text check (accent_dark ~ '^#[0-9a-f]{6}$'),
  logo bytea check (octet_length(logo) <= 300000),
  icon bytea check (octet_length(icon) <= 1000000),
  created_by uuid not null references users (id),
  reason text not null check (length(reason) between 1 and 500),
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp())
);
