-- An account's advance is what the house covered of positions closed, and advanced of nights, since the account last had none open: at that moment
-- all of it was forgiven. A night belongs to the opening of its position.
with
  dealt as (
    select p.account_id, f.id, f.kind, p.id as position_id, case f.kind when 'close' then p.covered else 0 end as covered,
      sum(case when p.parent_id is not null then 0 when f.kind = 'open' then 1 else -1 end) over (partition by p.account_id order by f.id) as open_after
    from positions p
    join fills f on f.position_id = p.id
    where p.account_id in (
      select account_id from positions where covered <> 0
      union all
      select o.account_id from swaps s join positions o on o.id = s.position_id where s.advanced <> 0
      union all
      select id from trading_accounts where advance <> 0
    )
  ),
  due as (
    select d.account_id, sum(d.covered) + sum(coalesce(n.advanced, 0)) as advance
    from dealt d
    left join (select position_id, sum(advanced) as advanced from swaps where advanced <> 0 group by position_id) n on d.kind = 'open' and n.position_id = d.position_id
    where d.id > coalesce((select max(id) from dealt flat where flat.account_id = d.account_id and flat.open_after = 0), 0)
    group by d.account_id
  )
select a.id, a.advance, coalesce(d.advance, 0) as covered
from trading_accounts a
left join due d on d.account_id = a.id
where a.advance <> coalesce(d.advance, 0)
