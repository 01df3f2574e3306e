-- The accounts of each group are as many as its count says; closed ones are of none.
select coalesce(a.group_id, c.group_id) as "group", a.count as accounts, c.count as counted
from (select account_type_id as group_id, count(*) as count from trading_accounts where status = 'active' group by account_type_id) a
full join (select group_id, sum(count) as count from group_counts group by group_id) c on c.group_id = a.group_id
where coalesce(a.count, 0) <> coalesce(c.count, 0)
