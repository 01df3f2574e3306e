-- Each night's swap is what its version's terms make of what was held, by a version that held for something then, and moved the account by that once; a
-- position's swap, and an account's, are what the nights brought.
select s.position_id, s.night, s.amount, l.amount as posted
from swaps s
join positions p on p.id = s.position_id
join trading_accounts a on a.id = p.account_id
left join ledger_entries e on e.kind = 'swap' and e.object_id = s.id
left join ledger_postings l on l.entry_id = e.id and l.account_id = a.ledger_account_id
where s.amount <> coalesce(l.amount, 0) /*new and s.position_id in (select id from new_positions) */
union all
select e.object_id, null, null, null from ledger_entries e where e.kind = 'swap' /*new and e.id > :entry */ and not exists (select from swaps s where s.id = e.object_id)
union all
select p.id, null, p.swap, coalesce(sum(s.amount), 0)
from positions p
left join swaps s on s.position_id = p.id
where (p.swap <> 0 or s.id is not null) /*new and p.id in (select id from new_positions) */
group by p.id
having p.swap <> coalesce(sum(s.amount), 0)
union all
select a.id, null, a.swap, coalesce(n.amount, 0)
from trading_accounts a
left join (
  select p.account_id, sum(s.amount) as amount from swaps s join positions p on p.id = s.position_id group by p.account_id
) n on n.account_id = a.id
where a.swap <> coalesce(n.amount, 0) /*new and false */
union all
select s.position_id, s.night, s.due, swap_of(t.unit, t.rate, s.held, p.open_price, swap_point(listing_at(i, night_moment(s.night))), s.nights)
from swaps s
join positions p on p.id = s.position_id
join instruments i on i.symbol = p.symbol
join group_versions v on v.group_id = s.group_id and v.version = s.version
cross join lateral swap_terms(v, i, p.side) t
where ((s.unit, s.rate, s.nights) is distinct from (t.unit, t.rate, swap_nights_of(i, s.night, t.triple))
  or s.due is distinct from swap_of(t.unit, t.rate, s.held, p.open_price, swap_point(listing_at(i, night_moment(s.night))), s.nights)
  or p.opened_at >= night_moment(s.night) or p.closed_at < night_moment(s.night)) /*new and s.position_id in (select id from new_positions) */
union all
select null, n.night, n.version, h.version
from (select distinct group_id, night, version from swaps /*new where position_id in (select id from new_positions) */) n
join group_versions v on v.group_id = n.group_id and v.version = n.version
cross join lateral group_held_at(n.group_id, night_moment(n.night), n.version) h
where h.version <> n.version or v.effective_at > night_moment(n.night)
