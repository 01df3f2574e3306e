-- Double entry. Balances change only by ledger_post, in the transaction of the deed that caused them.

create table ledger_state (
  single boolean primary key default true check (single),
  halted boolean not null default false,
  reason text
);
insert into ledger_state default values;

create table ledger_accounts (
  id bigint generated always as identity primary key,
  owner_id uuid references users (id),
  book text not null check (book in ('live', 'demo')),
  kind text not null check (
    kind in ('wallet', 'trading', 'withdrawal_hold', 'house_clearing', 'house_pnl', 'house_bonus', 'house_adjustment', 'house_demo')
  ),
  balance numeric(15, 2) not null default 0 check (balance <> 'NaN'),
  constraint customer_not_negative check (kind like 'house\_%' or balance >= 0),
  constraint house_has_no_owner check ((owner_id is null) = (kind like 'house\_%')),
  constraint demo_is_only_traded check (book = 'live' or kind in ('trading', 'house_demo'))
);
create unique index ledger_one_per_person on ledger_accounts (owner_id, kind) where kind in ('wallet', 'withdrawal_hold');
create unique index ledger_one_house on ledger_accounts (book, kind) where owner_id is null;
create index ledger_owner on ledger_accounts (owner_id);

insert into ledger_accounts (book, kind) values
  ('live', 'house_clearing'), ('live', 'house_pnl'), ('live', 'house_bonus'), ('live', 'house_adjustment'), ('demo', 'house_demo');

create table ledger_entries (
  id bigint generated always as identity primary key,
  kind text not null check (length(kind) between 1 and 60),
  object_id uuid not null,
  memo text not null check (length(memo) <= 500),
  -- The moment of booking, with the accounts locked, so that an account's entries are in the order of time as well.
  created_at timestamptz not null default clock_timestamp(),
  unique (kind, object_id)
);

create table ledger_postings (
  entry_id bigint not null references ledger_entries (id),
  account_id bigint not null references ledger_accounts (id),
  amount numeric(15, 2) not null check (amount <> 0 and amount <> 'NaN'),
  balance_after numeric(15, 2) not null check (balance_after <> 'NaN'),
  primary key (entry_id, account_id)
);
create index ledger_postings_account on ledger_postings (account_id, entry_id desc);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = '42501';
end $$;
create trigger ledger_entries_append_only before update or delete or truncate on ledger_entries for each statement execute function refuse_change();
create trigger ledger_postings_append_only before update or delete or truncate on ledger_postings for each statement execute function refuse_change();

-- At commit an entry must sum to zero in each book, however it was written.
create function entry_balances() returns trigger language plpgsql as $$
begin
  if exists (
    select from ledger_postings p join ledger_accounts a on a.id = p.account_id
    where p.entry_id = new.entry_id
    group by a.book
    having sum(p.amount) <> 0
  ) then
    raise exception 'ledger entry % does not balance', new.entry_id using errcode = '23514';
  end if;
  return null;
end $$;
create constraint trigger ledger_entry_balances after insert on ledger_postings deferrable initially deferred for each row execute function entry_balances();

create function house_account(of_book text, of_kind text) returns bigint language sql stable as $$
  select id from ledger_accounts where owner_id is null and book = of_book and kind = case of_book when 'demo' then 'house_demo' else of_kind end;
$$;

-- While the books are in doubt no money moves and no trade opens.
create function refuse_halted() returns void language plpgsql as $$
begin
  if (select halted from ledger_state) then
    perform refuse('unavailable', 'Payments and trading are paused while the books are checked. Please try again later.');
  end if;
end $$;

-- The one way money moves. Legs of the same account are added up, zero legs left out; accounts are locked in the order
-- of their ids, whatever the caller's order, so two deeds can't wait for each other. Returns the entry's id.
create function ledger_post(entry_kind text, entry_object uuid, entry_memo text, accounts bigint[], amounts numeric[]) returns bigint language plpgsql as $$
declare
  entry bigint;
begin
  perform refuse_halted();
  if exists (select from unnest(amounts) as a (amount) where a.amount is null or a.amount = 'NaN') or array_position(accounts, null) is not null then
    raise exception 'ledger_post: a leg has no account or no amount' using errcode = '22004';
  end if;
  perform 1 from ledger_accounts where id = any (accounts) order by id for update;
  insert into ledger_entries (kind, object_id, memo) values (entry_kind, entry_object, entry_memo) returning id into entry;
  with
    leg as (
      select l.account, sum(l.amount) as amount from unnest(accounts, amounts) as l (account, amount) group by l.account having sum(l.amount) <> 0
    ),
    moved as (
      update ledger_accounts a set balance = a.balance + leg.amount from leg where a.id = leg.account returning a.id, leg.amount, a.balance
    )
  insert into ledger_postings (entry_id, account_id, amount, balance_after) select entry, id, amount, balance from moved;
  return entry;
end $$;

create function money_text(amount numeric) returns text language sql immutable as $$
  select '$' || trim(to_char(amount, '999,999,999,990.00'));
$$;

-- Staff deeds, hash-chained: each entry's hash covers the one before, so a change anywhere shows from there on.
create table admin_actions (
  id bigint generated always as identity primary key,
  admin_user_id uuid references users (id),
  target_user_id uuid references users (id),
  action text not null check (length(action) between 1 and 60),
  details json not null,
  previous_state json not null,
  new_state json not null,
  reason text not null check (length(reason) <= 500),
  ip_address text not null check (length(ip_address) <= 64),
  user_agent text not null check (length(user_agent) <= 512),
  created_at timestamptz not null,
  previous_hash text not null,
  hash text not null
);
create index admin_actions_target on admin_actions (target_user_id, id desc);
create trigger admin_actions_append_only before update or delete or truncate on admin_actions for each statement execute function refuse_change();

create table audit_head (
  single boolean primary key default true check (single),
  hash text not null,
  last_id bigint not null
);
insert into audit_head values (true, repeat('0', 64), 0);

create function audit_hash(a admin_actions) returns text language sql immutable as $$
  select encode(sha256(convert_to(json_build_array(
    a.previous_hash, a.id, a.admin_user_id, a.target_user_id, a.action, a.details::text, a.previous_state::text, a.new_state::text,
    a.reason, a.ip_address, a.user_agent, extract(epoch from a.created_at)
  )::text, 'UTF8')), 'hex');
$$;

-- Writes one entry; the head row's lock makes 'read last, insert next' one step. Last in every lock order.
create function audit_append(
  admin uuid, target uuid, deed text, deed_details json, before_state json, after_state json, why text, ip text, agent text
) returns bigint language plpgsql as $$
declare
  head audit_head;
  entry admin_actions;
begin
  select * into head from audit_head for update;
  entry := row(
    head.last_id + 1, admin, target, deed, coalesce(deed_details, '{}'), coalesce(before_state, '{}'), coalesce(after_state, '{}'),
    coalesce(why, ''), left(coalesce(ip, ''), 64), left(coalesce(agent, ''), 512), clock_timestamp(), head.hash, ''
  );
  entry.hash := audit_hash(entry);
  insert into admin_actions overriding system value values (entry.*);
  update audit_head set hash = entry.hash, last_id = entry.id;
  return entry.id;
end $$;

-- One row for each thing that is wrong with the books; empty in good times, and cheap enough for every minute.
create view ledger_check as
select 'book ' || book as subject, sum(balance) as off_by from ledger_accounts group by book having sum(balance) <> 0
union all
select 'account ' || a.id, a.balance - p.balance_after
from ledger_accounts a
cross join lateral (select balance_after from ledger_postings where account_id = a.id order by entry_id desc limit 1) p
where a.balance <> p.balance_after
union all
select 'entry ' || p.entry_id, sum(p.amount)
from ledger_postings p join ledger_accounts a on a.id = p.account_id
where p.entry_id > coalesce((select max(id) - 1000 from ledger_entries), 0)
group by p.entry_id, a.book
having sum(p.amount) <> 0;
