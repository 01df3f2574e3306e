-- What the release before calls: its administrators name no version that they looked at.

create or replace function level_rules_set(admin uuid, rules json, ip text, agent text) returns void language sql as $$
  select level_rules_set(admin, null, rules, ip, agent);
$$;

create or replace function jurisdictions_set(admin uuid, countries text[], rules jsonb, ip text, agent text) returns void language sql as $$
  select jurisdictions_set(admin, countries, null, rules, ip, agent);
$$;
