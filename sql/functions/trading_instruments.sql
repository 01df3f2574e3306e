-- How an instrument is dealt: its terms in versions, and what they keep from opening. Closing is never among it.

-- The terms in force; all null where an instrument never had any. What a deal is bounded and priced by is one version.
create or replace function instrument_now(of_symbol text) returns instrument_terms language sql stable as $$
  select t from instruments i join instrument_terms t on t.symbol = i.symbol and t.version = i.version where i.symbol = of_symbol;
$$;

-- The version whose time has come by a moment, and the newest that holds by then for what was open before it, too; 0: none. A version that another
-- was written before it took effect never does.
create or replace function instrument_due(of_symbol text, moment timestamptz, out version integer, out applied integer) language sql stable as $$
  select coalesce(max(t.version), 0), coalesce(max(t.version) filter (where coalesce(t.applies_at, t.effective_at) <= moment), 0)
  from instrument_terms t
  where t.symbol = of_symbol and t.effective_at <= moment
    and not exists (select from instrument_terms n where n.symbol = t.symbol and n.version = t.version + 1 and n.created_at < t.effective_at);
$$;

-- What a position is priced by now: what waits would open by the mark-up of now.
create or replace function markup_for(p positions) returns numeric language sql stable as $$
  select case p.status when 'pending' then markup_of(p.symbol) else markup_of(p.symbol, p.terms_version) end;
$$;

-- The mark-ups that something open may still be closed by, by version; null where all is closed by that of now.
create or replace function markups_held(i instruments) returns json language sql stable as $$
  select case when i.applied < i.version then (
    select json_object_agg(v.version, markup_said(i.symbol, v.version)) from generate_series(i.applied, i.version - 1) as v (version)
  ) end;
$$;

-- Whether terms let an order of this amount open whoever gives it; where what is held is bounded it must be looked at alone.
create or replace function instrument_lets(terms instrument_terms, of_amount numeric) returns boolean language sql immutable as $$
  select terms.version is null or terms.state = 'tradable' and terms.client_limit is null and terms.house_limit is null and of_amount >= coalesce(terms.minimum, of_amount)
    and of_amount <= coalesce(terms.maximum, of_amount) and (terms.step is null or of_amount % terms.step = 0);
$$;

-- What an account holds open of a symbol on a side, where the instrument's steps count it; else nothing.
create or replace function instrument_held(terms instrument_terms, of_account uuid, of_side text) returns numeric language sql stable as $$
  select case when terms.margin_steps is null then 0.00 else (
    select coalesce(sum(amount), 0.00) from positions where account_id = of_account and symbol = terms.symbol and side = of_side and status = 'open'
  ) end;
$$;

-- The leverage at which an order of this amount is dealt where its account has `own` and holds `held` on that side: each part of the amount, counted
-- from what is held on, asks for what its step says, or for what `own` does where that is more; their sum as a whole leverage, on the safe side.
create or replace function instrument_leverage(terms instrument_terms, own integer, of_amount numeric, held numeric) returns integer language plpgsql immutable as $$
begin
  if terms.margin_steps is null then return least(own, terms.leverage); end if;
  return (
    select div(of_amount * 100 * own, sum(p.part * greatest(100, p.percent * own)))::integer
    from (
      select greatest(0, least(held + of_amount, lead(b.above, 1, held + of_amount) over (order by b.above)) - greatest(held, b.above)) as part, b.percent
      from (
        select 0::numeric as above, coalesce(terms.margin_percent, 0) as percent
        union all
        select (s ->> 'above')::numeric, (s ->> 'percent')::numeric from jsonb_array_elements(terms.margin_steps) s
      ) b
    ) p
  );
end $$;

-- What clients hold of a symbol on live accounts, long less short.
create or replace function house_net(of_symbol text) returns numeric language sql stable as $$
  select coalesce(sum(case p.side when 'buy' then p.amount else -p.amount end), 0.00)
  from positions p join trading_accounts a on a.id = p.account_id
  where p.symbol = of_symbol and p.status = 'open' and not a.is_demo;
$$;

-- The side on which not even the smallest order may be opened on a live account, since the house stands against as much as it may; null for none.
create or replace function house_barred(terms instrument_terms) returns text language sql stable as $$
  select case when n.net + n.least > terms.house_limit then 'buy' when n.least - n.net > terms.house_limit then 'sell' end
  from (select house_net(terms.symbol) as net, coalesce(terms.minimum, smallest_deal(terms.symbol)) as least where terms.house_limit is not null) n;
$$;

-- Why what the house may stand against keeps an order from opening: one order after the other, whoever's; what makes it less is never kept.
create or replace function house_bar(terms instrument_terms, of_side text, of_amount numeric, out code text, out why text) language plpgsql as $$
declare
  net numeric;
  wanted numeric;
begin
  perform pg_advisory_xact_lock(hashtextextended(terms.symbol, 84));
  net := house_net(terms.symbol);
  wanted := net + case of_side when 'buy' then of_amount else -of_amount end;
  if abs(wanted) <= terms.house_limit or abs(wanted) <= abs(net) then return; end if;
  if house_barred(terms) = of_side then
    code := 'close_only';
    why := format('%s can only be %s or closed at the moment: clients hold as much of it the other way as the house takes.', terms.symbol,
      case of_side when 'buy' then 'sold' else 'bought' end);
  else
    code := 'instrument_limit';
    why := format('At most %s of %s can be %s at the moment: more is not taken by the house.', money_text(terms.house_limit - case of_side when 'buy' then net else -net end),
      terms.symbol, case of_side when 'buy' then 'bought' else 'sold' end);
  end if;
end $$;

-- Why terms keep an order from opening, for programs and in words; null where they don't. What a client holds counts where it `opens` now, not
-- where it waits; all of the person's accounts of one book together, one order after the other. Each side counts by itself: what one leg of a hedge
-- takes off the other is there again once it is closed, and closing is always free.
create or replace function instrument_bar(
  terms instrument_terms, account trading_accounts, of_side text, of_amount numeric, opens boolean, out code text, out why text
) language plpgsql as $$
declare
  wanted numeric;
begin
  if instrument_lets(terms, of_amount) then return; end if;
  code := 'instrument_limit';
  if terms.state <> 'tradable' then
    code := 'close_only';
    why := format(case terms.state when 'shown' then '%s is shown with its prices and not dealt in at the moment.'
      else '%s can only be closed at the moment: no position is opened in it.' end, terms.symbol);
  elsif of_amount < terms.minimum then
    why := format('The amount must be at least %s.', money_text(terms.minimum));
  elsif of_amount > terms.maximum then
    why := format('The amount must be at most %s.', money_text(terms.maximum));
  elsif of_amount % terms.step <> 0 then
    why := format('The amount must be a multiple of %s.', money_text(terms.step));
  else
    code := null;
    if not opens then return; end if;
    if terms.house_limit is not null and not account.is_demo then select * into code, why from house_bar(terms, of_side, of_amount); end if;
    if code is not null or terms.client_limit is null then return; end if;
    perform pg_advisory_xact_lock(hashtextextended(account.user_id || terms.symbol, 83));
    select of_amount + coalesce(sum(p.amount), 0) into wanted
    from positions p join trading_accounts a on a.id = p.account_id
    where a.user_id = account.user_id and a.is_demo = account.is_demo and p.symbol = terms.symbol and p.status = 'open' and p.side = of_side;
    if wanted > terms.client_limit then
      code := 'instrument_limit';
      why := format('One person may hold at most %s of %s on each side; with this order it would be %s %s.', money_text(terms.client_limit), terms.symbol, money_text(wanted),
        case of_side when 'buy' then 'bought' else 'sold' end);
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

-- As instrument_json, with how it is listed.
create or replace function instrument_whole_json(t instrument_terms) returns json language sql stable as $$
  select (instrument_json(t)::jsonb || jsonb_strip_nulls(jsonb_build_object('listing', t.listing)))::json;
$$;

create or replace function instrument_json(t instrument_terms) returns json language sql stable as $$
  select json_build_object(
    'state', coalesce(t.state, 'tradable'), 'minimum', t.minimum::text, 'step', t.step::text, 'maximum', t.maximum::text,
    'marginPercent', t.margin_percent::text, 'marginSteps', t.margin_steps, 'clientLimit', t.client_limit::text, 'houseLimit', t.house_limit::text, 'markup', t.markup::text
  );
$$;

-- Refuses fewer decimals than prices are written with that somebody still looks at: the newest one, and those of positions and orders.
create or replace function refuse_rounding(of_symbol text, digits integer, until_now integer) returns void language plpgsql as $$
declare
  most integer;
begin
  if digits >= until_now then return; end if;
  select max(scale(trim_scale(price))) into most from (
    select unnest(array[q.bid, q.ask]) as price from quotes q where q.symbol = of_symbol
    union all
    select unnest(array[f.bid, f.ask, p.stop_loss, p.take_profit, p.trigger_price, p.limit_price])
    from positions p left join fills f on f.position_id = p.id
    where p.symbol = of_symbol and p.status in ('open', 'pending')
  ) prices;
  if most > digits then
    perform refuse('invalid', format('digits must be at least %s: prices of %s are written with so many', most, of_symbol), 'digits');
  end if;
end $$;

-- Puts versions in force whose time has come, with their mark-ups, while no deal is under way. Answers of how many instruments.
create or replace function instruments_come_due() returns integer language plpgsql as $$
declare
  moment timestamptz := clock_timestamp();
  changed integer;
begin
  if not exists (select from instruments i cross join lateral instrument_due(i.symbol, moment) n where (i.version, i.applied) <> (n.version, n.applied)) then
    return 0;
  end if;
  perform pg_advisory_xact_lock(lead_lock());
  moment := clock_timestamp();
  update instruments i set markup = markup_said(n.symbol, n.version), version = n.version, applied = n.applied
  from (select s.symbol, d.version, d.applied from instruments s cross join lateral instrument_due(s.symbol, moment) d) n
  where n.symbol = i.symbol and (n.version, n.applied) <> (i.version, i.applied);
  get diagnostics changed = row_count;
  return changed;
end $$;

-- Whoever holds it, or waits to, hears of a mark-up that is wider than what that is dealt by, and comes later.
create or replace function instrument_change_told() returns trigger language plpgsql as $$
begin
  perform tell_person(
    h.user_id, new.symbol || ' becomes dearer to deal',
    format(
      'From %s UTC on its spread is wider%s: %s pips are added to your account''s.', to_char(new.effective_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI'),
      case when new.applies_at > new.effective_at then format(', for what is open then from %s UTC', to_char(new.applies_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI')) end,
      new.markup
    ),
    'warning', 'trades', '/dashboard', 'instrument-' || new.symbol
  )
  from (select distinct p.user_id from positions p where p.symbol = new.symbol and p.status in ('open', 'pending') and new.markup > markup_for(p)) h
  where new.markup <> markup_of(new.symbol);
  return null;
end $$;
create or replace trigger instrument_terms_told after insert on instrument_terms for each row when (new.applies_at > new.created_at) execute function instrument_change_told();

-- Writes the next version: what `said` names takes the place of what is in force. No deal is under way at that moment, here or in another
-- program: each is made on the version before or on this one, and what is counted stays so. Answers the newest version.
create or replace function instrument_set(
  admin uuid, of_symbol text, seen integer, said jsonb, takes_effect timestamptz, why text, ip text, agent text
) returns integer language plpgsql as $$
declare
  moment timestamptz;
  listed instruments;
  smallest numeric;
  last integer;
  before instrument_terms;
  after instrument_terms;
  applies timestamptz;
  opened integer;
  waiting integer;
begin
  perform pg_advisory_xact_lock(lead_lock());
  perform refuse_own(admin, null);
  perform instruments_come_due();
  moment := clock_timestamp();
  select * into listed from instruments where symbol = of_symbol;
  if not found then perform refuse('not_found', 'Not found.'); end if;
  smallest := listed.smallest_deal;
  select coalesce(max(version), 0) into last from instrument_terms where symbol = of_symbol;
  if last <> seen then perform refuse('conflict', 'This instrument was changed meanwhile. Look at it again before you change it.'); end if;
  if takes_effect <= moment then perform refuse('invalid', 'effectiveAt must be in the future', 'effectiveAt'); end if;
  before := instrument_now(of_symbol);
  before.state := coalesce(before.state, 'tradable');
  before.listing := coalesce(before.listing, listed.listing);
  after := jsonb_populate_record(before, said - 'listing');
  after.listing := before.listing || coalesce(said -> 'listing', '{}');
  if after.listing -> 'pip' <> before.listing -> 'pip' and exists (select from positions p where p.symbol = of_symbol and p.status in ('open', 'pending')) then
    perform refuse('conflict', 'pip can''t change while positions are open or orders wait: their spread is counted in it', 'pip');
  end if;
  perform refuse_rounding(of_symbol, (after.listing ->> 'digits')::integer, (before.listing ->> 'digits')::integer);
  if after.minimum < smallest then perform refuse('invalid', format('minimum must be at least %s', money_text(smallest)), 'minimum'); end if;
  if after.maximum < coalesce(after.minimum, smallest) then perform refuse('invalid', 'maximum must be at least the minimum', 'maximum'); end if;
  if after.house_limit < coalesce(after.minimum, smallest) then
    perform refuse('invalid', 'houseLimit must be at least the minimum', 'houseLimit');
  end if;
  if coalesce(after.minimum, smallest) % after.step <> 0 then
    perform refuse('invalid', format('step must divide the minimum, which is %s', money_text(coalesce(after.minimum, smallest))), 'step');
  end if;
  if after.state in ('shown', 'hidden') and takes_effect is not null then
    perform refuse('invalid', format('An instrument is %s at once or not at all: nobody knows what will be open later', case after.state when 'shown' then 'only shown' else 'hidden' end), 'effectiveAt');
  end if;
  if after.state in ('shown', 'hidden') then
    select count(*) filter (where status = 'open'), count(*) filter (where status = 'pending') into opened, waiting
    from positions where symbol = of_symbol and status in ('open', 'pending');
    if opened + waiting > 0 then
      perform refuse('conflict', format(
        '%s can''t be %s: open positions: %s, waiting orders: %s. Make it close-only until they are gone.', of_symbol,
        case after.state when 'shown' then 'only shown' else 'hidden' end, opened, waiting
      ), 'state');
    end if;
  end if;
  if (after.margin_steps -> 0 ->> 'percent')::numeric <= after.margin_percent then
    perform refuse('invalid', format('Step 1, %%: it must be above %s, which is asked for below it.', trim_scale(after.margin_percent)), 'marginSteps');
  end if;
  if after.markup > 0 and listed.class = 'crypto' then perform refuse('invalid', 'markup is counted in pips, of which a coin has none', 'markup'); end if;
  if takes_effect is null and after is not distinct from before and said -> 'isNew' is null
    and not exists (select from instrument_terms t where t.symbol = of_symbol and t.version = last and t.effective_at > moment)
  then
    return last;
  end if;
  applies := coalesce(takes_effect, moment);
  -- Wider than any that something open is closed by; where it is no wider than that of now, what was told of that one is notice enough.
  if exists (select from generate_series(listed.applied, listed.version) as v (version) where after.markup > markup_said(of_symbol, v.version)) then
    applies := greatest(applies, case
      when after.markup <= before.markup then before.applies_at
      else moment + coalesce((select value::integer from settings where key = 'notice_hours'), 24) * interval '1 hour'
    end);
  end if;
  insert into instrument_terms (
    symbol, version, state, minimum, step, maximum, margin_percent, margin_steps, client_limit, house_limit, markup, listing, effective_at, applies_at, changed_by,
    change_reason, created_at
  )
  values (
    of_symbol, last + 1, after.state, after.minimum, after.step, after.maximum, after.margin_percent, after.margin_steps, after.client_limit, after.house_limit, after.markup, after.listing, coalesce(takes_effect, moment),
    applies, admin, why, moment
  );
  perform instruments_come_due();
  perform audit_append(
    admin, null, 'instrument.set', json_build_object('symbol', of_symbol, 'version', last + 1, 'effectiveAt', iso(coalesce(takes_effect, moment)), 'appliesAt', iso(applies)),
    instrument_whole_json(before), instrument_whole_json(after), why, ip, agent
  );
  return last + 1;
end $$;

-- Lists a new instrument, with the first version of its terms. Answers that version.
create or replace function instrument_add(
  admin uuid, of_symbol text, of_class text, said jsonb, why text, ip text, agent text
) returns integer language plpgsql as $$
begin
  perform pg_advisory_xact_lock(lead_lock());
  insert into instruments (symbol, class, place, listing)
  select of_symbol, of_class, max(place) + 1, said -> 'listing' from instruments
  on conflict (symbol) do nothing;
  if not found then perform refuse('conflict', 'It is listed already.', 'symbol'); end if;
  return instrument_set(admin, of_symbol, 0, said || '{"isNew": true}', null, why, ip, agent);
end $$;

-- How it was listed at first stays, as its versions do.
create or replace trigger instruments_append_only before delete or update of symbol, listing or truncate on instruments for each statement execute function refuse_change();
create or replace trigger instrument_terms_append_only before delete or update or truncate on instrument_terms for each statement execute function refuse_change();
create or replace trigger instrument_terms_logged after insert on instrument_terms for each row execute function proof_note_row('instrument', 'symbol', 'version');
