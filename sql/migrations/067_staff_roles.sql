-- Which role somebody of the staff has. What the built-in ones let do stands in the program (src/lib/permissions.ts); of the house's own it
-- stands here. Who is an administrator already is an owner.
create table staff_roles (
  id text primary key check (id ~ '^[a-z][a-z0-9-]{1,39}$'),
  name text not null check (length(name) between 1 and 60),
  permissions text[] check (cardinality(permissions) between 1 and 100 and array_position(permissions, null) is null),
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  updated_at timestamptz not null default date_trunc('milliseconds', clock_timestamp())
);
create unique index staff_roles_name on staff_roles (lower(name));
insert into staff_roles (id, name)
values ('owner', 'Owner'), ('support', 'Support'), ('finance', 'Finance'), ('dealing', 'Dealing'), ('compliance', 'Compliance'), ('auditor', 'Auditor');
alter table users add column staff_role text references staff_roles (id);
update users set staff_role = 'owner' where role = 'admin';
alter table users add constraint users_staff_role_check check ((role = 'admin') = (staff_role is not null));
create index users_staff on users (staff_role, id) where staff_role is not null;
