-- The chain of what staff did is whole: ids without gaps, each hash right and carrying the one before, the head at the end.
select a.id, 'entry was changed, or one before it is missing' as problem
from (
  select id, hash, previous_hash, audit_hash(admin_actions) as computed,
    coalesce(lag(hash) over (order by id), /*new (select hash from admin_actions where id = :action), */ repeat('0', 64)) as link,
    /*new :action + */ row_number() over (order by id) as place
  from admin_actions /*new where id > :action */
) a
where a.hash <> a.computed or a.previous_hash <> a.link or a.id <> a.place
union all
select h.last_id, 'the end of the chain is missing'
from audit_head h
where h.last_id <> (select /*new :action + */ count(*) from admin_actions /*new where id > :action */) or h.hash <> coalesce((select hash from admin_actions order by id desc limit 1), repeat('0', 64))
