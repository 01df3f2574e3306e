-- The public log: what is left for it, and what of it stays as it was written.

-- Leaves new rows of an append-only table, by their ids: the kind is the trigger's argument.
create or replace function proof_note() returns trigger language plpgsql as $$
begin
  insert into proof_outbox (kind, ref) select tg_argv[0], told.id::text from told order by told.id;
  return null;
end $$;

-- The same of one row, by the columns that the trigger's further arguments name.
create or replace function proof_note_row() returns trigger language plpgsql as $$
begin
  insert into proof_outbox (kind, ref)
  select tg_argv[0], string_agg(to_jsonb(new) ->> c.name, ':' order by c.place) from unnest(tg_argv) with ordinality as c (name, place) where c.place > 1;
  return null;
end $$;

-- The same of ticks: those of one second are told together, counted from the first of those that are stored at a time, since what is stored each second
-- nearly always lies in two of the clock's.
create or replace function proof_note_ticks() returns trigger language plpgsql as $$
begin
  insert into proof_outbox (kind, ref)
  select 'ticks', min(t.seq) || '-' || max(t.seq)
  from (select seq, source, received_at, min(received_at) over (partition by source) as since from told) t
  group by t.source, date_bin('1 second', t.received_at, t.since) order by min(t.seq);
  return null;
end $$;

-- Terms are told as they stand when they are put into the log.
create or replace function proof_note_terms() returns trigger language plpgsql as $$
begin
  insert into proof_outbox (kind, ref) values ('terms', 'changed');
  return null;
end $$;

-- What a round of the log begins with, each part asked once the one before is done: whether the program still leads; the log that is appended to, held until
-- the transaction ends, null before the first one; the oldest notes of these kinds, at most so many, which are gone then; and how far each of these tables
-- was read, with whether every transaction has ended that was there when its gaps began to age. What a later statement reads is all that was over by then.
-- Whatever the transaction asks from here on is planned once for its connection: what it reads is found by number, whatever the numbers are.
create or replace function proof_round(of_epoch bigint, kinds text[], tables text[], most integer, out log proof_logs, out notes json, out marks json)
language plpgsql as $$
begin
  perform lead_fence(of_epoch), set_config('plan_cache_mode', 'force_generic_plan', true);
  select l.* into log from proof_logs l where l.ended_at is null for update;
  with taken as (
    delete from proof_outbox where id in (select o.id from proof_outbox o where o.kind = any (kinds) order by o.id limit most) returning id, kind, ref, at
  )
  select coalesce(json_agg(json_build_object('id', t.id, 'kind', t.kind, 'ref', t.ref, 'at', iso(t.at)) order by t.id), '[]') into notes from taken t;
  select coalesce(json_agg(json_build_object(
    'note', m.note, 'high', m.high, 'gaps', m.gaps, 'aging', m.aging, 'isOver', coalesce(pg_snapshot_xmin(pg_current_snapshot()) >= m.horizon, true)
  )), '[]') into marks from proof_marks m where m.note = any (tables);
end $$;

-- A tile only grows, and ends full.
create or replace function proof_tile_grows() returns trigger language plpgsql as $$
begin
  if (new.log, new.level, new.n) <> (old.log, old.level, old.n)
    or substring(new.hashes from 1 for octet_length(old.hashes)) is distinct from old.hashes
  then
    raise exception 'a tile of the log only grows' using errcode = '42501';
  end if;
  return new;
end $$;

-- A log only grows; one that has ended stays as it is.
create or replace function proof_log_grows() returns trigger language plpgsql as $$
begin
  if old.ended_at is not null or new.size < old.size or (new.number, new.origin) <> (old.number, old.origin) or (new.size = old.size and new.root is distinct from old.root)
  then
    raise exception 'a log only grows' using errcode = '42501';
  end if;
  return new;
end $$;

-- What is written stays.
create or replace trigger proof_entries_append_only before delete or update or truncate on proof_entries for each statement execute function refuse_change();
create or replace trigger proof_batches_append_only before delete or update or truncate on proof_batches for each statement execute function refuse_change();
create or replace trigger proof_tiles_grow before update on proof_tiles for each row execute function proof_tile_grows();
create or replace trigger proof_tiles_stay before delete or truncate on proof_tiles for each statement execute function refuse_change();
create or replace trigger proof_logs_grow before update on proof_logs for each row execute function proof_log_grows();
create or replace trigger proof_logs_stay before delete or truncate on proof_logs for each statement execute function refuse_change();
