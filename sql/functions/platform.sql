-- Refusals, answers that are kept for a repeat, and how times are written.

-- A rule's refusal, as the program understands it: the code in DETAIL, the field in HINT.
create or replace function refuse(code text, message text, field text default '') returns void language plpgsql as $$
begin
  raise exception using errcode = 'HL001', message = message, detail = code, hint = field;
end $$;

-- Claims a key for one command. Null: go ahead and finish with once_end in the same transaction. Otherwise the first
-- answer. A second caller with the same key waits here until the first one commits.
create or replace function once_begin(caller uuid, once_key text, once_fingerprint text) returns json language plpgsql as $$
declare
  found_row idempotency;
begin
  if once_key is null then return null; end if;
  insert into idempotency (user_id, key, fingerprint, status, answer)
  values (caller, once_key, once_fingerprint, 0, 'null')
  on conflict do nothing;
  if found then return null; end if;
  select * into found_row from idempotency where user_id = caller and key = once_key;
  if found_row.fingerprint <> once_fingerprint then
    perform refuse('conflict', 'This Idempotency-Key was used for a different request.');
  end if;
  return json_build_object('status', found_row.status, 'answer', found_row.answer, 'repeated', true);
end $$;

create or replace function once_end(caller uuid, once_key text, answer_status integer, answer_body json) returns void language sql as $$
  update idempotency set status = answer_status, answer = answer_body where user_id = caller and key = once_key;
$$;

-- The same for many commands in one transaction: claims what keys are free, and answers with their places in the list. A claim is either
-- answered by once_end_list or taken back by it.
create or replace function once_begin_list(callers uuid[], once_keys text[], fingerprints text[]) returns integer[] language sql as $$
  with asked as (
    select caller, key, fingerprint, place::integer from unnest(callers, once_keys, fingerprints) with ordinality as l (caller, key, fingerprint, place)
  ), claimed as (
    insert into idempotency (user_id, key, fingerprint, status, answer)
    -- In one order everywhere, so that two lists can't wait for each other.
    select caller, key, fingerprint, 0, 'null' from asked order by caller, key, place
    on conflict do nothing
    returning user_id, key
  )
  -- Of one key that comes twice the first has it.
  select coalesce(array_agg(place), '{}')
  from (select min(a.place) as place from asked a join claimed c on c.user_id = a.caller and c.key = a.key group by a.caller, a.key) first;
$$;

create or replace function once_end_list(callers uuid[], once_keys text[], answer_status integer, answers json[]) returns void language sql as $$
  with done as (
    update idempotency i set status = answer_status, answer = l.answer
    from unnest(callers, once_keys, answers) as l (caller, key, answer)
    where i.user_id = l.caller and i.key = l.key and l.answer is not null
  )
  delete from idempotency i using unnest(callers, once_keys, answers) as l (caller, key, answer) where i.user_id = l.caller and i.key = l.key and l.answer is null;
$$;

-- Ends a command with its answer, which a repeat of the same key hears again.
create or replace function once_answer(caller uuid, once_key text, answer_status integer, answer json) returns json language plpgsql as $$
begin
  if once_key is not null then perform once_end(caller, once_key, answer_status, answer); end if;
  return json_build_object('status', answer_status, 'answer', answer);
end $$;

-- Which way something stands, for whoever looks at it and changes it later: it comes of what is said, not of a count. So whatever writes it makes another
-- version, a program that knows nothing of versions too; and who looked at the same is not refused for what was put back meanwhile.
create or replace function version_of(said jsonb) returns text language sql immutable strict parallel safe as $$
  select left(encode(sha256(convert_to(said::text, 'UTF8')), 'hex'), 16);
$$;

create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = '42501';
end $$;

-- What may not be said anew: the terms of a deal or a request, and all of it once it has ended.
create or replace function refuse_rewrite() returns trigger language plpgsql as $$
begin
  raise exception '% keeps what it says: no command changes a row so', tg_table_name using errcode = '42501';
end $$;

-- One text to search, each of its words after a space, and its groups of two and of three letters: by these an index finds a part of a name or
-- an address. A plain PostgreSQL has no index for parts of a text; this one needs no extension.
create or replace function letter_groups(words text, letters int) returns text[] language sql immutable strict parallel safe as $$
  select array(select distinct substr(words, n, letters) from generate_series(1, length(words) - letters + 1) n)
$$;

-- Stable, as to_char is: PostgreSQL writes it into the statement that calls it.
create or replace function iso(at timestamptz) returns text language sql stable as $$
  select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
$$;
