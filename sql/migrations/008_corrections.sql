-- Administrators' corrections: an open position is settled with a result that is not the market's, for a reason that its
-- trader reads beside both results. What is written here is never changed. Locks: the request, the trading account, the
-- position, the people, ledger accounts by id, the audit head.

-- A correction against the client of a live account, which waits for a second administrator.
create table correction_requests (
  id uuid primary key default gen_random_uuid(),
  position_id uuid not null references positions (id),
  admin_id uuid not null references users (id),
  settled_profit numeric(15, 2) not null check (settled_profit <> 0 and settled_profit <> 'NaN'),
  -- The market result when it was asked for; on confirmation it is taken anew.
  market_profit numeric(15, 2) not null check (market_profit <> 'NaN'),
  reason text not null check (length(reason) between 1 and 500),
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp())
);
create index correction_requests_position on correction_requests (position_id);
create index correction_requests_newest on correction_requests (created_at desc, id desc);
create trigger correction_requests_append_only before update or delete or truncate on correction_requests for each statement execute function refuse_change();

create table correction_decisions (
  request_id uuid primary key references correction_requests (id),
  admin_id uuid not null references users (id),
  decision text not null check (decision in ('confirmed', 'declined')),
  reason text not null check (length(reason) <= 500),
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp())
);
create trigger correction_decisions_append_only before update or delete or truncate on correction_decisions for each statement execute function refuse_change();

create table corrections (
  position_id uuid primary key references positions (id),
  request_id uuid unique references correction_requests (id),
  admin_id uuid not null references users (id),
  confirmed_by uuid references users (id),
  -- Who it was, as the trader reads it: the names of that day.
  administrator text not null,
  reason text not null check (length(reason) between 1 and 500),
  market_price numeric(20, 8) not null check (market_price > 0 and market_price <> 'NaN'),
  market_profit numeric(15, 2) not null check (market_profit <> 'NaN'),
  settled_profit numeric(15, 2) not null check (settled_profit <> 0 and settled_profit <> 'NaN'),
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  check ((request_id is null) = (confirmed_by is null)),
  check (confirmed_by <> admin_id)
);
create index corrections_newest on corrections (created_at desc, position_id desc);
create trigger corrections_append_only before update or delete or truncate on corrections for each statement execute function refuse_change();

-- A trader's objection to a correction: once each, in the trader's own words.
create table disputes (
  id uuid primary key default gen_random_uuid(),
  position_id uuid not null unique references corrections (position_id),
  user_id uuid not null references users (id),
  message text not null check (length(message) between 1 and 5000),
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp())
);
create index disputes_newest on disputes (created_at desc, id desc);

-- What the trader is told of a correction, now and for ever; null where there was none.
create function correction_json(of_position uuid) returns json language sql stable as $$
  select json_build_object(
    'reason', c.reason, 'marketProfit', c.market_profit::text, 'settledProfit', c.settled_profit::text, 'administrator', c.administrator,
    'at', iso(c.created_at), 'disputedAt', iso(d.created_at)
  )
  from corrections c
  left join disputes d on d.position_id = c.position_id
  where c.position_id = of_position;
$$;

-- An open position with its account, both held until the deed ends.
create function correction_subject(of_position uuid, out account trading_accounts, out p positions) language plpgsql as $$
begin
  select a.* into account from trading_accounts a join positions o on o.account_id = a.id where o.id = of_position for update of a;
  if not found then perform refuse('not_found', 'Not found.'); end if;
  select * into p from positions where id = of_position for update;
  if p.status = 'pending' then perform refuse('conflict', 'This order still waits for the market to open, so there is nothing to settle.'); end if;
  if p.status <> 'open' then perform refuse('conflict', 'This position is already closed.'); end if;
end $$;

create function refuse_own_position(admin uuid, owner uuid) returns void language plpgsql as $$
begin
  if admin = owner then perform refuse('forbidden', 'You can''t settle your own position. Ask another administrator.'); end if;
  perform refuse_own(admin, owner);
end $$;

-- What a position would close at on a tick, and what that would bring. Without a tick there is no saying.
create type market_result as (price numeric, result numeric);

create function correction_market(account trading_accounts, p positions, q deed_quote) returns market_result language plpgsql as $$
declare
  market market_result;
begin
  if q is null then perform refuse('stale_price', format('There is no current price for %s. Please try again in a moment.', p.symbol)); end if;
  select case p.side when 'buy' then x.account_bid else x.account_ask end into market.price
  from account_types t, account_price(q.bid, q.ask, q.pip, t.spreads_from) x
  where t.id = account.account_type_id;
  market.result := profit_of(p.side, p.amount, p.open_price, market.price);
  return market;
end $$;

-- A forced loss is at most the account's balance: nobody is made to owe.
create function refuse_loss_beyond_balance(account trading_accounts, settled numeric) returns void language plpgsql as $$
declare
  held numeric := (select balance from ledger_accounts where id = account.ledger_account_id);
begin
  if -settled > held then
    perform refuse('insufficient_funds', format('The loss can be at most the account''s balance, which is %s.', money_text(held)), 'loss');
  end if;
end $$;

-- Closes the position with the settled result and writes down who did it, why, and what the market would have brought.
create function correction_settle(
  account trading_accounts, p positions, market market_result, q deed_quote, admin uuid, confirmer uuid, of_request uuid, settled numeric, why text, ip text, agent text
) returns json language plpgsql as $$
declare
  tier numeric := (select spreads_from from account_types where id = account.account_type_id);
begin
  perform refuse_loss_beyond_balance(account, settled);
  p := position_close(account, p, 'admin', market.price, tier, q, null, coalesce(confirmer, admin), settled);
  insert into corrections (position_id, request_id, admin_id, confirmed_by, administrator, reason, market_price, market_profit, settled_profit)
  select p.id, of_request, admin, confirmer, a.first_name || ' ' || a.last_name || coalesce(', confirmed by ' || c.first_name || ' ' || c.last_name, ''),
    why, market.price, market.result, settled
  from users a
  left join users c on c.id = confirmer
  where a.id = admin;
  perform audit_append(
    coalesce(confirmer, admin), p.user_id, case when confirmer is not null then 'trade.confirm' when settled > 0 then 'trade.force_win' else 'trade.force_loss' end,
    json_build_object(
      'positionId', p.id, 'accountId', p.account_id, 'symbol', p.symbol, 'type', p.side, 'amount', p.amount::text, 'marketPrice', market.price::text,
      'marketProfit', market.result::text, 'impact', (settled - market.result)::text, 'requestId', of_request, 'askedBy', case when confirmer is not null then admin end
    ),
    json_build_object('status', 'open', 'profit', market.result::text), json_build_object('status', 'closed', 'profit', settled::text), why, ip, agent
  );
  return (position_json(p, market.price)::jsonb || jsonb_build_object('userId', p.user_id, 'correction', correction_json(p.id)))::json;
end $$;

-- Settles an open position: `settled` above zero is a forced win, below zero a forced loss. On a live account a result below the
-- market's is refused; with `four_eyes` it waits for a second administrator (status 202).
create function trade_force(
  admin uuid, of_position uuid, settled numeric, why text, four_eyes boolean, q deed_quote, ip text, agent text, once_key text, once_fingerprint text
) returns json language plpgsql as $$
declare
  earlier json;
  held record;
  market market_result;
  request correction_requests;
begin
  earlier := once_begin(admin, once_key, once_fingerprint);
  if earlier is not null then return earlier; end if;
  select * into held from correction_subject(of_position);
  perform refuse_own_position(admin, (held.p).user_id);
  market := correction_market(held.account, held.p, q);
  if (held.account).is_demo or settled >= market.result then
    return once_answer(admin, once_key, 200, correction_settle(held.account, held.p, market, q, admin, null, null, settled, why, ip, agent));
  end if;
  perform refuse_against_client(four_eyes, market.result);
  perform refuse_loss_beyond_balance(held.account, settled);
  if exists (select from correction_requests r where r.position_id = of_position and not exists (select from correction_decisions d where d.request_id = r.id)) then
    perform refuse('conflict', 'A correction of this position already waits for a second administrator.');
  end if;
  insert into correction_requests (position_id, admin_id, settled_profit, market_profit, reason)
  values (of_position, admin, settled, market.result, why)
  returning * into request;
  perform audit_append(
    admin, (held.p).user_id, 'trade.ask',
    json_build_object(
      'requestId', request.id, 'positionId', of_position, 'accountId', (held.p).account_id, 'symbol', (held.p).symbol, 'type', (held.p).side,
      'amount', (held.p).amount::text, 'marketProfit', market.result::text, 'settledProfit', settled::text
    ),
    json_build_object('status', 'open'), json_build_object('status', 'pending_second_approval'), why, ip, agent
  );
  return once_answer(admin, once_key, 202, json_build_object(
    'status', 'pending_second_approval', 'id', request.id, 'positionId', of_position, 'marketProfit', market.result::text,
    'settledProfit', settled::text, 'reason', why, 'createdAt', iso(request.created_at)
  ));
end $$;

create function refuse_against_client(four_eyes boolean, market_result numeric) returns void language plpgsql as $$
begin
  if four_eyes is not true then
    perform refuse('against_client', format(
      'On a live account a position can''t be settled below its market result, which is %s now.', replace(money_text(market_result), '$-', '-$')
    ));
  end if;
end $$;

-- The request that this administrator may decide, held until the deed ends.
create function correction_claim(admin uuid, of_request uuid) returns correction_requests language plpgsql as $$
declare
  request correction_requests;
  decided text;
begin
  select * into request from correction_requests where id = of_request for update;
  if not found then perform refuse('not_found', 'Not found.'); end if;
  if request.admin_id = admin then perform refuse('forbidden', 'You asked for this correction. Another administrator decides it.'); end if;
  select decision into decided from correction_decisions where request_id = of_request;
  if found then perform refuse('conflict', 'This correction is already ' || decided || '.'); end if;
  return request;
end $$;

-- The second administrator agrees: the position closes now, with the market result of this tick on record.
create function correction_confirm(
  admin uuid, of_request uuid, four_eyes boolean, q deed_quote, ip text, agent text, once_key text, once_fingerprint text
) returns json language plpgsql as $$
declare
  earlier json;
  request correction_requests;
  held record;
  market market_result;
begin
  earlier := once_begin(admin, once_key, once_fingerprint);
  if earlier is not null then return earlier; end if;
  request := correction_claim(admin, of_request);
  select * into held from correction_subject(request.position_id);
  perform refuse_own_position(admin, (held.p).user_id);
  market := correction_market(held.account, held.p, q);
  if request.settled_profit < market.result then perform refuse_against_client(four_eyes, market.result); end if;
  insert into correction_decisions (request_id, admin_id, decision, reason) values (of_request, admin, 'confirmed', '');
  return once_answer(admin, once_key, 200, correction_settle(
    held.account, held.p, market, q, request.admin_id, admin, of_request, request.settled_profit, request.reason, ip, agent
  ));
end $$;

-- The second administrator does not agree: the position stays as it is.
create function correction_decline(admin uuid, of_request uuid, why text, ip text, agent text, once_key text, once_fingerprint text) returns json language plpgsql as $$
declare
  earlier json;
  request correction_requests;
  p positions;
begin
  earlier := once_begin(admin, once_key, once_fingerprint);
  if earlier is not null then return earlier; end if;
  request := correction_claim(admin, of_request);
  select * into p from positions where id = request.position_id;
  perform refuse_own_position(admin, p.user_id);
  insert into correction_decisions (request_id, admin_id, decision, reason) values (of_request, admin, 'declined', why);
  perform audit_append(
    admin, p.user_id, 'trade.decline',
    json_build_object(
      'requestId', of_request, 'positionId', p.id, 'accountId', p.account_id, 'symbol', p.symbol, 'settledProfit', request.settled_profit::text,
      'askedBy', request.admin_id
    ),
    json_build_object('status', 'pending_second_approval'), json_build_object('status', 'declined'), why, ip, agent
  );
  return once_answer(admin, once_key, 200, json_build_object('status', 'declined', 'id', of_request, 'positionId', p.id, 'reason', why));
end $$;

-- The trader objects to a correction, once.
create function correction_dispute(caller uuid, of_position uuid, words text) returns json language plpgsql as $$
declare
  d disputes;
begin
  if not exists (select from positions where id = of_position and user_id = caller) then perform refuse('not_found', 'Not found.'); end if;
  if not exists (select from corrections where position_id = of_position) then
    perform refuse('conflict', 'Only a position that an administrator settled can be disputed.');
  end if;
  if words = '' then perform refuse('invalid', 'Please say what is wrong.', 'message'); end if;
  insert into disputes (position_id, user_id, message) values (of_position, caller, words) on conflict do nothing returning * into d;
  if not found then perform refuse('conflict', 'You have already disputed this settlement.'); end if;
  return json_build_object('id', d.id, 'positionId', d.position_id, 'message', d.message, 'createdAt', iso(d.created_at));
end $$;
