-- Who became an administrator by another's decision, and when: such a person confirms nothing for a day. Null: since ever, or made
-- by the operator, who needs nobody's leave.
alter table users add column admin_since timestamptz;
