-- Swap: what a position held over New York's 17:00 costs or brings. A group without terms for it has none.
alter table group_versions
  -- By class of instruments or by instrument, as staff wrote it: [{for, unit, long, short, tripleDay}].
  add column swaps jsonb not null default '[]' check (jsonb_typeof(swaps) = 'array'),
  -- Where it is swap-free: what is taken instead, in USD a night for each 100,000 held.
  add column swap_fee numeric(8, 2) check (swap_fee >= 0 and swap_fee <> 'NaN');

-- What a position's night brought its account (below zero: cost it), by which terms.
create table swaps (
  id uuid primary key default gen_random_uuid(),
  number bigint generated always as identity unique,
  position_id uuid not null references positions (id),
  -- New York's date of the 17:00 that it was held over.
  night date not null,
  group_id text not null,
  version integer not null,
  unit text not null check (unit in ('points', 'percent', 'fee')),
  rate numeric(12, 4) not null check (rate <> 0 and rate <> 'NaN'),
  -- On the triple day three: the weekend's are among them.
  nights integer not null check (nights in (1, 3)),
  held numeric(15, 2) not null check (held > 0 and held <> 'NaN'),
  due numeric(15, 2) not null check (due <> 0 and due <> 'NaN'),
  -- What of it was booked: an account pays no more than it has.
  amount numeric(15, 2) not null check (amount between least(due, 0) and greatest(due, 0)),
  created_at timestamptz not null default clock_timestamp(),
  unique (position_id, night),
  foreign key (group_id, version) references group_versions (group_id, version)
);
-- All that a position's nights brought it.
alter table positions add column swap numeric(15, 2) not null default 0 check (swap <> 'NaN');

-- The nights that were charged to all that was held over them. Nothing is owed for those before the first.
create table swap_nights (
  night date primary key,
  ended_at timestamptz not null default clock_timestamp()
);
insert into swap_nights (night) values (((now() at time zone 'America/New_York') - interval '17 hours')::date);

-- They are read for the public log by their numbers.
insert into proof_marks (note, high) values ('swap', 0);
