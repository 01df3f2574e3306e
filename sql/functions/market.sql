-- Where the replay of a file stands; begins one where none is under way. Answers the number of its first tick, how many of its ticks are
-- recorded, and the newest one that was dealt on. Both count from 1; 0 is none.
create or replace function replay_resume(of_file text, out first bigint, out recorded bigint, out dealt bigint) language plpgsql as $$
declare
  size bigint := (select increment_by from pg_sequences where schemaname = current_schema() and sequencename = 'tick_numbers');
begin
  select r.first into first from replays r where r.fingerprint = of_file and r.ended_at is null order by r.first desc limit 1;
  if not found then
    insert into replays (first, fingerprint) values (nextval('tick_numbers'), of_file) returning replays.first into first;
  end if;
  select coalesce(max(t.seq) - first + 1, 0) into recorded from ticks t where t.seq between first and first + size - 1;
  select coalesce(max(d.seq) - first + 1, 0) into dealt
  from (
    select max(quote_seq) as seq from fills where quote_seq between first and first + size - 1
    union all select max(since_seq) from positions where since_seq between first and first + size - 1
    union all select max(judged_seq) from trading_accounts where judged_seq between first and first + size - 1
  ) d;
end $$;

-- A price for the eye, as screens write it: its thousands grouped, at least so many decimals (one or more), further ones where it has them.
create or replace function price_digits(price numeric, digits integer) returns text language sql immutable as $$
  select trim(to_char(price, '999,999,999,990.' || repeat('0', greatest(digits, scale(trim_scale(price))))));
$$;

-- What was quoted goes into the public log, in the recorder's transaction.
create or replace trigger ticks_logged after insert on ticks referencing new table as told for each statement execute function proof_note_ticks();
create or replace trigger instruments_logged after insert or delete or update on instruments for each statement execute function proof_note_terms();

-- What an instrument adds to every account's spread now, in pips.
create or replace function markup_of(of_symbol text) returns numeric language sql stable as $$
  select (select i.markup from instruments i where i.symbol = of_symbol);
$$;

-- What a version adds to every account's spread, in pips; 0 is before there was any.
create or replace function markup_said(of_symbol text, of_version integer) returns numeric language sql stable as $$
  select coalesce((select t.markup from instrument_terms t where t.symbol = of_symbol and t.version = of_version), 0);
$$;

-- The mark-up by which is closed what was opened on the version `own` (null: before there was any): that of now, or, while a notice runs, one of
-- before. One expression, which PostgreSQL writes into the statement that calls it.
create or replace function markup_held(i instruments, own integer) returns numeric language sql stable as $$
  select case when i.applied = i.version or own = i.version then i.markup else markup_said(i.symbol, greatest(own, i.applied)) end;
$$;
create or replace function markup_of(of_symbol text, own integer) returns numeric language sql stable as $$
  select (select markup_held(i, own) from instruments i where i.symbol = of_symbol);
$$;
