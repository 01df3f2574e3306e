-- The operator's own texts, and who accepted the terms.

create or replace trigger page_texts_append_only before delete or update or truncate on page_texts for each statement execute function refuse_change();
create or replace trigger term_acceptances_append_only before delete or update or truncate on term_acceptances for each statement execute function refuse_change();

-- The version of a page's text that holds now; null: the program's own.
create or replace function page_text_version(of_page text) returns integer language sql stable as $$
  select max(version) from page_texts where page = of_page and since <= now();
$$;

-- Another version of a page's text, from an instant on. One that is to hold before an earlier one does is refused: versions follow each other.
create or replace function page_text_publish(
  admin uuid, of_page text, text_body text, accept boolean, from_when timestamptz, why text, ip text, agent text
) returns integer language plpgsql as $$
declare
  made page_texts;
begin
  perform refuse_own(admin, null);
  perform pg_advisory_xact_lock(hashtextextended('page_texts ' || of_page, 20));
  if exists (select from page_texts where page = of_page and since > coalesce(from_when, clock_timestamp())) then
    perform refuse('conflict', 'A later version waits already for its day. This one can hold from that day on, not before it.', 'effectiveAt');
  end if;
  insert into page_texts (page, version, body, must_accept, since, created_by, reason)
  values (
    of_page, coalesce((select max(version) from page_texts where page = of_page), 0) + 1, text_body, accept,
    coalesce(from_when, date_trunc('milliseconds', clock_timestamp())), admin, why
  )
  returning * into made;
  perform audit_append(
    admin, null, 'page.publish', json_build_object('page', of_page, 'version', made.version, 'since', iso(made.since), 'mustAccept', accept),
    json_build_object('sha256', (select encode(sha256(convert_to(body, 'UTF8')), 'hex') from page_texts where page = of_page and version = made.version - 1)),
    json_build_object('sha256', encode(sha256(convert_to(text_body, 'UTF8')), 'hex')), why, ip, agent
  );
  return made.version;
end $$;

-- The newest version of the terms that everybody is asked to accept; null: none is.
create or replace function terms_to_accept() returns integer language sql stable as $$
  select max(version) from page_texts where page = 'terms' and must_accept and since <= now();
$$;

-- Notes that somebody accepted the terms that hold now. Once; the first time counts.
create or replace function terms_accept(person uuid, seen integer) returns void language plpgsql as $$
begin
  if seen is distinct from page_text_version('terms') then
    perform refuse('conflict', 'The terms of service changed meanwhile. Please read the version that holds now.');
  end if;
  insert into term_acceptances (user_id, version, way) values (person, seen, 'asked') on conflict do nothing;
end $$;

-- Who registers accepts what holds then, as the form says.
create or replace function terms_accept_first() returns trigger language plpgsql as $$
begin
  insert into term_acceptances (user_id, version, way) select new.id, v, 'registration' from page_text_version('terms') v where v is not null;
  return null;
end $$;
create or replace trigger users_accept_terms after insert on users for each row execute function terms_accept_first();
