-- Orders at the market: taken, filled, or left to wait for its opening.

-- The account that an order is for: the named one, else the one last traded on, else the oldest. Locked.
create or replace function account_for_order(caller uuid, wanted uuid) returns trading_accounts language plpgsql as $$
declare
  account trading_accounts;
begin
  select * into account from trading_accounts
  where user_id = caller and (id = wanted or (wanted is null and status = 'active'))
  order by last_traded_at desc nulls last, created_at, id
  limit 1
  for update;
  if not found and wanted is null then
    perform refuse('conflict', 'Open a trading account first.');
  elsif not found then
    perform refuse('not_found', 'Not found.');
  elsif account.status <> 'active' then
    perform refuse('conflict', 'This trading account is closed.');
  end if;
  return account;
end $$;

-- What a live account still lacks before it may trade.
create or replace function refuse_unready(account trading_accounts) returns void language plpgsql as $$
declare
  minimum numeric;
begin
  if account.is_demo then return; end if;
  if (select registration_status from users where id = account.user_id) <> 'approved' then
    perform refuse('registration_pending', 'Your registration is awaiting approval.');
  end if;
  perform refuse_level_trading(account.user_id);
  perform refuse_unserved(account.user_id);
  select minimum_deposit into minimum from account_types where id = account.account_type_id;
  if account.funded_total < minimum then
    perform refuse('not_funded', format(
      'This account can trade once $%s has been moved into it; so far it is $%s.', trim(to_char(minimum, '999,999,999,990.00')), trim(to_char(account.funded_total, '999,999,999,990.00'))
    ));
  end if;
end $$;

create or replace function refuse_without_margin(account trading_accounts, needed numeric, now_board board) returns void language plpgsql as $$
declare
  state record;
begin
  select * into state from account_state(account.id, now_board);
  if needed > state.free then
    perform refuse('insufficient_margin', format(
      'This order needs $%s of margin; $%s is free.', trim(to_char(needed, '999,999,999,990.00')), trim(to_char(greatest(state.free, 0), '999,999,999,990.00'))
    ), 'amount');
  end if;
end $$;

-- The same where a country's rule asks for more margin than the account's own leverage would: the refusal names the rule.
create or replace function refuse_above_leverage(account trading_accounts, of_symbol text, of_amount numeric, geared integer, now_board board) returns void language plpgsql as $$
declare
  state record;
begin
  if geared >= account.leverage then return; end if;
  select * into state from account_state(account.id, now_board);
  if margin_of(of_amount, geared) > state.free and margin_of(of_amount, account.leverage) <= state.free then
    perform refuse('leverage_limit', format(
      'Where you live %s is dealt at 1:%s at most, so this order needs %s of margin; %s is free.', of_symbol, geared, money_text(margin_of(of_amount, geared)),
      money_text(greatest(state.free, 0))
    ), 'amount');
  end if;
end $$;

-- The smallest order, and part of a position, of an instrument, in USD.
create or replace function smallest_deal(of_symbol text) returns numeric language sql stable as $$
  select coalesce((select i.smallest_deal from instruments i where i.symbol = of_symbol), 10.00);
$$;

-- So many positions may be open, and so many orders wait, on one account: what is judged at each tick and order stays within bounds.
create or replace function refuse_crowd(account trading_accounts, of_status text) returns void language plpgsql as $$
begin
  -- The first condition is the index's own, without which the whole table would be read.
  if (select count(*) from positions p where p.account_id = account.id and p.status in ('pending', 'open') and p.status = of_status) >= 200 then
    perform refuse(case of_status when 'open' then 'conflict' else 'too_many_orders' end, case of_status
      when 'open' then 'This account has 200 open positions, which is the most it can hold. Close one first.'
      else '200 orders wait on this account, which is the most it can hold. Cancel one first.' end);
  end if;
end $$;

-- An order. Answers {status, answer} with the position: open at the account's price on this tick, or pending while the
-- market is closed. `requested` is the price the trader saw; `max_slippage` how far from it the fill may be, whenever it comes.
-- The tick was `chosen` at most a second ago when all is locked.
create or replace function trade_open(
  caller uuid, wanted uuid, of_symbol text, of_side text, of_amount numeric, stop numeric, target numeric, requested numeric, max_slippage numeric,
  market_open boolean, q deed_quote, now_board board, once_key text, once_fingerprint text, chosen timestamptz
) returns json language plpgsql as $$
declare
  earlier json;
  account trading_accounts;
  -- What the order is judged by, read once.
  known record;
  tier account_types;
  terms instrument_terms;
  due numeric := 0;
  own integer;
  geared integer;
  held numeric := 0;
  needed numeric;
  opening numeric;
  closing numeric;
  p positions;
  answer json;
begin
  earlier := once_begin(caller, once_key, once_fingerprint);
  if earlier is not null then return earlier; end if;
  if (select s.halted from ledger_state s) then perform refuse_halted(); end if;
  account := account_for_order(caller, wanted);
  if not account.is_demo then perform refuse_unready(account); end if;
  select
    t as tier, n as terms, coalesce(i.smallest_deal, 10.00) as smallest, y.pips as spread, account_bid(q.bid, q.ask, q.pip, y.pips) as bid,
    account_ask(q.bid, q.ask, q.pip, y.pips) as ask, s.free, s.open_positions,
    b.cap, b.country, b.version as country_version
  into known
  from account_types t
  left join instruments i on i.symbol = of_symbol
  left join instrument_terms n on n.symbol = i.symbol and n.version = i.version
  cross join lateral (select spread_of(t, t.version, of_symbol, i.markup) as pips offset 0) y
  cross join account_states(array[account.id], now_board) s
  cross join leverage_bound(caller, of_symbol) b
  where t.id = account.account_type_id;
  tier := known.tier;
  terms := known.terms;
  if of_amount < known.smallest then
    perform refuse('invalid', format('The amount must be at least %s.', money_text(known.smallest)), 'amount');
  end if;
  if terms.version is not null then perform refuse_instrument(terms, account, of_side, of_amount, market_open); end if;
  if not market_open or known.open_positions >= 200 then perform refuse_crowd(account, case when market_open then 'open' else 'pending' end); end if;
  opening := case of_side when 'buy' then known.ask else known.bid end;
  closing := case of_side when 'buy' then known.bid else known.ask end;
  if market_open and abs(opening - requested) > max_slippage then
    perform refuse('price_moved', format('The price moved to %s.', deal_price_text(opening, q.pip)), 'currentPrice');
  end if;
  if stop is not null or target is not null then perform check_exits(of_side, closing, stop, target); end if;
  if terms.margin_steps is not null then held := instrument_held(terms, account.id, of_side); end if;
  own := least(account.leverage, known.cap);
  geared := instrument_leverage(terms, own, of_amount, held);
  if own < account.leverage and geared < instrument_leverage(terms, account.leverage, of_amount, held) then
    perform refuse_above_leverage(account, of_symbol, of_amount, geared, now_board);
  end if;
  needed := margin_of(of_amount, geared);
  if needed > known.free then perform refuse_without_margin(account, needed, now_board); end if;
  if tier.commission > 0 and market_open then
    due := commission_of(of_amount, tier.commission);
    perform refuse_without_commission(account, needed, due, now_board);
  end if;
  q.age_ms := tick_age(q.age_ms, chosen);
  -- Written once, as what it is: each writing of a row checks all that holds of it.
  insert into positions (
    account_id, user_id, symbol, side, amount, leverage, margin, stop_loss, take_profit, requested_price, max_slippage, status, open_price, volume, opened_at, since_seq,
    charges, group_version, terms_version, country, country_version
  )
  values (
    account.id, caller, of_symbol, of_side, of_amount, geared, needed, stop, target, requested, max_slippage,
    case when market_open then 'open' else 'pending' end,
    case when market_open then opening end,
    case when market_open then round(of_amount / opening, 8) end,
    case when market_open then date_trunc('milliseconds', clock_timestamp()) end,
    case when market_open then q.seq end, due, case when market_open then tier.version end, case when market_open then terms.version end,
    known.country, known.country_version
  )
  returning * into p;
  if market_open then perform fill_opening(p, q, known.spread, requested, caller, terms.version, account.leverage, known.cap, null); end if;
  if due > 0 then perform commission_charge(account, p, 'open', tier, due); end if;
  answer := position_json(p, case when market_open then closing end);
  if once_key is not null then
    perform once_end(caller, once_key, 201, answer);
  end if;
  return json_build_object('status', 201, 'answer', answer);
end $$;

-- Opens a position that waited, at the account's price on this tick, with the margin that `p` says by now; it was `placed` at that leverage.
create or replace function position_fill(
  account trading_accounts, p positions, q deed_quote, requested numeric, actor uuid, terms_version integer, placed integer
) returns positions language plpgsql as $$
declare
  tier account_types;
  spread numeric;
  due numeric;
  price numeric;
begin
  select * into tier from account_types where id = account.account_type_id;
  due := commission_of(p.amount, tier.commission);
  spread := spread_of(tier, tier.version, p.symbol, markup_of(p.symbol));
  select case p.side when 'buy' then account_ask else account_bid end into price from account_price(q.bid, q.ask, q.pip, spread);
  update positions
  set status = 'open', open_price = price, volume = round(p.amount / price, 8), opened_at = date_trunc('milliseconds', clock_timestamp()), since_seq = q.seq,
    leverage = p.leverage, margin = p.margin, charges = charges + due, group_version = tier.version,
    terms_version = position_fill.terms_version
  where id = p.id
  returning * into p;
  perform fill_opening(p, q, spread, requested, actor, terms_version, account.leverage, null, placed);
  if due > 0 then perform commission_charge(account, p, 'open', tier, due); end if;
  return p;
end $$;

-- Writes the opening fill of a position that has just opened at `open_price`, with all that its margin follows from: the leverage of its account (`own`),
-- what the owner's country allowed (`cap`), at which it waited (`placed`), and where its margin goes by size what was held. All that such a position was
-- charged is its commission.
create or replace function fill_opening(
  p positions, q deed_quote, tier numeric, requested numeric, actor uuid, of_terms integer, own integer, cap integer, placed integer
) returns void language plpgsql as $$
declare
  already numeric;
begin
  -- Asked only where there are terms: a question about none would be planned anew each time.
  if of_terms is not null then
    already := (
      select instrument_held(t, p.account_id, p.side) - p.amount from instrument_terms t
      where t.symbol = p.symbol and t.version = of_terms and t.margin_steps is not null
    );
  end if;
  insert into fills (
    position_id, kind, quote_seq, quote_at, quote_age_ms, bid, ask, tier_spread_pips, requested_price, price, slippage, amount, margin, actor_id, terms_version,
    group_id, group_version, spread_fixed, held, account_leverage, cap_leverage, placed_leverage, commission
  )
  values (
    p.id, 'open', q.seq, q.at, q.age_ms, q.bid, q.ask, case when q.pip > 0 then abs(tier) else 0 end, requested, p.open_price,
    case p.side when 'buy' then p.open_price - requested else requested - p.open_price end, p.amount, p.margin, actor, of_terms,
    (select a.account_type_id from trading_accounts a where a.id = p.account_id), p.group_version, tier < 0,
    already, own, cap, placed, p.charges
  );
end $$;
