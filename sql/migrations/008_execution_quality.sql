-- How long a fill took: from the deed's arrival in the database, waiting for its account included, to the fill. Older fills don't know.
alter table fills add column latency_ms numeric(12, 3) check (latency_ms <> 'NaN');
alter table fills alter column latency_ms set default round(extract(epoch from clock_timestamp() - statement_timestamp()) * 1000, 3);
create index fills_time on fills (created_at);
