-- A wider mark-up holds for what opens from then on, and for what is open only after the notice, as a group's worse terms do: a version has two
-- moments, and a position knows which version it was opened on. Null: written when both were one.
alter table instrument_terms add column applies_at timestamptz check (applies_at >= effective_at);
-- The newest version that holds for what was open before it, too; 0: none.
alter table instruments add column applied integer not null default 0;
update instruments set applied = version;
-- The version of its instrument's terms that it was opened on; null: before there was any, or before this was noted.
alter table positions add column terms_version integer;
alter type exit_due add attribute terms_version integer;
