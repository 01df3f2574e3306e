-- What of each wallet and live account is a line of which type, so that the few of a type are found among the many of another without reading these.
-- Whoever posts waits for this, and is listed by the trigger.
lock table ledger_postings in share row exclusive mode;
create table money_lines (
  account_id bigint not null,
  type text not null,
  entry_id bigint not null,
  constraint money_lines_type_check check (
    type = any (array['deposit', 'bonus', 'referral', 'withdrawal', 'withdrawal_returned', 'transfer', 'trade', 'commission', 'swap', 'correction', 'other'])
  )
);
insert into money_lines (account_id, type, entry_id)
select p.account_id,
  case
    when e.kind in ('deposit', 'transfer', 'withdrawal_returned', 'commission', 'swap') then e.kind
    when e.kind in ('deposit_bonus', 'bitcoin_bonus') then 'bonus'
    when e.kind = 'referral_bonus' then 'referral'
    when e.kind = 'withdrawal_hold' then 'withdrawal'
    when e.kind = 'trade_close' then case o.close_reason when 'admin' then 'correction' else 'trade' end
    else 'other'
  end,
  p.entry_id
from ledger_postings p
join ledger_accounts a on a.id = p.account_id and a.book = 'live' and a.kind in ('wallet', 'trading')
join ledger_entries e on e.id = p.entry_id
left join positions o on e.kind = 'trade_close' and o.id = e.object_id
order by p.account_id, p.entry_id;
alter table money_lines add constraint money_lines_pkey primary key (account_id, type, entry_id);
alter table money_lines set (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 500);
