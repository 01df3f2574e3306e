-- Support tickets: what a trader asks, the conversation about it, its files. Locks: the owner's turn, the tickets by their ids, the people,
-- the audit head.

-- What its owner wrote stays as it was written.
create or replace function ticket_keeps_words() returns trigger language plpgsql as $$
begin
  if (new.user_id, new.subject, new.message, new.created_at) is distinct from (old.user_id, old.subject, old.message, old.created_at)
    and not (new.user_id = old.user_id and records_over(old.user_id))
  then
    raise exception 'the words of a ticket are append-only' using errcode = '42501';
  end if;
  return new;
end $$;
create or replace trigger support_tickets_keep_words before update on support_tickets for each row execute function ticket_keeps_words();

create or replace function ticket_json(t support_tickets) returns jsonb language sql immutable as $$
  select jsonb_build_object(
    'id', t.id, 'userId', t.user_id, 'subject', t.subject, 'message', t.message, 'category', t.category, 'priority', t.priority, 'status', t.status,
    'adminResponse', t.admin_response, 'assignedTo', t.assigned_to, 'resolvedBy', t.resolved_by, 'resolvedAt', iso(t.resolved_at),
    'respondedAt', iso(t.responded_at), 'positionId', t.position_id, 'isUnread', t.is_unread, 'createdAt', iso(t.created_at), 'updatedAt', iso(t.updated_at)
  );
$$;

-- What only staff see of it: owner, assignee, since when it waits, and the version for decisions.
create or replace function ticket_staff_json(t support_tickets) returns jsonb language sql stable as $$
  select ticket_json(t) || jsonb_build_object(
    'firstName', u.first_name, 'lastName', u.last_name, 'email', u.email, 'waitingSince', iso(t.waiting_since), 'version', t.version,
    'assigneeName', (select first_name || ' ' || last_name from users where id = t.assigned_to),
    'resolverName', (select first_name || ' ' || last_name from users where id = t.resolved_by),
    'messages', (select count(*) from ticket_messages where ticket_id = t.id) + 1
  )
  from users u
  where u.id = t.user_id;
$$;

-- As its owner sees it, with the ticket that it was merged into.
create or replace function ticket_owner_json(t support_tickets) returns jsonb language sql stable as $$
  select ticket_json(t) || jsonb_build_object(
    'mergedInto', (select jsonb_build_object('id', o.id, 'subject', o.subject) from support_tickets o where o.id = t.merged_into)
  );
$$;

-- As staff see it: the same, and its messages with those of the tickets that were merged into it.
create or replace function ticket_agent_json(t support_tickets) returns jsonb language sql stable as $$
  select s.seen || ticket_owner_json(t) || jsonb_build_object(
    'messages',
    (s.seen ->> 'messages')::integer + (select count(*) from support_tickets o where o.merged_into = t.id)
      + (select count(*) from support_tickets o join ticket_messages m on m.ticket_id = o.id where o.merged_into = t.id)
  )
  from (select ticket_staff_json(t) as seen) s;
$$;

-- What a ticket's news are worth to staff: low is what the bell keeps silent about, and it rings for every ticket.
create or replace function bell_priority(of_priority text) returns text language sql immutable as $$
  select case of_priority when 'low' then 'medium' else of_priority end;
$$;

-- A new ticket with its news for staff.
create or replace function ticket_write(owner uuid, of_subject text, words text, of_category text, of_priority text, of_position uuid) returns support_tickets language plpgsql as $$
declare
  t support_tickets;
begin
  perform refuse_silenced(owner);
  insert into support_tickets (user_id, subject, message, category, priority, position_id)
  values (owner, of_subject, words, of_category, of_priority, of_position)
  returning * into t;
  -- An objection has news of its own.
  if of_position is null then
    perform notify_staff(
      'ticket', 'New support ticket', person_text(owner) || ': ' || of_subject, owner, t.id, bell_priority(of_priority),
      jsonb_build_object('ticketId', t.id, 'category', of_category)
    );
  end if;
  return t;
end $$;

create or replace function ticket_open(
  caller uuid, of_subject text, words text, of_category text, of_priority text, once_key text, once_fingerprint text
) returns json language plpgsql as $$
declare
  earlier json;
begin
  earlier := once_begin(caller, once_key, once_fingerprint);
  if earlier is not null then return earlier; end if;
  perform support_turn(caller);
  if (select count(*) from support_tickets where user_id = caller and status in ('open', 'in_progress')) >= 50 then
    perform refuse('too_many_waiting', 'Too many of your tickets are still open. Please reply to one of them, or close some.');
  end if;
  if (select count(*) from support_tickets where user_id = caller and created_at > now() - interval '1 hour') >= 30 then
    perform refuse('too_many_requests', 'That are many tickets in a short time. Please reply to one of them, or try again in an hour.');
  end if;
  return once_answer(caller, once_key, 201, ticket_owner_json(ticket_write(caller, of_subject, words, of_category, of_priority, null))::json);
end $$;

-- An own ticket, or the one that it was merged into: what is written to either goes there. The caller has the owner's turn, so that none is
-- merged meanwhile.
create or replace function ticket_of_owner(caller uuid, of_ticket uuid) returns support_tickets language plpgsql as $$
declare
  t support_tickets;
begin
  select * into t from support_tickets where id = of_ticket and user_id = caller for update;
  if not found then perform refuse('not_found', 'Not found.'); end if;
  if t.merged_into is not null then select * into t from support_tickets where id = t.merged_into for update; end if;
  perform refuse_silenced(caller);
  return t;
end $$;

-- The owner writes again; what was resolved or closed is open again. Staff hear of the first one that they have not answered.
create or replace function ticket_reply(caller uuid, of_ticket uuid, words text, once_key text, once_fingerprint text) returns json language plpgsql as $$
declare
  earlier json;
  t support_tickets;
  m ticket_messages;
  reopened boolean;
begin
  earlier := once_begin(caller, once_key, once_fingerprint);
  if earlier is not null then return earlier; end if;
  perform support_turn(caller);
  t := ticket_of_owner(caller, of_ticket);
  if (select count(*) from ticket_messages where author_id = caller and created_at > now() - interval '10 minutes') >= 30 then
    perform refuse('too_many_requests', 'That are many replies in a short time. Please try again in ten minutes.');
  end if;
  if words = '' then perform refuse('invalid', 'Please write a reply.', 'message'); end if;
  reopened := t.status in ('resolved', 'closed');
  insert into ticket_messages (ticket_id, author_id, is_from_staff, message) values (t.id, caller, false, words) returning * into m;
  if t.waiting_since is null then
    perform notify_staff(
      'ticket', case when reopened then 'Support ticket reopened' else 'Reply to a support ticket' end, person_text(caller) || ': ' || t.subject, caller, m.id,
      bell_priority(t.priority), jsonb_build_object('ticketId', t.id, 'category', t.category, 'positionId', t.position_id)
    );
  end if;
  update support_tickets
  set status = case when reopened then 'open' else status end, resolved_at = case when not reopened then resolved_at end,
    resolved_by = case when not reopened then resolved_by end, waiting_since = coalesce(waiting_since, clock_timestamp()), is_unread = false,
    version = version + 1, updated_at = clock_timestamp()
  where id = t.id;
  return once_answer(caller, once_key, 201, json_build_object(
    'id', m.id, 'ticketId', t.id, 'mergedFrom', null, 'message', m.message, 'isFromStaff', false, 'author', person_text(caller), 'createdAt', iso(m.created_at)
  ));
end $$;

-- The owner needs no answer any more.
create or replace function ticket_close(caller uuid, of_ticket uuid, once_key text, once_fingerprint text) returns json language plpgsql as $$
declare
  earlier json;
  t support_tickets;
begin
  earlier := once_begin(caller, once_key, once_fingerprint);
  if earlier is not null then return earlier; end if;
  perform support_turn(caller);
  t := ticket_of_owner(caller, of_ticket);
  if t.id <> of_ticket then perform refuse('conflict', 'This ticket was merged into “' || t.subject || '”. Close that one.'); end if;
  if t.status = 'closed' then perform refuse('conflict', 'This ticket is already closed.'); end if;
  update support_tickets
  set status = 'closed', waiting_since = null, is_unread = false, version = version + 1, updated_at = clock_timestamp()
  where id = t.id
  returning * into t;
  return once_answer(caller, once_key, 200, ticket_owner_json(t)::json);
end $$;

-- Puts a file to its ticket, which the caller has locked.
create or replace function ticket_keep_file(t support_tickets, author uuid, from_staff boolean, file_name text, type text, file bytea) returns json language plpgsql as $$
declare
  f ticket_files;
begin
  if (select count(*) from ticket_files where ticket_id = t.id) >= 20 then
    perform refuse('too_many_files', 'This ticket holds as many files as it can.');
  end if;
  insert into ticket_files (ticket_id, author_id, is_from_staff, name, media_type, content)
  values (t.id, author, from_staff, file_name, type, file)
  returning * into f;
  update support_tickets set is_unread = is_unread or from_staff, version = version + 1, updated_at = clock_timestamp() where id = t.id;
  return json_build_object(
    'id', f.id, 'ticketId', t.id, 'mergedFrom', null, 'name', f.name, 'mediaType', f.media_type, 'size', octet_length(f.content), 'isFromStaff', f.is_from_staff, 'author', person_text(author),
    'createdAt', iso(f.created_at)
  );
end $$;

-- Adds a file to what its owner wrote. `quota`: bytes of one person's files in all.
create or replace function ticket_attach(caller uuid, of_ticket uuid, file_name text, type text, file bytea, quota bigint) returns json language plpgsql as $$
declare
  t support_tickets;
begin
  perform support_turn(caller);
  t := ticket_of_owner(caller, of_ticket);
  if t.status = 'closed' then perform refuse('conflict', 'This ticket is closed. Write a reply to open it again.'); end if;
  if octet_length(file) + coalesce((select sum(octet_length(content)) from ticket_files where author_id = caller and not is_from_staff), 0) > quota then
    perform refuse('too_many_files', 'Your files take up all the room there is. Please describe it in words.');
  end if;
  return ticket_keep_file(t, caller, false, file_name, type, file);
end $$;

create or replace function ticket_may_become(before text, after text) returns boolean language sql immutable as $$
  select (before, after) in (
    ('open', 'in_progress'), ('open', 'resolved'), ('open', 'closed'), ('in_progress', 'open'), ('in_progress', 'resolved'), ('in_progress', 'closed'),
    ('resolved', 'open'), ('resolved', 'in_progress'), ('resolved', 'closed'), ('closed', 'open'), ('closed', 'in_progress')
  );
$$;

-- An administrator answers a ticket, gives it to somebody (`assigns`; null: to nobody), or changes its state, or all at once.
-- `seen`: the version that the decision was made on; another one since is a conflict. Answers the ticket as staff see it.
create or replace function ticket_decide(
  admin uuid, of_ticket uuid, seen integer, new_status text, words text, assigns boolean, assignee uuid, ip text, agent text, once_key text, once_fingerprint text
) returns json language plpgsql as $$
declare
  earlier json;
  t support_tickets;
  before support_tickets;
begin
  earlier := once_begin(admin, once_key, once_fingerprint);
  if earlier is not null then return earlier; end if;
  select * into t from support_tickets where id = of_ticket for update;
  if not found then perform refuse('not_found', 'Not found.'); end if;
  perform refuse_own(admin, t.user_id);
  perform refuse_merged(t);
  before := t;
  if seen <> t.version then
    perform refuse('conflict', 'Somebody changed this ticket a moment ago. Look at what is new, then decide again.');
  end if;
  if new_status = t.status and words is null then perform refuse('conflict', 'This ticket is already ' || replace(t.status, '_', ' ') || '.'); end if;
  if new_status <> t.status and not ticket_may_become(t.status, new_status) then
    perform refuse('conflict', 'A ticket that is ' || replace(t.status, '_', ' ') || ' can''t become ' || replace(new_status, '_', ' ') || '.');
  end if;
  if words is not null and t.status = 'closed' and coalesce(new_status, 'closed') = 'closed' then
    perform refuse('conflict', 'This ticket is closed. Reopen it to answer.');
  end if;
  if assigns and assignee is not null and not exists (select from users where id = assignee and role = 'admin' and account_status <> 'banned') then
    perform refuse('invalid', 'A ticket can be given to an administrator only.', 'assignedTo');
  end if;
  if assigns and assignee is not distinct from t.assigned_to and words is null and new_status is null then
    perform refuse('conflict', case when assignee is null then 'This ticket is given to nobody.' else 'This ticket is already given to ' || person_text(assignee) || '.' end);
  end if;
  if words is not null then
    insert into ticket_messages (ticket_id, author_id, is_from_staff, message) values (t.id, admin, true, words);
    t.admin_response := words;
    t.responded_at := clock_timestamp();
    t.is_unread := true;
    t.waiting_since := null;
    t.assigned_to := coalesce(t.assigned_to, admin);
    if t.status = 'open' and new_status is null then t.status := 'in_progress'; end if;
  end if;
  if assigns then t.assigned_to := assignee; end if;
  if new_status is not null then t.status := new_status; end if;
  if t.status = 'resolved' and before.status <> 'resolved' then
    t.resolved_at := clock_timestamp();
    t.resolved_by := admin;
  elsif t.status in ('open', 'in_progress') then
    t.resolved_at := null;
    t.resolved_by := null;
  end if;
  if t.status in ('resolved', 'closed') then t.waiting_since := null; end if;
  update support_tickets
  set status = t.status, admin_response = t.admin_response, responded_at = t.responded_at, is_unread = t.is_unread, waiting_since = t.waiting_since,
    assigned_to = t.assigned_to, resolved_at = t.resolved_at, resolved_by = t.resolved_by, version = version + 1, updated_at = clock_timestamp()
  where id = t.id
  returning * into t;
  if words is not null then perform letter_post(t.user_id, 'ticket_answered', jsonb_build_object('ticketId', t.id, 'subject', t.subject)); end if;
  perform audit_append(
    admin, t.user_id, case when words is not null then 'ticket.answer' when new_status is not null then 'ticket.status' else 'ticket.assign' end,
    json_strip_nulls(json_build_object('ticketId', t.id, 'subject', t.subject, 'answer', words)),
    json_build_object('status', before.status, 'assignedTo', before.assigned_to), json_build_object('status', t.status, 'assignedTo', t.assigned_to),
    '', ip, agent
  );
  return once_answer(admin, once_key, 200, ticket_agent_json(t)::json);
end $$;

-- An administrator sends the owner a file. Answers the file, and whose ticket it is.
create or replace function ticket_send_file(admin uuid, of_ticket uuid, file_name text, type text, file bytea, ip text, agent text) returns json language plpgsql as $$
declare
  t support_tickets;
  kept json;
begin
  select * into t from support_tickets where id = of_ticket for update;
  if not found then perform refuse('not_found', 'Not found.'); end if;
  perform refuse_own(admin, t.user_id);
  perform refuse_merged(t);
  if t.status = 'closed' then perform refuse('conflict', 'This ticket is closed. Reopen it to answer.'); end if;
  kept := ticket_keep_file(t, admin, true, file_name, type, file);
  perform audit_append(
    admin, t.user_id, 'ticket.file', json_build_object('ticketId', t.id, 'subject', t.subject, 'fileId', kept ->> 'id', 'name', file_name, 'bytes', octet_length(file)),
    '{}'::json, '{}'::json, '', ip, agent
  );
  return json_build_object('file', kept, 'userId', t.user_id, 'subject', t.subject);
end $$;

-- What is written stays.
create or replace trigger ticket_messages_append_only before update or truncate on ticket_messages for each statement execute function refuse_change();
create or replace trigger ticket_files_append_only before update or truncate on ticket_files for each statement execute function refuse_change();

-- Until nothing is kept of the ticket's owner any more.
create or replace function refuse_kept_words() returns trigger language plpgsql as $$
begin
  if not records_over((select user_id from support_tickets where id = old.ticket_id)) then raise exception '% is append-only', tg_table_name using errcode = '42501'; end if;
  return old;
end $$;
create or replace trigger ticket_messages_kept before delete on ticket_messages for each row execute function refuse_kept_words();
create or replace trigger ticket_files_kept before delete on ticket_files for each row execute function refuse_kept_words();
create or replace trigger support_tickets_stay before delete or truncate on support_tickets for each statement execute function refuse_change();

-- What a person whose account was closed long ago said and sent is deleted; that there was a ticket stays.
create or replace function words_end() returns trigger language plpgsql as $$
begin
  delete from ticket_files f using support_tickets t where t.id = f.ticket_id and t.user_id = new.id;
  delete from ticket_messages m using support_tickets t where t.id = m.ticket_id and t.user_id = new.id;
  update support_tickets
  set subject = 'Deleted', message = 'Deleted', admin_response = case when admin_response is not null then 'Deleted' end
  where user_id = new.id;
  delete from chat_messages where user_id = new.id;
  delete from chat_sessions where user_id = new.id;
  delete from contact_messages where user_id = new.id;
  return null;
end $$;
create or replace trigger users_records_words after update of records_ended_at on users for each row when (old.records_ended_at is null and new.records_ended_at is not null) execute function words_end();
