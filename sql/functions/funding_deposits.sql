-- Deposits: announced, proved, approved with what they earn, rejected, cancelled.

-- A deposit as its owner sees it.
create or replace function deposit_json(d deposits) returns jsonb language sql stable as $$
  select jsonb_build_object(
    'id', d.id, 'userId', d.user_id, 'amount', d.amount::text, 'currency', d.currency, 'method', d.method, 'cryptoType', d.coin, 'network', d.network,
    'walletAddress', d.wallet_address, 'transactionHash', d.transaction_hash, 'outputIndex', d.output_index, 'notes', d.notes, 'status', d.status,
    'proofOfPayment', (select '/api/deposits/' || d.id || '/proof' from deposit_proofs where deposit_id = d.id),
    'rate', d.rate::text, 'credited', d.credited::text, 'bonusApplied', d.bonus_applied::text, 'rejectionReason', d.rejection_reason,
    'approvedAt', case d.status when 'approved' then iso(d.decided_at) end, 'rejectedAt', case d.status when 'rejected' then iso(d.decided_at) end,
    'completedAt', iso(d.decided_at), 'createdAt', iso(d.created_at)
  );
$$;

create or replace function deposit_staff_json(d deposits) returns json language sql stable as $$
  select (deposit_json(d) || request_people(d.user_id, d.decided_by, d.admin_notes) || '{"creditsUsd": null}')::json;
$$;

-- The hash as its chain knows it: people write it in either case, and with 0x or without.
create or replace function payment_hash(hash text) returns text language sql immutable as $$
  select regexp_replace(lower(hash), '^0x', '');
$$;

-- Whether one transaction may pay several deposits, each by an output of its own: on Bitcoin's and Litecoin's chains alone.
create or replace function pays_by_output(coin text, network text) returns boolean language sql immutable as $$
  select coalesce(coin in ('BTC', 'LTC') and coalesce(network, 'Mainnet') = 'Mainnet', false);
$$;

-- The earlier deposit that claims the same payment. On chains with accounts that is any with the same hash, whatever its coin, network or
-- index. The hash is held, so of two claims at once the second sees the first. Null where there is none.
create or replace function deposit_rival(d deposits, states text[]) returns deposits language plpgsql as $$
declare
  rival deposits;
begin
  if d.transaction_hash is null then return null; end if;
  perform pg_advisory_xact_lock(hashtextextended(payment_hash(d.transaction_hash), 6));
  select o.* into rival
  from deposits o
  where regexp_replace(lower(o.transaction_hash), '^0x', '') = payment_hash(d.transaction_hash) and o.status = any (states) and o.id is distinct from d.id
    and not (
      pays_by_output(coalesce(o.coin, o.currency), o.network) and pays_by_output(coalesce(d.coin, d.currency), d.network)
      and (coalesce(o.coin, o.currency) <> coalesce(d.coin, d.currency) or o.output_index <> d.output_index)
    )
  order by o.created_at, o.id
  limit 1;
  return rival;
end $$;

-- Records that this person, too, claims the payment of `rival`. Staff are told, once for each person. Answers the refusal.
create or replace function deposit_claim(caller uuid, rival deposits) returns json language plpgsql as $$
declare
  claim uuid;
  says constant text := 'This transaction is already claimed by another deposit.';
begin
  insert into deposit_claims (deposit_id, user_id)
  select rival.id, caller where rival.user_id <> caller
  on conflict do nothing
  returning id into claim;
  if claim is not null then
    perform notify_staff(
      'deposit', 'A payment claimed twice',
      format('%s names the transaction that %s claimed for a deposit of %s.', person_text(caller), person_text(rival.user_id), deposit_text(rival)),
      caller, claim, 'high', jsonb_build_object('depositId', rival.id)
    );
  end if;
  return json_build_object('message', says, 'code', 'conflict', 'fields', json_build_object('transactionHash', says));
end $$;

-- "$300.00", "250.00 EUR".
create or replace function deposit_text(d deposits) returns text language sql immutable as $$
  select case when d.currency in ('EUR', 'GBP') then d.amount || ' ' || d.currency else money_text(d.amount) end;
$$;

-- Records a deposit that was announced; no money moves until it is approved. A payment that another deposit claims is refused with a 409 that
-- names the `rival`. It is an answer and no error, so that the claim stays on record.
create or replace function deposit_request(
  caller uuid, of_amount numeric, of_currency text, of_method text, of_coin text, of_network text, of_wallet uuid, address text, note text,
  hash text, output integer, once_key text, once_fingerprint text
) returns json language plpgsql as $$
declare
  earlier json;
  d deposits;
  rival deposits;
begin
  earlier := once_begin(caller, once_key, once_fingerprint);
  if earlier is not null then return earlier; end if;
  perform refuse_level_deposit(caller, of_method);
  if (select count(*) from (select from deposits where user_id = caller and status = 'pending' limit 1000) p) >= 1000 then
    perform refuse('too_many_waiting', 'Too many of your deposits are waiting for approval.');
  end if;
  d.currency := of_currency;
  d.coin := of_coin;
  d.network := of_network;
  d.transaction_hash := hash;
  d.output_index := output;
  rival := deposit_rival(d, '{pending,approved}');
  if rival.id is not null then
    return (once_answer(caller, once_key, 409, deposit_claim(caller, rival))::jsonb || jsonb_build_object('rival', rival.id))::json;
  end if;
  insert into deposits (user_id, amount, currency, method, coin, network, wallet_id, wallet_address, notes, transaction_hash, output_index)
  values (caller, of_amount, of_currency, of_method, of_coin, of_network, of_wallet, address, note, hash, output)
  returning * into d;
  return once_answer(caller, once_key, 201, deposit_json(d)::json);
end $$;

-- Keeps the proof of a payment, in place of an earlier one, while the deposit waits. `quota`: bytes of one person's proofs in all.
create or replace function deposit_prove(caller uuid, of_deposit uuid, type text, file bytea, quota bigint) returns json language plpgsql as $$
declare
  d deposits;
begin
  -- One upload of a person's at a time, so that the quota holds.
  perform pg_advisory_xact_lock(hashtextextended(caller::text, 5));
  select * into d from deposits where id = of_deposit and user_id = caller for update;
  if not found then perform refuse('not_found', 'Not found.'); end if;
  if d.status <> 'pending' then perform refuse('conflict', 'This deposit is already ' || d.status || '.'); end if;
  if octet_length(file) + coalesce((
    select sum(octet_length(p.content)) from deposit_proofs p join deposits o on o.id = p.deposit_id where o.user_id = caller and o.id <> d.id
  ), 0) > quota then
    perform refuse('too_many_files', 'Your proofs of payment take up all the room there is. Please contact support.');
  end if;
  insert into deposit_proofs (deposit_id, media_type, content) values (d.id, type, file)
  on conflict (deposit_id) do update set media_type = excluded.media_type, content = excluded.content, created_at = now();
  return deposit_json(d)::json;
end $$;

-- The deposit that this decision ended, exactly once; the loser of a race hears what it already is.
create or replace function deposit_end(actor uuid, of_deposit uuid, new_status text, usd_rate numeric, note text) returns deposits language plpgsql as $$
declare
  d deposits;
  by_owner boolean := new_status = 'cancelled';
begin
  update deposits
  set status = new_status, decided_by = actor, decided_at = clock_timestamp(), rate = usd_rate, credited = round(amount * usd_rate, 2),
    admin_notes = case when new_status = 'approved' then note end, rejection_reason = case when new_status = 'rejected' then note end
  where id = of_deposit and status = 'pending' and (not by_owner or user_id = actor)
  returning * into d;
  if not found then
    select * into d from deposits where id = of_deposit and (not by_owner or user_id = actor);
    if not found then perform refuse('not_found', 'Not found.'); end if;
    perform refuse('conflict', 'This deposit is already ' || d.status || '.');
  end if;
  if not by_owner then perform refuse_own(actor, d.user_id); end if;
  if new_status = 'approved' and (deposit_rival(d, '{approved}')).id is not null then
    perform refuse('conflict', 'This transaction was credited by another deposit already.');
  end if;
  return d;
end $$;

create or replace function deposit_memo(d deposits) returns text language sql immutable as $$
  select case
    when d.currency in ('EUR', 'GBP') then format('Deposit of %s %s by %s at %s', d.amount, d.currency, d.method, trim_scale(d.rate))
    when d.coin is not null then format('Deposit of %s in %s', money_text(d.amount), d.coin)
    else format('Deposit of %s by %s', money_text(d.amount), d.method)
  end;
$$;

-- Tells the owner by letter how it was decided.
create or replace function deposit_letter(d deposits) returns void language sql as $$
  select letter_post(d.user_id, 'deposit_decided', jsonb_build_object(
    'status', d.status, 'amount', deposit_text(d), 'credited', case when d.status = 'approved' then money_text(d.credited) end,
    'bonus', case when d.bonus_applied > 0 then money_text(d.bonus_applied) end, 'reason', d.rejection_reason
  ));
$$;

-- Approves a deposit: credits the wallet in USD at `usd_rate`, and pays each promotion that it earns. Answers the deposit,
-- and beside it the referral that was paid. Whom that pays does not decide about it.
create or replace function deposit_approve(
  admin uuid, of_deposit uuid, usd_rate numeric, note text, ip text, agent text, once_key text default null, once_fingerprint text default null
) returns json language plpgsql as $$
declare
  earlier json;
  d deposits;
  wallet bigint;
  referrer uuid;
  referrer_wallet bigint;
  bonus numeric;
  referral json;
begin
  earlier := once_begin(admin, once_key, once_fingerprint);
  if earlier is not null then return earlier; end if;
  d := deposit_end(admin, of_deposit, 'approved', usd_rate, note);
  wallet := ledger_account_of(d.user_id, 'wallet');
  select referred_by into referrer from users where id = d.user_id;
  referrer_wallet := ledger_account_of(referrer, 'wallet');
  perform bonus_hold(array[d.user_id, referrer]);
  -- Every account that this may touch, in order, before the first posting.
  perform 1 from ledger_accounts
  where id = any (array[wallet, referrer_wallet, house_account('live', 'house_clearing'), house_account('live', 'house_bonus')])
  order by id for update;
  perform ledger_post(
    'deposit', d.id, deposit_memo(d),
    array[wallet, house_account('live', 'house_clearing')], array[d.credited, -d.credited]
  );
  bonus := deposit_bonuses(d, wallet);
  update deposits set bonus_applied = bonus where id = d.id returning * into d;
  referral := deposit_referral(d, referrer, referrer_wallet);
  if referrer = admin and referral is not null then
    perform refuse('forbidden', 'Approving this deposit pays you the bonus for referring its owner. Ask another administrator.');
  end if;
  perform deposit_letter(d);
  perform audit_append(
    admin, d.user_id, 'deposit.approve',
    json_build_object(
      'depositId', d.id, 'amount', d.amount::text, 'currency', d.currency, 'rate', d.rate::text, 'creditedUsd', d.credited::text,
      'bonus', d.bonus_applied::text, 'referral', referral
    ),
    json_build_object('status', 'pending'), json_build_object('status', 'approved'), note, ip, agent
  );
  return (once_answer(admin, once_key, 200, deposit_staff_json(d))::jsonb || jsonb_build_object('referral', referral))::json;
end $$;

create or replace function deposit_reject(
  admin uuid, of_deposit uuid, why text, ip text, agent text, once_key text default null, once_fingerprint text default null
) returns json language plpgsql as $$
declare
  earlier json;
  d deposits;
begin
  earlier := once_begin(admin, once_key, once_fingerprint);
  if earlier is not null then return earlier; end if;
  d := deposit_end(admin, of_deposit, 'rejected', null, why);
  perform deposit_letter(d);
  perform audit_append(
    admin, d.user_id, 'deposit.reject', json_build_object('depositId', d.id, 'amount', d.amount::text, 'currency', d.currency),
    json_build_object('status', 'pending'), json_build_object('status', 'rejected'), why, ip, agent
  );
  return once_answer(admin, once_key, 200, deposit_staff_json(d));
end $$;

create or replace function deposit_cancel(caller uuid, of_deposit uuid, once_key text default null, once_fingerprint text default null) returns json language plpgsql as $$
declare
  earlier json;
begin
  earlier := once_begin(caller, once_key, once_fingerprint);
  if earlier is not null then return earlier; end if;
  return once_answer(caller, once_key, 200, deposit_json(deposit_end(caller, of_deposit, 'cancelled', null, null))::json);
end $$;

create or replace function deposit_news() returns trigger language plpgsql as $$
begin
  perform notify_staff(
    'deposit', 'New deposit request',
    person_text(new.user_id) || ' wants to deposit ' || deposit_text(new)
      || case when coalesce(new.coin, new.currency) in ('USD', 'EUR', 'GBP') then ' by ' || new.method else ' in ' || coalesce(new.coin, new.currency) end || '.',
    new.user_id, new.id, 'high', jsonb_build_object('amount', new.amount::text, 'currency', new.currency, 'method', new.method)
  );
  perform letter_post(new.user_id, 'deposit_asked', jsonb_build_object(
    'amount', deposit_text(new), 'method', coalesce(new.coin, new.method), 'reference', 'DEP-' || upper(left(replace(new.id::text, '-', ''), 10))
  ));
  return null;
end $$;
create or replace trigger deposits_news after insert on deposits for each row when (new.status = 'pending'::text) execute function deposit_news();
