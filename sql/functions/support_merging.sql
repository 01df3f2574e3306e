-- Tickets of one person that become one. Locks: the owner's turn, the tickets by their ids, the audit head.

-- Refuses what staff decide about a ticket that goes on in another.
create or replace function refuse_merged(t support_tickets) returns void language plpgsql as $$
begin
  if t.merged_into is not null then
    perform refuse('conflict', 'This ticket was merged into “' || (select subject from support_tickets where id = t.merged_into) || '”. It goes on there.');
  end if;
end $$;

-- An administrator merges tickets of one person into one of them: what was said in them is shown there, they are closed for good, and what
-- waited in them waits there. What was merged into them before is merged into it now, so that a ticket leads to one that goes on.
create or replace function ticket_merge(
  admin uuid, of_ticket uuid, others uuid[], ip text, agent text, once_key text, once_fingerprint text
) returns json language plpgsql as $$
declare
  earlier json;
  owner uuid;
  t support_tickets;
  before support_tickets;
  o support_tickets;
  merged support_tickets[] := '{}';
begin
  earlier := once_begin(admin, once_key, once_fingerprint);
  if earlier is not null then return earlier; end if;
  select user_id into owner from support_tickets where id = of_ticket;
  if not found then perform refuse('not_found', 'Not found.'); end if;
  perform support_turn(owner);
  perform 1 from support_tickets where id = of_ticket or id = any (others) or merged_into = any (others) order by id for update;
  select * into t from support_tickets where id = of_ticket;
  perform refuse_own(admin, owner);
  perform refuse_merged(t);
  before := t;
  if of_ticket = any (others) then perform refuse('invalid', 'A ticket can''t be merged into itself.', 'tickets'); end if;
  for o in select * from support_tickets where id = any (others) order by created_at, id loop
    if o.user_id <> owner then
      perform refuse('other_person', '“' || o.subject || '” is another person''s. Only tickets of one person can be merged.');
    elsif o.merged_into is not null then
      perform refuse('conflict', '“' || o.subject || '” was merged already.');
    elsif o.position_id is not null then
      perform refuse('conflict', '“' || o.subject || '” objects to a settlement and stays by itself. Merge the others into it.');
    end if;
    merged := merged || o;
    t.waiting_since := least(t.waiting_since, o.waiting_since);
    -- Nobody's promise becomes longer by it.
    if o.waiting_since is not null and array_position(array['low', 'medium', 'high', 'urgent'], o.priority) > array_position(array['low', 'medium', 'high', 'urgent'], t.priority) then
      t.priority := o.priority;
    end if;
    if o.responded_at > coalesce(t.responded_at, '-infinity') then
      t.responded_at := o.responded_at;
      t.admin_response := o.admin_response;
    end if;
    t.assigned_to := coalesce(t.assigned_to, o.assigned_to);
  end loop;
  if cardinality(merged) = 0 or cardinality(merged) <> (select count(distinct each) from unnest(others) as each) then perform refuse('not_found', 'Not found.'); end if;
  if t.waiting_since is not null and t.status in ('resolved', 'closed') then
    t.status := 'open';
    t.resolved_at := null;
    t.resolved_by := null;
  end if;
  update support_tickets
  set status = 'closed', merged_into = t.id, merged_at = clock_timestamp(), waiting_since = null, is_unread = false, version = version + 1, updated_at = clock_timestamp()
  where id = any (others);
  update support_tickets set merged_into = t.id where merged_into = any (others);
  -- Its owner finds it marked as new: what was said elsewhere stands in it.
  update support_tickets
  set status = t.status, priority = t.priority, waiting_since = t.waiting_since, admin_response = t.admin_response, responded_at = t.responded_at,
    assigned_to = t.assigned_to, resolved_at = t.resolved_at, resolved_by = t.resolved_by, is_unread = true, version = version + 1, updated_at = clock_timestamp()
  where id = t.id
  returning * into t;
  perform audit_append(
    admin, owner, 'ticket.merge',
    json_build_object(
      'ticketId', t.id, 'subject', t.subject, 'merged', (select string_agg(m.subject, '; ') from unnest(merged) m),
      'mergedIds', (select string_agg(m.id::text, ' ') from unnest(merged) m)
    ),
    json_build_object('status', before.status, 'priority', before.priority), json_build_object('status', t.status, 'priority', t.priority), '', ip, agent
  );
  return once_answer(admin, once_key, 200, ticket_agent_json(t)::json);
end $$;
