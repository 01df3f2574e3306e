-- How many people there are of each role, told by adding up a few rows. Several slots, so that people who register at once do not wait for each other.
-- Who registers meanwhile waits for this to end, and is counted by the trigger.
lock table users in share row exclusive mode;
create table people_counts (
  slot integer not null,
  role text not null,
  count bigint not null,
  constraint people_counts_pkey primary key (role, slot)
);
insert into people_counts (slot, role, count) select 0, role, count(*) from users group by role;
-- People of one standing, the newest first.
create index users_standing_newest on users (account_status, created_at desc, id);
