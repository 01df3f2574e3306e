-- The house's name, colours and pictures.

create or replace trigger brand_versions_append_only before delete or update or truncate on brand_versions for each statement execute function refuse_change();

-- A version as the staff's book keeps it: a picture by its hash.
create or replace function brand_told(b brand_versions) returns jsonb language sql immutable as $$
  select jsonb_build_object(
    'name', b.name, 'sender', b.sender, 'accentLight', b.accent_light, 'accentDark', b.accent_dark,
    'logo', encode(sha256(b.logo), 'hex'), 'icon', encode(sha256(b.icon), 'hex')
  );
$$;

-- The next version; what `said` leaves out stays as it was, `named` where there was none. Answers its number.
create or replace function brand_put(admin uuid, seen integer, named text, said jsonb, why text, ip text, agent text) returns integer language plpgsql as $$
declare
  before brand_versions;
  after brand_versions;
begin
  perform refuse_own(admin, null);
  perform pg_advisory_xact_lock(hashtextextended('brand', 20));
  select * into before from brand_versions order by version desc limit 1;
  if coalesce(before.version, 0) <> seen then perform refuse('conflict', 'The brand was changed meanwhile. Look at it again before you change it.'); end if;
  after := jsonb_populate_record(before, said);
  insert into brand_versions (version, name, sender, accent_light, accent_dark, logo, icon, created_by, reason)
  values (seen + 1, coalesce(after.name, named), coalesce(after.sender, ''), after.accent_light, after.accent_dark, after.logo, after.icon, admin, why)
  returning * into after;
  perform audit_append(
    admin, null, 'brand.put', json_build_object('version', after.version),
    case when before.version is null then '{}' else brand_told(before)::json end, brand_told(after)::json, why, ip, agent
  );
  return after.version;
end $$;
