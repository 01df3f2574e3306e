-- Up to where the books were found right by `halyard verify`, so that `halyard verify --new` reads what came since.
create table book_seals (
  number bigint generated always as identity constraint book_seals_pkey primary key,
  entry bigint not null,
  fill bigint not null,
  action bigint not null,
  is_whole boolean not null,
  at timestamptz not null default clock_timestamp()
);
-- The parts of a position are found by it.
create index positions_parts on positions (parent_id) where parent_id is not null;
-- What the last look at the books saw; the look after it takes a number of its own among those who write, before which all of it was begun.
alter table ledger_looks add column coming bigint;
update ledger_looks set coming = next;
alter table ledger_looks alter column coming set not null;
