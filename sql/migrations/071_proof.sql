-- The public log: an append-only Merkle tree of commitments to what was dealt, quoted, corrected and closed.

-- What is to be put into the log, left in the transaction of what it tells of.
create table proof_outbox (
  id bigint generated always as identity primary key,
  kind text not null,
  ref text not null,
  at timestamptz not null default clock_timestamp()
);

-- Each log has its own name; the one without an end is appended to. `note` is its newest checkpoint, signed, of the tree of `size` entries.
create table proof_logs (
  number integer primary key check (number > 0),
  origin text not null unique check (length(origin) between 1 and 200),
  key text not null,
  size bigint not null default 0 check (size >= 0),
  root bytea check (octet_length(root) = 32),
  note text,
  signed_at timestamptz,
  -- The version of the terms that was logged last, and what they said.
  terms integer not null default 0,
  terms_said text not null default '',
  begun_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  ended_why text check (length(ended_why) between 1 and 500),
  check ((ended_at is null) = (ended_why is null)),
  check ((size = 0) = (root is null) and (root is null) = (note is null) and (note is null) = (signed_at is null))
);
create unique index proof_logs_open on proof_logs ((true)) where ended_at is null;

-- What the entries stand for: an entry is SHA-256(salt, record). Whatever is told has one entry, in whichever log.
create table proof_entries (
  log integer not null references proof_logs (number),
  index bigint not null check (index >= 0),
  kind text not null,
  ref text not null,
  salt bytea not null check (octet_length(salt) = 32),
  record text not null,
  primary key (log, index),
  unique (kind, ref)
);

-- 256 hashes each once full; a hash of level n + 1 is the root of a full tile of level n.
create table proof_tiles (
  log integer not null references proof_logs (number),
  level smallint not null check (level between 0 and 7),
  n bigint not null check (n >= 0),
  hashes bytea not null check (octet_length(hashes) between 32 and 8192 and octet_length(hashes) % 32 = 0),
  primary key (log, level, n)
);
alter table proof_tiles alter column hashes set storage external;

-- Which entry holds the batch of which ticks.
create table proof_batches (
  first bigint primary key,
  last bigint not null check (last >= first),
  log integer not null,
  index bigint not null,
  foreign key (log, index) references proof_entries (log, index)
);

-- The ticks that something was dealt on, which outlive the others: each with its place in its batch and its path there, once that is logged.
create table proof_ticks (
  seq bigint primary key,
  first bigint references proof_batches (first),
  place integer check (place >= 0),
  tick text,
  path bytea check (octet_length(path) % 32 = 0),
  check (num_nulls(first, place, tick, path) in (0, 4))
);
create index proof_ticks_waiting on proof_ticks (seq) where first is null;

-- What each witness signed last, and what went wrong since.
create table proof_witnesses (
  name text primary key,
  origin text,
  size bigint not null default 0 check (size >= 0),
  -- The checkpoint's text, and the witness's signature of it in a line of its own.
  checkpoint text,
  signature text,
  signed_at timestamptz,
  fault text,
  tried_at timestamptz not null default clock_timestamp()
);
