-- What the operator offers: changed by staff, each way in which it was offered kept.

-- Every change of a promotion is another version of it, whoever makes it.
create or replace function promotion_keep() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  insert into promotion_versions (
    promotion_id, version, title, amount, minimum_deposit, is_active, turnover, starts_at, ends_at, countries, since, changed_by, change_reason
  )
  values (
    new.id, new.version, new.title, new.amount, new.minimum_deposit, new.is_active, new.turnover, new.starts_at, new.ends_at, new.countries,
    clock_timestamp(), nullif(current_setting('halyard.changed_by', true), '')::uuid, nullif(current_setting('halyard.change_reason', true), '')
  );
  return new;
end $$;
create or replace trigger promotions_keep before update on promotions for each row execute function promotion_keep();
create or replace trigger promotion_versions_append_only before delete or update or truncate on promotion_versions for each statement execute function refuse_change();

-- What was on offer at an instant, as it was offered then.
create or replace function promotions_at(instant timestamptz) returns setof promotions language sql stable as $$
  select v.promotion_id, v.title, v.amount, v.minimum_deposit, v.is_active, v.turnover, v.starts_at, v.ends_at, v.countries, v.version
  from (select distinct on (promotion_id) * from promotion_versions where since <= instant order by promotion_id, version desc) v
  where v.is_active and (v.starts_at is null or v.starts_at <= instant) and (v.ends_at is null or v.ends_at > instant);
$$;

-- Whether it is offered to this person, by where he or she lives.
create or replace function promotion_is_for(promo promotions, person uuid) returns boolean language sql stable as $$
  select may_promote(person) and (promo.countries is null or exists (select from users where id = person and country = any (promo.countries)));
$$;

-- What is on offer to this person at an instant: those of which `promotion_is_for` says so, in words that a statement takes in as a part of itself.
create or replace function promotions_for(person uuid, instant timestamptz) returns setof promotions language sql stable as $$
  select p.id, p.title, p.amount, p.minimum_deposit, p.is_active, p.turnover, p.starts_at, p.ends_at, p.countries, p.version
  from users u
  left join jurisdictions j on j.country = u.country
  join promotions_at(instant) p on p.countries is null or u.country = any (p.countries)
  where u.id = person and coalesce(j.has_promotions, true);
$$;

-- Changes a promotion, whole: what `terms` names takes the place of what was. Answers the promotion.
create or replace function promotion_set(admin uuid, of_id text, seen integer, terms jsonb, why text, ip text, agent text) returns json language plpgsql as $$
declare
  before promotions;
  after promotions;
begin
  perform refuse_own(admin, null);
  select * into before from promotions where id = of_id for update;
  if not found then perform refuse('not_found', 'Not found.'); end if;
  if before.version <> seen then
    perform refuse('conflict', 'This promotion was changed meanwhile. Look at it again before you change it.');
  end if;
  after := jsonb_populate_record(before, terms);
  if after.ends_at <= after.starts_at then perform refuse('invalid', 'The end must be after the beginning', 'endsAt'); end if;
  perform set_config('halyard.changed_by', admin::text, true), set_config('halyard.change_reason', why, true);
  update promotions
  set title = after.title, amount = after.amount, minimum_deposit = after.minimum_deposit, is_active = after.is_active, turnover = after.turnover,
    starts_at = after.starts_at, ends_at = after.ends_at, countries = after.countries
  where id = of_id
  returning * into after;
  perform set_config('halyard.changed_by', '', true), set_config('halyard.change_reason', '', true);
  perform audit_append(admin, null, 'promotion.set', json_build_object('promotion', of_id, 'version', after.version), promotion_json(before), promotion_json(after), why, ip, agent);
  return promotion_json(after);
end $$;

create or replace function promotion_json(p promotions) returns json language sql stable as $$
  select json_build_object(
    'id', p.id, 'title', p.title, 'amount', p.amount::text, 'minimumDeposit', p.minimum_deposit::text, 'turnover', p.turnover, 'isActive', p.is_active,
    'startsAt', iso(p.starts_at), 'endsAt', iso(p.ends_at), 'countries', p.countries, 'version', p.version
  );
$$;
