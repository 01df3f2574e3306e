-- What staff are told. A deed leaves its news in the outbox, in its own transaction, so none is lost. Numbers are given later, by
-- notifications_take, under a lock: they come in the order in which readers can see them, and a reader that asks for all above
-- the last number it saw misses nothing. Users are named without a reference, which would lock their rows in the middle of a deed.

create table notification_outbox (
  place bigint generated always as identity,
  type text not null check (
    type in ('visitor', 'deposit', 'withdrawal', 'trade', 'registration', 'ticket', 'chat', 'contact', 'correction', 'warning')
  ),
  title text not null check (length(title) between 1 and 200),
  message text not null check (length(message) between 1 and 1000),
  user_id uuid,
  related_id uuid,
  priority text not null check (priority in ('low', 'medium', 'high', 'urgent')),
  metadata jsonb not null,
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp())
);

create table admin_notifications (
  number bigint generated always as identity primary key,
  id uuid not null unique default gen_random_uuid(),
  type text not null,
  title text not null,
  message text not null,
  user_id uuid,
  related_id uuid,
  priority text not null,
  metadata jsonb not null,
  created_at timestamptz not null
);
-- One for each object and kind of news.
create unique index admin_notifications_object on admin_notifications (type, related_id) where related_id is not null;
create index admin_notifications_age on admin_notifications (created_at);
create index admin_notifications_raised on admin_notifications (number) where priority <> 'low';

-- What an administrator has read: all up to a number, and single ones above it.
create table notification_readers (
  admin_id uuid primary key references users (id),
  read_through bigint not null,
  read_at timestamptz not null default now()
);
create table notification_reads (
  admin_id uuid not null references users (id),
  number bigint not null references admin_notifications (number) on delete cascade,
  read_at timestamptz not null default now(),
  primary key (admin_id, number)
);
create index notification_reads_number on notification_reads (number);

-- Leaves news for staff, in the transaction of the deed that makes them.
create function notify_staff(
  kind text, title text, message text, about uuid, related uuid, priority text default 'medium', metadata jsonb default '{}'
) returns void language sql as $$
  insert into notification_outbox (type, title, message, user_id, related_id, priority, metadata)
  values (kind, left(title, 200), left(message, 1000), about, related, priority, metadata);
$$;

-- Numbers what has been committed to the outbox. One caller at a time, until its commit. Tells the last number there is, and the first
-- and the last of those that this call gave (null where it gave none); `more` says that the outbox held more than one call takes.
create function notifications_take(out last bigint, out own_first bigint, out own_last bigint, out more boolean) language plpgsql as $$
begin
  more := false;
  if exists (select from notification_outbox) then
    perform pg_advisory_xact_lock(7215204);
    with taken as (
      delete from notification_outbox
      where place in (select place from notification_outbox order by place limit 500)
      returning place, type, title, message, user_id, related_id, priority, metadata, created_at
    ), numbered as (
      insert into admin_notifications (type, title, message, user_id, related_id, priority, metadata, created_at)
      select type, title, message, user_id, related_id, priority, metadata, created_at from taken order by place
      on conflict do nothing
      returning number
    )
    select min(number), max(number), (select count(*) = 500 from taken) into own_first, own_last, more from numbered;
  end if;
  last := coalesce((select max(number) from admin_notifications), 0);
end $$;

-- Who it is, as staff read it.
create function person_text(person uuid) returns text language sql stable as $$
  select coalesce((select first_name || ' ' || last_name from users where id = person), 'Somebody');
$$;

create function registration_news() returns trigger language plpgsql as $$
begin
  perform notify_staff(
    'registration', 'New registration', new.first_name || ' ' || new.last_name || ' registered as ' || new.email || '.', new.id, new.id, 'medium',
    jsonb_build_object('source', new.registration_source)
  );
  return null;
end $$;
create trigger users_news after insert on users for each row when (new.role = 'user') execute function registration_news();

create function deposit_news() returns trigger language plpgsql as $$
begin
  perform notify_staff(
    'deposit', 'New deposit request',
    person_text(new.user_id) || ' wants to deposit '
      || case when new.currency in ('EUR', 'GBP') then new.amount || ' ' || new.currency else money_text(new.amount) end
      || case when coalesce(new.coin, new.currency) in ('USD', 'EUR', 'GBP') then ' by ' || new.method else ' in ' || coalesce(new.coin, new.currency) end || '.',
    new.user_id, new.id, 'high', jsonb_build_object('amount', new.amount::text, 'currency', new.currency, 'method', new.method)
  );
  return null;
end $$;
create trigger deposits_news after insert on deposits for each row when (new.status = 'pending') execute function deposit_news();

create function withdrawal_news() returns trigger language plpgsql as $$
begin
  perform notify_staff(
    'withdrawal', 'New withdrawal request',
    person_text(new.user_id) || ' wants to withdraw ' || money_text(new.amount)
      || case when new.currency = 'USD' then ' by ' || new.method else ' in ' || new.currency end || '.',
    new.user_id, new.id, 'high', jsonb_build_object('amount', new.amount::text, 'currency', new.currency, 'method', new.method)
  );
  return null;
end $$;
create trigger withdrawals_news after insert on withdrawals for each row when (new.status = 'pending') execute function withdrawal_news();

-- An order of a demo account is news too, but nothing that anyone has to look at.
create function trade_news() returns trigger language plpgsql as $$
declare
  demo boolean := (select is_demo from trading_accounts where id = new.account_id);
begin
  perform notify_staff(
    'trade', case when demo then 'New demo trade' else 'New trade' end,
    person_text(new.user_id) || ': ' || upper(new.side) || ' ' || new.symbol || ' for ' || money_text(new.amount)
      || case when demo then ' on a demo account.' else '.' end,
    new.user_id, new.id, case when demo then 'low' else 'medium' end,
    jsonb_build_object('symbol', new.symbol, 'side', new.side, 'amount', new.amount::text, 'demo', demo)
  );
  return null;
end $$;
create trigger positions_news after insert on positions for each row
  when (new.parent_id is null and new.status in ('pending', 'open')) execute function trade_news();

create function correction_request_news() returns trigger language plpgsql as $$
declare
  p positions;
begin
  select * into p from positions where id = new.position_id;
  perform notify_staff(
    'correction', 'Correction waits for a second administrator',
    person_text(new.admin_id) || ' wants to settle ' || upper(p.side) || ' ' || p.symbol || ' of ' || person_text(p.user_id) || '.',
    p.user_id, new.id, 'urgent', jsonb_build_object('positionId', p.id, 'adminId', new.admin_id)
  );
  return null;
end $$;
create trigger correction_requests_news after insert on correction_requests for each row execute function correction_request_news();

create function correction_news() returns trigger language plpgsql as $$
declare
  p positions;
begin
  select * into p from positions where id = new.position_id;
  perform notify_staff(
    'correction', 'Position settled by administrator',
    new.administrator || ' settled ' || upper(p.side) || ' ' || p.symbol || ' of ' || person_text(p.user_id) || '.',
    p.user_id, p.id, 'high', jsonb_build_object('positionId', p.id, 'adminId', new.admin_id)
  );
  return null;
end $$;
create trigger corrections_news after insert on corrections for each row execute function correction_news();

create function dispute_news() returns trigger language plpgsql as $$
begin
  perform notify_staff(
    'correction', 'Objection to a correction', person_text(new.user_id) || ': ' || new.message, new.user_id, new.id, 'high',
    jsonb_build_object('positionId', new.position_id)
  );
  return null;
end $$;
create trigger disputes_news after insert on disputes for each row execute function dispute_news();

create function books_news() returns trigger language plpgsql as $$
begin
  perform notify_staff(
    'warning', 'The books do not balance', 'Payments and trading are paused until an operator releases them: ' || coalesce(new.reason, 'no reason given') || '.',
    null, null, 'urgent'
  );
  return null;
end $$;
create trigger ledger_state_news after update on ledger_state for each row when (new.halted and not old.halted) execute function books_news();
