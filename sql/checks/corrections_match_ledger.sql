-- Each correction is booked as it is told: the trader got the settled result, the house its market result and the difference apart;
-- the fill keeps the market's price and result; the audit book knows it; and no live client was settled below the market by one
-- administrator alone.
select k.position_id, p.profit, k.market_profit, k.settled_profit, l.pnl, l.adjustment, l.demo
from corrections k
join positions p on p.id = k.position_id
join trading_accounts a on a.id = p.account_id
left join fills f on f.position_id = p.id and f.kind = 'close'
left join ledger_entries e on e.kind = 'trade_close' and e.object_id = p.id
left join lateral (
  select
    coalesce(sum(g.amount) filter (where h.kind = 'house_pnl'), 0) as pnl,
    coalesce(sum(g.amount) filter (where h.kind = 'house_adjustment'), 0) as adjustment,
    coalesce(sum(g.amount) filter (where h.kind = 'house_demo'), 0) as demo
  from ledger_postings g
  join ledger_accounts h on h.id = g.account_id
  where g.entry_id = e.id
) l on true
where (p.status <> 'closed' or p.close_reason <> 'admin' or p.profit <> k.settled_profit
  or f.id is null or f.reason <> 'admin' or f.price <> k.market_price or f.profit <> k.market_profit
  or l.pnl <> case when a.is_demo then 0 else -k.market_profit end
  or l.adjustment <> case when a.is_demo then 0 else k.market_profit - p.profit - p.covered end
  or l.demo <> case when a.is_demo then -p.profit - p.covered else 0 end
  or (not a.is_demo and k.settled_profit < k.market_profit and k.confirmed_by is null)
  or not exists (
    select from admin_actions s
    where s.target_user_id = p.user_id and s.admin_user_id = coalesce(k.confirmed_by, k.admin_id)
      and s.action in ('trade.force_win', 'trade.force_loss', 'trade.confirm') and s.details ->> 'positionId' = p.id::text
  )) /*new and p.id in (select id from new_positions) */
union all
select p.id, p.profit, null, null, null, null, null
from positions p
where p.close_reason = 'admin' /*new and p.id in (select id from new_positions) */ and not exists (select from corrections where position_id = p.id)
union all
select r.position_id, null, r.market_profit, r.settled_profit, null, null, null
from correction_requests r
left join correction_decisions d on d.request_id = r.id
left join corrections k on k.request_id = r.id
where ((d.decision is not distinct from 'confirmed') <> (k.position_id is not null)
   or k.position_id is not null and (k.position_id <> r.position_id or k.settled_profit <> r.settled_profit or k.confirmed_by <> d.admin_id)
   or d.admin_id = r.admin_id) /*new and r.position_id in (select id from new_positions) */
