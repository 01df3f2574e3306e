-- When what had been kept of a closed account was deleted, since its time was over.
alter table users add column records_ended_at timestamptz;
create index users_records on users (kept_until) where kept_until is not null and records_ended_at is null;
