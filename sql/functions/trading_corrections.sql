-- Corrections: an administrator settles a position with a result that is not the market's, for a reason that its
-- trader reads beside both results. What is written here is never changed. Locks: the request, the people, what the
-- administrator corrects alone for one of them, the trading account, the position, ledger accounts by id, the audit head.

-- What the trader is told of a correction, now and for ever; null where there was none.
create or replace function correction_json(of_position uuid) returns json language sql stable as $$
  select json_build_object(
    'reason', c.reason, 'marketProfit', c.market_profit::text, 'settledProfit', c.settled_profit::text, 'administrator', c.administrator,
    'at', iso(c.created_at), 'disputedAt', iso(d.created_at)
  )
  from corrections c
  left join disputes d on d.position_id = c.position_id
  where c.position_id = of_position;
$$;

-- What the trader is told of a correction, and the ticket about it.
create or replace function correction_told(of_position uuid) returns jsonb language sql stable as $$
  select correction_json(of_position)::jsonb || jsonb_build_object('ticketId', (select ticket_id from disputes where position_id = of_position));
$$;

-- An open position with its account, both locked until the transaction ends.
create or replace function correction_subject(of_position uuid, out account trading_accounts, out p positions) language plpgsql as $$
begin
  select a.* into account from trading_accounts a join positions o on o.account_id = a.id where o.id = of_position for update of a;
  if not found then perform refuse('not_found', 'Not found.'); end if;
  select * into p from positions where id = of_position for update;
  if p.status = 'pending' then perform refuse('conflict', 'This order still waits, so there is nothing to settle.'); end if;
  if p.status <> 'open' then perform refuse('conflict', 'This position is already closed.'); end if;
end $$;

create or replace function refuse_own_position(admin uuid, owner uuid) returns void language plpgsql as $$
begin
  if admin = owner then perform refuse('forbidden', 'You can''t settle your own position. Ask another administrator.'); end if;
  perform refuse_own(admin, owner);
end $$;

-- What a position would close at on a tick, and what that would bring. Without a tick there is no saying.
create or replace function correction_market(account trading_accounts, p positions, q deed_quote) returns market_result language plpgsql as $$
declare
  market market_result;
begin
  if q is null then perform refuse('stale_price', format('There is no current price for %s. Please try again in a moment.', p.symbol)); end if;
  select case p.side when 'buy' then x.account_bid else x.account_ask end into market.price
  from account_types t, account_price(q.bid, q.ask, q.pip, spread_of(t, p.group_version, p.symbol, markup_of(p.symbol, p.terms_version))) x
  where t.id = account.account_type_id;
  market.result := profit_left(p.side, p.moved, p.amount, p.open_price, market.price);
  return market;
end $$;

-- A forced loss is at most the account's balance: nobody is made to owe.
create or replace function refuse_loss_beyond_balance(account trading_accounts, settled numeric) returns void language plpgsql as $$
declare
  held numeric := (select balance from ledger_accounts where id = account.ledger_account_id);
begin
  if -settled > held then
    perform refuse('insufficient_funds', format('The loss can be at most the account''s balance, which is %s.', money_text(held)), 'loss');
  end if;
end $$;

-- A settled result is bounded by what the position is worth, so that a small one is no way to pay anybody any sum.
create or replace function refuse_result_beyond_worth(p positions, settled numeric) returns void language plpgsql as $$
begin
  if abs(settled) > p.amount then
    perform refuse(
      'invalid', format('The %s can be at most the position''s amount, which is %s.', case when settled > 0 then 'profit' else 'loss' end, money_text(p.amount)),
      case when settled > 0 then 'profit' else 'loss' end
    );
  end if;
end $$;

-- Closes the position with the settled result and writes down who did it, why, and what the market would have brought.
create or replace function correction_settle(
  account trading_accounts, p positions, market market_result, q deed_quote, admin uuid, confirmer uuid, of_request uuid, settled numeric, why text, ip text, agent text
) returns json language plpgsql as $$
declare
  terms account_types;
begin
  select * into terms from account_types where id = account.account_type_id;
  perform refuse_loss_beyond_balance(account, settled);
  perform refuse_result_beyond_worth(p, settled);
  p := position_close(account, p, 'admin', market.price, terms, q, null, coalesce(confirmer, admin), settled);
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

create or replace function refuse_against_client(four_eyes boolean, market_result numeric) returns void language plpgsql as $$
begin
  if four_eyes is not true then
    perform refuse('against_client', format(
      'On a live account a position can''t be settled below its market result, which is %s now.', replace(money_text(market_result), '$-', '-$')
    ));
  end if;
end $$;

-- What an administrator settled alone on one person's live accounts within 24 hours, in USD: of each correction the result or, where that is
-- more, its difference to the market's, whichever way they went.
create or replace function corrected_alone(admin uuid, person uuid) returns numeric language sql stable as $$
  select coalesce(sum(greatest(abs(c.settled_profit), abs(c.settled_profit - c.market_profit))), 0.00)
  from corrections c
  join positions p on p.id = c.position_id
  join trading_accounts a on a.id = p.account_id
  where c.created_at > now() - interval '24 hours' and c.admin_id = admin and c.confirmed_by is null and a.user_id = person and not a.is_demo;
$$;

-- Settles an open position: `settled` above zero is a forced win, below zero a forced loss. On a live account a result below the market's is
-- refused; with `four_eyes` it waits for a second administrator (status 202). So does any result that is `second_from` USD or more, or differs
-- from the market's by that much, by itself or with what this administrator settled alone for the same person within 24 hours.
create or replace function trade_force(
  admin uuid, of_position uuid, settled numeric, why text, four_eyes boolean, second_from numeric, q deed_quote, ip text, agent text,
  once_key text, once_fingerprint text
) returns json language plpgsql as $$
declare
  earlier json;
  owner uuid := (select user_id from positions where id = of_position);
  held record;
  market market_result;
  request correction_requests;
begin
  earlier := once_begin(admin, once_key, once_fingerprint);
  if earlier is not null then return earlier; end if;
  perform refuse_own_position(admin, owner);
  -- One at a time of this administrator for this person, so that each counts all that came before it.
  perform pg_advisory_xact_lock(hashtextextended(format('corrections %s %s', admin, owner), 7215221));
  select * into held from correction_subject(of_position);
  market := correction_market(held.account, held.p, q);
  if (held.account).is_demo
    or (settled >= market.result and corrected_alone(admin, owner) + greatest(abs(settled), settled - market.result) < second_from)
  then
    return once_answer(admin, once_key, 200, correction_settle(held.account, held.p, market, q, admin, null, null, settled, why, ip, agent));
  end if;
  if settled < market.result then perform refuse_against_client(four_eyes, market.result); end if;
  perform refuse_loss_beyond_balance(held.account, settled);
  perform refuse_result_beyond_worth(held.p, settled);
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

-- As the release before calls it.
create or replace function trade_force(
  admin uuid, of_position uuid, settled numeric, why text, four_eyes boolean, q deed_quote, ip text, agent text, once_key text, once_fingerprint text
) returns json language sql as $$
  select trade_force(admin, of_position, settled, why, four_eyes, 1000, q, ip, agent, once_key, once_fingerprint);
$$;

-- The request that this administrator may decide, locked until the transaction ends.
create or replace function correction_claim(admin uuid, of_request uuid) returns correction_requests language plpgsql as $$
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
create or replace function correction_confirm(
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
  perform refuse_own_position(admin, (select user_id from positions where id = request.position_id));
  perform refuse_new_admin(request.admin_id, admin);
  select * into held from correction_subject(request.position_id);
  market := correction_market(held.account, held.p, q);
  if request.settled_profit < market.result then perform refuse_against_client(four_eyes, market.result); end if;
  insert into correction_decisions (request_id, admin_id, decision, reason) values (of_request, admin, 'confirmed', '');
  return once_answer(admin, once_key, 200, correction_settle(
    held.account, held.p, market, q, request.admin_id, admin, of_request, request.settled_profit, request.reason, ip, agent
  ));
end $$;

-- The second administrator does not agree: the position stays as it is.
create or replace function correction_decline(admin uuid, of_request uuid, why text, ip text, agent text, once_key text, once_fingerprint text) returns json language plpgsql as $$
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
  -- Who asked for it hears of it, as everybody does.
  perform notify_staff(
    'correction', 'Correction declined',
    person_text(admin) || ' declined what ' || person_text(request.admin_id) || ' asked for: ' || upper(p.side) || ' ' || p.symbol || ' of ' || person_text(p.user_id)
      || case when why = '' then '.' else ': ' || why end,
    p.user_id, null, 'high', jsonb_build_object('positionId', p.id, 'adminId', admin, 'askedBy', request.admin_id)
  );
  return once_answer(admin, once_key, 200, json_build_object('status', 'declined', 'id', of_request, 'positionId', p.id, 'reason', why));
end $$;

-- The trader objects to a correction, once.
create or replace function correction_dispute(caller uuid, of_position uuid, words text) returns json language plpgsql as $$
declare
  d disputes;
  t support_tickets;
  p positions;
begin
  select * into p from positions where id = of_position and user_id = caller;
  if not found then perform refuse('not_found', 'Not found.'); end if;
  if not exists (select from corrections where position_id = of_position) then
    perform refuse('conflict', 'Only a position that an administrator settled can be disputed.');
  end if;
  if words = '' then perform refuse('invalid', 'Please say what is wrong.', 'message'); end if;
  perform support_turn(caller);
  if exists (select from disputes where position_id = of_position) then perform refuse('conflict', 'You have already disputed this settlement.'); end if;
  t := ticket_write(caller, format('Dispute: settlement of %s %s', upper(p.side), p.symbol), words, 'trading', 'high', of_position);
  insert into disputes (position_id, user_id, message, ticket_id) values (of_position, caller, words, t.id) returning * into d;
  return json_build_object('id', d.id, 'positionId', d.position_id, 'message', d.message, 'createdAt', iso(d.created_at), 'ticketId', t.id);
end $$;

create or replace function correction_request_news() returns trigger language plpgsql as $$
declare
  p positions;
begin
  select * into p from positions where id = new.position_id;
  perform notify_staff(
    'correction', 'Correction waits for a second administrator',
    person_text(new.admin_id) || ' wants to settle ' || upper(p.side) || ' ' || p.symbol || ' of ' || person_text(p.user_id) || '.',
    p.user_id, new.id, 'urgent', jsonb_build_object('positionId', p.id, 'adminId', new.admin_id)
  );
  return null;
end $$;
create or replace trigger correction_requests_news after insert on correction_requests for each row execute function correction_request_news();

create or replace function correction_news() returns trigger language plpgsql as $$
declare
  p positions;
begin
  select * into p from positions where id = new.position_id;
  perform notify_staff(
    'correction', 'Position settled by administrator',
    new.administrator || ' settled ' || upper(p.side) || ' ' || p.symbol || ' of ' || person_text(p.user_id) || '.',
    p.user_id, p.id, 'high', jsonb_build_object('positionId', p.id, 'adminId', new.admin_id)
  );
  perform letter_post(p.user_id, 'correction', jsonb_build_object(
    'positionId', p.id, 'position', upper(p.side) || ' ' || p.symbol || ' ' || money_text(p.amount), 'reason', new.reason,
    'settled', replace(money_text(new.settled_profit), '$-', '-$'), 'market', replace(money_text(new.market_profit), '$-', '-$')
  ));
  return null;
end $$;
create or replace trigger corrections_news after insert on corrections for each row execute function correction_news();

create or replace function dispute_news() returns trigger language plpgsql as $$
begin
  perform notify_staff(
    'correction', 'Objection to a correction', person_text(new.user_id) || ': ' || new.message, new.user_id, new.id, 'high',
    jsonb_build_object('positionId', new.position_id, 'ticketId', new.ticket_id)
  );
  perform letter_post(new.user_id, 'dispute', jsonb_build_object('ticketId', new.ticket_id));
  return null;
end $$;
create or replace trigger disputes_news after insert on disputes for each row execute function dispute_news();

-- What is written stays.
create or replace trigger correction_requests_append_only before delete or update or truncate on correction_requests for each statement execute function refuse_change();
create or replace trigger correction_decisions_append_only before delete or update or truncate on correction_decisions for each statement execute function refuse_change();
create or replace trigger corrections_append_only before delete or update or truncate on corrections for each statement execute function refuse_change();
create or replace trigger exception_reviews_append_only before delete or update or truncate on exception_reviews for each statement execute function refuse_change();
create or replace trigger corrections_logged after insert on corrections for each row execute function proof_note_row('correction', 'position_id');
create or replace trigger correction_decisions_logged after insert on correction_decisions for each row execute function proof_note_row('confirmation', 'request_id');
