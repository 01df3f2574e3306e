-- An account tells what the house advanced, so that its equity can be worked out on each quote.
create or replace function account_json(of_account uuid) returns json language sql stable as $$
  select json_build_object(
    'id', a.id, 'name', a.name, 'accountNumber', a.account_number, 'accountType', t.name, 'accountTypeId', a.account_type_id,
    'balance', s.balance::text, 'equity', s.equity::text, 'margin', s.used::text, 'freeMargin', s.free::text, 'marginLevel', null,
    'isDemo', a.is_demo, 'status', a.status, 'leverage', '1:' || a.leverage, 'spreadsFrom', t.spreads_from::text,
    'minimumDeposit', t.minimum_deposit::text, 'fundedTotal', a.funded_total::text, 'advance', a.advance::text, 'lastTradedAt', iso(a.last_traded_at),
    'createdAt', iso(a.created_at), 'updatedAt', iso(a.updated_at)
  )
  from trading_accounts a
  join account_types t on t.id = a.account_type_id
  cross join lateral account_state(a.id, row('{}', '{}', '{}', '{}')::board) s
  where a.id = of_account;
$$;
