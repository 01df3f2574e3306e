-- What holds for people by the country that they live in.

-- The rules of the country that a person lives in; all null where none are set, or the country was never said.
create or replace function jurisdiction_of(person uuid) returns jurisdictions language sql stable as $$
  select j from users u join jurisdictions j on j.country = u.country where u.id = person;
$$;

-- Refuses whoever lives where nobody is served; with `must_say` also who has not said where, while the operator has rules for countries.
create or replace function refuse_unserved(person uuid, must_say boolean default false) returns void language plpgsql as $$
declare
  home text;
begin
  if not exists (select from jurisdictions) then return; end if;
  select country into home from users where id = person;
  if home is null and must_say then
    perform refuse('country_missing', 'It is not known in which country this person lives. They say it themselves under Verification, or staff note it on their page.');
  elsif exists (select from jurisdictions where country = home and not is_served) then
    perform refuse('not_served', format('People who live in this country (%s) are not served here.', home));
  end if;
end $$;

-- Who may not be served is not approved.
create or replace function approval_served() returns trigger language plpgsql as $$
begin
  perform refuse_unserved(new.id, true);
  return new;
end $$;
create or replace trigger users_served before update of registration_status on users for each row when (new.registration_status = 'approved'::text and old.registration_status <> 'approved'::text and new.role = 'user'::text) execute function approval_served();

-- Nor does anybody register from there.
create or replace function newcomer_served() returns trigger language plpgsql as $$
begin
  if exists (select from jurisdictions where country = new.country and not is_served) then
    perform refuse('not_served', 'People who live in this country are not served here.', 'country');
  end if;
  return new;
end $$;
create or replace trigger users_served_newcomer before insert on users for each row when (new.country is not null) execute function newcomer_served();

-- The most leverage that a person's country allows for an instrument; null: no such rule.
create or replace function leverage_cap(person uuid, of_symbol text) returns integer language sql stable as $$
  select case i.class when 'major' then j.leverage_major when 'minor' then j.leverage_minor else j.leverage_crypto end
  from users u
  join jurisdictions j on j.country = u.country
  join instruments i on i.symbol = of_symbol
  where u.id = person;
$$;

-- By which version of the countries' rules an order of a person's in an instrument is placed, and where the person lives and what bounds it there, as far
-- as any country has rules. Of one statement,
-- since they belong together, which PostgreSQL writes into the one that asks.
create or replace function leverage_bound(person uuid, of_symbol text) returns table (country text, version integer, cap integer) language sql stable rows 1 as $$
  select (select u.country from users u where u.id = person and exists (select from jurisdictions)), (select max(v.version) from country_versions v),
    case when exists (select from jurisdictions) then leverage_cap(person, of_symbol) end;
$$;

-- The leverage at which a person's order in an instrument is dealt on an account of this one.
create or replace function leverage_for(person uuid, of_symbol text, own integer) returns integer language sql stable as $$
  select least(own, leverage_cap(person, of_symbol));
$$;

-- Whether bonuses may be paid to a person.
create or replace function may_promote(person uuid) returns boolean language sql stable as $$
  select not exists (select from users u join jurisdictions j on j.country = u.country where u.id = person and not j.has_promotions);
$$;

-- Notes where a person lives: the person once, staff at any time.
create or replace function country_set(actor uuid, person uuid, home text, why text, ip text, agent text) returns void language plpgsql as $$
declare
  before text;
begin
  if actor = person then
    perform 1 from users where id = person for no key update;
  else
    perform 1 from users where id in (actor, person) order by id for no key update;
    perform refuse_own(actor, person);
  end if;
  select country into before from users where id = person;
  if not found then perform refuse('not_found', 'Not found.'); end if;
  if actor = person and before is not null then perform refuse('conflict', 'Your country is noted already. Please write to us where it has changed.', 'country'); end if;
  if before = home then perform refuse('conflict', 'This is the country that is noted already.', 'country'); end if;
  perform country_note(person, home);
  if actor <> person then
    perform letter_post(person, 'country_changed', jsonb_build_object('from', before, 'to', home));
    perform tell_person(person, 'Your country was changed', 'Our staff noted another country for you. What holds there holds for your new orders.', 'info', null, '/verification', 'country');
    perform audit_append(actor, person, 'user.country', '{}', json_build_object('country', before), json_build_object('country', home), why, ip, agent);
  end if;
end $$;

-- Refuses (conflict) where the rules of one of these countries are not those that `seen` tells by version; one that it does not name had none. Null: they
-- were not looked at.
create or replace function jurisdictions_seen(countries text[], seen jsonb) returns void language plpgsql as $$
begin
  if exists (
    select from unnest(countries) as c (home) left join jurisdictions j on j.country = c.home
    where case when j.country is not null then version_of(to_jsonb(j)) else 'none' end <> coalesce(seen ->> c.home, case when seen is not null then 'none' end)
  ) then
    perform refuse('conflict', 'The rules of one of these countries were changed meanwhile. Look at them again before you change them.');
  end if;
end $$;

-- Sets the same rules in many countries. Refuses (conflict) where one stands otherwise than it was `seen`.
create or replace function jurisdictions_preset(admin uuid, countries text[], seen jsonb, rules jsonb, ip text, agent text) returns void language plpgsql as $$
begin
  perform refuse_own(admin, null);
  perform pg_advisory_xact_lock(hashtextextended('jurisdictions', 61));
  perform jurisdictions_seen(countries, seen);
  perform jurisdictions_set(admin, countries, null::text, rules, ip, agent);
end $$;

-- Sets the rules of countries, or takes them away where `rules` says null; with one line in the audit book for each. Refuses (conflict) where one stands
-- otherwise than it was `seen`: 'none' where it had no rules; null: it was not looked at.
create or replace function jurisdictions_set(admin uuid, countries text[], seen text, rules jsonb, ip text, agent text) returns void language plpgsql as $$
declare
  home text;
  before jurisdictions;
  after jurisdictions;
  changed jurisdictions[] := '{}';
begin
  perform refuse_own(admin, null);
  perform pg_advisory_xact_lock(hashtextextended('jurisdictions', 61));
  foreach home in array countries loop
    select * into before from jurisdictions where country = home;
    if coalesce(case when before.country is not null then version_of(to_jsonb(before)) end, 'none') <> seen then
      perform refuse('conflict', 'The rules of this country were changed meanwhile. Look at them again before you change them.');
    end if;
    after := null;
    if rules is null then
      continue when before.country is null;
    else
      -- What the rules don't name stays as it was.
      after := jsonb_populate_record(
        case when before.country is null then row(home, true, null, null, null, true, null)::jurisdictions else before end, rules || jsonb_build_object('country', home)
      );
      changed := changed || after;
    end if;
    perform audit_append(
      admin, null, 'jurisdiction.set', json_build_object('country', home), case when before.country is not null then to_json(before) end,
      case when after.country is not null then to_json(after) end, '', ip, agent
    );
  end loop;
  -- All of them at once, which is one version.
  if rules is null then
    delete from jurisdictions where country = any (countries);
  else
    insert into jurisdictions (country, is_served, leverage_major, leverage_minor, leverage_crypto, has_promotions, warning)
    select c.country, c.is_served, c.leverage_major, c.leverage_minor, c.leverage_crypto, c.has_promotions, c.warning from unnest(changed) c
    on conflict (country) do update
    set is_served = excluded.is_served, leverage_major = excluded.leverage_major, leverage_minor = excluded.leverage_minor,
      leverage_crypto = excluded.leverage_crypto, has_promotions = excluded.has_promotions, warning = excluded.warning;
  end if;
end $$;

-- The countries' rules are terms of accounts, which go into the public log.
create or replace trigger jurisdictions_logged after insert or delete or update on jurisdictions for each statement execute function proof_note_terms();

-- What a version of the countries' rules says, of all of them.
create or replace function country_rules() returns jsonb language sql stable as $$
  select coalesce(jsonb_object_agg(j.country, jsonb_build_object(
    'isServed', j.is_served, 'leverageMajor', j.leverage_major, 'leverageMinor', j.leverage_minor, 'leverageCrypto', j.leverage_crypto
  )), '{}')
  from jurisdictions j;
$$;

-- Whoever changes them makes a version.
create or replace function country_rules_kept() returns trigger language plpgsql as $$
begin
  insert into country_versions (version, rules)
  select n.version + 1, r.rules
  from (select v.version, v.rules from country_versions v order by v.version desc limit 1) n cross join (select country_rules() as rules) r
  where r.rules <> n.rules;
  return null;
end $$;
create or replace trigger jurisdictions_kept after insert or delete or update on jurisdictions for each statement execute function country_rules_kept();
create or replace trigger country_versions_append_only before delete or update or truncate on country_versions for each statement execute function refuse_change();
create or replace trigger country_versions_logged after insert on country_versions for each row execute function proof_note_row('countries', 'version');
