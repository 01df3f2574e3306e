-- A trader's objection to a correction is a support ticket, about the position.

-- What was objected before there were tickets has none.
alter table disputes add column ticket_id uuid references support_tickets (id);

create or replace function correction_dispute(caller uuid, of_position uuid, words text) returns json language plpgsql as $$
declare
  d disputes;
  t support_tickets;
  p positions;
begin
  select * into p from positions where id = of_position and user_id = caller;
  if not found then perform refuse('not_found', 'Not found.'); end if;
  if not exists (select from corrections where position_id = of_position) then
    perform refuse('conflict', 'Only a position that an administrator settled can be disputed.');
  end if;
  if words = '' then perform refuse('invalid', 'Please say what is wrong.', 'message'); end if;
  perform support_turn(caller);
  if exists (select from disputes where position_id = of_position) then perform refuse('conflict', 'You have already disputed this settlement.'); end if;
  t := ticket_write(caller, format('Dispute: settlement of %s %s', upper(p.side), p.symbol), words, 'trading', 'high', of_position);
  insert into disputes (position_id, user_id, message, ticket_id) values (of_position, caller, words, t.id) returning * into d;
  return json_build_object('id', d.id, 'positionId', d.position_id, 'message', d.message, 'createdAt', iso(d.created_at), 'ticketId', t.id);
end $$;

create or replace function dispute_news() returns trigger language plpgsql as $$
begin
  perform notify_staff(
    'correction', 'Objection to a correction', person_text(new.user_id) || ': ' || new.message, new.user_id, new.id, 'high',
    jsonb_build_object('positionId', new.position_id, 'ticketId', new.ticket_id)
  );
  return null;
end $$;

-- What the trader is told of a correction, and the ticket about it.
create function correction_told(of_position uuid) returns jsonb language sql stable as $$
  select correction_json(of_position)::jsonb || jsonb_build_object('ticketId', (select ticket_id from disputes where position_id = of_position));
$$;
