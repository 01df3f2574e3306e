-- What an account was funded with is the most that its transfers had brought it at any time.
select a.id, a.funded_total, coalesce(f.most, 0) as most
from trading_accounts a
left join (
  select account_id, max(net) as most
  from (
    select l.account_id, sum(l.amount) over (partition by l.account_id order by l.entry_id) as net
    from ledger_postings l
    join ledger_entries e on e.id = l.entry_id and e.kind = 'transfer'
  ) running
  group by account_id
) f on f.account_id = a.ledger_account_id
where a.funded_total <> greatest(coalesce(f.most, 0), 0)
