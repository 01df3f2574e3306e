-- Every open or closed position was opened by one fill, every closed one closed by one, at the price it states. A corrected one's
-- fill keeps the market's result.
select p.id, p.status
from positions p
left join fills o on o.position_id = coalesce(p.parent_id, p.id) and o.kind = 'open'
left join fills c on c.position_id = p.id and c.kind = 'close'
left join corrections k on k.position_id = p.id
where /*new p.id in (select id from new_positions) and */ (p.status in ('open', 'closed') and (o.id is null or o.price <> p.open_price)
   or p.status = 'closed' and (c.id is null or c.price <> p.close_price or c.profit <> coalesce(k.market_profit, p.profit))
   or p.status <> 'closed' and c.id is not null)
