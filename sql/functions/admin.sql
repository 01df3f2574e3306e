-- What administrators leave for each other.

-- What is written stays.
create or replace trigger staff_notes_append_only before update or truncate on staff_notes for each statement execute function refuse_change();
create or replace trigger staff_notes_kept before delete on staff_notes for each row execute function refuse_kept();

create or replace function staff_notes_end() returns trigger language plpgsql as $$
begin
  delete from staff_notes where user_id = new.id;
  return null;
end $$;
create or replace trigger users_records_notes after update of records_ended_at on users for each row when (old.records_ended_at is null and new.records_ended_at is not null) execute function staff_notes_end();

-- Holds a person's accounts and wallet until the transaction ends, and tells whether they have done since then what only an approved
-- registration allows: no order, transfer or withdrawal is on its way while these are held.
create or replace function approval_hold(person uuid, since timestamptz) returns boolean language plpgsql as $$
begin
  perform 1 from trading_accounts where user_id = person order by id for update;
  perform 1 from ledger_accounts where id = ledger_account_of(person, 'wallet') for update;
  return exists (select from withdrawals w where w.user_id = person and w.created_at >= since - interval '1 second')
    or exists (select from transfers t where t.user_id = person and t.to_account_id is not null and t.created_at >= since - interval '1 second')
    or exists (
      select from positions p join trading_accounts a on a.id = p.account_id
      where p.user_id = person and not a.is_demo and p.created_at >= since - interval '1 second'
    );
end $$;
