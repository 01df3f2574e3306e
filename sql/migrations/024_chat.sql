-- Live chat between a trader and staff. Locks: the session, the people, the audit head.

-- A conversation: it begins with the trader's first message and ends when staff say so; the next message begins another.
create table chat_sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id),
  -- The number of its newest message. Each is given while this row is locked, so numbers come in the order in which readers see them.
  last_number bigint not null,
  last_message text not null check (length(last_message) <= 200),
  last_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  ended_by uuid references users (id),
  -- Milliseconds are what the outside sees; more would make a list's cursor skip rows.
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  check ((ended_at is null) = (ended_by is null))
);
create unique index chat_sessions_open on chat_sessions (user_id) where ended_at is null;
create index chat_sessions_user on chat_sessions (user_id, last_number desc);
create index chat_sessions_newest on chat_sessions (last_at desc, id desc);

create table chat_messages (
  id uuid primary key default gen_random_uuid(),
  session_id uuid not null references chat_sessions (id),
  -- Whose chat it is, whoever wrote the message.
  user_id uuid not null references users (id),
  admin_user_id uuid references users (id),
  -- Counts up through all of a person's sessions: whoever asks for what is above the last number seen misses nothing.
  number bigint not null check (number > 0),
  message text not null check (length(message) between 1 and 5000),
  message_type text not null default 'text' check (message_type in ('text')),
  is_from_admin boolean not null,
  -- Made by the sender's browser: the same one again is the same message.
  client_id uuid not null,
  read_at timestamptz,
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  unique (user_id, number),
  check (is_from_admin = (admin_user_id is not null))
);
create unique index chat_messages_client on chat_messages (coalesce(admin_user_id, user_id), client_id);
create index chat_messages_session on chat_messages (session_id, number desc);
create index chat_messages_unread on chat_messages (user_id, is_from_admin) where read_at is null;
create index chat_messages_age on chat_messages (user_id, created_at);

-- All but whether it was read stays as it was written.
create function chat_keeps_words() returns trigger language plpgsql as $$
begin
  old.read_at := new.read_at;
  if new is distinct from old then raise exception 'chat_messages is append-only' using errcode = '42501'; end if;
  return new;
end $$;
create trigger chat_messages_keep_words before update on chat_messages for each row execute function chat_keeps_words();
create trigger chat_messages_stay before delete or truncate on chat_messages for each statement execute function refuse_change();

create function chat_json(m chat_messages) returns jsonb language sql stable as $$
  select jsonb_build_object(
    'id', m.id, 'sessionId', m.session_id, 'userId', m.user_id, 'adminUserId', m.admin_user_id, 'number', m.number, 'message', m.message,
    'messageType', m.message_type, 'isFromAdmin', m.is_from_admin, 'author', person_text(coalesce(m.admin_user_id, m.user_id)),
    'isRead', m.read_at is not null, 'readAt', iso(m.read_at), 'fileUrl', null, 'clientId', m.client_id, 'createdAt', iso(m.created_at)
  );
$$;

create function chat_session_json(s chat_sessions) returns jsonb language sql stable as $$
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
create function chat_said(sender uuid, client uuid) returns json language sql stable as $$
  select json_build_object('status', 201, 'answer', chat_json(m), 'repeated', true)
  from chat_messages m
  where coalesce(m.admin_user_id, m.user_id) = sender and m.client_id = client;
$$;

create function chat_append(s chat_sessions, admin uuid, words text, client uuid) returns chat_messages language plpgsql as $$
declare
  m chat_messages;
begin
  insert into chat_messages (session_id, user_id, admin_user_id, number, message, is_from_admin, client_id)
  values (s.id, s.user_id, admin, s.last_number + 1, words, admin is not null, client)
  returning * into m;
  update chat_sessions set last_number = m.number, last_message = left(words, 200), last_at = clock_timestamp() where id = s.id;
  return m;
end $$;

-- The trader writes, into the session that is open or a new one. Staff hear of the first message that nobody has read.
create function chat_say(caller uuid, words text, client uuid) returns json language plpgsql as $$
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

create function chat_session_held(of_session uuid, admin uuid) returns chat_sessions language plpgsql as $$
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

-- An administrator writes; what the trader wrote before is read by that.
create function chat_answer(admin uuid, of_session uuid, words text, client uuid, ip text, agent text) returns json language plpgsql as $$
declare
  earlier json;
  s chat_sessions;
  m chat_messages;
begin
  perform support_turn(admin);
  earlier := chat_said(admin, client);
  if earlier is not null then return earlier; end if;
  s := chat_session_held(of_session, admin);
  m := chat_append(s, admin, words, client);
  update chat_messages set read_at = clock_timestamp() where user_id = s.user_id and not is_from_admin and read_at is null and number < m.number;
  perform audit_append(
    admin, s.user_id, 'chat.answer', json_build_object('sessionId', s.id, 'messageId', m.id, 'message', words), '{}', '{}', '', ip, agent
  );
  return json_build_object('status', 201, 'answer', chat_json(m));
end $$;

create function chat_end(admin uuid, of_session uuid, ip text, agent text) returns json language plpgsql as $$
declare
  s chat_sessions;
begin
  s := chat_session_held(of_session, admin);
  update chat_sessions set ended_at = clock_timestamp(), ended_by = admin where id = s.id returning * into s;
  update chat_messages set read_at = clock_timestamp() where user_id = s.user_id and session_id = s.id and not is_from_admin and read_at is null;
  perform audit_append(
    admin, s.user_id, 'chat.end', json_build_object('sessionId', s.id), json_build_object('status', 'open'), json_build_object('status', 'ended'), '', ip, agent
  );
  return chat_session_json(s)::json;
end $$;
