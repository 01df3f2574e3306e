-- A client's move from one group to another, by staff. Every move is kept; the account holds the group of now.

-- Puts an account into the group that its moves say by now: a later one overtakes an earlier one that still waits. Nights until then are charged
-- by the terms of before. Answers whether it is another group.
create or replace function account_regroup(of_account uuid) returns boolean language plpgsql as $$
declare
  target text;
  advertised integer;
begin
  select m.to_group into target from group_moves m
  where m.account_id = of_account and m.effective_at <= clock_timestamp()
  order by m.number desc
  limit 1;
  -- The group before the account, as whoever changes a group takes them: either sees what the other did.
  select split_part(t.leverage, ':', 2)::integer into advertised from account_types t where t.id = target for share;
  perform 1 from trading_accounts a where a.id = of_account and a.status = 'active' and a.account_type_id <> target for update;
  if not found then return false; end if;
  perform swaps_settle_account(of_account);
  update positions set group_version = null where account_id = of_account and status in ('pending', 'open') and status = 'open';
  update trading_accounts set account_type_id = target, leverage = group_leverage(advertised), updated_at = now() where id = of_account;
  insert into engine_looks (subject) values (of_account);
  return true;
end $$;

-- Refuses an account that may not be in a group: whose owner is not taken or served, or that too little was moved into.
create or replace function refuse_group(account trading_accounts, terms group_versions) returns void language plpgsql as $$
declare
  home text := (select country from users where id = account.user_id);
begin
  if not group_takes(terms.countries, home) then
    perform refuse('not_served', format(
      '%s takes people who live in %s; this one lives in %s.', terms.name, array_to_string(terms.countries, ', '), coalesce(home, 'a country that was never said')
    ), 'group');
  end if;
  if account.is_demo then return; end if;
  perform refuse_unserved(account.user_id);
  if account.funded_total < terms.minimum_deposit then
    perform refuse('not_funded', format(
      '%s asks for %s in the account; so far it is %s.', terms.name, money_text(terms.minimum_deposit), money_text(account.funded_total)
    ), 'group');
  end if;
end $$;

-- Moves an account to another group, or takes back a move that waits (`wanted` is where it is). `seen`: how many moves of it were looked at. Where
-- something is open or waits, terms that are worse hold after `notice`. Answers the move.
create or replace function account_move(
  admin uuid, of_account uuid, wanted text, seen integer, notice interval, why text, ip text, agent text
) returns json language plpgsql as $$
declare
  account trading_accounts;
  moment timestamptz;
  before group_versions;
  after group_versions;
  waits boolean;
begin
  perform refuse_own(admin, (select a.user_id from trading_accounts a where a.id = of_account));
  perform 1 from account_types where id = wanted for share;
  if not found then perform refuse('invalid', 'There is no such group.', 'group'); end if;
  select * into account from trading_accounts where id = of_account for update;
  if not found then
    perform refuse('not_found', 'Not found.');
  elsif account.status <> 'active' then
    perform refuse('conflict', 'This trading account is closed.');
  elsif (select count(*) from group_moves m where m.account_id = of_account) <> seen then
    perform refuse('conflict', 'This account was moved meanwhile. Look at it again before you move it.');
  end if;
  moment := clock_timestamp();
  waits := coalesce((select m.effective_at > moment from group_moves m where m.account_id = of_account order by m.number desc limit 1), false);
  if wanted = account.account_type_id and not waits then perform refuse('conflict', 'This account is in that group.', 'group'); end if;
  before := group_terms_at(account.account_type_id, moment);
  after := group_terms_at(wanted, moment);
  if after.version is null then perform refuse('conflict', 'That group is not in force yet.', 'group'); end if;
  perform refuse_group(account, after);
  if exists (
    select from positions p
    cross join lateral group_held_at(account.account_type_id, moment, p.group_version) held
    cross join lateral group_held_at(wanted, moment, null) next
    where p.account_id = of_account and p.status in ('pending', 'open') and (group_worsens(before, after) or group_worsens(held, next))
  ) then
    moment := moment + notice;
  end if;
  insert into group_moves (account_id, from_group, to_group, effective_at, moved_by, reason)
  values (of_account, account.account_type_id, wanted, moment, admin, why);
  perform account_regroup(of_account);
  perform tell_person(
    account.user_id, case when wanted = account.account_type_id then 'Your account stays' else 'Your account moves' end,
    case when wanted = account.account_type_id then format('%s stays in %s.', account.account_number, after.name)
      else format('%s, from %s UTC: %s.', account.account_number, to_char(moment at time zone 'UTC', 'YYYY-MM-DD HH24:MI'), group_words(after)) end,
    'info', null, '/dashboard', 'move-' || of_account
  );
  perform audit_append(
    admin, account.user_id, 'account.move', json_build_object('account', account.account_number, 'effectiveAt', iso(moment)),
    json_build_object('group', account.account_type_id), json_build_object('group', wanted), why, ip, agent
  );
  return json_build_object('userId', account.user_id, 'group', wanted, 'effectiveAt', iso(moment));
end $$;

-- Puts accounts into the groups that their moves waited for. Answers how many.
create or replace function moves_come_due() returns integer language sql as $$
  select count(*) filter (where account_regroup(d.account_id))::integer
  from (
    select distinct m.account_id
    from group_moves m
    join trading_accounts a on a.id = m.account_id and a.status = 'active' and a.account_type_id <> m.to_group
    where m.effective_at > m.created_at and m.effective_at <= clock_timestamp()
      and not exists (select from group_moves n where n.account_id = m.account_id and n.number > m.number and n.effective_at <= clock_timestamp())
  ) d;
$$;

create or replace trigger group_moves_append_only before delete or update or truncate on group_moves for each statement execute function refuse_change();
