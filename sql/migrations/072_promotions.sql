-- Promotions that the operator changes: for a time, for people of some countries. Each way in which one was offered is kept, since a deposit
-- earns what was offered when it was made.
alter table promotions
  add column starts_at timestamptz,
  add column ends_at timestamptz,
  add column countries text[],
  add column version integer not null default 1,
  add constraint promotions_time_check check (ends_at > starts_at),
  add constraint promotions_countries_check check (cardinality(countries) between 1 and 300 and array_position(countries, null) is null),
  add constraint promotions_title_check check (length(title) between 1 and 100);
create table promotion_versions (
  promotion_id text not null references promotions (id),
  version integer not null,
  title text not null,
  amount numeric(15,2) not null,
  minimum_deposit numeric(15,2) not null,
  is_active boolean not null,
  turnover integer not null,
  starts_at timestamptz,
  ends_at timestamptz,
  countries text[],
  since timestamptz not null,
  changed_by uuid references users (id),
  change_reason text check (length(change_reason) between 1 and 500),
  primary key (promotion_id, version)
);
insert into promotion_versions (promotion_id, version, title, amount, minimum_deposit, is_active, turnover, since)
select id, 1, title, amount, minimum_deposit, is_active, turnover, '-infinity' from promotions;
