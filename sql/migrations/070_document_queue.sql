-- Documents are a queue like the others: put away, and claimed by who has one open. A claim knows when its administrator last touched what it is
-- on: it lapses when that is long ago, however long the page stays open.
alter table snoozes
  drop constraint snoozes_kind_check,
  add check (kind in ('deposit', 'withdrawal', 'registration', 'correction', 'dispute', 'role', 'letter', 'document'));
alter table claims
  drop constraint claims_kind_check,
  add check (kind in ('deposit', 'withdrawal', 'registration', 'correction', 'ticket', 'chat', 'document', 'letter', 'role')),
  add column touched_at timestamptz not null default clock_timestamp();
