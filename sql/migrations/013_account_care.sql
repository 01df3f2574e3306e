-- What owners do with their trading accounts: open one, name it, set a demo one back, close an empty one. Each deed that
-- moves money is one function; it takes an Idempotency-Key (null for none) and answers {status, answer}.

alter table trading_accounts add column name text check (length(name) between 1 and 60);

-- A demo account set back to its virtual money: how much that gave or took.
create table demo_resets (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references trading_accounts (id),
  amount numeric(15, 2) not null check (amount <> 0 and amount <> 'NaN'),
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp())
);
create index demo_resets_account on demo_resets (account_id, created_at desc);

-- An account without open positions as its owner sees it: no quote can move it.
create function account_json(of_account uuid) returns json language sql stable as $$
  select json_build_object(
    'id', a.id, 'name', a.name, 'accountNumber', a.account_number, 'accountType', t.name, 'accountTypeId', a.account_type_id,
    'balance', s.balance::text, 'equity', s.equity::text, 'margin', s.used::text, 'freeMargin', s.free::text, 'marginLevel', null,
    'isDemo', a.is_demo, 'status', a.status, 'leverage', '1:' || a.leverage, 'spreadsFrom', t.spreads_from::text,
    'minimumDeposit', t.minimum_deposit::text, 'fundedTotal', a.funded_total::text, 'lastTradedAt', iso(a.last_traded_at),
    'createdAt', iso(a.created_at), 'updatedAt', iso(a.updated_at)
  )
  from trading_accounts a
  join account_types t on t.id = a.account_type_id
  cross join lateral account_state(a.id, row('{}', '{}', '{}', '{}')::board) s
  where a.id = of_account;
$$;

-- Opens an account, of each kind at most so many: one opening at a time for each person.
create function account_create(caller uuid, type_id text, demo boolean, most integer, once_key text, once_fingerprint text) returns json language plpgsql as $$
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
  if (select count(*) from trading_accounts where user_id = caller and status = 'active' and is_demo = demo) >= most then
    perform refuse('too_many_accounts', format('You already have %s accounts of this kind.', most));
  end if;
  account := account_open(caller, type_id, demo);
  return once_answer(caller, once_key, 201, account_json(account));
end $$;

-- One of the caller's own accounts, which is not closed; locked.
create function account_held(caller uuid, of_account uuid) returns trading_accounts language plpgsql as $$
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

create function refuse_dealing(account trading_accounts) returns void language plpgsql as $$
begin
  if exists (select from positions where account_id = account.id and status in ('pending', 'open')) then
    perform refuse('conflict', 'This account has open positions or waiting orders. Close them first.');
  end if;
end $$;

-- Gives a demo account its virtual money again, whatever it won or lost; one that has exactly that stays as it is.
create function demo_reset(caller uuid, of_account uuid, once_key text, once_fingerprint text, starting_demo numeric default 10000) returns json language plpgsql as $$
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
create function account_close(caller uuid, of_account uuid, once_key text, once_fingerprint text) returns json language plpgsql as $$
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
