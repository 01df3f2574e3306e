-- Objections, new administrators who wait for a second word, and letters can be put away, too.
alter table snoozes
  drop constraint snoozes_kind_check,
  add check (kind in ('deposit', 'withdrawal', 'registration', 'correction', 'dispute', 'role', 'letter'));
