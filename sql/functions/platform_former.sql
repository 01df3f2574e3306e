-- What functions of the release before call: a command that began under them goes on under them.

create or replace function gate_take(patience interval) returns boolean language sql as $$
  select lead_lock_take(patience);
$$;
