-- How an instrument is dealt: its terms in versions, and what they keep from opening. Closing is never among it.

-- The terms in force; all null where an instrument never had any. A version that another was written before it took effect never does.
create or replace function instrument_now(of_symbol text) returns instrument_terms language sql stable as $$
  select t from instrument_terms t
  where t.symbol = of_symbol and t.effective_at <= clock_timestamp()
    and not exists (select from instrument_terms n where n.symbol = t.symbol and n.version = t.version + 1 and n.created_at < t.effective_at)
  order by t.version desc
  limit 1;
$$;

-- Whether terms let an order of this amount open whoever gives it; where what one client holds is bounded it must be looked at alone.
create or replace function instrument_lets(terms instrument_terms, of_amount numeric) returns boolean language sql immutable as $$
  select terms.version is null or terms.state = 'tradable' and terms.client_limit is null and of_amount >= coalesce(terms.minimum, of_amount)
    and of_amount <= coalesce(terms.maximum, of_amount) and (terms.step is null or of_amount % terms.step = 0);
$$;

-- Why terms keep an order from opening, for programs and in words; null where they don't. What a client holds counts where it `opens` now, not
-- where it waits; all of the person's accounts of one book together, one order after the other.
create or replace function instrument_bar(
  terms instrument_terms, account trading_accounts, of_side text, of_amount numeric, opens boolean, out code text, out why text
) language plpgsql as $$
declare
  net numeric;
  wanted numeric;
begin
  if instrument_lets(terms, of_amount) then return; end if;
  code := 'instrument_limit';
  if terms.state <> 'tradable' then
    code := 'close_only';
    why := format('%s can only be closed at the moment: no position is opened in it.', terms.symbol);
  elsif of_amount < terms.minimum then
    why := format('amount must be at least %s', money_text(terms.minimum));
  elsif of_amount > terms.maximum then
    why := format('amount must be at most %s', money_text(terms.maximum));
  elsif of_amount % terms.step <> 0 then
    why := format('amount must be a multiple of %s', money_text(terms.step));
  else
    code := null;
    if terms.client_limit is null or not opens then return; end if;
    perform pg_advisory_xact_lock(hashtextextended(account.user_id || terms.symbol, 83));
    select coalesce(sum(case p.side when 'buy' then p.amount else -p.amount end), 0) into net
    from positions p join trading_accounts a on a.id = p.account_id
    where a.user_id = account.user_id and a.is_demo = account.is_demo and p.symbol = terms.symbol and p.status = 'open';
    wanted := net + case of_side when 'buy' then of_amount else -of_amount end;
    if abs(wanted) > terms.client_limit and abs(wanted) > abs(net) then
      code := 'instrument_limit';
      why := format('One person may hold at most %s of %s, long less short; with this order it would be %s.', money_text(terms.client_limit), terms.symbol, money_text(abs(wanted)));
    end if;
  end if;
end $$;

create or replace function refuse_instrument(terms instrument_terms, account trading_accounts, of_side text, of_amount numeric, opens boolean) returns void language plpgsql as $$
declare
  bar record;
begin
  bar := instrument_bar(terms, account, of_side, of_amount, opens);
  if bar.code = 'close_only' then perform refuse('close_only', bar.why, 'symbol'); end if;
  if bar.code is not null then perform refuse('invalid', bar.why, 'amount'); end if;
end $$;

create or replace function instrument_json(t instrument_terms) returns json language sql stable as $$
  select json_build_object(
    'state', coalesce(t.state, 'tradable'), 'minimum', t.minimum::text, 'step', t.step::text, 'maximum', t.maximum::text,
    'marginPercent', t.margin_percent::text, 'clientLimit', t.client_limit::text
  );
$$;

-- Writes the next version: what `said` names takes the place of what is in force. No deal is under way at that moment, here or in another
-- program: each is made on the version before or on this one, and what is counted stays so. Answers the newest version.
create or replace function instrument_set(
  admin uuid, of_symbol text, seen integer, said jsonb, takes_effect timestamptz, why text, ip text, agent text
) returns integer language plpgsql as $$
declare
  moment timestamptz;
  smallest numeric;
  last integer;
  before instrument_terms;
  after instrument_terms;
  opened integer;
  waiting integer;
begin
  perform pg_advisory_xact_lock(lead_lock());
  perform refuse_own(admin, null);
  moment := clock_timestamp();
  select smallest_deal into smallest from instruments where symbol = of_symbol;
  if not found then perform refuse('not_found', 'Not found.'); end if;
  select coalesce(max(version), 0) into last from instrument_terms where symbol = of_symbol;
  if last <> seen then perform refuse('conflict', 'This instrument was changed meanwhile. Look at it again before you change it.'); end if;
  if takes_effect <= moment then perform refuse('invalid', 'effectiveAt must be in the future', 'effectiveAt'); end if;
  before := instrument_now(of_symbol);
  before.state := coalesce(before.state, 'tradable');
  after := jsonb_populate_record(before, said);
  if after.minimum < smallest then perform refuse('invalid', format('minimum must be at least %s', money_text(smallest)), 'minimum'); end if;
  if after.maximum < coalesce(after.minimum, smallest) then perform refuse('invalid', 'maximum must be at least the minimum', 'maximum'); end if;
  if coalesce(after.minimum, smallest) % after.step <> 0 then
    perform refuse('invalid', format('step must divide the minimum, which is %s', money_text(coalesce(after.minimum, smallest))), 'step');
  end if;
  if after.state = 'hidden' and takes_effect is not null then
    perform refuse('invalid', 'An instrument is hidden at once or not at all: nobody knows what will be open later', 'effectiveAt');
  end if;
  if after.state = 'hidden' then
    select count(*) filter (where status = 'open'), count(*) filter (where status = 'pending') into opened, waiting
    from positions where symbol = of_symbol and status in ('open', 'pending');
    if opened + waiting > 0 then
      perform refuse('conflict', format(
        '%s can''t be hidden: open positions: %s, waiting orders: %s. Make it close-only until they are gone.', of_symbol, opened, waiting
      ), 'state');
    end if;
  end if;
  if takes_effect is null and after is not distinct from before then return last; end if;
  insert into instrument_terms (symbol, version, state, minimum, step, maximum, margin_percent, client_limit, effective_at, changed_by, change_reason, created_at)
  values (
    of_symbol, last + 1, after.state, after.minimum, after.step, after.maximum, after.margin_percent, after.client_limit, coalesce(takes_effect, moment),
    admin, why, moment
  );
  perform audit_append(
    admin, null, 'instrument.set', json_build_object('symbol', of_symbol, 'version', last + 1, 'effectiveAt', iso(coalesce(takes_effect, moment))),
    instrument_json(before), instrument_json(after), why, ip, agent
  );
  return last + 1;
end $$;

create or replace trigger instrument_terms_append_only before delete or update or truncate on instrument_terms for each statement execute function refuse_change();
