-- Each way in which the rules of countries stood, so that a deal can name what bounded its leverage. What holds by now is the first, told to the public log.
create table country_versions (
  version integer primary key check (version >= 1),
  rules jsonb not null,
  created_at timestamptz not null default clock_timestamp()
);
insert into country_versions (version, rules)
select 1, coalesce(jsonb_object_agg(j.country, jsonb_build_object(
  'isServed', j.is_served, 'leverageMajor', j.leverage_major, 'leverageMinor', j.leverage_minor, 'leverageCrypto', j.leverage_crypto
)), '{}')
from jurisdictions j;
insert into proof_outbox (kind, ref) values ('countries', '1');
-- By which version an order was placed, and where its owner lived then, where any country had rules.
alter table positions add column country text, add column country_version integer;
