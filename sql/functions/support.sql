-- What tickets, chat and the contact form share.

-- Who writes to support may do so until the transaction ends: a suspension waits, or came first.
create or replace function refuse_silenced(caller uuid) returns void language plpgsql as $$
begin
  perform 1 from users
  where id = caller and registration_status <> 'rejected' and (account_status = 'active' or (account_status = 'suspended' and suspended_until <= now()))
  for share;
  if not found then perform refuse('forbidden', 'Your account can''t be used to write to support.'); end if;
end $$;

-- One writing of a person's at a time, so that what is counted holds.
create or replace function support_turn(caller uuid) returns void language sql as $$
  select pg_advisory_xact_lock(hashtextextended(caller::text, 7));
$$;

-- What visitors write is news for staff.
create or replace function contact_news() returns trigger language plpgsql as $$
begin
  perform notify_staff(
    'contact', 'New contact message', new.name || ': ' || coalesce(nullif(new.subject, ''), left(new.message, 200)), new.user_id, new.id, 'medium'
  );
  return null;
end $$;
create or replace trigger contact_messages_news after insert on contact_messages for each row execute function contact_news();

-- Who leaves, leaves no name and address at what was written by the contact form.
create or replace function contact_erase() returns trigger language plpgsql as $$
begin
  update contact_messages set name = 'Closed account', email = new.email where user_id = new.id or lower(email) = lower(old.email);
  return null;
end $$;
create or replace trigger users_closed_contact after update of closed_at on users for each row when (old.closed_at is null and new.closed_at is not null) execute function contact_erase();
