-- What an instrument adds to every account's spread, in pips: by version, and of now, so that a deal reads it in its own statement at no cost.
alter table instrument_terms add column markup numeric(5, 1) check (markup >= 0 and markup <> 'NaN');
alter table instruments
  add column markup numeric(5, 1) not null default 0 check (markup >= 0 and markup <> 'NaN'),
  -- The version in force; 0: none.
  add column version integer not null default 0;
