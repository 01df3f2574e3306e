/*new*/ -- A closed day's figures are those that the audit book has, and no day between two closed ones is open.
select d.day::text as day
from closed_days d
left join admin_actions a on a.id = d.audit_id
where a.id is null or a.action <> 'day.close' or a.admin_user_id <> d.closed_by or a.details ->> 'day' <> d.day::text
  or (a.details -> 'figures')::text <> d.figures::text or (a.details ->> 'floating')::numeric is distinct from d.floating
union all
select d.day::text
from closed_days d
where d.day > (select min(day) from closed_days) and not exists (select from closed_days e where e.day = d.day - 1);
