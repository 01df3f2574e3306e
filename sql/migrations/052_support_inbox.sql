-- One inbox of tickets and chats: since when a chat's trader waits for staff, as tickets have it; and tickets that were merged into another
-- of the same person.
alter table chat_sessions add column waiting_since timestamptz, add constraint chat_sessions_waiting_check check (waiting_since is null or ended_at is null);
update chat_sessions s
set waiting_since = (
  select min(m.created_at)
  from chat_messages m
  where m.session_id = s.id and not m.is_from_admin
    and m.number > coalesce((select max(a.number) from chat_messages a where a.session_id = s.id and a.is_from_admin), 0)
)
where ended_at is null;
create index chat_sessions_waiting on chat_sessions (waiting_since) where waiting_since is not null;

alter table support_tickets
  add column merged_into uuid references support_tickets (id),
  add column merged_at timestamptz,
  add constraint support_tickets_merged_check check (
    (merged_into is null) = (merged_at is null)
    and (merged_into is null or (merged_into <> id and status = 'closed' and waiting_since is null))
  );
create index support_tickets_merged on support_tickets (merged_into) where merged_into is not null;

-- The inbox of everything goes by what was touched last.
create index support_tickets_touched on support_tickets (updated_at desc, id desc);

-- A chat is found by its words.
create index chat_messages_search on chat_messages using gin (letter_groups(lower(message), 3));
