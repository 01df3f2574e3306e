-- Moving money between one's own accounts.

-- Moves money between the wallet (null) and live trading accounts. Out of an account at most what its free margin allows.
create or replace function transfer_make(
  caller uuid, source uuid, target uuid, of_amount numeric, now_board board, once_key text, once_fingerprint text
) returns json language plpgsql as $$
declare
  earlier json;
  account trading_accounts;
  source_ledger bigint := ledger_account_of(caller, 'wallet');
  target_ledger bigint := ledger_account_of(caller, 'wallet');
  state record;
  available numeric;
  t transfers;
begin
  earlier := once_begin(caller, once_key, once_fingerprint);
  if earlier is not null then return earlier; end if;
  if source is not distinct from target then
    perform refuse('invalid', 'Choose two different accounts.', 'toAccountId');
  end if;
  for account in select * from trading_accounts where user_id = caller and id in (source, target) order by id for update loop
    if account.is_demo then
      perform refuse('demo_account', 'Demo money is virtual: it can''t be moved.', case when account.id = source then 'fromAccountId' else 'toAccountId' end);
    elsif account.status <> 'active' then
      perform refuse('conflict', 'This trading account is closed.');
    end if;
    if account.id = source then source_ledger := account.ledger_account_id; else target_ledger := account.ledger_account_id; end if;
  end loop;
  if source is not null and source_ledger = ledger_account_of(caller, 'wallet') or target is not null and target_ledger = ledger_account_of(caller, 'wallet') then
    perform refuse('not_found', 'Not found.');
  end if;
  if target is not null then perform refuse_unapproved(caller); end if;
  if source is not null then
    -- Without a price nobody knows what is free.
    if exists (select from positions where account_id = source and status = 'open' and symbol <> all ((now_board).symbols)) then
      perform refuse('stale_price', 'An open position of this account has no current price. Please try again in a moment.');
    end if;
    select * into state from account_state(source, now_board);
    if of_amount > least(state.free, state.balance) then
      perform refuse('insufficient_funds', format('At most %s of this account is free.', money_text(greatest(least(state.free, state.balance), 0))), 'amount');
    end if;
  else
    select l.balance into available from ledger_accounts l where l.id = source_ledger for update;
    if of_amount > available then
      perform refuse('insufficient_funds', format('Your wallet holds %s.', money_text(available)), 'amount');
    end if;
  end if;
  insert into transfers (user_id, from_account_id, to_account_id, amount) values (caller, source, target, of_amount) returning * into t;
  perform ledger_post('transfer', t.id, 'Transfer between your accounts', array[source_ledger, target_ledger], array[-of_amount, of_amount]);
  perform account_fund(source, -of_amount);
  perform account_fund(target, of_amount);
  return once_answer(
    caller, once_key, 201, json_build_object('id', t.id, 'fromAccountId', source, 'toAccountId', target, 'amount', of_amount::text, 'createdAt', iso(t.created_at))
  );
end $$;

-- The balance screen: moves what its figures say between the wallet and the oldest live account. It can't make money, so
-- other sums than the ledger's are refused. With the accounts' rows and the wallet held, no figure changes meanwhile.
create or replace function balance_change(caller uuid, of_wallet numeric, of_trading numeric, of_profit numeric, now_board board) returns void language plpgsql as $$
declare
  now_has user_financials;
  account uuid;
  moved numeric;
begin
  perform 1 from trading_accounts where user_id = caller and not is_demo order by id for update;
  perform 1 from ledger_accounts where id = ledger_account_of(caller, 'wallet') for update;
  select * into now_has from user_financials where user_id = caller;
  if of_wallet < 0 or of_trading < 0 or of_profit <> now_has.total_profit or of_wallet + of_trading <> now_has.account_balance + now_has.trading_balance then
    perform refuse('balance_mismatch', format(
      'This only moves money between your wallet and your live trading account: the two balances must add up to %s, as now, and the total profit stays as it is. '
      'To put money in make a deposit, to take it out a withdrawal.', money_text(now_has.account_balance + now_has.trading_balance)
    ));
  end if;
  moved := of_trading - now_has.trading_balance;
  if moved = 0 then return; end if;
  select id into account from trading_accounts where user_id = caller and not is_demo and status = 'active' order by created_at, id limit 1;
  if not found then perform refuse('conflict', 'Open a live trading account first.'); end if;
  perform transfer_make(
    caller, case when moved < 0 then account end, case when moved > 0 then account end, abs(moved), now_board, null, null
  );
end $$;
