-- The amount filled is the amount open plus the amounts of its closed parts; margin and volume follow from the amount.
select p.id, p.amount, o.amount as filled, p.margin, p.volume
from positions p
left join fills o on o.position_id = p.id and o.kind = 'open'
left join fills c on c.position_id = p.id and c.kind = 'close'
left join (select parent_id, sum(amount) as amount from positions where parent_id is not null /*new and parent_id in (select id from new_positions) */ group by parent_id) part on part.parent_id = p.id
where /*new p.id in (select id from new_positions) and */ (p.margin <> margin_of(p.amount, p.leverage)
   or p.volume <> round(p.amount / p.open_price, 8)
   or c.amount <> p.amount or c.margin <> p.margin
   or o.margin <> margin_of(o.amount, p.leverage)
   or o.amount <> p.amount + coalesce(part.amount, 0))
