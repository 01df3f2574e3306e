-- What the release before leaves its news of orders by, until its turn comes.

create or replace function notify_staff_list(
  kind text, titles text[], messages text[], abouts uuid[], relateds uuid[], priorities text[], metadatas jsonb[]
) returns void language sql as $$
  insert into notification_outbox (type, title, message, user_id, related_id, priority, metadata)
  select kind, left(title, 200), left(message, 1000), about, related, priority, metadata
  from unnest(titles, messages, abouts, relateds, priorities, metadatas) as n (title, message, about, related, priority, metadata);
$$;
