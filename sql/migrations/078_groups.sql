-- Groups: account types whose terms staff change. Each way in which a group's terms stood is kept; its row in account_types holds those of now.
alter table account_types
  -- USD a side for each 100,000 USD dealt.
  add column commission numeric(8, 2) not null default 0,
  add column version integer not null default 1,
  add constraint account_types_commission_check check (commission >= 0 and commission <> 'NaN');
create table group_versions (
  group_id text not null references account_types (id),
  version integer not null check (version >= 1),
  name text not null check (length(name) between 1 and 60),
  spreads_from numeric(5, 1) not null check (spreads_from >= 0 and spreads_from <> 'NaN'),
  commission numeric(8, 2) not null check (commission >= 0 and commission <> 'NaN'),
  minimum_deposit numeric(15, 2) not null check (minimum_deposit >= 0 and minimum_deposit <> 'NaN'),
  leverage integer not null check (leverage between 1 and 5000),
  -- Whether anybody may open an account in it; else whom staff put there.
  is_active boolean not null,
  effective_at timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  changed_by uuid references users (id),
  change_reason text check (length(change_reason) between 1 and 500),
  primary key (group_id, version)
);
insert into group_versions (group_id, version, name, spreads_from, commission, minimum_deposit, leverage, is_active, effective_at)
select id, 1, name, spreads_from, 0, minimum_deposit, split_part(leverage, ':', 2)::integer, is_active, '-infinity' from account_types;

-- What a side of a deal cost beside its spread, by which terms.
create table commissions (
  id uuid primary key default gen_random_uuid(),
  position_id uuid not null references positions (id),
  side text not null check (side in ('open', 'close')),
  group_id text not null,
  version integer not null,
  rate numeric(8, 2) not null check (rate > 0 and rate <> 'NaN'),
  amount numeric(15, 2) not null check (amount > 0 and amount <> 'NaN'),
  created_at timestamptz not null default clock_timestamp(),
  unique (position_id, side),
  foreign key (group_id, version) references group_versions (group_id, version)
);
-- All that a position was charged beside its result.
alter table positions add column charges numeric(15, 2) not null default 0 check (charges <> 'NaN');
