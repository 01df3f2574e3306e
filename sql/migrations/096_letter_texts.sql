-- The operator's own words of letters, each version kept; null words: the house's own again.
create table letter_texts (
  letter text not null check (letter ~ '^[a-z_]+(\.[a-z]+)?$'),
  version integer not null check (version > 0),
  subject text check (length(subject) between 1 and 150),
  body text check (length(body) between 1 and 4000),
  created_by uuid not null references users (id),
  reason text not null check (length(reason) between 1 and 500),
  created_at timestamptz not null default clock_timestamp(),
  primary key (letter, version),
  check ((subject is null) = (body is null))
);
