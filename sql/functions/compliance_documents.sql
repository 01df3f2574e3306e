-- Documents by which people show who they are: kept, looked at, decided about.

-- Keeps a document, encrypted by the program. What one person may keep here is bounded.
create or replace function document_keep(
  caller uuid, of_id uuid, of_kind text, of_side text, type text, plain_size integer, of_key text, cipher bytea, most_waiting integer, quota bigint
) returns void language plpgsql as $$
begin
  -- One at a time, so that the bounds hold.
  perform pg_advisory_xact_lock(hashtextextended(caller::text, 61));
  if (select count(*) from documents where user_id = caller and status = 'pending') >= most_waiting then
    perform refuse('too_many_files', 'Many of your documents wait for an answer already. Please wait until they were looked at.');
  end if;
  if plain_size + coalesce((select sum(size) from documents where user_id = caller and content is not null), 0) > quota then
    perform refuse('too_many_files', 'Your documents take up all the room there is. Please contact support.');
  end if;
  insert into documents (id, user_id, kind, side, media_type, size, key_id, content) values (of_id, caller, of_kind, of_side, type, plain_size, of_key, cipher);
end $$;

create or replace function document_news() returns trigger language plpgsql as $$
begin
  perform notify_staff(
    'registration', 'New document', person_text(new.user_id) || ' sent a document: ' || new.kind || coalesce(', ' || new.side, '') || '.',
    new.user_id, new.id, 'medium', jsonb_build_object('clientId', new.user_id, 'documentId', new.id)
  );
  return null;
end $$;
create or replace trigger documents_news after insert on documents for each row execute function document_news();

-- What the documents say of a person's identity: the newest of each side counts. Null: nothing, or not yet.
create or replace function identity_shown(person uuid) returns text language sql stable as $$
  with newest as (
    select distinct on (coalesce(side, '')) status, expires_on
    from documents
    where user_id = person and kind = 'identity'
    order by coalesce(side, ''), created_at desc, id desc
  )
  select case
    when bool_or(status = 'pending') then null
    when bool_or(status = 'asked') then 'pending'
    when bool_or(status = 'rejected') then 'rejected'
    when bool_or(expires_on < current_date) then 'pending'
    when bool_and(status = 'approved') then 'verified'
  end
  from newest;
$$;

-- Approves a document, rejects it, or asks for another in its place; answers whose it is. Approved and rejected is what waits, once;
-- another one can be asked for at any time. The identity check of its owner follows, and so does a letter, once the decision can't be taken
-- back any more.
create or replace function document_decide(
  admin uuid, of_document uuid, new_status text, why text, words text, ends date, ip text, agent text
) returns uuid language plpgsql as $$
declare
  d documents;
  standing text;
  shown text;
begin
  select * into d from documents where id = of_document for update;
  if not found then perform refuse('not_found', 'Not found.'); end if;
  if d.status <> 'pending' and not (new_status = 'asked' and d.status in ('approved', 'rejected')) then
    perform refuse('conflict', case d.status when 'asked' then 'Another document was asked for already.' else 'This document is already ' || d.status || '.' end);
  end if;
  perform 1 from users where id in (admin, d.user_id) order by id for no key update;
  select kyc_status into standing from users where id = d.user_id;
  update documents
  set status = new_status, reason = why, note = words, expires_on = ends, reminded_at = null, lapsed_at = null, decided_by = admin,
    decided_at = clock_timestamp(), identity_before = standing
  where id = d.id;
  shown := case when d.kind = 'identity' then coalesce(identity_shown(d.user_id), standing) else standing end;
  perform person_decide(
    admin, d.user_id, 'document.' || case new_status when 'approved' then 'approve' when 'rejected' then 'reject' else 'ask' end,
    json_build_object('documentId', d.id, 'kind', d.kind, 'side', d.side, 'reason', why, 'expiresOn', ends),
    json_build_object('status', d.status, 'kyc_status', standing), json_build_object('status', new_status, 'kyc_status', shown), words, ip, agent
  );
  perform letter_post(
    d.user_id, 'document_decided',
    jsonb_build_object('document', d.id, 'kind', d.kind, 'side', d.side, 'status', new_status, 'reason', why, 'note', words), null, interval '15 seconds'
  );
  return d.user_id;
end $$;

-- Takes back what the same administrator decided less than twelve seconds ago; answers whose document it is.
create or replace function document_undo(admin uuid, of_document uuid, ip text, agent text) returns uuid language plpgsql as $$
declare
  d documents;
  standing text;
begin
  select * into d from documents where id = of_document for update;
  if not found then perform refuse('not_found', 'Not found.'); end if;
  if d.decided_by is distinct from admin or d.decided_at < clock_timestamp() - interval '12 seconds' then
    perform refuse('conflict', 'This can''t be taken back any more.');
  end if;
  perform 1 from users where id in (admin, d.user_id) order by id for no key update;
  select kyc_status into standing from users where id = d.user_id;
  update documents
  set status = 'pending', reason = null, note = '', expires_on = null, decided_by = null, decided_at = null, identity_before = null
  where id = d.id;
  perform letter_recall(d.user_id, 'document_decided', 'document', d.id::text);
  perform person_decide(
    admin, d.user_id, 'document.undo', json_build_object('documentId', d.id, 'kind', d.kind, 'side', d.side),
    json_build_object('status', d.status, 'kyc_status', standing), json_build_object('status', 'pending', 'kyc_status', d.identity_before), '', ip, agent
  );
  return d.user_id;
end $$;

-- Notes that an administrator looks at a document, in the audit book and where its owner reads it; answers whose it is.
create or replace function document_see(admin uuid, of_document uuid, ip text, agent text) returns uuid language plpgsql as $$
declare
  d documents;
begin
  select * into d from documents where id = of_document;
  if not found or d.content is null then perform refuse('not_found', 'Not found.'); end if;
  insert into document_views (document_id, admin_id) values (d.id, admin);
  perform audit_append(
    admin, d.user_id, 'document.view', json_build_object('documentId', d.id, 'kind', d.kind, 'side', d.side), '{}', '{}', '', ip, agent
  );
  return d.user_id;
end $$;

-- Tells people of documents that end within thirty days, once, and of those that ended; an identity that rests on one of these is checked again.
-- Answers how many were told.
create or replace function documents_end() returns integer language plpgsql as $$
declare
  d documents;
  told integer := 0;
begin
  for d in
    select * from documents
    where status = 'approved' and content is not null
      and ((expires_on <= current_date + 30 and reminded_at is null) or (expires_on < current_date and lapsed_at is null))
    order by id limit 500
    for update skip locked
  loop
    update documents
    set reminded_at = coalesce(reminded_at, clock_timestamp()), lapsed_at = case when expires_on < current_date then clock_timestamp() end
    where id = d.id;
    -- Whoever sent a newer one of the kind has done what the letter asks for.
    continue when exists (
      select from documents n
      where n.user_id = d.user_id and n.kind = d.kind and n.side is not distinct from d.side and n.created_at > d.created_at and n.status in ('pending', 'approved')
    );
    perform letter_post(d.user_id, 'document_ends', jsonb_build_object('kind', d.kind, 'side', d.side, 'on', d.expires_on, 'ended', d.expires_on < current_date));
    if d.kind = 'identity' and d.expires_on < current_date then perform identity_lapse(d.user_id, d.id); end if;
    told := told + 1;
  end loop;
  return told;
end $$;

-- What was seen stays noted.
create or replace trigger document_views_append_only before update or truncate on document_views for each statement execute function refuse_change();

-- Until nothing is kept of its owner any more.
create or replace function refuse_kept_document() returns trigger language plpgsql as $$
begin
  if not records_over((select user_id from documents where id = old.document_id)) then raise exception '% is append-only', tg_table_name using errcode = '42501'; end if;
  return old;
end $$;
create or replace trigger document_views_kept before delete on document_views for each row execute function refuse_kept_document();
