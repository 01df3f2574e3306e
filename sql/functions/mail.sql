-- Letters. A command leaves one in its own transaction, so none is lost and none tells of what was rolled back. What it says is written
-- when it is sent (views/mail), from these facts; so no row ever holds a link that opens something.

-- By which choice of the person a kind of letter can be done without; null for those that are always sent.
create or replace function letter_topic(of_kind text) returns text language sql immutable as $$
  select case
    when of_kind in ('deposit_asked', 'deposit_decided', 'withdrawal_asked', 'withdrawal_decided') then 'money'
    when of_kind in ('margin_call', 'stop_out') then 'margin'
    when of_kind in ('correction', 'dispute') then 'trades'
    when of_kind = 'ticket_answered' then 'support'
    when of_kind = 'statement' then 'statements'
  end;
$$;

-- Whether the person wants letters of this topic.
create or replace function letter_wanted(person uuid, topic text) returns boolean language sql stable as $$
  select coalesce((
    select case topic
      when 'money' then email_money when 'margin' then email_margin when 'trades' then email_trades when 'support' then email_support
      when 'statements' then email_statements
    end
    from notice_choices where user_id = person
  ), true);
$$;

-- Leaves a letter for a person, in the transaction of the command that it tells of. It goes to the address that the person has at this moment,
-- or to `to_address`, and not before `rests` is over.
create or replace function letter_post(
  person uuid, of_kind text, of_facts jsonb default '{}', to_address text default null, rests interval default '0'
) returns void language sql as $$
  insert into letters (user_id, address, kind, facts, due_at)
  select u.id, coalesce(to_address, u.email), of_kind, of_facts, clock_timestamp() + rests
  from users u
  where u.id = person and letter_wanted(person, letter_topic(of_kind));
$$;

-- Leaves a letter for an address that is nobody's here, as the operator's settings name one.
create or replace function letter_to(to_address text, of_kind text, of_facts jsonb) returns void language sql as $$
  insert into letters (address, kind, facts) values (to_address, of_kind, of_facts);
$$;

-- Takes back what was not sent yet of these kinds, and ends the links of what was: something else has overtaken them. With `other_than` only
-- letters to other addresses. A letter that is being sent just now gets no link any more, or one that is ended here.
create or replace function letters_end(person uuid, kinds text[], other_than text default null) returns void language plpgsql as $$
begin
  perform 1 from letters
  where user_id = person and kind = any (kinds) and (other_than is null or lower(address) <> lower(other_than))
  order by id for no key update;
  update letters
  set status = 'recalled', answer = 'not sent: overtaken by something else', ended_at = clock_timestamp()
  where user_id = person and kind = any (kinds) and (other_than is null or lower(address) <> lower(other_than)) and status in ('waiting', 'kept');
  update letter_links k
  set used_at = clock_timestamp()
  from letters l
  where l.id = k.letter_id and l.user_id = person and l.kind = any (kinds) and (other_than is null or lower(l.address) <> lower(other_than))
    and k.used_at is null;
end $$;

-- Takes back the letters of a kind that were not sent yet and have this fact.
create or replace function letter_recall(person uuid, of_kind text, fact text, value text) returns void language sql as $$
  update letters
  set status = 'recalled', answer = 'not sent: overtaken by something else', ended_at = clock_timestamp()
  where user_id = person and kind = of_kind and facts ->> fact = value and status in ('waiting', 'kept');
$$;

-- Takes away what was sent to a person who leaves, and what waits for being sent.
create or replace function letters_erase(person uuid) returns void language sql as $$
  delete from letters where user_id = person;
$$;

-- Leaves the statement of a month (its first day) for everybody who had live money moved in it, once.
create or replace function letter_statements(of_month date) returns integer language sql as $$
  with moved as (
    select distinct a.owner_id as person
    from ledger_entries e
    join ledger_postings p on p.entry_id = e.id
    join ledger_accounts a on a.id = p.account_id
    where a.book = 'live' and a.owner_id is not null
      and e.created_at >= of_month::timestamp at time zone 'UTC' and e.created_at < (of_month + interval '1 month') at time zone 'UTC'
  ), left_ as (
    insert into letters (user_id, address, kind, facts)
    select u.id, u.email, 'statement', jsonb_build_object('month', to_char(of_month, 'YYYY-MM'))
    from moved m join users u on u.id = m.person
    where u.role = 'user' and letter_wanted(u.id, 'statements')
    on conflict (user_id, (facts ->> 'month')) where kind = 'statement' do nothing
    returning id
  )
  select count(*)::integer from left_;
$$;

create or replace function refuse_link() returns void language plpgsql as $$
begin
  perform refuse('link_over', 'This link has been used, has expired, or was not copied whole. Ask for a new letter.');
end $$;

-- Uses a link up and answers whose it is, and which letter brought it. Whoever calls it holds the person: so of any number at once, by whichever
-- of a letter's links, one has it; the others, and whoever has an unknown or expired one, are refused in the same words.
create or replace function link_spend(of_hash text, of_purpose text, out person uuid, out letter uuid, out of_kind text, out sent_to text) language plpgsql as $$
begin
  select l.user_id, l.id, l.kind, l.address into person, letter, of_kind, sent_to
  from letters l
  where l.id = (select letter_id from letter_links where hash = of_hash and purpose = of_purpose);
  if letter is null
    or not exists (select from letter_links where hash = of_hash and expires_at > clock_timestamp())
    or exists (select from letter_links where letter_id = letter and purpose = of_purpose and used_at is not null)
  then
    perform refuse_link();
  end if;
  update letter_links set used_at = clock_timestamp() where letter_id = letter and purpose = of_purpose;
end $$;

-- Whether a link would be taken just now: for the page that shows its button. Nothing is used up.
create or replace function link_person(of_hash text, of_purpose text) returns uuid language sql stable as $$
  select k.user_id
  from letter_links k
  where k.hash = of_hash and k.purpose = of_purpose and k.expires_at > clock_timestamp()
    and not exists (select from letter_links o where o.letter_id = k.letter_id and o.purpose = k.purpose and o.used_at is not null);
$$;
