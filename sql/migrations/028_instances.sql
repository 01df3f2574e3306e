-- Several programs on one database: one of them leads, which runs the feed and the engine. Each lead has an epoch; what an
-- older one still writes is refused.

-- `first_seq`: the number of the first tick of this epoch. A quote from before it can no longer be dealt on.
create table leadership (
  single boolean primary key default true check (single),
  epoch bigint not null default 0,
  first_seq bigint not null default 0
);
insert into leadership default values;

-- The leader's sign of life, by the database's clock, and the session that holds its lock.
create table leader_pulse (
  single boolean primary key default true check (single),
  epoch bigint not null,
  pid integer not null,
  beat_at timestamptz not null
);

-- Accounts, positions or people that were dealt with where the engine does not run: it looks at them and deletes the rows.
create table engine_looks (
  id bigint generated always as identity primary key,
  subject uuid not null
);

-- Deeds hold this lock together until they commit; whoever takes the lead holds it alone, so that what was written before is
-- known after.
create function lead_lock() returns integer language sql immutable as $$ select 7215210; $$;

-- Takes the lead without asking: for a program that has the database to itself.
create function lead_claim() returns bigint language plpgsql as $$
begin
  perform pg_advisory_xact_lock(lead_lock());
  update leadership set epoch = epoch + 1;
  return (select epoch from leadership);
end $$;

-- Tries to take the lead for this session; null where another has it. One that gave no sign of life for `patience` is cut off,
-- so that the next try can succeed: a frozen program's session would hold the lock for ever.
create function lead_try(patience interval) returns bigint language plpgsql as $$
declare
  taken bigint;
begin
  if not pg_try_advisory_lock(7215203) then
    perform pg_terminate_backend(p.pid)
    from leader_pulse p
    join pg_locks l on l.pid = p.pid and l.locktype = 'advisory' and l.classid = 0 and l.objid = 7215203 and l.granted
    where p.beat_at < clock_timestamp() - patience;
    return null;
  end if;
  taken := lead_claim();
  insert into leader_pulse (epoch, pid, beat_at) values (taken, pg_backend_pid(), clock_timestamp())
  on conflict (single) do update set epoch = excluded.epoch, pid = excluded.pid, beat_at = excluded.beat_at;
  return taken;
end $$;

-- The leader's sign of life; false where it leads no longer.
create function lead_beat(of_epoch bigint) returns boolean language plpgsql as $$
begin
  if not exists (select from leadership where epoch = of_epoch)
    or not exists (select from pg_locks where locktype = 'advisory' and granted and classid = 0 and objid = 7215203 and pid = pg_backend_pid())
  then
    return false;
  end if;
  update leader_pulse set beat_at = clock_timestamp() where epoch = of_epoch;
  return found;
end $$;

-- From here on deals are made on this epoch's ticks only.
create function lead_ticks(of_epoch bigint, first bigint) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(lead_lock());
  update leadership set first_seq = first where epoch = of_epoch;
  if not found then perform refuse('deposed', 'Another program leads now.'); end if;
end $$;

-- Stands before what only the leader may write.
create function lead_fence(of_epoch bigint) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(lead_lock());
  if not exists (select from leadership where epoch = of_epoch) then perform refuse('deposed', 'Another program leads now.'); end if;
end $$;

-- Stands before a deal. Refuses a tick of an earlier epoch (null: no tick is dealt on). Where the caller is not the leader of
-- this moment, the leader's engine is asked to look at the account, position or person concerned.
create function deal_gate(of_seq bigint, of_epoch bigint, subject uuid) returns void language plpgsql as $$
declare
  lead leadership;
begin
  perform pg_advisory_xact_lock_shared(lead_lock());
  select * into lead from leadership;
  if of_seq < lead.first_seq then
    perform refuse('stale_price', 'The price is being renewed. Please try again in a moment.');
  end if;
  if of_epoch is distinct from lead.epoch then
    insert into engine_looks (subject) values (subject);
  end if;
end $$;

-- The accounts that the engine was asked to look at, each once.
create function looks_take(of_epoch bigint) returns setof uuid language plpgsql as $$
begin
  perform lead_fence(of_epoch);
  return query
    with taken as (delete from engine_looks returning engine_looks.subject)
    select a.id from trading_accounts a join taken t on a.id = t.subject or a.user_id = t.subject
    union
    select p.account_id from positions p join taken t on p.id = t.subject;
end $$;
