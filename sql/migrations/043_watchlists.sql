-- Named lists of instruments, which follow their person across devices. All of a person's are written at once, under a version,
-- so that no device overwrites what it never saw.
create table watchlist_books (
  user_id uuid primary key references users (id),
  version bigint not null default 0 check (version >= 0),
  updated_at timestamptz(3) not null default now()
);
create table watchlists (
  user_id uuid not null references watchlist_books (user_id),
  place integer not null check (place between 1 and 20),
  -- Chosen by the device that made it, so that a list keeps its name on every screen while it is renamed.
  id uuid not null,
  name text not null check (length(name) between 1 and 40),
  symbols text[] not null check (cardinality(symbols) <= 100 and array_position(symbols, null) is null),
  primary key (user_id, id),
  unique (user_id, place)
);
