-- The deeds on deposits. Each is one function; it locks the request's row, then
-- the people concerned, then trading accounts by id, then ledger accounts by id, then the audit head. Each takes an
-- Idempotency-Key (null for none) and answers {status, answer}.

-- Records a deposit that was announced; no money moves until it is approved.
create function deposit_request(
  caller uuid, of_amount numeric, of_currency text, of_method text, of_coin text, of_network text, of_wallet uuid, address text, note text,
  hash text, output integer, once_key text, once_fingerprint text
) returns json language plpgsql as $$
declare
  earlier json;
  d deposits;
begin
  earlier := once_begin(caller, once_key, once_fingerprint);
  if earlier is not null then return earlier; end if;
  if (select count(*) from (select from deposits where user_id = caller and status = 'pending' limit 1000) p) >= 1000 then
    perform refuse('too_many_waiting', 'Too many of your deposits are waiting for approval.');
  end if;
  insert into deposits (user_id, amount, currency, method, coin, network, wallet_id, wallet_address, notes, transaction_hash, output_index)
  values (caller, of_amount, of_currency, of_method, of_coin, of_network, of_wallet, address, note, hash, output)
  on conflict do nothing
  returning * into d;
  if not found then
    perform refuse('conflict', 'This transaction is already claimed by another deposit.', 'transactionHash');
  end if;
  return once_answer(caller, once_key, 201, deposit_json(d)::json);
end $$;

-- The deposit that this decision ended, exactly once; the loser of a race hears what it already is.
create function deposit_end(actor uuid, of_deposit uuid, new_status text, usd_rate numeric, note text) returns deposits language plpgsql as $$
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
  return d;
end $$;

-- Pays what the site promises for this deposit, each promise once in a person's life; returns the sum. The person's first
-- deposit of a promotion's minimum or more earns it. With the wallet locked no other approval of this person's is under way.
create function deposit_bonuses(d deposits, wallet bigint) returns numeric language plpgsql as $$
declare
  promo promotions;
  total numeric := 0;
begin
  for promo in
    select * from promotions
    where is_active and d.credited >= minimum_deposit and (id = 'deposit_bonus' or (id = 'bitcoin_bonus' and coalesce(d.coin, d.currency) = 'BTC'))
    order by id desc
  loop
    -- The entry's object is the person, so the ledger itself refuses a second one.
    if not exists (select from deposits where user_id = d.user_id and status = 'approved' and id <> d.id and credited >= promo.minimum_deposit)
      and not exists (select from ledger_entries where kind = promo.id and object_id = d.user_id)
    then
      perform ledger_post(promo.id, d.user_id, promo.title, array[wallet, house_account('live', 'house_bonus')], array[promo.amount, -promo.amount]);
      total := total + promo.amount;
    end if;
  end loop;
  return total;
end $$;

-- Pays who referred this person, on the person's first approved deposit. Returns {userId, amount}, or null.
create function deposit_referral(d deposits, referrer uuid, referrer_wallet bigint) returns json language plpgsql as $$
declare
  promo promotions;
begin
  select * into promo from promotions where id = 'referral_bonus' and is_active and d.credited >= minimum_deposit;
  if not found or referrer is null or exists (select from deposits where user_id = d.user_id and status = 'approved' and id <> d.id) then
    return null;
  end if;
  insert into referral_payments (referred_id, referrer_id, deposit_id, amount) values (d.user_id, referrer, d.id, promo.amount) on conflict do nothing;
  if not found then return null; end if;
  perform ledger_post(
    'referral_bonus', d.user_id, 'Bonus for a person you referred', array[referrer_wallet, house_account('live', 'house_bonus')], array[promo.amount, -promo.amount]
  );
  return json_build_object('userId', referrer, 'amount', promo.amount::text);
end $$;

create function deposit_staff_json(d deposits) returns json language sql stable as $$
  select (deposit_json(d) || request_people(d.user_id, d.decided_by, d.admin_notes) || '{"creditsUsd": null}')::json;
$$;

create function deposit_memo(d deposits) returns text language sql immutable as $$
  select case
    when d.currency in ('EUR', 'GBP') then format('Deposit of %s %s by %s at %s', d.amount, d.currency, d.method, trim_scale(d.rate))
    when d.coin is not null then format('Deposit of %s in %s', money_text(d.amount), d.coin)
    else format('Deposit of %s by %s', money_text(d.amount), d.method)
  end;
$$;

-- Approves a deposit: credits the wallet in USD at `usd_rate`, and pays each promotion that it earns. Answers the deposit,
-- and beside it the referral that was paid.
create function deposit_approve(
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
  wallet := purse_of(d.user_id, 'wallet');
  select referred_by into referrer from users where id = d.user_id;
  referrer_wallet := purse_of(referrer, 'wallet');
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

create function deposit_reject(
  admin uuid, of_deposit uuid, why text, ip text, agent text, once_key text default null, once_fingerprint text default null
) returns json language plpgsql as $$
declare
  earlier json;
  d deposits;
begin
  earlier := once_begin(admin, once_key, once_fingerprint);
  if earlier is not null then return earlier; end if;
  d := deposit_end(admin, of_deposit, 'rejected', null, why);
  perform audit_append(
    admin, d.user_id, 'deposit.reject', json_build_object('depositId', d.id, 'amount', d.amount::text, 'currency', d.currency),
    json_build_object('status', 'pending'), json_build_object('status', 'rejected'), why, ip, agent
  );
  return once_answer(admin, once_key, 200, deposit_staff_json(d));
end $$;

create function deposit_cancel(caller uuid, of_deposit uuid, once_key text default null, once_fingerprint text default null) returns json language plpgsql as $$
declare
  earlier json;
begin
  earlier := once_begin(caller, once_key, once_fingerprint);
  if earlier is not null then return earlier; end if;
  return once_answer(caller, once_key, 200, deposit_json(deposit_end(caller, of_deposit, 'cancelled', null, null))::json);
end $$;

-- Keeps the proof of a payment, in place of an earlier one, while the deposit waits. `quota`: bytes of one person's proofs in all.
create function deposit_prove(caller uuid, of_deposit uuid, type text, file bytea, quota bigint) returns json language plpgsql as $$
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
