-- Receipts are their own notes for the log: how far it has read them. `gaps` are numbers below `high` that were not to be seen when it read past
-- them, `aging` those that will never be once every transaction before `horizon` has ended.
create table proof_marks (
  note text primary key,
  high bigint not null,
  gaps bigint[] not null default '{}',
  aging bigint[] not null default '{}',
  horizon xid8
);
insert into proof_marks (note, high) select 'fill', coalesce(max(id), 0) from fills;
drop trigger if exists fills_logged on fills;
