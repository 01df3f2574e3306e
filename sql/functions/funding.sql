-- What the requests for money share. Each command is one function; it locks the request's row, then the people concerned, then
-- trading accounts by id, then ledger accounts by id, then the audit head. Each takes an Idempotency-Key (null for none) and
-- answers {status, answer}.

-- What staff see beside it: whose it is, and how it was decided.
create or replace function request_people(owner uuid, decider uuid, notes text) returns jsonb language sql stable as $$
  select jsonb_build_object(
    'firstName', u.first_name, 'lastName', u.last_name, 'email', u.email, 'adminNotes', notes,
    'decidedBy', (select email from users where id = decider and role = 'admin')
  )
  from users u
  where u.id = owner;
$$;

-- A request keeps the terms it was made on. A decision writes the columns of the first argument, once; after it only those of the second
-- are written.
create or replace function request_keeps_terms() returns trigger language plpgsql as $$
declare
  free text[] := case old.status when 'pending' then tg_argv[0] else tg_argv[1] end;
begin
  if to_jsonb(new) - free is distinct from to_jsonb(old) - free
    -- How it was reached goes once nothing is kept of its owner any more.
    and not (records_over(old.user_id) and to_jsonb(new) - '{wallet_address,notes,admin_notes}'::text[] = to_jsonb(old) - '{wallet_address,notes,admin_notes}'::text[])
  then
    raise exception 'a request of % keeps its terms, and its decision', tg_table_name using errcode = '42501';
  end if;
  return new;
end $$;
create or replace trigger deposits_keep_terms before update on deposits for each row execute function request_keeps_terms('{status,decided_by,decided_at,rate,credited,admin_notes,rejection_reason}', '{bonus_applied}');
create or replace trigger withdrawals_keep_terms before update on withdrawals for each row execute function request_keeps_terms('{status,decided_by,decided_at,transaction_hash,admin_notes,rejection_reason}', '{}');
create or replace trigger deposits_stay before delete or truncate on deposits for each statement execute function refuse_change();
create or replace trigger withdrawals_stay before delete or truncate on withdrawals for each statement execute function refuse_change();

-- Who leaves, leaves no addresses behind.
create or replace function addresses_erase() returns trigger language plpgsql as $$
begin
  delete from payout_addresses where user_id = new.id;
  return null;
end $$;
create or replace trigger users_closed_addresses after update of closed_at on users for each row when (old.closed_at is null and new.closed_at is not null) execute function addresses_erase();

-- What is left of requests for money once nothing is kept of their owner any more: the amounts, the days, and the chain's own hashes.
create or replace function requests_end() returns trigger language plpgsql as $$
begin
  delete from deposit_proofs p using deposits d where d.id = p.deposit_id and d.user_id = new.id;
  update deposits set notes = '', admin_notes = null where user_id = new.id;
  update withdrawals set wallet_address = 'deleted', admin_notes = null where user_id = new.id;
  return null;
end $$;
create or replace trigger users_records_requests after update of records_ended_at on users for each row when (old.records_ended_at is null and new.records_ended_at is not null) execute function requests_end();
