-- The control panel: finding people among very many, and what administrators leave for each other.

-- One text to look in, each of its words after a space, and its groups of two and of three letters, so that a part of a name or
-- an address is found without reading everybody. A plain PostgreSQL has no index for parts of a text; this one needs no extension.
create function letter_groups(words text, letters int) returns text[] language sql immutable strict parallel safe as $$
  select array(select distinct substr(words, n, letters) from generate_series(1, length(words) - letters + 1) n)
$$;
alter table users add column search text not null generated always as (lower(' ' || first_name || ' ' || last_name || ' ' || email || ' ' || id::text)) stored;
-- Whether the password has the length that administrators need; seen when it is given, since only its hash is kept.
alter table users add column long_password boolean not null default false;
create index users_search on users using gin (letter_groups(search, 3));
create index users_search_short on users using gin (letter_groups(search, 2));
create index users_name on users (lower(first_name || ' ' || last_name), id);
create index users_standing on users (account_status, id);
create index users_kyc on users (kyc_status, id);
create index users_role on users (role, id);

-- What is in each wallet, kept in order: the accounts themselves change too often to carry an index of their balances.
create table wallet_order (
  owner_id uuid primary key references users (id),
  balance numeric(15,2) not null
);
create index wallet_order_balance on wallet_order (balance, owner_id);
insert into wallet_order select owner_id, balance from ledger_accounts where kind = 'wallet';
create function keep_wallet_order() returns trigger language plpgsql as $$
begin
  insert into wallet_order values (new.owner_id, new.balance) on conflict (owner_id) do update set balance = excluded.balance;
  return null;
end $$;
create trigger ledger_wallet_opened after insert on ledger_accounts for each row when (new.kind = 'wallet') execute function keep_wallet_order();
create trigger ledger_wallet_moved after update of balance on ledger_accounts for each row when (new.kind = 'wallet') execute function keep_wallet_order();

create index admin_actions_admin on admin_actions (admin_user_id, id desc);
create index admin_actions_time on admin_actions (created_at);

-- What the panel is set to; `value` is text in the form that its reader expects.
create table settings (
  key text primary key check (key ~ '^[a-z_]{1,40}$'),
  value text not null check (length(value) <= 500),
  updated_by uuid references users (id),
  updated_at timestamptz not null default now()
);
-- Requests above so many USD are approved by typing their amount.
insert into settings (key, value) values ('confirm_above', '5000.00');

-- Which administrator has which request open. It says so to the others and forbids nothing; it fades by itself.
create table claims (
  kind text not null check (kind in ('deposit', 'withdrawal', 'registration', 'correction')),
  object_id uuid not null,
  admin_id uuid not null references users (id),
  expires_at timestamptz not null,
  primary key (kind, object_id, admin_id)
);
create index claims_expiry on claims (expires_at);

create table staff_notes (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id),
  admin_id uuid not null references users (id),
  body text not null check (length(body) between 1 and 5000),
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp())
);
create index staff_notes_user on staff_notes (user_id, created_at desc, id desc);
create trigger staff_notes_append_only before update or delete or truncate on staff_notes for each statement execute function refuse_change();
