-- The operator's own words of letters.

create or replace trigger letter_texts_append_only before delete or update or truncate on letter_texts for each statement execute function refuse_change();

-- Other words of a letter, for those that are left from now on, as Markdown or as plain paragraphs; null: the house's own again. What changes nothing is
-- no version. Answers the newest.
create or replace function letter_text_put(
  admin uuid, of_letter text, seen integer, words_subject text, words_body text, markdown boolean, why text, ip text, agent text
) returns integer language plpgsql as $$
declare
  newest letter_texts;
begin
  perform refuse_own(admin, null);
  perform pg_advisory_xact_lock(hashtextextended('letter_texts ' || of_letter, 20));
  select * into newest from letter_texts where letter = of_letter order by version desc limit 1;
  if coalesce(newest.version, 0) <> seen then
    perform refuse('conflict', 'These words were changed meanwhile. Look at them again before you change them.');
  end if;
  if newest.subject is not distinct from words_subject and newest.body is not distinct from words_body and (newest.body is null or newest.is_markdown = markdown) then
    return seen;
  end if;
  insert into letter_texts (letter, version, subject, body, is_markdown, created_by, reason)
  values (of_letter, coalesce(newest.version, 0) + 1, words_subject, words_body, markdown and words_body is not null, admin, why);
  perform audit_append(
    admin, null, 'letter.write', json_build_object('letter', of_letter, 'version', coalesce(newest.version, 0) + 1), json_build_object('subject', newest.subject, 'body', newest.body),
    json_build_object('subject', words_subject, 'body', words_body), why, ip, agent
  );
  return coalesce(newest.version, 0) + 1;
end $$;

-- What the release before calls: its words are plain paragraphs.
create or replace function letter_text_put(
  admin uuid, of_letter text, seen integer, words_subject text, words_body text, why text, ip text, agent text
) returns integer language sql as $$
  select letter_text_put(admin, of_letter, seen, words_subject, words_body, false, why, ip, agent);
$$;
