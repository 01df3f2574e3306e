-- The rules of countries are those that their newest version says, and no version is missing.
select v.version
from (select v.version, v.rules from country_versions v order by v.version desc limit 1) v
where v.rules <> country_rules()
union all
select v.version
from country_versions v
where v.version > 1 and not exists (select from country_versions e where e.version = v.version - 1);
