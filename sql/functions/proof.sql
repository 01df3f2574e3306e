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

-- The same of ticks: those of one second are told together.
create or replace function proof_note_ticks() returns trigger language plpgsql as $$
begin
  insert into proof_outbox (kind, ref)
  select 'ticks', min(told.seq) || '-' || max(told.seq) from told group by told.source, date_trunc('second', told.received_at) order by min(told.seq);
  return null;
end $$;

-- Terms are told as they stand when they are put into the log.
create or replace function proof_note_terms() returns trigger language plpgsql as $$
begin
  insert into proof_outbox (kind, ref) values ('terms', 'changed');
  return null;
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
