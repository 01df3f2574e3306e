-- What owners do with their trading accounts: open one, set a demo one back, close an empty one. Each command that moves money is
-- one function; it takes an Idempotency-Key (null for none) and answers {status, answer}.

-- Opens an account; a demo one is granted its virtual money at once.
create or replace function account_open(owner uuid, type_id text, demo boolean, starting_demo numeric default 10000) returns uuid language plpgsql as $$
declare
  ledger_account bigint := ledger_account_open(owner, case when demo then 'demo' else 'live' end, 'trading');
  account uuid;
begin
  insert into trading_accounts (user_id, ledger_account_id, account_number, account_type_id, is_demo, leverage)
  select
    owner, ledger_account, 'ACC' || (extract(epoch from clock_timestamp()) * 1000)::bigint || lpad((nextval('account_numbers') % 1000)::text, 3, '0'), type_id, demo,
    group_leverage(split_part(t.leverage, ':', 2)::integer)
  from account_types t where t.id = type_id
  -- Whoever changes the group meanwhile is waited for.
  for key share
  returning id into account;
  if demo then
    perform ledger_post('demo_grant', account, 'Virtual money for a demo account', array[ledger_account, house_account('demo', 'house_demo')], array[starting_demo, -starting_demo]);
  end if;
  return account;
end $$;

-- A new person's first money: an empty wallet, the hold for withdrawals, and a Starter demo account to trade at once.
create or replace function person_open(person uuid) returns uuid language sql as $$
  select ledger_account_open(person, 'live', 'wallet');
  select ledger_account_open(person, 'live', 'withdrawal_hold');
  select account_open(person, 'starter', true);
$$;

-- Where the country of an account's owner allows less leverage than the account has, by the group of instruments; null without rules.
create or replace function account_caps(a trading_accounts) returns jsonb language sql stable as $$
  select jsonb_strip_nulls(jsonb_build_object(
    'forex-major', '1:' || nullif(least(j.leverage_major, a.leverage), a.leverage), 'forex-minor', '1:' || nullif(least(j.leverage_minor, a.leverage), a.leverage),
    'crypto', '1:' || nullif(least(j.leverage_crypto, a.leverage), a.leverage)
  ))
  from jurisdictions j join users o on o.country = j.country
  where o.id = a.user_id;
$$;

-- An account without open positions as its owner sees it: no quote can move it. It tells what the house advanced, so that its
-- equity can be worked out on each quote.
create or replace function account_json(of_account uuid) returns json language sql stable as $$
  select json_build_object(
    'id', a.id, 'name', a.name, 'accountNumber', a.account_number, 'accountType', t.name, 'accountTypeId', a.account_type_id,
    'balance', s.balance::text, 'equity', s.equity::text, 'margin', s.used::text, 'freeMargin', s.free::text, 'marginLevel', null,
    'isDemo', a.is_demo, 'status', a.status, 'leverage', '1:' || a.leverage, 'caps', account_caps(a), 'spreadsFrom', t.spreads_from::text, 'spreads', nullif(t.spreads, '[]'), 'version', t.version, 'held', held_json(t), 'commission', t.commission::text,
    'swap', group_swap_json(t.id), 'minimumDeposit', t.minimum_deposit::text, 'fundedTotal', a.funded_total::text, 'advance', a.advance::text, 'lastTradedAt', iso(a.last_traded_at),
    'createdAt', iso(a.created_at), 'updatedAt', iso(a.updated_at)
  )
  from trading_accounts a
  join account_types t on t.id = a.account_type_id
  cross join lateral account_state(a.id, row('{}', '{}', '{}', '{}')::board) s
  where a.id = of_account;
$$;

-- Opens an account, of each kind at most so many: one opening at a time for each person.
create or replace function account_create(caller uuid, type_id text, demo boolean, most integer, once_key text, once_fingerprint text) returns json language plpgsql as $$
declare
  earlier json;
  account uuid;
begin
  earlier := once_begin(caller, once_key, once_fingerprint);
  if earlier is not null then return earlier; end if;
  if not exists (select from account_types where id = type_id and is_active) then
    perform refuse('invalid', 'Please select an account type', 'accountTypeId');
  end if;
  perform 1 from users where id = caller for no key update;
  if not group_takes((select countries from account_types where id = type_id), (select country from users where id = caller)) then
    perform refuse('invalid', 'This account type is not offered where you live', 'accountTypeId');
  end if;
  if (select count(*) from trading_accounts where user_id = caller and status = 'active' and is_demo = demo) >= most then
    perform refuse('too_many_accounts', format('You already have %s accounts of this kind.', most));
  end if;
  account := account_open(caller, type_id, demo);
  return once_answer(caller, once_key, 201, account_json(account));
end $$;

-- One of the caller's own accounts, which is not closed; locked.
create or replace function account_held(caller uuid, of_account uuid) returns trading_accounts language plpgsql as $$
declare
  account trading_accounts;
begin
  select * into account from trading_accounts where id = of_account and user_id = caller for update;
  if not found then
    perform refuse('not_found', 'Not found.');
  elsif account.status <> 'active' then
    perform refuse('conflict', 'This trading account is closed.');
  end if;
  return account;
end $$;

-- Notes what was moved into an account, or out of it where that is negative. Null is no account.
create or replace function account_fund(of_account uuid, moved numeric) returns void language plpgsql as $$
begin
  update trading_accounts
  set funded_net = funded_net + moved, funded_total = greatest(funded_total, funded_net + moved), updated_at = now()
  where id = of_account;
end $$;

create or replace function refuse_dealing(account trading_accounts) returns void language plpgsql as $$
begin
  if exists (select from positions where account_id = account.id and status in ('pending', 'open')) then
    perform refuse('conflict', 'This account has open positions or waiting orders. Close them first.');
  end if;
end $$;

-- Sets a demo account back to its virtual money, whatever it won or lost; one that holds exactly that is left alone.
create or replace function demo_reset(caller uuid, of_account uuid, once_key text, once_fingerprint text, starting_demo numeric default 10000) returns json language plpgsql as $$
declare
  earlier json;
  account trading_accounts;
  lacking numeric;
  reset uuid;
begin
  earlier := once_begin(caller, once_key, once_fingerprint);
  if earlier is not null then return earlier; end if;
  account := account_held(caller, of_account);
  if not account.is_demo then
    perform refuse('live_account', 'Only a demo account can be reset: live money is real.');
  end if;
  perform refuse_dealing(account);
  select starting_demo - balance into lacking from ledger_accounts where id = account.ledger_account_id for update;
  if lacking <> 0 then
    insert into demo_resets (account_id, amount) values (account.id, lacking) returning id into reset;
    perform ledger_post(
      'demo_reset', reset, 'Demo account set back', array[account.ledger_account_id, house_account('demo', 'house_demo')], array[lacking, -lacking]
    );
    update trading_accounts set updated_at = now() where id = account.id;
  end if;
  return once_answer(caller, once_key, 200, account_json(account.id));
end $$;

-- Closes an account that holds nothing. A demo account's virtual money goes back to where it came from.
create or replace function account_close(caller uuid, of_account uuid, once_key text, once_fingerprint text) returns json language plpgsql as $$
declare
  earlier json;
  account trading_accounts;
  holds numeric;
begin
  earlier := once_begin(caller, once_key, once_fingerprint);
  if earlier is not null then return earlier; end if;
  account := account_held(caller, of_account);
  perform refuse_dealing(account);
  select balance into holds from ledger_accounts where id = account.ledger_account_id for update;
  if holds <> 0 and not account.is_demo then
    perform refuse('conflict', format('This account holds %s. Transfer it to your wallet first.', money_text(holds)));
  elsif holds <> 0 then
    perform ledger_post(
      'demo_return', account.id, 'Virtual money of a closed demo account',
      array[account.ledger_account_id, house_account('demo', 'house_demo')], array[-holds, holds]
    );
  end if;
  update trading_accounts set status = 'closed', updated_at = now() where id = account.id;
  return once_answer(caller, once_key, 200, account_json(account.id));
end $$;

-- A person's money as screens show it: the wallet, the live trading accounts' balances, realised profit on live accounts.
create or replace view user_financials as
select
  u.id as user_id,
  coalesce((select balance from ledger_accounts where owner_id = u.id and kind = 'wallet'), 0.00) as account_balance,
  coalesce((select sum(balance) from ledger_accounts where owner_id = u.id and kind = 'trading' and book = 'live'), 0.00) as trading_balance,
  coalesce((select sum(realised) from trading_accounts where user_id = u.id and not is_demo), 0.00) as total_profit
from users u;

-- The terms of accounts go into the public log.
create or replace trigger account_types_logged after insert or delete or update on account_types for each statement execute function proof_note_terms();

create or replace function account_names_end() returns trigger language plpgsql as $$
begin
  update trading_accounts set name = null where user_id = new.id and name is not null;
  return null;
end $$;
create or replace trigger users_records_accounts after update of records_ended_at on users for each row when (old.records_ended_at is null and new.records_ended_at is not null) execute function account_names_end();
