-- Which of several programs on one database leads: it runs the feed and the engine. Each lead has an epoch; what an older one
-- still writes is refused.

-- Commands share this lock until they commit; whoever takes the lead holds it alone, and so knows all that was written before.
create or replace function lead_lock() returns integer language sql immutable as $$ select 7215210; $$;

-- Takes the lead without asking: for a program that has the database to itself.
create or replace function lead_claim() returns bigint language plpgsql as $$
begin
  perform pg_advisory_xact_lock(lead_lock());
  update leadership set epoch = epoch + 1;
  return (select epoch from leadership);
end $$;

-- Takes the lead's lock alone until the transaction ends; false where that took half of `patience`. Then sessions that hold the lock and
-- have been idle for all of `patience` are cut off, so that a later try succeeds. A command under way is waited for.
create or replace function lead_lock_take(patience interval) returns boolean language plpgsql as $$
begin
  perform set_config('lock_timeout', ceil(extract(epoch from patience) * 500)::text, true);
  perform pg_advisory_xact_lock(lead_lock());
  return true;
exception when lock_not_available then
  perform pg_terminate_backend(a.pid)
  from pg_locks l
  join pg_stat_activity a on a.pid = l.pid and a.datname = current_database()
  where l.locktype = 'advisory' and l.database = a.datid and l.classid = 0 and l.objid = lead_lock() and l.granted
    and a.state like 'idle in transaction%' and a.state_change < clock_timestamp() - patience;
  return false;
end $$;

-- Tries to take the lead for this session; null where another has it. A leader without a sign of life for `patience` is cut off, so that
-- the next try can succeed: a frozen program's session would hold the lock for ever. Where the lead's lock could not be taken, the
-- session's own lock is given up too: this session might never ask again.
create or replace function lead_try(patience interval) returns bigint language plpgsql as $$
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
  if not lead_lock_take(patience) then
    perform pg_advisory_unlock(7215203);
    return null;
  end if;
  taken := lead_claim();
  insert into leader_pulse (epoch, pid, beat_at) values (taken, pg_backend_pid(), clock_timestamp())
  on conflict (single) do update set epoch = excluded.epoch, pid = excluded.pid, beat_at = excluded.beat_at;
  return taken;
end $$;

-- The leader's sign of life; false where it leads no longer.
create or replace function lead_beat(of_epoch bigint) returns boolean language plpgsql as $$
begin
  if not exists (select from leadership where epoch = of_epoch)
    or not exists (select from pg_locks where locktype = 'advisory' and granted and classid = 0 and objid = 7215203 and pid = pg_backend_pid())
  then
    return false;
  end if;
  update leader_pulse set beat_at = clock_timestamp() where epoch = of_epoch;
  return found;
end $$;

-- From here on deals are made on this epoch's ticks only. A session that froze since the lead was taken is cut off.
create or replace function lead_ticks(of_epoch bigint, first bigint) returns void language plpgsql as $$
begin
  loop
    exit when lead_lock_take(interval '5 seconds');
  end loop;
  update leadership set first_seq = first where epoch = of_epoch;
  if not found then perform refuse('deposed', 'Another program leads now.'); end if;
end $$;

-- Stands before what only the leader may write.
create or replace function lead_fence(of_epoch bigint) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(lead_lock());
  if not exists (select from leadership where epoch = of_epoch) then perform refuse('deposed', 'Another program leads now.'); end if;
end $$;
