-- Every position that a stop-out closed has the account's figures at that moment beside it, and no other has.
select p.id, p.close_reason
from positions p
left join margin_events e on e.position_id = p.id and e.account_id = p.account_id
where /*new p.id in (select id from new_positions) and */ (p.close_reason is not distinct from 'stop_out') <> (e.id is not null)
