-- How far the books were looked at, minute by minute: entries up to `entry` are right and settled, those up to `next` will be once whoever wrote at
-- `horizon` has ended, and accounts up to `swept` were read in this round.
create table ledger_looks (
  single boolean not null default true constraint ledger_looks_pkey primary key constraint ledger_looks_single_check check (single),
  entry bigint not null,
  next bigint not null,
  horizon xid8 not null,
  swept bigint not null default 0
);
-- What was written before is left to `halyard verify`, but for what the look before this one read as well.
insert into ledger_looks (entry, next, horizon)
select n.id, n.id, pg_snapshot_xmax(pg_current_snapshot()) from (select greatest(coalesce(max(id), 0) - 1000, 0) as id from ledger_entries) n;
