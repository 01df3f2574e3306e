-- People, their sessions, and what guards the door.

create table users (
  id uuid primary key default gen_random_uuid(),
  email text not null check (length(email) between 3 and 254),
  password text not null,
  first_name text not null check (length(first_name) between 1 and 100),
  last_name text not null check (length(last_name) between 1 and 100),
  profile_image_url text,
  referral_code text not null unique,
  referred_by uuid references users (id),
  is_email_verified boolean not null default false,
  registration_status text not null default 'pending' check (registration_status in ('pending', 'approved', 'rejected')),
  registration_reason text check (length(registration_reason) <= 500),
  approved_by uuid references users (id),
  approved_at timestamptz,
  registration_source text not null default 'direct' check (registration_source in ('direct', 'referral', 'operator')),
  credit_score integer not null default 750,
  risk_level text not null default 'medium',
  trading_experience text not null default 'beginner',
  account_status text not null default 'active' check (account_status in ('active', 'suspended', 'banned')),
  suspended_until timestamptz,
  suspension_reason text check (length(suspension_reason) <= 500),
  kyc_status text not null default 'pending' check (kyc_status in ('pending', 'verified', 'rejected')),
  is_vip boolean not null default false,
  role text not null default 'user' check (role in ('user', 'admin')),
  last_login_at timestamptz,
  -- Milliseconds are what the outside sees; more would make a list's cursor skip rows.
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  updated_at timestamptz not null default now(),
  check (referred_by <> id)
);
create unique index users_email on users (lower(email));
create index users_newest on users (created_at desc, id);
create index users_waiting on users (created_at) where registration_status = 'pending';

-- Only the SHA-256 of the cookie's value is here: who reads this table can't take over a session.
create table sessions (
  sid text primary key check (length(sid) = 64),
  id uuid not null unique default gen_random_uuid(),
  user_id uuid not null references users (id),
  sess json not null,
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  confirmed_at timestamptz not null default now(),
  expire timestamptz not null
);
create index sessions_user on sessions (user_id);
create index sessions_expire on sessions (expire);

-- Failed sign-ins by account and by client network; they decay, so that nobody is locked out for ever.
create table throttles (
  key text primary key check (length(key) <= 300),
  failures numeric(8, 3) not null,
  failed_at timestamptz not null
);

-- The first answer to an Idempotency-Key, kept so that a repeat gets it again.
create table idempotency (
  user_id uuid not null references users (id),
  key text not null check (length(key) between 1 and 200),
  fingerprint text not null,
  status integer not null,
  answer json not null,
  created_at timestamptz not null default now(),
  primary key (user_id, key)
);
create index idempotency_age on idempotency (created_at);

-- A rule's refusal, as the program understands it: the code in DETAIL, the field in HINT.
create function refuse(code text, message text, field text default '') returns void language plpgsql as $$
begin
  raise exception using errcode = 'HL001', message = message, detail = code, hint = field;
end $$;

-- Claims a key for one deed. Null: go ahead and finish with once_end in the same transaction. Otherwise the first
-- answer. A second caller with the same key waits here until the first one commits.
create function once_begin(caller uuid, once_key text, once_fingerprint text) returns json language plpgsql as $$
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

create function once_end(caller uuid, once_key text, answer_status integer, answer_body json) returns void language sql as $$
  update idempotency set status = answer_status, answer = answer_body where user_id = caller and key = once_key;
$$;

-- A staff decision on a request is made by somebody else than its owner, who is an administrator still. Both rows are
-- held from here on, as the audit book's entry refers to them: a suspension waits, or was first.
create function refuse_own(admin uuid, owner uuid) returns void language plpgsql as $$
begin
  perform 1 from users where id in (admin, owner) order by id for share;
  if admin = owner then
    perform refuse('forbidden', 'You can''t decide your own request. Ask another administrator.');
  elsif not exists (
    select from users where id = admin and role = 'admin' and (account_status = 'active' or (account_status = 'suspended' and suspended_until <= now()))
  ) then
    perform refuse('forbidden', 'Administrators only.');
  end if;
end $$;
