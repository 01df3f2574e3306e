-- Each transfer moved its amount once; an account's net funding is the sum of its transfers; referrals were paid once.
select t.id, t.amount, coalesce(max(p.amount), 0) as moved
from transfers t
left join ledger_entries e on e.kind = 'transfer' and e.object_id = t.id
left join ledger_postings p on p.entry_id = e.id
group by t.id
having coalesce(max(p.amount), 0) <> t.amount or coalesce(min(p.amount), 0) <> -t.amount
union all
select a.id, a.funded_net, coalesce((select sum(case when t.to_account_id = a.id then t.amount else -t.amount end) from transfers t where a.id in (t.from_account_id, t.to_account_id)), 0)
from trading_accounts a
where a.funded_net <> coalesce((select sum(case when t.to_account_id = a.id then t.amount else -t.amount end) from transfers t where a.id in (t.from_account_id, t.to_account_id)), 0)
union all
select r.referred_id, r.amount, coalesce(p.amount, 0)
from referral_payments r
left join ledger_entries e on e.kind = 'referral_bonus' and e.object_id = r.referred_id
left join ledger_accounts a on a.owner_id = r.referrer_id and a.kind = 'wallet'
left join ledger_postings p on p.entry_id = e.id and p.account_id = a.id
where p.amount is distinct from r.amount
