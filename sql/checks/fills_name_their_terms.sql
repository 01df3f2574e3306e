-- A fill names one version of one group's terms, which there is, and its commission was taken by that one.
select f.id, f.group_id, f.group_version
from fills f
left join commissions c on c.position_id = f.position_id and c.side = f.kind
where (f.group_id is null) <> (f.group_version is null)
  or f.group_id is not null and (
    not exists (select from group_versions v where v.group_id = f.group_id and v.version = f.group_version)
    or c.group_id <> f.group_id or c.version <> f.group_version
  )
