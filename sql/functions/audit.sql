-- What staff did, hash-chained: each entry's hash covers the one before, so a change anywhere shows from there on.

-- Stable and not immutable, as what it is made of: so a check that reads the whole book has it as a part of its own statement, in less than half the time.
create or replace function audit_hash(a admin_actions) returns text language sql stable as $$
  select encode(sha256(convert_to(json_build_array(
    a.previous_hash, a.id, a.admin_user_id, a.target_user_id, a.action, a.details::text, a.previous_state::text, a.new_state::text,
    a.reason, a.ip_address, a.user_agent, extract(epoch from a.created_at)
  )::text, 'UTF8')), 'hex');
$$;

-- Writes one entry; the head row's lock makes 'read last, insert next' one step. Last in every lock order.
create or replace function audit_append(
  admin uuid, target uuid, deed text, deed_details json, before_state json, after_state json, why text, ip text, agent text
) returns bigint language plpgsql as $$
declare
  head audit_head;
  entry admin_actions;
begin
  select * into head from audit_head for update;
  entry := row(
    head.last_id + 1, admin, target, deed, coalesce(deed_details, '{}'), coalesce(before_state, '{}'), coalesce(after_state, '{}'),
    coalesce(why, ''), left(coalesce(ip, ''), 64), left(coalesce(agent, ''), 512), clock_timestamp(), head.hash, ''
  );
  entry.hash := audit_hash(entry);
  insert into admin_actions overriding system value values (entry.*);
  update audit_head set hash = entry.hash, last_id = entry.id;
  return entry.id;
end $$;

-- What is written stays.
create or replace trigger admin_actions_append_only before delete or update or truncate on admin_actions for each statement execute function refuse_change();
create or replace trigger admin_actions_logged after insert on admin_actions referencing new table as told for each statement execute function proof_note('audit');
