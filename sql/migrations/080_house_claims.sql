-- What the operator claims of the house on public pages (awards, licences, numbers of clients), with its evidence; each version kept.
create table house_claims (
  id uuid not null,
  version integer not null check (version > 0),
  kind text not null check (kind in ('award', 'licence', 'client_numbers', 'other')),
  text text not null check (length(text) between 1 and 120),
  evidence text not null check (length(evidence) <= 300),
  link text check (link ~ '^https://' and length(link) <= 500),
  starts_at timestamptz,
  ends_at timestamptz,
  created_by uuid not null references users (id),
  reason text not null check (length(reason) between 1 and 500),
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  primary key (id, version),
  check (ends_at > starts_at)
);
