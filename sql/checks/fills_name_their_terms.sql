-- A fill names one version of one group's terms and of its instrument's, which there are, its commission was taken by the group's and is what it says, and its position
-- knows the version of the instrument's that opened it, and of the countries' rules that it was placed by.
select f.id, f.group_id, f.group_version, f.terms_version
from fills f
join positions p on p.id = f.position_id
left join commissions c on c.position_id = f.position_id and c.side = f.kind
where ((f.group_id is null) <> (f.group_version is null)
  or f.group_id is not null and (
    not exists (select from group_versions v where v.group_id = f.group_id and v.version = f.group_version)
    or c.group_id <> f.group_id or c.version <> f.group_version
  )
  or f.commission <> coalesce(c.amount, 0)
  or f.terms_version is not null and not exists (select from instrument_terms v where v.symbol = p.symbol and v.version = f.terms_version)
  or p.country_version is not null and not exists (select from country_versions v where v.version = p.country_version)
  or case f.kind when 'open' then p.terms_version <> coalesce(f.terms_version, 0) else coalesce(f.terms_version, 0) < p.terms_version end) /*new and f.id > :fill */
