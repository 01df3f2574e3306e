-- The second factor of a person's sign-in; one that is not confirmed is being set up, and nobody is asked for it.
create table two_factors (
  user_id uuid primary key references users (id),
  -- 160 bits in base 32.
  secret text not null check (secret ~ '^[A-Z2-7]{32}$'),
  confirmed_at timestamptz,
  -- The last step of 30 s since 1970 whose code was used; none of it or before it is taken again.
  last_step bigint not null default 0,
  created_at timestamptz not null default now()
);

-- Whose session this is, if it still opens anything: role and standing as they are now. No row: nobody's. `idle` is seconds since
-- it was last noted as used. A deed that reads it in its own statement is not done where there is no row.
create function session_person(of_sid text) returns table (
  id uuid, email text, first_name text, last_name text, role text, registration_status text, two_factor boolean, session_id uuid, idle integer
) language sql stable as $$
  select u.id, u.email, u.first_name, u.last_name, u.role, u.registration_status,
    exists (select from two_factors f where f.user_id = u.id and f.confirmed_at is not null), s.id, extract(epoch from now() - s.seen_at)::integer
  from sessions s
  join users u on u.id = s.user_id
  where s.sid = of_sid
    and s.expire > now()
    and u.registration_status <> 'rejected'
    and (u.account_status = 'active' or (u.account_status = 'suspended' and u.suspended_until <= now()));
$$;

-- Each lets in once where the phone is lost. Only the SHA-256 is kept: the codes have 80 random bits.
create table recovery_codes (
  user_id uuid not null references users (id),
  code_hash text not null check (code_hash ~ '^[0-9a-f]{64}$'),
  used_at timestamptz,
  primary key (user_id, code_hash)
);
