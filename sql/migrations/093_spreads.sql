-- A group's version may say the spread of a class of instruments, or of one, which comes before its class: as staff wrote it, [{for, spreadPips, fixed}].
alter table group_versions add column spreads jsonb not null default '[]' check (jsonb_typeof(spreads) = 'array');
alter table account_types add column spreads jsonb not null default '[]';
-- Whether the account's spread was exactly so wide, whatever the market's; null: dealt before there were such.
alter table fills add column spread_fixed boolean;
