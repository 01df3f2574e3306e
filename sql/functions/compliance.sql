-- How much is known of people, and what that opens to them.

-- 0 registered, 1 email address verified, 2 identity, 3 identity and postal address. A document that has ended counts no more.
create or replace function person_level(person uuid) returns integer language sql stable as $$
  select case
    when u.kyc_status = 'verified' and not lapsed then case when settled then 3 else 2 end
    when u.is_email_verified then 1
    else 0
  end
  from users u
  cross join lateral (
    select
      coalesce(bool_or(kind = 'identity') and not bool_or(kind = 'identity' and (expires_on is null or expires_on >= current_date)), false) as lapsed,
      coalesce(bool_or(kind = 'address' and (expires_on is null or expires_on >= current_date)), false) as settled
    from documents
    where user_id = u.id and status = 'approved'
  ) d
  where u.id = person;
$$;

-- What a level opens to this person.
create or replace function level_terms(person uuid) returns level_rules language sql stable as $$
  select * from level_rules where level = person_level(person);
$$;

-- What a person lacks up to a level, in words, and where it is sent. Null level: no level opens it.
create or replace function level_missing(person uuid, needed integer) returns text language sql stable as $$
  select case
    when needed is null then 'It is not open at present.'
    else 'Still missing: ' || array_to_string(array(
      select words
      from (values (1, 'your email address, verified'), (2, 'a document of your identity'), (3, 'a proof of your address')) w (level, words)
      where w.level > person_level(person) and w.level <= needed and (w.level > 1 or needed = 1)
      order by w.level
    ), ' and ') || case when needed = 1 then '. Verify it under /email' else '. Send it under /verification' end || '.'
  end;
$$;

-- Refuses to trade with live money below the level that opens it.
create or replace function refuse_level_trading(person uuid) returns void language plpgsql as $$
begin
  if exists (select from level_rules r where not r.live_trading and r.level = person_level(person)) then
    perform refuse('level_required', 'Trading with live money needs a higher level of verification. '
      || level_missing(person, (select min(level) from level_rules where live_trading and level > person_level(person))));
  end if;
end $$;

-- Whether a level takes deposits by this method.
create or replace function level_takes(r level_rules, of_method text) returns boolean language sql immutable as $$
  select case of_method when 'bank' then r.bank_deposits when 'card' then r.card_deposits else r.crypto_deposits end;
$$;

-- Why a person's level takes no deposits by this method, in words; null where it does.
create or replace function level_bars_deposit(person uuid, of_method text) returns text language sql stable as $$
  select format('Deposits by %s need a higher level of verification. ', of_method)
    || level_missing(person, (select min(h.level) from level_rules h where level_takes(h, of_method) and h.level > r.level))
  from level_rules r
  where r.level = person_level(person) and not level_takes(r, of_method);
$$;

create or replace function refuse_level_deposit(person uuid, of_method text) returns void language plpgsql as $$
declare
  why text := level_bars_deposit(person, of_method);
begin
  if why is not null then perform refuse('level_required', why); end if;
end $$;

-- Refuses a withdrawal beyond what the person's level opens, when so much was asked for within 24 hours and 30 days already. Whoever calls it
-- holds the person's wallet, so no other withdrawal is asked for meanwhile.
create or replace function refuse_level_withdrawal(person uuid, of_amount numeric, in_day numeric, in_month numeric) returns void language plpgsql as $$
declare
  terms level_rules := level_terms(person);
  needed integer;
begin
  if coalesce(in_day + of_amount <= terms.withdrawn_day, true) and coalesce(in_month + of_amount <= terms.withdrawn_month, true) then return; end if;
  select min(level) into needed
  from level_rules
  where level > terms.level and coalesce(in_day + of_amount <= withdrawn_day, true) and coalesce(in_month + of_amount <= withdrawn_month, true);
  perform refuse('level_required', case
    when in_day + of_amount > terms.withdrawn_day then format(
      'Within 24 hours you can withdraw %s at your level of verification; %s is left. ', money_text(terms.withdrawn_day), money_text(greatest(terms.withdrawn_day - in_day, 0))
    )
    else format(
      'Within 30 days you can withdraw %s at your level of verification; %s is left. ', money_text(terms.withdrawn_month), money_text(greatest(terms.withdrawn_month - in_month, 0))
    ) end || case when needed is null then 'Please wait.' else 'For more, s' || substr(level_missing(person, needed), 2) end, 'amount');
end $$;

-- Sets what the levels open, with its line in the audit book. Refuses (conflict) where a level stands otherwise than it was `seen`; null: it was not looked at.
create or replace function level_rules_set(admin uuid, seen text, rules json, ip text, agent text) returns void language plpgsql as $$
declare
  before json;
begin
  perform refuse_own(admin, null);
  perform 1 from level_rules order by level for update;
  if exists (select from level_rules r join json_populate_recordset(null::level_rules, rules) n on n.level = r.level where version_of(to_jsonb(r)) <> seen) then
    perform refuse('conflict', 'This level was changed meanwhile. Look at it again before you change it.');
  end if;
  select json_object_agg(r.level, to_json(r)) into before from level_rules r;
  update level_rules r
  set live_trading = n.live_trading, bank_deposits = n.bank_deposits, card_deposits = n.card_deposits, crypto_deposits = n.crypto_deposits,
    withdrawn_day = n.withdrawn_day, withdrawn_month = n.withdrawn_month
  from json_populate_recordset(null::level_rules, rules) n
  where n.level = r.level;
  perform audit_append(admin, null, 'verification.levels', '{}', before, (select json_object_agg(r.level, to_json(r)) from level_rules r), '', ip, agent);
end $$;
