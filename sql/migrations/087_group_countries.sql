-- Whom a group takes: people who live in these countries; null: from everywhere.
alter table group_versions add column countries text[] check (cardinality(countries) > 0);
alter table account_types add column countries text[] check (cardinality(countries) > 0);
