-- A program that was frozen in the middle of a deed holds the gate of all deeds for as long as it sleeps: nobody could lead.

-- Holds the gate alone until the transaction ends; false where that took half of `patience`. Then the sessions are cut off that keep it
-- and were asked nothing for all of `patience`, so that a later try succeeds. A deed that is under way is waited for.
create function gate_take(patience interval) returns boolean language plpgsql as $$
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

-- As before, and it gives up the session's lock where the gate could not be had: it might be asked no more.
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
  if not gate_take(patience) then
    perform pg_advisory_unlock(7215203);
    return null;
  end if;
  taken := lead_claim();
  insert into leader_pulse (epoch, pid, beat_at) values (taken, pg_backend_pid(), clock_timestamp())
  on conflict (single) do update set epoch = excluded.epoch, pid = excluded.pid, beat_at = excluded.beat_at;
  return taken;
end $$;

-- As before; who froze since the lead was taken is cut off as well.
create or replace function lead_ticks(of_epoch bigint, first bigint) returns void language plpgsql as $$
begin
  loop
    exit when gate_take(interval '5 seconds');
  end loop;
  update leadership set first_seq = first where epoch = of_epoch;
  if not found then perform refuse('deposed', 'Another program leads now.'); end if;
end $$;
