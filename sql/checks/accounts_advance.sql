-- An account's advance is what the house covered of positions closed since the account last had none open: at that moment all of it was
-- forgiven.
with
  dealt as (
    select p.account_id, f.id, f.kind, case f.kind when 'close' then p.covered else 0 end as covered,
      sum(case when p.parent_id is not null then 0 when f.kind = 'open' then 1 else -1 end) over (partition by p.account_id order by f.id) as open_after
    from positions p
    join fills f on f.position_id = p.id
    where p.account_id in (select account_id from positions where covered <> 0 union all select id from trading_accounts where advance <> 0)
  ),
  due as (
    select d.account_id, sum(d.covered) as advance
    from dealt d
    where d.id > coalesce((select max(id) from dealt flat where flat.account_id = d.account_id and flat.open_after = 0), 0)
    group by d.account_id
  )
select a.id, a.advance, coalesce(d.advance, 0) as covered
from trading_accounts a
left join due d on d.account_id = a.id
where a.advance <> coalesce(d.advance, 0)
