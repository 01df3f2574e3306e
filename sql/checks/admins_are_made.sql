-- A person is an administrator exactly if their last change of role, by the operator or another administrator, made them one. The audit book
-- says so; of those whom the first release made, the registration's source does.
select u.id, u.role, m.role as made
from users u
left join lateral (
  select s.new_state ->> 'role' as role from admin_actions s
  where s.target_user_id = u.id and s.new_state ->> 'role' in ('user', 'admin')
  order by s.id desc
  limit 1
) m on true
where u.role <> coalesce(m.role, case u.registration_source when 'operator' then 'admin' else 'user' end)
