-- Bonus money: what earns it, and the turnover after which it may leave.

-- Holds the live accounts of people who may get a bonus, and opens them no other, so that nothing is dealt on them until it is booked.
create or replace function bonus_hold(people uuid[]) returns void language plpgsql as $$
begin
  perform 1 from users where id = any (people) order by id for share;
  perform 1 from trading_accounts where user_id = any (people) and not is_demo order by id for no key update;
end $$;

-- Pays a promotion into a wallet under its terms of this moment, with the owner's live accounts held, so that what was traded before it is known. Turnover
-- counts once, for the oldest bonus first: each begins where the one before it is free.
create or replace function bonus_pay(promo promotions, object uuid, memo text, owner uuid, wallet bigint) returns void language plpgsql as $$
declare
  entry bigint;
begin
  entry := ledger_post(promo.id, object, memo, array[wallet, house_account('live', 'house_bonus')], array[promo.amount, -promo.amount]);
  insert into bonuses (entry_id, user_id, amount, turnover, free_after)
  select entry, owner, promo.amount, due, due + greatest(
    (select sum(a.turnover) from trading_accounts a where a.user_id = owner and not a.is_demo), (select max(b.free_after) from bonuses b where b.user_id = owner), 0
  )
  from (select promo.amount * promo.turnover as due) d
  where due > 0;
end $$;
create or replace trigger bonuses_append_only before delete or update or truncate on bonuses for each statement execute function refuse_change();

-- The bonus money that may not leave yet, and the turnover that frees all of it.
-- Returns a set of one row, so that a statement takes it in as a part of itself.
create or replace function bonus_of(person uuid) returns table (locked numeric, turnover numeric) language sql stable as $$
  select coalesce(sum(b.amount), 0.00), coalesce(max(b.free_after) - t.traded, 0.00)
  from (select coalesce(sum(a.turnover), 0) as traded from trading_accounts a where a.user_id = person and not a.is_demo) t
  left join bonuses b on b.user_id = person and b.free_after > t.traded
  group by t.traded;
$$;
create or replace function bonus_state(person uuid, out locked numeric, out turnover numeric) language sql stable as $$
  select b.locked, b.turnover from bonus_of(person) b;
$$;

-- Whether this deposit, worth so many USD, earns a promotion: the person's first of its minimum or more that is approved, once in a life.
-- `referrer`: who referred its owner, whom a referral pays; null: nobody.
create or replace function promotion_earned(promo promotions, d deposits, usd numeric, referrer uuid) returns boolean language sql stable as $$
  select usd >= promo.minimum_deposit
    and promotion_is_for(promo, d.user_id)
    and case promo.id
      when 'deposit_bonus' then true
      when 'bitcoin_bonus' then coalesce(d.coin, d.currency) = 'BTC'
      when 'referral_bonus' then referrer is not null and promotion_is_for(promo, referrer)
      else false
    end
    and not exists (select from deposits o where o.user_id = d.user_id and o.status = 'approved' and o.id <> d.id and o.credited >= promo.minimum_deposit)
    -- The entry's object is the person who deposits, so the ledger itself refuses a second one.
    and not exists (select from ledger_entries e where e.kind = promo.id and e.object_id = d.user_id);
$$;

-- Pays what the site promised when this deposit was made; returns the sum. With the wallet locked no other approval of this person's is under way.
create or replace function deposit_bonuses(d deposits, wallet bigint) returns numeric language plpgsql as $$
declare
  promo promotions;
  total numeric := 0;
begin
  for promo in select * from promotions_at(d.created_at) p where p.id <> 'referral_bonus' and promotion_earned(p, d, d.credited, null) order by p.id desc loop
    perform bonus_pay(promo, d.user_id, promo.title, d.user_id, wallet);
    total := total + promo.amount;
  end loop;
  return total;
end $$;

-- Pays who referred this person, where the deposit earns it. Returns {userId, amount}, or null.
create or replace function deposit_referral(d deposits, referrer uuid, referrer_wallet bigint) returns json language plpgsql as $$
declare
  promo promotions;
begin
  select * into promo from promotions_at(d.created_at) p where p.id = 'referral_bonus' and promotion_earned(p, d, d.credited, referrer);
  if not found then return null; end if;
  insert into referral_payments (referred_id, referrer_id, deposit_id, amount) values (d.user_id, referrer, d.id, promo.amount) on conflict do nothing;
  if not found then return null; end if;
  perform bonus_pay(promo, d.user_id, 'Bonus for a person you referred', referrer, referrer_wallet);
  return json_build_object('userId', referrer, 'amount', promo.amount::text);
end $$;
