-- How many accounts each group has, told by adding up a few rows. A group has several, so that accounts that come or go at once do not wait for each other.
-- Whoever deals waits for this, with 30,000 accounts and all news that are kept a third of a second; who comes or goes meanwhile is counted by the trigger.
lock table trading_accounts in share row exclusive mode;
create table group_counts (
  place bigint generated always as identity,
  -- Refers to no group, so that whoever counts an account waits for nobody who changes its group.
  group_id text not null,
  count bigint not null,
  constraint group_counts_pkey primary key (place)
);
insert into group_counts (group_id, count) select account_type_id, count(*) from trading_accounts where status = 'active' group by account_type_id;
-- News by what one must be allowed to be told them, the newest first, in the words of news_permission, which PostgreSQL writes into the statement that calls
-- it: whoever may see little does not go through all that others are told.
create index admin_notifications_permission on admin_notifications (
  (
    coalesce(metadata ->> 'permission', case
      when type = 'visitor' then 'visitors.read'
      when type = 'deposit' then 'deposits.read'
      when type = 'withdrawal' then 'withdrawals.read'
      when type in ('trade', 'correction') or metadata ? 'limitOf' then 'trades.read'
      when type in ('ticket', 'chat', 'contact') then 'support.read'
      when metadata ? 'documentId' then 'kyc.read'
      when type = 'warning' and metadata ? 'adminId' then 'roles.read'
      when type = 'registration' or metadata ? 'clientId' then 'people.read'
      else 'panel.read'
    end)
  ),
  (-number)
);
drop index admin_notifications_raised;
create index admin_notifications_raised_permission on admin_notifications (
  (
    coalesce(metadata ->> 'permission', case
      when type = 'visitor' then 'visitors.read'
      when type = 'deposit' then 'deposits.read'
      when type = 'withdrawal' then 'withdrawals.read'
      when type in ('trade', 'correction') or metadata ? 'limitOf' then 'trades.read'
      when type in ('ticket', 'chat', 'contact') then 'support.read'
      when metadata ? 'documentId' then 'kyc.read'
      when type = 'warning' and metadata ? 'adminId' then 'roles.read'
      when type = 'registration' or metadata ? 'clientId' then 'people.read'
      else 'panel.read'
    end)
  ),
  (-number)
) where priority <> 'low';
