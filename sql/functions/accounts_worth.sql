-- What an account and its positions are worth on a board of quotes.

-- The account's own bid and ask: the market's, or mid ∓ half the tier's spread where that is wider.
create or replace function account_price(bid numeric, ask numeric, pip numeric, tier_pips numeric, out account_bid numeric, out account_ask numeric) language sql immutable as $$
  select
    case when tier_pips * pip > ask - bid then round((bid + ask) / 2, 8) - round(tier_pips * pip / 2, 8) else bid end,
    case when tier_pips * pip > ask - bid then round((bid + ask) / 2, 8) + round(tier_pips * pip / 2, 8) else ask end;
$$;

-- A price that an account deals at, for the eye: a pair's with one decimal more than the market's, as half of a spread may be half a point.
create or replace function deal_price_text(price numeric, pip numeric) returns text language sql immutable as $$
  select price_digits(price, case when pip > 0 then 2 - log(pip)::integer else 2 end);
$$;

-- Amount × move / open price, half away from zero to the cent; by whole-number division, so that no digit is lost on the way.
create or replace function profit_of(side text, amount numeric, open_price numeric, close_price numeric) returns numeric language sql immutable as $$
  select round(sign(close_price - open_price) * case side when 'buy' then 1 else -1 end
    * div(200 * amount * abs(close_price - open_price) + open_price, 2 * open_price) * 0.01, 2);
$$;

-- What the open rest of a position brings at a price: the whole's profit, less that of the closed parts. So the parts' sum is the whole's
-- profit to the cent, however it was divided. `moved` is amount × move of the parts so far.
create or replace function profit_left(side text, moved numeric, amount numeric, open_price numeric, close_price numeric) returns numeric language sql immutable as $$
  select case moved when 0 then profit_of(side, amount, open_price, close_price) else (
    select case side when 'buy' then 1 else -1 end * 0.01 * (
      sign(s.after) * div(200 * abs(s.after) + open_price, 2 * open_price) - sign(moved) * div(200 * abs(moved) + open_price, 2 * open_price)
    )
    from (select moved + amount * (close_price - open_price) as after) s
  )::numeric(15, 2) end;
$$;

-- Balance, equity (balance less what the house advanced, plus floating profit), used and free margin of one account.
create or replace function account_state(of_account uuid, now_board board, out balance numeric, out equity numeric, out used numeric, out free numeric) language sql stable as $$
  select l.balance, l.balance - a.advance + f.floating, f.used, l.balance - a.advance + f.floating - f.used
  from trading_accounts a
  join account_types t on t.id = a.account_type_id
  join ledger_accounts l on l.id = a.ledger_account_id
  cross join lateral (
    select
      coalesce(sum(p.margin), 0.00) as used,
      coalesce(sum(profit_left(p.side, p.moved, p.amount, p.open_price, case p.side when 'buy' then q.account_bid else q.account_ask end)), 0.00) as floating
    from positions p
    left join lateral (select array_position((now_board).symbols, p.symbol) as at) b on true
    left join lateral account_price((now_board).bids[b.at], (now_board).asks[b.at], (now_board).pips[b.at], t.spreads_from) q on true
    where p.account_id = a.id and p.status = 'open'
  ) f
  where a.id = of_account;
$$;
