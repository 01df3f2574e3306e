-- What staff are told. A command leaves its news in the outbox, in its own transaction, so none is lost. Numbers are given later, by
-- notifications_take, under a lock, in the order in which they become visible. So a reader that asks for all above the last number it saw
-- misses nothing.

-- What somebody of the staff must be allowed to be told this: what the news name, else what they are about. Two indexes of admin_notifications hold the same
-- words (113_group_counts.sql): with other words here, they are to be made anew.
create or replace function news_permission(kind text, metadata jsonb) returns text language sql immutable as $$
  select coalesce(metadata ->> 'permission', case
    when kind = 'visitor' then 'visitors.read'
    when kind = 'deposit' then 'deposits.read'
    when kind = 'withdrawal' then 'withdrawals.read'
    when kind in ('trade', 'correction') or metadata ? 'limitOf' then 'trades.read'
    when kind in ('ticket', 'chat', 'contact') then 'support.read'
    when metadata ? 'documentId' then 'kyc.read'
    when kind = 'warning' and metadata ? 'adminId' then 'roles.read'
    when kind = 'registration' or metadata ? 'clientId' then 'people.read'
    else 'panel.read'
  end);
$$;

-- Of the news up to this number a reader has none unread: they were marked as read, or were there before the reader was. Numbers are given within seconds
-- and in order of time but for a few, so that the first of them since is among the next twenty.
create or replace function news_floor(reader uuid) returns bigint language sql stable as $$
  select greatest(
    coalesce((select r.read_through from notification_readers r where r.admin_id = reader), 0),
    coalesce(
      (
        select min(f.number) - 1
        from (
          select n.number from admin_notifications n where n.created_at >= (select u.created_at from users u where u.id = reader) order by n.created_at limit 20
        ) f
      ),
      (select max(n.number) from admin_notifications n)
    )
  );
$$;

-- The newest of what takes one of these permissions, of one kind alone or before a number (null: of all), and for a reader (null: for nobody) what is unread.
-- Each permission's are a stretch of its index, said by both ends: of a permission by itself the planner guesses that it has its share of all news, and goes
-- through these once for each permission.
create or replace function news_numbers(permissions text[], reader uuid, of_type text, before bigint, most integer) returns setof bigint language plpgsql stable
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  since bigint := case when reader is null then 0 else news_floor(reader) end;
  below bigint := coalesce(before, 9223372036854775807);
  begun timestamptz := (select u.created_at from users u where u.id = reader);
  newest bigint[] := array(
    select n.number
    from (
      select l.number, l.type, l.metadata, l.created_at from admin_notifications l where l.number < below and l.number > since order by l.number desc limit most + 10
    ) n
    where news_permission(n.type, n.metadata) = any (permissions)
      and (of_type is null or n.type = of_type)
      and (reader is null or n.created_at >= begun and not exists (select from notification_reads r where r.admin_id = reader and r.number = n.number))
    order by n.number desc
    limit most
  );
begin
  -- Who may know of nearly all is told the newest of all; only for others those of each permission are looked up.
  if cardinality(newest) = most then
    return query select unnest(newest);
    return;
  end if;
  return query
    select t.number
    from unnest(permissions) as p (permission)
    cross join lateral (
      select n.number
      from admin_notifications n
      where (news_permission(n.type, n.metadata), -n.number) > (p.permission, -below)
        and (news_permission(n.type, n.metadata), -n.number) < (p.permission, -since)
        and news_permission(n.type, n.metadata) between p.permission and p.permission
        and (of_type is null or n.type = of_type)
        and (reader is null or n.created_at >= begun and not exists (select from notification_reads r where r.admin_id = reader and r.number = n.number))
      order by news_permission(n.type, n.metadata), -n.number
      limit most
    ) t
    order by t.number desc
    limit most;
end $$;

-- How many a reader with these permissions has not read, counted up to `most`; what is of low priority is left out.
create or replace function news_unread(reader uuid, permissions text[], most integer) returns integer language plpgsql stable
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  since bigint := news_floor(reader);
  begun timestamptz := (select u.created_at from users u where u.id = reader);
begin
  return (
    select count(*)
    from (
      select
      from unnest(permissions) as p (permission)
      cross join lateral (
        select
        from admin_notifications n
        where n.priority <> 'low'
          and (news_permission(n.type, n.metadata), -n.number) < (p.permission, -since)
          and news_permission(n.type, n.metadata) between p.permission and p.permission
          -- Not by the index of moments, which would be looked through once for each permission.
          and greatest(n.created_at, begun) = n.created_at
          and not exists (select from notification_reads r where r.admin_id = reader and r.number = n.number)
        order by news_permission(n.type, n.metadata), -n.number
        limit most
      ) t
      limit most
    ) u
  );
end $$;

-- Leaves news for staff, in the transaction of the command that makes them.
create or replace function notify_staff(
  kind text, title text, message text, about uuid, related uuid, priority text default 'medium', metadata jsonb default '{}'
) returns void language sql as $$
  insert into notification_outbox (type, title, message, user_id, related_id, priority, metadata)
  values (kind, left(title, 200), left(message, 1000), about, related, priority, metadata);
$$;

-- The same of orders, of which there are more than of all else: in words they are put when they are numbered.
create or replace function trade_news() returns trigger language plpgsql as $$
begin
  insert into order_news (position_id, amount) select p.id, p.amount from placed p where p.parent_id is null and p.status in ('pending', 'open');
  return null;
end $$;

-- Numbers what has been committed to the outbox and of orders. One caller at a time, until its commit. Answers the last number there is, and the first and
-- last that this call gave (null for none). `more`: the outbox held more than one call takes.
create or replace function notifications_take(out last bigint, out own_first bigint, out own_last bigint, out more boolean) language plpgsql as $$
begin
  more := false;
  if exists (select from notification_outbox) or exists (select from order_news) then
    perform pg_advisory_xact_lock(7215204);
    with left_news as (
      delete from notification_outbox
      where place in (select place from notification_outbox order by place limit 500)
      returning place, type, title, message, user_id, related_id, priority, metadata, created_at
    ), orders as (
      delete from order_news where place in (select place from order_news order by place limit 500) returning place, position_id, amount
    ), taken as (
      select place, type, title, message, user_id, related_id, priority, metadata, created_at from left_news
      union all
      -- One of a demo account is news too, but nothing that anyone has to look at.
      select
        o.place, 'trade', case when p.is_demo then 'New demo trade' else 'New trade' end,
        left(p.person || ': ' || upper(p.side) || ' ' || p.symbol || ' for ' || money_text(o.amount) || case when p.is_demo then ' on a demo account.' else '.' end, 1000),
        p.user_id, o.position_id, case when p.is_demo then 'low' else 'medium' end,
        jsonb_build_object('symbol', p.symbol, 'side', p.side, 'amount', o.amount::text, 'demo', p.is_demo), p.created_at
      -- Each looked up by its number, however many orders there were when this was planned.
      from orders o cross join lateral (
        select p.user_id, p.side, p.symbol, p.created_at, a.is_demo, u.first_name || ' ' || u.last_name as person
        from positions p join trading_accounts a on a.id = p.account_id join users u on u.id = p.user_id
        where p.id = o.position_id
        offset 0
      ) p
    ), numbered as (
      insert into admin_notifications (type, title, message, user_id, related_id, priority, metadata, created_at)
      select type, title, message, user_id, related_id, priority, metadata, created_at from taken order by created_at, place
      on conflict do nothing
      returning number
    )
    select min(number), max(number), (select count(*) = 500 from left_news) or (select count(*) = 500 from orders) into own_first, own_last, more from numbered;
  end if;
  last := coalesce((select max(number) from admin_notifications), 0);
end $$;

-- Leaves news for a person, in the transaction of the command that makes them: shown on the open pages and sent to the devices that want
-- it, within a second. `topic` is what the person may have chosen not to see, null for what is always shown.
create or replace function tell_person(
  person uuid, title text, message text, kind text default 'info', topic text default null, url text default '/', tag text default 'news'
) returns void language sql as $$
  insert into person_outbox (user_id, topic, kind, title, message, url, tag)
  values (person, topic, kind, left(title, 200), left(message, 1000), url, left(tag, 60));
$$;

-- Takes what was left for people, the oldest first: each is given to one caller.
create or replace function person_news_take() returns setof json language plpgsql as $$
begin
  if not exists (select from person_outbox) then return; end if;
  return query
    with taken as (
      delete from person_outbox
      where place in (select place from person_outbox order by place limit 500 for update skip locked)
      returning place, user_id, topic, kind, title, message, url, tag
    )
    select json_build_object('userId', user_id, 'topic', topic, 'kind', kind, 'title', title, 'message', message, 'url', url, 'tag', tag)
    from taken
    order by place;
end $$;

-- Takes away what staff and devices were told of a person who leaves.
create or replace function news_erase(person uuid) returns void language sql as $$
  delete from admin_notifications where user_id = person;
  delete from notification_outbox where user_id = person;
  delete from order_news o using positions p where p.id = o.position_id and p.user_id = person;
  delete from person_outbox where user_id = person;
  delete from push_devices where admin_id = person;
  delete from checkpoint_keepers where user_id = person;
$$;

create or replace function registration_news() returns trigger language plpgsql as $$
begin
  perform notify_staff(
    'registration', 'New registration', new.first_name || ' ' || new.last_name || ' registered as ' || new.email || '.', new.id, new.id, 'medium',
    jsonb_build_object('source', new.registration_source)
  );
  return null;
end $$;
create or replace trigger users_news after insert on users for each row when (new.role = 'user'::text) execute function registration_news();

create or replace function frozen_news() returns trigger language plpgsql as $$
begin
  perform notify_staff(
    'warning', 'An account was frozen by its owner', person_text(new.id) || ' told us by a letter that something was not them. Withdrawals are blocked.',
    new.id, null, 'urgent', jsonb_build_object('clientId', new.id)
  );
  return null;
end $$;
create or replace trigger users_frozen after update of frozen_at on users for each row when (old.frozen_at is null and new.frozen_at is not null) execute function frozen_news();

create or replace function books_news() returns trigger language plpgsql as $$
begin
  perform notify_staff(
    'warning', 'The books do not balance', 'Payments and trading are paused until an operator releases them: ' || coalesce(new.reason, 'no reason given') || '.',
    null, null, 'urgent'
  );
  return null;
end $$;
create or replace trigger ledger_state_news after update on ledger_state for each row when (new.halted and not old.halted) execute function books_news();

create or replace function role_request_news() returns trigger language plpgsql as $$
begin
  perform notify_staff(
    'warning', 'A new administrator waits for a second one',
    person_text(new.admin_id) || ' wants to make ' || person_text(new.user_id) || ' an administrator: ' || new.reason, new.user_id, new.id, 'urgent',
    jsonb_build_object('clientId', new.user_id, 'adminId', new.admin_id)
  );
  return null;
end $$;
create or replace trigger role_requests_news after insert on role_requests for each row execute function role_request_news();

create or replace function signature_news() returns trigger language plpgsql as $$
begin
  perform notify_staff(
    'warning', 'A deed waits for a second signature', person_text(new.admin_id) || ' asks for one: ' || new.title || case when new.reason = '' then '.' else ': ' || new.reason end,
    new.user_id, new.id, 'urgent', jsonb_build_object('signatureId', new.id, 'adminId', new.admin_id, 'permission', new.permission)
  );
  return null;
end $$;
create or replace trigger signatures_news after insert on signatures for each row execute function signature_news();

-- Sends the public log's checkpoint to whoever keeps one, and to an address of the operator's (null: none). `said`: origin, size, root, note.
create or replace function checkpoints_send(said jsonb, to_address text) returns integer language plpgsql as $$
declare
  keeper record;
  sent integer := 0;
begin
  for keeper in
    select k.user_id, k.way from checkpoint_keepers k join users u on u.id = k.user_id where u.closed_at is null order by k.user_id
  loop
    if keeper.way = 'letter' then
      perform letter_post(keeper.user_id, 'checkpoint', said);
    else
      perform tell_person(
        keeper.user_id, 'The public log today', format('%s records, root %s', said ->> 'size', said ->> 'root'), 'info', null, '/integrity', 'checkpoint'
      );
    end if;
    sent := sent + 1;
  end loop;
  if to_address is not null then
    perform letter_to(to_address, 'checkpoint', said);
    sent := sent + 1;
  end if;
  return sent;
end $$;
