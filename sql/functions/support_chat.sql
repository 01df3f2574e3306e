-- Live chat between a trader and staff. Locks: the session, the people, the audit head.

-- All but whether it was read stays as it was written.
create or replace function chat_keeps_words() returns trigger language plpgsql as $$
begin
  old.read_at := new.read_at;
  if new is distinct from old then raise exception 'chat_messages is append-only' using errcode = '42501'; end if;
  return new;
end $$;
create or replace trigger chat_messages_keep_words before update on chat_messages for each row execute function chat_keeps_words();

create or replace function chat_json(m chat_messages) returns jsonb language sql stable as $$
  select jsonb_build_object(
    'id', m.id, 'sessionId', m.session_id, 'userId', m.user_id, 'adminUserId', m.admin_user_id, 'number', m.number, 'message', m.message,
    'messageType', m.message_type, 'isFromAdmin', m.is_from_admin, 'author', person_text(coalesce(m.admin_user_id, m.user_id)),
    'isRead', m.read_at is not null, 'readAt', iso(m.read_at), 'fileUrl', null, 'clientId', m.client_id, 'createdAt', iso(m.created_at)
  );
$$;

create or replace function chat_session_json(s chat_sessions) returns jsonb language sql stable as $$
  select jsonb_build_object(
    'id', s.id, 'userId', s.user_id, 'firstName', u.first_name, 'lastName', u.last_name, 'email', u.email,
    'status', case when s.ended_at is null then 'open' else 'ended' end, 'lastNumber', s.last_number, 'lastMessage', s.last_message,
    'lastMessageAt', iso(s.last_at), 'endedAt', iso(s.ended_at), 'createdAt', iso(s.created_at),
    'unread', (select count(*) from chat_messages m where m.user_id = s.user_id and m.session_id = s.id and not m.is_from_admin and m.read_at is null)
  )
  from users u
  where u.id = s.user_id;
$$;

-- A message of this sender's that is there already, by the id that its browser gave it.
create or replace function chat_said(sender uuid, client uuid) returns json language sql stable as $$
  select json_build_object('status', 201, 'answer', chat_json(m), 'repeated', true)
  from chat_messages m
  where coalesce(m.admin_user_id, m.user_id) = sender and m.client_id = client;
$$;

create or replace function chat_append(s chat_sessions, admin uuid, words text, client uuid) returns chat_messages language plpgsql as $$
declare
  m chat_messages;
begin
  insert into chat_messages (session_id, user_id, admin_user_id, number, message, is_from_admin, client_id)
  values (s.id, s.user_id, admin, s.last_number + 1, words, admin is not null, client)
  returning * into m;
  update chat_sessions
  set last_number = m.number, last_message = left(words, 200), last_at = clock_timestamp(),
    waiting_since = case when admin is null then coalesce(waiting_since, clock_timestamp()) end
  where id = s.id;
  return m;
end $$;

-- The trader writes, into the session that is open or a new one. Staff hear of the first message that nobody has read.
create or replace function chat_say(caller uuid, words text, client uuid) returns json language plpgsql as $$
declare
  earlier json;
  s chat_sessions;
  m chat_messages;
  waiting boolean;
begin
  perform support_turn(caller);
  earlier := chat_said(caller, client);
  if earlier is not null then return earlier; end if;
  select * into s from chat_sessions where user_id = caller and ended_at is null for update;
  perform refuse_silenced(caller);
  if (select count(*) from chat_messages where user_id = caller and not is_from_admin and created_at > now() - interval '10 seconds') >= 10
    or (select count(*) from chat_messages where user_id = caller and not is_from_admin and created_at > now() - interval '1 hour') >= 300
  then
    perform refuse('too_many_requests', 'That are many messages in a short time. Please wait a moment.');
  end if;
  if s.id is null then
    insert into chat_sessions (user_id, last_number, last_message)
    values (caller, coalesce((select max(last_number) from chat_sessions where user_id = caller), 0), '')
    returning * into s;
  end if;
  waiting := exists (select from chat_messages where user_id = caller and session_id = s.id and not is_from_admin and read_at is null);
  m := chat_append(s, null, words, client);
  if not waiting then
    perform notify_staff('chat', 'New chat message', person_text(caller) || ': ' || left(words, 300), caller, m.id, 'high', jsonb_build_object('sessionId', s.id));
  end if;
  return json_build_object('status', 201, 'answer', chat_json(m));
end $$;

create or replace function chat_session_held(of_session uuid, admin uuid) returns chat_sessions language plpgsql as $$
declare
  s chat_sessions;
begin
  select * into s from chat_sessions where id = of_session for update;
  if not found then perform refuse('not_found', 'Not found.'); end if;
  perform refuse_own(admin, s.user_id);
  if s.ended_at is not null then
    perform refuse('conflict', person_text(s.ended_by) || ' has ended this chat. It begins again with the trader''s next message.');
  end if;
  return s;
end $$;

-- Ends a session that the caller has locked.
create or replace function chat_close(s chat_sessions, admin uuid, ip text, agent text) returns chat_sessions language plpgsql as $$
begin
  update chat_sessions set ended_at = clock_timestamp(), ended_by = admin, waiting_since = null where id = s.id returning * into s;
  update chat_messages set read_at = clock_timestamp() where user_id = s.user_id and session_id = s.id and not is_from_admin and read_at is null;
  perform audit_append(
    admin, s.user_id, 'chat.end', json_build_object('sessionId', s.id), json_build_object('status', 'open'), json_build_object('status', 'ended'), '', ip, agent
  );
  return s;
end $$;

-- An administrator writes; what the trader wrote before is read by that. `ends`: it is the last word of this chat. `seen`: the number of the
-- last message that it answers; another one since is a conflict.
create or replace function chat_answer(
  admin uuid, of_session uuid, words text, client uuid, ends boolean, seen bigint, ip text, agent text
) returns json language plpgsql as $$
declare
  earlier json;
  s chat_sessions;
  m chat_messages;
begin
  perform support_turn(admin);
  earlier := chat_said(admin, client);
  if earlier is not null then return earlier; end if;
  s := chat_session_held(of_session, admin);
  if seen < s.last_number then
    select * into m from chat_messages where user_id = s.user_id and number = s.last_number;
    perform refuse(
      'conflict', person_text(coalesce(m.admin_user_id, m.user_id)) || ' wrote here a moment ago. Read it first; send again if yours is still needed.'
    );
  end if;
  m := chat_append(s, admin, words, client);
  update chat_messages set read_at = clock_timestamp() where user_id = s.user_id and not is_from_admin and read_at is null and number < m.number;
  perform audit_append(
    admin, s.user_id, 'chat.answer', json_build_object('sessionId', s.id, 'messageId', m.id, 'message', words), '{}', '{}', '', ip, agent
  );
  if ends then perform chat_close(s, admin, ip, agent); end if;
  return json_build_object('status', 201, 'answer', chat_json(m));
end $$;

create or replace function chat_answer(admin uuid, of_session uuid, words text, client uuid, ip text, agent text) returns json language sql as $$
  select chat_answer(admin, of_session, words, client, false, null, ip, agent);
$$;

create or replace function chat_end(admin uuid, of_session uuid, ip text, agent text) returns json language plpgsql as $$
begin
  return chat_session_json(chat_close(chat_session_held(of_session, admin), admin, ip, agent))::json;
end $$;

-- What is written stays.
create or replace trigger chat_messages_stay before truncate on chat_messages for each statement execute function refuse_change();
create or replace trigger chat_messages_kept before delete on chat_messages for each row execute function refuse_kept();
