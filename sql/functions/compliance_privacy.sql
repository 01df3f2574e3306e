-- What is kept about people: handed to them, and taken away when they leave.

-- All that is kept about a person, as JSON; files come beside it. Neither secrets nor what staff wrote for each other are in it.
create or replace function person_export(person uuid) returns jsonb language sql stable as $$
  select jsonb_build_object(
    'person', (select to_jsonb(u) - '{password,search,long_password,admin_since,approved_by}'::text[] from users u where u.id = person),
    'sessions', (select coalesce(jsonb_agg(jsonb_build_object('from', s.sess, 'createdAt', s.created_at, 'seenAt', s.seen_at) order by s.created_at), '[]') from sessions s where s.user_id = person),
    'passkeys', (select coalesce(jsonb_agg(jsonb_build_object('name', k.name, 'createdAt', k.created_at, 'usedAt', k.used_at) order by k.created_at), '[]') from passkeys k where k.user_id = person),
    'notices', (select to_jsonb(n) - 'user_id' from notice_choices n where n.user_id = person),
    'accounts', (select coalesce(jsonb_agg(to_jsonb(a) - 'user_id' order by a.created_at), '[]') from trading_accounts a where a.user_id = person),
    'positions', (select coalesce(jsonb_agg(to_jsonb(p) - 'user_id' order by p.created_at, p.id), '[]') from positions p where p.user_id = person),
    'fills', (
      select coalesce(jsonb_agg(to_jsonb(f) - '{actor_id}'::text[] order by f.id), '[]')
      from fills f join positions p on p.id = f.position_id where p.user_id = person
    ),
    'ledger', (
      select coalesce(jsonb_agg(
        jsonb_build_object('entry', e.id, 'kind', e.kind, 'description', e.memo, 'account', a.kind, 'book', a.book, 'amount', l.amount::text, 'at', e.created_at)
        order by e.id
      ), '[]')
      from ledger_accounts a join ledger_postings l on l.account_id = a.id join ledger_entries e on e.id = l.entry_id
      where a.owner_id = person
    ),
    'deposits', (select coalesce(jsonb_agg(to_jsonb(d) - '{user_id,decided_by,admin_notes}'::text[] order by d.created_at), '[]') from deposits d where d.user_id = person),
    'withdrawals', (select coalesce(jsonb_agg(to_jsonb(w) - '{user_id,decided_by,admin_notes}'::text[] order by w.created_at), '[]') from withdrawals w where w.user_id = person),
    'withdrawalAddresses', (select coalesce(jsonb_agg(to_jsonb(b) - 'user_id' order by b.created_at), '[]') from payout_addresses b where b.user_id = person),
    'transfers', (select coalesce(jsonb_agg(to_jsonb(t) - 'user_id' order by t.created_at), '[]') from transfers t where t.user_id = person),
    'bonuses', (select coalesce(jsonb_agg(to_jsonb(b) - 'user_id' order by b.created_at), '[]') from bonuses b where b.user_id = person),
    'objections', (select coalesce(jsonb_agg(to_jsonb(o) - 'user_id' order by o.created_at), '[]') from disputes o where o.user_id = person),
    'tickets', (
      select coalesce(jsonb_agg(
        to_jsonb(t) - '{user_id,assigned_to,resolved_by}'::text[] || jsonb_build_object('messages', (
          select coalesce(jsonb_agg(jsonb_build_object('fromStaff', m.is_from_staff, 'message', m.message, 'at', m.created_at) order by m.created_at, m.id), '[]')
          from ticket_messages m where m.ticket_id = t.id
        )) order by t.created_at
      ), '[]')
      from support_tickets t where t.user_id = person
    ),
    'chat', (
      select coalesce(jsonb_agg(jsonb_build_object('fromStaff', c.is_from_admin, 'message', c.message, 'at', c.created_at) order by c.number), '[]')
      from chat_messages c where c.user_id = person
    ),
    'letters', (
      select coalesce(jsonb_agg(jsonb_build_object('kind', l.kind, 'to', l.address, 'status', l.status, 'at', l.created_at) order by l.created_at), '[]')
      from letters l where l.user_id = person
    ),
    'alerts', (select coalesce(jsonb_agg(to_jsonb(a) - 'user_id' order by a.created_at), '[]') from price_alerts a where a.user_id = person),
    'watchlists', (select coalesce(jsonb_agg(to_jsonb(w) - 'user_id' order by w.place), '[]') from watchlists w where w.user_id = person),
    'documents', (
      select coalesce(jsonb_agg(
        to_jsonb(d) - '{user_id,content,key_id,decided_by,identity_before}'::text[]
          || jsonb_build_object('seenByStaff', (select coalesce(jsonb_agg(v.seen_at order by v.seen_at), '[]') from document_views v where v.document_id = d.id))
        order by d.created_at
      ), '[]')
      from documents d where d.user_id = person
    )
  );
$$;

-- Asks for one's data. One at a time, and three a day.
create or replace function export_ask(person uuid) returns uuid language plpgsql as $$
declare
  made uuid;
begin
  perform 1 from users where id = person for no key update;
  if exists (select from data_exports where user_id = person and status = 'waiting') then
    perform refuse('conflict', 'Your data is being put together already.');
  end if;
  if (select count(*) from data_exports where user_id = person and created_at > clock_timestamp() - interval '1 day') >= 3 then
    perform refuse('too_many_requests', 'Your data was put together three times today. Please come back tomorrow.');
  end if;
  insert into data_exports (user_id) values (person) returning id into made;
  return made;
end $$;

-- Takes the export that has waited longest, for ten minutes; a program that is killed meanwhile leaves it to the next one.
create or replace function export_take() returns table (id uuid, user_id uuid) language sql as $$
  update data_exports e
  set taken_at = clock_timestamp()
  where e.id = (
    select w.id from data_exports w
    where w.status = 'waiting' and (w.taken_at is null or w.taken_at < clock_timestamp() - interval '10 minutes')
    order by w.created_at limit 1 for update skip locked
  )
  returning e.id, e.user_id;
$$;

-- Keeps what was put together, and tells its owner; null content: it could not be.
create or replace function export_done(of_export uuid, of_key text, cipher bytea, plain_size integer) returns void language plpgsql as $$
declare
  e data_exports;
begin
  update data_exports
  set status = case when cipher is null then 'failed' else 'ready' end, key_id = of_key, content = cipher, size = plain_size, ready_at = clock_timestamp(),
    expires_at = clock_timestamp() + interval '7 days'
  where id = of_export and status = 'waiting'
  returning * into e;
  if found and cipher is not null then perform letter_post(e.user_id, 'export_ready', jsonb_build_object('until', to_char(e.expires_at at time zone 'UTC', 'YYYY-MM-DD'))); end if;
end $$;

create or replace function exports_forget() returns void language sql as $$
  delete from data_exports where expires_at < clock_timestamp() and status <> 'waiting';
$$;

-- Refuses to close an account while there is something to see to; whoever looks on is its owner or, `by_staff`, somebody else.
create or replace function refuse_leaving(person uuid, by_staff boolean) returns void language plpgsql as $$
declare
  p users;
begin
  select * into p from users where id = person;
  if p.id is null then perform refuse('not_found', 'Not found.'); end if;
  if p.closed_at is not null then
    if by_staff then perform refuse('conflict', 'This account is closed already.'); end if;
    perform refuse('unauthorized', 'Unauthorized');
  end if;
  if p.role = 'admin' then perform refuse('conflict', 'An administrator''s account is not closed here. Another administrator takes the role away first.'); end if;
  if exists (select from ledger_accounts where owner_id = person and book = 'live' and balance <> 0) then
    perform refuse('money_left', case
      when by_staff then 'There is money of this client here. It is paid out first.'
      else 'There is money of yours here. Withdraw it first, and wait until what you asked for was decided.'
    end);
  end if;
  if exists (select from deposits where user_id = person and status = 'pending') then
    perform refuse('money_left', case
      when by_staff then 'A deposit of this client waits for an answer. Decide it first.' else 'A deposit of yours waits for an answer. Cancel it first.'
    end);
  end if;
  if exists (select from positions where user_id = person and status in ('open', 'pending')) then
    perform refuse('money_left', case
      when by_staff then 'This client has open positions or waiting orders.' else 'You have open positions or waiting orders. Close them first.'
    end);
  end if;
end $$;

-- Closes an account, by its owner's wish or by staff (`actor`): names, contacts, ways in and documents are gone; what was booked and dealt stays,
-- without a name, for `years`. Answers until when.
create or replace function account_leave(person uuid, years integer, actor uuid, why text, ip text, agent text) returns date language plpgsql as $$
declare
  until date := (current_date + make_interval(years => years))::date;
begin
  perform 1 from users where id = person for no key update;
  perform 1 from trading_accounts where user_id = person order by id for update;
  perform 1 from ledger_accounts where owner_id = person order by id for update;
  perform refuse_leaving(person, actor is not null);
  update documents set content = null where user_id = person and content is not null;
  delete from data_exports where user_id = person;
  -- The letter goes to the address that is given up here.
  perform letters_erase(person);
  perform letter_post(person, 'account_closed', jsonb_build_object('until', until));
  perform news_erase(person);
  perform person_erase(person, until);
  perform audit_append(
    actor, person, case when actor is null then 'user.close' else 'user.erase' end, case when actor is null then '{"by": "the owner"}'::json else '{}' end,
    '{}', json_build_object('closed', true, 'keptUntil', until), why, ip, agent
  );
  return until;
end $$;
create or replace function account_leave(person uuid, years integer) returns date language sql as $$
  select account_leave(person, years, null, '', '', '');
$$;
