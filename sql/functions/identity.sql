-- Who somebody is, and what they may decide.

-- Whose session this is, if it still opens anything: role and standing as they are now. No row: nobody's. `idle` is seconds since
-- it was last noted as used. A command that reads it in its own statement does nothing where there is no row.
create or replace function session_person(of_sid text) returns table (
  id uuid, email text, first_name text, last_name text, role text, registration_status text, two_factor boolean, session_id uuid, idle integer
) language sql stable as $$
  select u.id, u.email, u.first_name, u.last_name, u.role, u.registration_status,
    exists (select from two_factors f where f.user_id = u.id and f.confirmed_at is not null) or exists (select from passkeys k where k.user_id = u.id), s.id, extract(epoch from now() - s.seen_at)::integer
  from sessions s
  join users u on u.id = s.user_id
  where s.sid = of_sid
    and s.expire > now()
    and u.registration_status <> 'rejected'
    and (u.account_status = 'active' or (u.account_status = 'suspended' and u.suspended_until <= now()));
$$;

-- Who it is, as staff read it.
create or replace function person_text(person uuid) returns text language sql stable as $$
  select coalesce((select first_name || ' ' || last_name from users where id = person), 'Somebody');
$$;

-- A staff decision on a request is made by somebody else than its owner, who is an administrator still. Both rows are
-- held from here on, as the audit book's entry refers to them: a suspension waits, or was first.
create or replace function refuse_own(admin uuid, owner uuid) returns void language plpgsql as $$
begin
  perform 1 from users where id in (admin, owner) order by id for share;
  if admin = owner then
    perform refuse('forbidden', 'You can''t decide your own request. Ask another administrator.');
  elsif not exists (
    select from users where id = admin and role = 'admin' and (account_status = 'active' or (account_status = 'suspended' and suspended_until <= now()))
  ) then
    perform refuse('forbidden', 'Administrators only.');
  end if;
end $$;

-- Notes since when somebody is an administrator, and in which role, by another's decision. Whom the operator makes is one from the start.
create or replace function note_admin_since() returns trigger language plpgsql as $$
begin
  new.admin_since := case new.role when 'admin' then clock_timestamp() end;
  return new;
end $$;
create or replace trigger users_admin_since before update of role, staff_role on users for each row when (old.role is distinct from new.role or old.staff_role is distinct from new.staff_role) execute function note_admin_since();

-- Who is made an administrator without saying which is an owner, as everybody was whom the release before made; a trader has no role of staff.
create or replace function staff_role_follows() returns trigger language plpgsql as $$
begin
  new.staff_role := case new.role when 'admin' then coalesce(new.staff_role, 'owner') end;
  return new;
end $$;
create or replace trigger users_staff_role before insert or update of role, staff_role on users for each row execute function staff_role_follows();

-- A second person's yes counts for nothing where one of the two became an administrator within a day: one alone could have made the other.
create or replace function refuse_new_admin(asker uuid, confirmer uuid) returns void language plpgsql as $$
declare
  since timestamptz := (select max(admin_since) from users where id in (asker, confirmer));
  own boolean := since = (select admin_since from users where id = confirmer);
begin
  if since > clock_timestamp() - interval '24 hours' then
    perform refuse('forbidden', format(
      '%s became an administrator less than 24 hours ago, so %s %s UTC.', case when own then 'You' else person_text(asker) end,
      case when own then 'you can''t confirm anything before' else 'this can''t be confirmed before' end,
      to_char((since + interval '24 hours') at time zone 'UTC', 'FMDD FMMonth YYYY, HH24:MI:SS')
    ));
  end if;
end $$;

create or replace function refuse_unapproved(person uuid) returns void language plpgsql as $$
begin
  if (select registration_status from users where id = person) <> 'approved' then
    perform refuse('registration_pending', 'Your registration is awaiting approval.');
  end if;
end $$;

-- Carries out what an administrator decided about somebody else, with its line in the audit book. `change` names what shall be otherwise.
create or replace function person_decide(
  admin uuid, target uuid, deed text, deed_details json, before_state json, change json, why text, ip text, agent text
) returns void language plpgsql as $$
declare
  p users;
begin
  perform refuse_own(admin, target);
  select * into p from users where id = target for no key update;
  p := jsonb_populate_record(p, change::jsonb);
  update users
  set account_status = p.account_status, suspended_until = p.suspended_until, suspension_reason = p.suspension_reason,
    registration_status = p.registration_status, registration_reason = p.registration_reason, approved_by = p.approved_by,
    approved_at = p.approved_at, kyc_status = p.kyc_status, role = p.role, staff_role = p.staff_role, updated_at = now()
  where id = target;
  if deed in ('registration.approve', 'registration.reject') then
    -- Who decided may take it back for twelve seconds.
    perform letter_post(
      target, 'registration_decided', jsonb_build_object('status', p.registration_status, 'reason', p.registration_reason), null, interval '15 seconds'
    );
  elsif deed = 'registration.undo' then
    perform letters_end(target, '{registration_decided}');
  end if;
  perform audit_append(admin, target, deed, deed_details, before_state, change, why, ip, agent);
end $$;

-- Gives an administrator another name, which no other one has: with all of them held, no two take one at once.
create or replace function person_rename(admin uuid, new_first text, new_last text, ip text, agent text) returns void language plpgsql as $$
declare
  before users;
begin
  perform 1 from users where role = 'admin' order by id for no key update;
  perform refuse_own(admin, null);
  if exists (
    select from users where role = 'admin' and id <> admin and lower(first_name || ' ' || last_name) = lower(new_first || ' ' || new_last)
  ) then
    perform refuse('conflict', 'Another administrator has this name. Add a middle name or an initial.', 'lastName');
  end if;
  select * into before from users where id = admin;
  update users set first_name = new_first, last_name = new_last, updated_at = now() where id = admin;
  perform audit_append(
    admin, admin, 'user.name', '{}', json_build_object('firstName', before.first_name, 'lastName', before.last_name),
    json_build_object('firstName', new_first, 'lastName', new_last), '', ip, agent
  );
end $$;

-- Notes that somebody signed in; a suspension that has passed ends with it.
create or replace function sign_in_note(person uuid, is_long boolean) returns void language sql as $$
  update users
  set last_login_at = now(), long_password = is_long,
    account_status = case when account_status = 'suspended' and suspended_until <= now() then 'active' else account_status end
  where id = person;
$$;

-- Holds a request for a new administrator until the transaction ends.
create or replace function role_request_hold(of_request uuid) returns void language plpgsql as $$
begin
  perform 1 from role_requests where id = of_request for update;
end $$;

-- What is written stays.
create or replace trigger role_requests_append_only before delete or update or truncate on role_requests for each statement execute function refuse_change();
create or replace trigger role_decisions_append_only before delete or update or truncate on role_decisions for each statement execute function refuse_change();

-- Holds a deed that waits for its second signature until the transaction ends.
create or replace function signature_hold(of_signature uuid) returns void language plpgsql as $$
begin
  perform 1 from signatures where id = of_signature for update;
end $$;
create or replace trigger signatures_append_only before delete or update or truncate on signatures for each statement execute function refuse_change();
create or replace trigger signature_decisions_append_only before delete or update or truncate on signature_decisions for each statement execute function refuse_change();

-- Notes that one of a person's factors was removed, by whomever.
create or replace function factor_removed(person uuid) returns void language sql as $$
  update users set factor_removed_at = clock_timestamp() where id = person;
$$;

-- Notes that the document on which a person's identity rests has ended: it is to be checked again.
create or replace function identity_lapse(person uuid, of_document uuid) returns void language plpgsql as $$
begin
  update users set kyc_status = 'pending', updated_at = now() where id = person and kyc_status = 'verified';
  if found then
    perform audit_append(
      null, person, 'user.kyc', json_build_object('by', 'the end of a document', 'documentId', of_document), '{"kyc_status": "verified"}',
      '{"kyc_status": "pending"}', '', '', ''
    );
  end if;
end $$;

create or replace function country_note(person uuid, home text) returns void language sql as $$
  update users set country = home, updated_at = now() where id = person;
$$;

-- Whether the time is over for which a closed account's papers and words are kept: before it nobody deletes them.
create or replace function records_over(person uuid) returns boolean language sql stable as $$
  select exists (select from users where id = person and records_ended_at is not null);
$$;

-- Notes that this time is over; each domain deletes what it kept (`after update of records_ended_at`).
create or replace function records_close(person uuid) returns void language sql as $$
  update users
  set records_ended_at = clock_timestamp(), country = null, registration_reason = null, last_login_at = null, updated_at = now()
  where id = person and closed_at is not null;
$$;

-- Refuses to delete what a person said or wrote down while it is kept; for rows with the person's id.
create or replace function refuse_kept() returns trigger language plpgsql as $$
begin
  if not records_over(old.user_id) then raise exception '% is append-only', tg_table_name using errcode = '42501'; end if;
  return old;
end $$;

-- Takes a person's names, contacts and ways in away; nobody signs in as this person any more.
create or replace function person_erase(person uuid, until date) returns void language plpgsql as $$
begin
  delete from sessions where user_id = person;
  delete from devices where user_id = person;
  delete from passkeys where user_id = person;
  delete from recovery_codes where user_id = person;
  delete from two_factors where user_id = person;
  update users
  set first_name = 'Closed', last_name = 'account', email = 'closed-' || id || '@closed.invalid', password = 'closed', profile_image_url = null,
    is_email_verified = false, account_status = 'banned', suspension_reason = 'Closed', suspended_until = null, frozen_at = null,
    closed_at = clock_timestamp(), kept_until = until, updated_at = now()
  where id = person;
end $$;

-- Counts people as they come and as their role changes. Each connection has a slot, so that few wait for each other.
create or replace function people_count(of_role text, more bigint) returns void language sql as $$
  insert into people_counts as c (slot, role, count) values (pg_backend_pid() % 16, of_role, more)
  on conflict (role, slot) do update set count = c.count + excluded.count;
$$;
create or replace function people_count_come() returns trigger language plpgsql as $$
begin
  perform people_count(role, count(*)) from come group by role order by role;
  return null;
end $$;
create or replace function people_count_change() returns trigger language plpgsql as $$
begin
  perform people_count(c.role, c.more) from (values (old.role, -1), (new.role, 1)) as c (role, more) order by c.role;
  return null;
end $$;
create or replace trigger users_come after insert on users referencing new table as come for each statement execute function people_count_come();
create or replace trigger users_change_role after update of role on users for each row when (old.role is distinct from new.role) execute function people_count_change();

create or replace function people_of(of_role text) returns bigint language sql stable as $$
  select coalesce(sum(count), 0)::bigint from people_counts where role = of_role;
$$;
