-- The lines of a person's money, by type: how its owner finds the few of one type among many of another.

-- What an entry is called in its owner's history; `close_reason` is its position's, where it closed one.
create or replace function line_type(entry_kind text, close_reason text) returns text language sql immutable as $$
  select case
    when entry_kind in ('deposit', 'transfer', 'withdrawal_returned', 'commission', 'swap') then entry_kind
    when entry_kind in ('deposit_bonus', 'bitcoin_bonus') then 'bonus'
    when entry_kind = 'referral_bonus' then 'referral'
    when entry_kind = 'withdrawal_hold' then 'withdrawal'
    when entry_kind = 'trade_close' then case close_reason when 'admin' then 'correction' else 'trade' end
    else 'other'
  end;
$$;

-- Whoever closes a position has written why before he books it.
create or replace function keep_money_line() returns trigger language plpgsql as $$
begin
  insert into money_lines (account_id, type, entry_id)
  select a.id, line_type(e.kind, (select o.close_reason from positions o where e.kind = 'trade_close' and o.id = e.object_id)), e.id
  from ledger_accounts a
  join ledger_entries e on e.id = new.entry_id
  where a.id = new.account_id and a.book = 'live' and a.kind in ('wallet', 'trading');
  return null;
end $$;
create or replace trigger ledger_postings_are_listed after insert on ledger_postings for each row execute function keep_money_line();
create or replace trigger money_lines_append_only before delete or update or truncate on money_lines for each statement execute function refuse_change();
