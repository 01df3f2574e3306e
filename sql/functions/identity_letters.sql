-- What the links in letters do: a new password, an address, and the brake for an account in which somebody else is at work.

-- Looks up who asked for a new password, and leaves them their letters: of one person three an hour at most. Answers how many asked.
create or replace function resets_take() returns integer language plpgsql as $$
declare
  ask record;
  person uuid;
  taken integer := 0;
begin
  for ask in
    delete from reset_asks where place in (select place from reset_asks order by place limit 200 for update skip locked) returning email, ip
  loop
    taken := taken + 1;
    select id into person from users where lower(email) = lower(ask.email);
    if (select count(*) from letters where user_id = person and kind = 'reset_password' and created_at > now() - interval '1 hour') < 3 then
      perform letter_post(person, 'reset_password', jsonb_build_object('ip', ask.ip));
    end if;
  end loop;
  return taken;
end $$;

create or replace function sessions_end(person uuid) returns void language sql as $$
  delete from devices where user_id = person;
  delete from sessions where user_id = person;
$$;

create or replace function refuse_frozen(person uuid) returns void language plpgsql as $$
begin
  if (select frozen_at from users where id = person) is not null then
    perform refuse('account_frozen', 'This account is frozen, since its owner told us of something that was not them. Choose a new password to open it.');
  end if;
end $$;

-- Uses a link of a letter up and answers whose it is, with the person held: first the person, then the letter, as everywhere.
create or replace function link_owner(of_hash text, of_purpose text, out p users, out of_kind text, out sent_to text) language plpgsql as $$
declare
  s record;
begin
  select * into p from users where id = (select user_id from letter_links where hash = of_hash) for no key update;
  select * into s from link_spend(of_hash, of_purpose);
  of_kind := s.of_kind;
  sent_to := s.sent_to;
end $$;

-- Gives the person of a link a new password. All sessions end, the second factor stays, and what was frozen is open again.
create or replace function password_reset(of_hash text, new_password text, is_long boolean, told jsonb, ip text, agent text) returns uuid language plpgsql as $$
declare
  l record;
begin
  select * into l from link_owner(of_hash, 'reset');
  -- Whoever has had this address before is not the one who may choose.
  if lower((l.p).email) <> lower(l.sent_to) then perform refuse_link(); end if;
  update users
  set password = new_password, long_password = is_long, is_email_verified = true, frozen_at = null, updated_at = now()
  where id = (l.p).id;
  perform sessions_end((l.p).id);
  perform letters_end((l.p).id, '{reset_password,account_frozen}');
  perform letter_post((l.p).id, 'password_changed', told || '{"how": "reset"}');
  if (l.p).role = 'admin' then perform audit_append((l.p).id, (l.p).id, 'user.password_reset', '{}', '{}', '{}', '', ip, agent); end if;
  if (l.p).frozen_at is not null then
    perform audit_append(null, (l.p).id, 'user.release', '{"by": "a new password"}', '{"frozen": true}', '{"frozen": false}', '', ip, agent);
  end if;
  return (l.p).id;
end $$;

-- Gives a person another address. The old one is told, with a link that takes it back.
create or replace function email_change(p users, new_email text, is_verified boolean, told jsonb, ip text, agent text) returns void language plpgsql as $$
begin
  perform refuse_frozen(p.id);
  begin
    update users set email = new_email, is_email_verified = is_verified, updated_at = now() where id = p.id;
  exception when unique_violation then
    perform refuse('conflict', 'An account with this email already exists.', 'email');
  end;
  perform letters_end(p.id, '{reset_password,verify_email,confirm_email,account_frozen}');
  perform letter_post(p.id, 'email_changed', told || jsonb_build_object('address', new_email), p.email);
  if p.role = 'admin' then
    perform audit_append(
      p.id, p.id, 'user.email', '{}', json_build_object('email', p.email), json_build_object('email', new_email), '', ip, agent
    );
  end if;
end $$;

-- Asks for another address, which counts once it is confirmed; at once where no letter can be sent.
create or replace function email_ask(person uuid, new_email text, by_letter boolean, told jsonb, ip text, agent text) returns void language plpgsql as $$
declare
  p users;
begin
  select * into p from users where id = person for no key update;
  perform refuse_frozen(person);
  if exists (select from users where lower(email) = lower(new_email) and id <> person) then
    perform refuse('conflict', 'An account with this email already exists.', 'email');
  elsif new_email = p.email then
    perform refuse('conflict', 'This is your address already.', 'email');
  end if;
  if by_letter then
    perform letters_end(person, '{confirm_email}');
    perform letter_post(person, 'confirm_email', '{}', new_email);
  else
    perform email_change(p, new_email, false, told, ip, agent);
  end if;
end $$;

-- Confirms an address: the one that somebody has, or the one that it shall be. Answers whose.
create or replace function email_verify(of_hash text, told jsonb, ip text, agent text) returns uuid language plpgsql as $$
declare
  l record;
begin
  select * into l from link_owner(of_hash, 'verify');
  if lower((l.p).email) = lower(l.sent_to) then
    update users set is_email_verified = true, updated_at = now() where id = (l.p).id;
  elsif l.of_kind = 'confirm_email' then
    perform email_change(l.p, l.sent_to, true, told, ip, agent);
  else
    perform refuse_link();
  end if;
  return (l.p).id;
end $$;

-- Gives a person the address back that was changed away from, and ends all that went to others meanwhile: sessions, and links of letters.
create or replace function email_regain(p users, old_email text, ip text, agent text) returns void language plpgsql as $$
begin
  begin
    update users set email = old_email, is_email_verified = true, updated_at = now() where id = p.id;
  exception when unique_violation then
    perform refuse('conflict', 'Another account has this address by now. Please write to us.');
  end;
  perform sessions_end(p.id);
  perform letters_end(p.id, '{email_changed,reset_password,account_frozen,verify_email,confirm_email}');
  perform letters_end(p.id, '{new_device,password_changed,factor_added,factor_removed,withdrawal_asked,payout_address}', old_email);
  perform audit_append(
    null, p.id, 'user.email_back', '{"by": "the owner, by a letter"}', json_build_object('email', p.email), json_build_object('email', old_email), '', ip, agent
  );
end $$;

-- Takes a change of address back, by the letter that the old one got. A letter with a way to a new password follows: who changed the address
-- knew the password.
create or replace function email_take_back(of_hash text, ip text, agent text) returns uuid language plpgsql as $$
declare
  l record;
begin
  select * into l from link_owner(of_hash, 'take_back');
  if lower((l.p).email) = lower(l.sent_to) then perform refuse_link(); end if;
  perform email_regain(l.p, l.sent_to, ip, agent);
  perform letter_post((l.p).id, 'reset_password');
  return (l.p).id;
end $$;

-- 'This was not me': ends the sessions and blocks withdrawals, changes of address and sign-ins from new devices. Pressed in a letter to an
-- address that was changed away from within a week, it takes the address back, too: the way out goes by letter.
create or replace function account_freeze(of_hash text, ip text, agent text) returns uuid language plpgsql as $$
declare
  l record;
begin
  select * into l from link_owner(of_hash, 'freeze');
  if lower((l.p).email) <> lower(l.sent_to) and exists (
    select from letters
    where user_id = (l.p).id and kind = 'email_changed' and lower(address) = lower(l.sent_to) and created_at > now() - interval '7 days'
      and status <> 'recalled'
  ) then
    perform email_regain(l.p, l.sent_to, ip, agent);
  end if;
  update users set frozen_at = coalesce(frozen_at, clock_timestamp()), updated_at = now() where id = (l.p).id;
  perform sessions_end((l.p).id);
  perform letters_end((l.p).id, '{confirm_email}');
  perform letter_post((l.p).id, 'account_frozen');
  perform audit_append(
    null, (l.p).id, 'user.freeze', json_build_object('by', 'the owner, by a letter', 'letter', l.of_kind),
    json_build_object('frozen', (l.p).frozen_at is not null), '{"frozen": true}', '', ip, agent
  );
  return (l.p).id;
end $$;

-- An administrator opens an account again that its owner froze.
create or replace function account_release(admin uuid, target uuid, why text, ip text, agent text) returns void language plpgsql as $$
declare
  p users;
begin
  -- Both are held to write from the start: whoever held them to read first would wait for another who does the same.
  perform 1 from users where id in (admin, target) order by id for no key update;
  perform refuse_own(admin, target);
  select * into p from users where id = target;
  if not found then perform refuse('not_found', 'Not found.'); end if;
  if p.frozen_at is null then perform refuse('conflict', 'This account is not frozen.'); end if;
  update users set frozen_at = null, updated_at = now() where id = target;
  perform audit_append(admin, target, 'user.release', '{}', '{"frozen": true}', '{"frozen": false}', why, ip, agent);
end $$;
