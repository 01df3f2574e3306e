-- Each posting of a wallet or a live account is listed once, by its type, and nothing else is.
with
  due as (
    select p.account_id, line_type(e.kind, o.close_reason) as type, p.entry_id
    from ledger_postings p
    join ledger_accounts a on a.id = p.account_id and a.book = 'live' and a.kind in ('wallet', 'trading')
    join ledger_entries e on e.id = p.entry_id
    left join positions o on e.kind = 'trade_close' and o.id = e.object_id
    /*new where p.entry_id > :entry */
  ),
  kept as (
    select l.account_id, l.type, l.entry_id from money_lines l
    /*new join new_accounts n on n.id = l.account_id
    where l.type in ('deposit', 'bonus', 'referral', 'withdrawal', 'withdrawal_returned', 'transfer', 'trade', 'commission', 'swap', 'correction', 'other')
      and l.entry_id > :entry */
  )
(select account_id, type, entry_id from due except select account_id, type, entry_id from kept)
union all
(select account_id, type, entry_id from kept except select account_id, type, entry_id from due)
