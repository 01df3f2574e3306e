-- What the operator claims of the house, and on what evidence.

create or replace trigger house_claims_append_only before delete or update or truncate on house_claims for each statement execute function refuse_change();

-- Each claim as it is said now.
create or replace function house_claims_now() returns setof house_claims language sql stable as $$
  select distinct on (id) * from house_claims order by id, version desc;
$$;

-- Another version of a claim, or a new one where it has no id; what `said` leaves out stays as it was. Answers its id.
create or replace function house_claim_put(admin uuid, of_id uuid, seen integer, said jsonb, why text, ip text, agent text) returns uuid language plpgsql as $$
declare
  before house_claims;
  after house_claims;
begin
  perform refuse_own(admin, null);
  if of_id is not null then
    perform pg_advisory_xact_lock(hashtextextended('house_claims ' || of_id, 20));
    select * into before from house_claims where id = of_id order by version desc limit 1;
    if not found then perform refuse('not_found', 'Not found.'); end if;
    if before.version <> seen then perform refuse('conflict', 'This claim was changed meanwhile. Look at it again before you change it.'); end if;
  end if;
  after := jsonb_populate_record(before, said);
  if after.ends_at <= after.starts_at then perform refuse('invalid', 'The end must be after the beginning', 'endsAt'); end if;
  insert into house_claims (id, version, kind, text, evidence, link, starts_at, ends_at, created_by, reason)
  values (
    coalesce(of_id, gen_random_uuid()), coalesce(before.version, 0) + 1, after.kind, after.text, after.evidence, after.link, after.starts_at,
    after.ends_at, admin, why
  )
  returning * into after;
  perform audit_append(
    admin, null, 'claim.put', json_build_object('claim', after.id, 'version', after.version),
    coalesce(to_json(before), '{}'), to_json(after), why, ip, agent
  );
  return after.id;
end $$;
