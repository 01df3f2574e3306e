-- Withdrawals: asked for, paid out, given back.

create or replace function withdrawal_json(w withdrawals) returns jsonb language sql immutable as $$
  select jsonb_build_object(
    'id', w.id, 'userId', w.user_id, 'amount', w.amount::text, 'currency', w.currency, 'method', w.method, 'network', w.network,
    'walletAddress', w.wallet_address, 'fee', '0.00', 'status', w.status, 'rejectionReason', w.rejection_reason, 'transactionHash', w.transaction_hash,
    'approvedAt', case w.status when 'approved' then iso(w.decided_at) end, 'rejectedAt', case w.status when 'rejected' then iso(w.decided_at) end,
    'processedAt', iso(w.decided_at), 'createdAt', iso(w.created_at)
  );
$$;

create or replace function withdrawal_staff_json(w withdrawals) returns json language sql stable as $$
  select (withdrawal_json(w) || request_people(w.user_id, w.decided_by, w.admin_notes))::json;
$$;

-- As people are told of it, with the moment from which it may be paid out.
create or replace function withdrawal_told(w withdrawals) returns jsonb language sql immutable as $$
  select withdrawal_json(w) || jsonb_build_object('notBefore', iso(w.not_before));
$$;

-- From when on a withdrawal to this address may be paid out: a while after the address was first used or noted, and after a factor was removed.
-- Null where that has passed.
create or replace function withdrawal_waits(caller uuid, of_currency text, address text, cooldown interval) returns timestamptz language sql as $$
  select case when since + cooldown > clock_timestamp() then since + cooldown end
  from (
    select greatest(
      coalesce(
        least(
          (select min(created_at) from withdrawals w where w.user_id = caller and w.currency = of_currency and w.wallet_address = address),
          (select min(created_at) from payout_addresses p where p.user_id = caller and p.currency = of_currency and p.address = withdrawal_waits.address)
        ),
        clock_timestamp()
      ),
      (select factor_removed_at from users where id = caller)
    ) as since
  ) s;
$$;

-- Asks for a withdrawal: the amount leaves the wallet for the hold, so that it can't be spent twice. `confirmed` says that
-- the password was given of late, `cooldown` how long a new address waits.
create or replace function withdrawal_ask(
  caller uuid, of_amount numeric, of_currency text, of_method text, address text, confirmed boolean, once_key text, once_fingerprint text,
  of_network text, cooldown interval
) returns json language plpgsql as $$
declare
  earlier json;
  w withdrawals;
  available numeric;
  bonus record;
  asked record;
begin
  earlier := once_begin(caller, once_key, once_fingerprint);
  if earlier is not null then return earlier; end if;
  select balance into available from ledger_accounts where id = ledger_account_of(caller, 'wallet') for update;
  -- With the wallet held: an approval that is being taken back holds it, too.
  perform refuse_unapproved(caller);
  perform refuse_frozen(caller);
  if available < of_amount then
    perform refuse('insufficient_funds', format('Your wallet holds %s.', money_text(available)), 'amount');
  end if;
  -- The wallet is held, so no bonus comes in and no other request goes out meanwhile.
  select * into bonus from bonus_state(caller);
  if bonus.locked > 0 and of_amount > available - bonus.locked then
    perform refuse('bonus_locked', format(
      'At most %s can be withdrawn now: %s is bonus money, which can be withdrawn after %s more turnover on live accounts.',
      money_text(greatest(available - bonus.locked, 0)), money_text(bonus.locked), money_text(bonus.turnover)
    ), 'amount');
  end if;
  select coalesce(sum(amount) filter (where created_at > clock_timestamp() - interval '24 hours'), 0) as day, coalesce(sum(amount), 0) as month into asked
  from withdrawals
  where user_id = caller and status in ('pending', 'approved') and created_at > clock_timestamp() - interval '30 days';
  perform refuse_level_withdrawal(caller, of_amount, asked.day, asked.month);
  if not confirmed and not exists (
    select from withdrawals where user_id = caller and currency = of_currency and wallet_address = address and status = 'approved'
  ) then
    perform refuse('password_required', 'This is a new address. Please confirm your password and send the request again.');
  end if;
  insert into withdrawals (user_id, amount, currency, method, network, wallet_address, not_before)
  values (caller, of_amount, of_currency, of_method, of_network, address, withdrawal_waits(caller, of_currency, address, cooldown))
  returning * into w;
  perform ledger_post(
    'withdrawal_hold', w.id, format('Withdrawal of $%s in %s requested', w.amount, w.currency),
    array[ledger_account_of(caller, 'wallet'), ledger_account_of(caller, 'withdrawal_hold')], array[-w.amount, w.amount]
  );
  return once_answer(caller, once_key, 201, withdrawal_told(w)::json);
end $$;

-- As the release before calls it.
create or replace function withdrawal_request(
  caller uuid, of_amount numeric, of_currency text, of_method text, address text, confirmed boolean, once_key text, once_fingerprint text,
  of_network text default null
) returns json language sql as $$
  select withdrawal_ask(caller, of_amount, of_currency, of_method, address, confirmed, once_key, once_fingerprint, of_network, interval '0');
$$;

-- Ends a withdrawal that waits, exactly once: approval pays the held money out, rejection and the owner's cancel give it back.
create or replace function withdrawal_end(
  actor uuid, of_withdrawal uuid, new_status text, note text, hash text, ip text, agent text, once_key text default null, once_fingerprint text default null
) returns json language plpgsql as $$
declare
  earlier json;
  w withdrawals;
  by_owner boolean := new_status = 'cancelled';
begin
  earlier := once_begin(actor, once_key, once_fingerprint);
  if earlier is not null then return earlier; end if;
  update withdrawals
  set status = new_status, decided_by = actor, decided_at = clock_timestamp(), transaction_hash = hash,
    admin_notes = case when new_status = 'approved' then note end, rejection_reason = case when new_status = 'rejected' then note end
  where id = of_withdrawal and status = 'pending' and (not by_owner or user_id = actor)
  returning * into w;
  if not found then
    select * into w from withdrawals where id = of_withdrawal and (not by_owner or user_id = actor);
    if not found then perform refuse('not_found', 'Not found.'); end if;
    perform refuse('conflict', 'This withdrawal is already ' || w.status || '.');
  end if;
  if not by_owner then perform refuse_own(actor, w.user_id); end if;
  if new_status = 'approved' then
    if (select frozen_at from users where id = w.user_id) is not null then
      perform refuse('conflict', 'Its owner froze this account. Reject the withdrawal, or release the account first.');
    end if;
    if w.not_before > clock_timestamp() then
      perform refuse('conflict', format(
        'This withdrawal can''t be paid out before %s UTC: its address is new, or a second factor was just removed.',
        to_char(w.not_before at time zone 'UTC', 'FMDD FMMonth YYYY, HH24:MI')
      ));
    end if;
    perform ledger_post(
      'withdrawal_paid', w.id, format('Withdrawal of $%s in %s paid out', w.amount, w.currency),
      array[ledger_account_of(w.user_id, 'withdrawal_hold'), house_account('live', 'house_clearing')], array[-w.amount, w.amount]
    );
  else
    perform ledger_post(
      'withdrawal_returned', w.id, format('Withdrawal of $%s in %s %s, money returned', w.amount, w.currency, new_status),
      array[ledger_account_of(w.user_id, 'withdrawal_hold'), ledger_account_of(w.user_id, 'wallet')], array[-w.amount, w.amount]
    );
  end if;
  perform letter_post(w.user_id, 'withdrawal_decided', jsonb_build_object(
    'status', new_status, 'amount', money_text(w.amount), 'address', w.wallet_address, 'hash', w.transaction_hash, 'reason', w.rejection_reason
  ));
  if by_owner then return once_answer(actor, once_key, 200, withdrawal_json(w)::json); end if;
  perform audit_append(
    actor, w.user_id, case new_status when 'approved' then 'withdrawal.approve' else 'withdrawal.reject' end,
    json_build_object('withdrawalId', w.id, 'amount', w.amount::text, 'currency', w.currency, 'address', w.wallet_address),
    json_build_object('status', 'pending'), json_build_object('status', new_status), note, ip, agent
  );
  return once_answer(actor, once_key, 200, withdrawal_staff_json(w));
end $$;

create or replace function withdrawal_news() returns trigger language plpgsql as $$
begin
  perform notify_staff(
    'withdrawal', 'New withdrawal request',
    person_text(new.user_id) || ' wants to withdraw ' || money_text(new.amount)
      || case when new.currency = 'USD' then ' by ' || new.method else ' in ' || new.currency end || '.',
    new.user_id, new.id, 'high', jsonb_build_object('amount', new.amount::text, 'currency', new.currency, 'method', new.method)
  );
  perform letter_post(new.user_id, 'withdrawal_asked', jsonb_build_object(
    'amount', money_text(new.amount), 'method', case when new.currency = 'USD' then new.method else new.currency end, 'address', new.wallet_address,
    'notBefore', to_char(new.not_before at time zone 'UTC', 'YYYY-MM-DD HH24:MI "UTC"')
  ));
  return null;
end $$;
create or replace trigger withdrawals_news after insert on withdrawals for each row when (new.status = 'pending'::text) execute function withdrawal_news();
