-- A day that was written down says what the receipts of that day say.
select k.day, k.is_demo
from quality_days k
where /*new k.day >= :day and */ not exists (
  select from quality_of(k.day::timestamp at time zone 'UTC', (k.day + 1)::timestamp at time zone 'UTC') q where q = k
);
