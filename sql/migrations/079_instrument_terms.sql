-- How each instrument is dealt, in versions: what is written stays, and every deal keeps the version that it was made on. An instrument
-- without a version is dealt as it always was.
create table instrument_terms (
  symbol text not null references instruments (symbol),
  version integer not null,
  state text not null check (state in ('tradable', 'close_only', 'hidden')),
  minimum numeric(15,2) check (minimum > 0 and minimum <> 'NaN'),
  step numeric(15,2) check (step > 0 and step <> 'NaN'),
  maximum numeric(15,2) check (maximum > 0 and maximum <> 'NaN'),
  margin_percent numeric(5,2) check (margin_percent between 0.2 and 100),
  -- The whole leverage that asks for at least so much margin.
  leverage integer generated always as (floor(100 / margin_percent)::integer) stored,
  client_limit numeric(15,2) check (client_limit > 0 and client_limit <> 'NaN'),
  effective_at timestamptz not null,
  changed_by uuid not null references users (id),
  change_reason text not null check (length(change_reason) between 1 and 500),
  created_at timestamptz not null default clock_timestamp(),
  primary key (symbol, version)
);
alter table fills add column terms_version integer;
alter table positions
  drop constraint positions_cancel_code,
  add constraint positions_cancel_code check (
    cancel_code is null or status = 'cancelled' and cancel_code in (
      'trader', 'insufficient_margin', 'expired', 'oco', 'suspended', 'price_moved', 'too_many_positions', 'close_only', 'instrument_limit'
    )
  );
