-- Each closing's profit follows from its prices, rounded together with the parts closed before it, so that the parts' sum is the whole's.
-- What was parted before positions noted this says nothing of it: there `moved` is 0.
select p.id, f.profit, profit_left(p.side, p.moved, p.amount, p.open_price, f.price) as due, null as moved
from positions p
join fills f on f.position_id = p.id and f.kind = 'close'
where /*new p.id in (select id from new_positions) and */ f.profit <> profit_left(p.side, p.moved, p.amount, p.open_price, f.price)
union all
select whole.id, null, null, whole.moved
from (
  select coalesce(p.parent_id, p.id) as root, p.id, p.moved,
    lag(p.moved + p.amount * (p.close_price - p.open_price), 1, 0) over (partition by coalesce(p.parent_id, p.id) order by f.id nulls last, p.parent_id nulls last) as due
  from positions p
  left join fills f on f.position_id = p.id and f.kind = 'close'
  where (p.moved <> 0 or p.parent_id is not null) /*new and p.id in (select id from new_positions) */
) whole
where whole.moved <> 0 and whole.moved <> whole.due
