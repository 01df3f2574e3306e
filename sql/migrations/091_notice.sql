-- A worse term of a group holds for what opens from then on, and for what is open only after the notice: a version has two moments, and a position
-- knows which version it was opened on. Every fill names the version that it was dealt by.
alter table group_versions add column applies_at timestamptz check (applies_at >= effective_at);
alter table group_versions disable trigger user;
update group_versions set applies_at = effective_at;
alter table group_versions enable trigger user;
alter table group_versions alter column applies_at set not null;
-- The newest version that holds for what was open before it, too.
alter table account_types add column applied integer not null default 1;
update account_types set applied = version;
-- The version of its account's group that it was opened on; null: of another group's, or before this was noted.
alter table positions add column group_version integer;
alter table fills add column group_id text, add column group_version integer;
alter type exit_due add attribute group_id text, add attribute group_version integer;
