-- Each transfer moved its amount once; an account's net funding is the sum of its transfers; referrals were paid once.
select t.id, t.amount, coalesce(max(p.amount), 0) as moved
from transfers t
left join ledger_entries e on e.kind = 'transfer' and e.object_id = t.id
left join ledger_postings p on p.entry_id = e.id
/*new where t.id in (select id from new_objects) */
group by t.id
having coalesce(max(p.amount), 0) <> t.amount or coalesce(min(p.amount), 0) <> -t.amount
union all
select a.id, a.funded_net, coalesce(t.moved, 0)
from trading_accounts a
left join (
  select account_id, sum(amount) as moved
  from (select to_account_id as account_id, amount from transfers union all select from_account_id, -amount from transfers) m
  group by account_id
) t on t.account_id = a.id
where a.funded_net <> coalesce(t.moved, 0) /*new and false */
union all
select r.referred_id, r.amount, coalesce(p.amount, 0)
from referral_payments r
left join ledger_entries e on e.kind = 'referral_bonus' and e.object_id = r.referred_id
left join ledger_accounts a on a.owner_id = r.referrer_id and a.kind = 'wallet'
left join ledger_postings p on p.entry_id = e.id and p.account_id = a.id
where p.amount is distinct from r.amount /*new and r.referred_id in (select id from new_objects) */
