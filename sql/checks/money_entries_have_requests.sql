-- Every entry of money in, out or across belongs to the request that it names; every bonus to a deposit, every referral to a person.
select e.id, e.kind, e.object_id
from ledger_entries e
where /*new e.id > :entry and */ (e.kind = 'deposit' and not exists (select from deposits where id = e.object_id)
   or e.kind in ('withdrawal_hold', 'withdrawal_paid', 'withdrawal_returned') and not exists (select from withdrawals where id = e.object_id)
   or e.kind = 'transfer' and not exists (select from transfers where id = e.object_id)
   or e.kind in ('deposit_bonus', 'bitcoin_bonus') and not exists (select from deposits where user_id = e.object_id and bonus_applied > 0)
   or e.kind = 'referral_bonus' and not exists (select from referral_payments where referred_id = e.object_id))
