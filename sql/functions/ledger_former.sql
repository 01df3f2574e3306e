-- What functions of the release before call: a command that began under them goes on under them.

create or replace function purse_of(person uuid, of_kind text) returns bigint language sql stable as $$
  select ledger_account_of(person, of_kind);
$$;
