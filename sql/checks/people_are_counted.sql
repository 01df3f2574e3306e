-- The people of each role are as many as their count says.
select coalesce(u.role, c.role) as role, u.count as people, c.count as counted
from (select role, count(*) as count from users group by role) u
full join (select role, sum(count) as count from people_counts group by role) c on c.role = u.role
where coalesce(u.count, 0) <> coalesce(c.count, 0)
