-- What the public page of integrity says, and what is owed to clients, day by day.

-- Whether the feed vouched for its prices, minute by minute: how many instruments had an open market (`due`), and of how many of them the price was fresh.
create table price_minutes (
  at timestamptz primary key,
  due integer not null,
  fresh integer not null,
  check (fresh between 0 and due)
);

-- How far the site's mid prices lay from an independent feed's, in hundredths of a percent: each distance of a day (UTC), and how often it occurred.
create table reference_days (
  day date not null,
  feed text not null,
  reference text not null,
  distance numeric(12, 3) not null check (distance >= 0 and distance <> 'NaN'),
  n integer not null check (n > 0),
  primary key (day, feed, reference, distance)
);

-- How often a day's orders were refused for each of the reasons that are counted.
create table refusal_days (
  day date not null,
  code text not null check (code ~ '^[a-z_]{1,40}$'),
  n integer not null check (n >= 0),
  primary key (day, code)
);

-- The figures of the public page as they were last written down. `entries`: the ledger's entries up to number `entries_up_to`, which are older than an hour.
create table integrity_figures (
  single boolean primary key default true check (single),
  figures json not null,
  entries bigint not null,
  entries_up_to bigint not null,
  measured_at timestamptz not null
);

-- What was owed to all clients at one moment of a day (UTC): the root of a Merkle-sum tree over it. `size`: its leaves, those that pad it included.
create table liability_days (
  day date primary key,
  taken_at timestamptz not null,
  total numeric(18, 2) not null check (total >= 0 and total <> 'NaN'),
  size integer not null check (size > 0),
  root bytea not null check (octet_length(root) = 32)
);

-- Where in a day's tree a client is, and with which sum.
create table liability_leaves (
  day date not null references liability_days,
  user_id uuid not null references users,
  place integer not null check (place >= 0),
  owed numeric(15, 2) not null check (owed >= 0 and owed <> 'NaN'),
  salt bytea not null check (octet_length(salt) = 32),
  primary key (day, user_id),
  unique (day, place)
);

-- A day's whole tree: 40 bytes for each node, its hash and its sum in cents, level by level from the leaves up.
create table liability_trees (
  day date primary key references liability_days,
  nodes bytea not null
);
alter table liability_trees alter column nodes set storage external;

-- What the operator declared to hold for clients, newest last; without an amount: that nothing is declared any more.
create table holdings (
  id bigint generated always as identity primary key,
  amount numeric(18, 2) check (amount >= 0 and amount <> 'NaN'),
  evidence text not null check (length(evidence) <= 500),
  link text check (link ~ '^https://' and length(link) <= 300),
  reason text not null check (length(reason) between 1 and 500),
  admin_id uuid not null references users,
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp())
);
