-- What an account and its positions are worth on a board of quotes.

-- The account's own bid and ask: the market's, or mid ∓ half the tier's spread where that is wider, or is fixed (below zero). Each in one expression, which PostgreSQL
-- writes into the statement that calls it.
create or replace function account_bid(bid numeric, ask numeric, pip numeric, tier_pips numeric) returns numeric language sql immutable as $$
  select case when tier_pips * pip > ask - bid or tier_pips * pip < 0 then round((bid + ask) / 2, 8) - round(abs(tier_pips) * pip / 2, 8) else bid end;
$$;
create or replace function account_ask(bid numeric, ask numeric, pip numeric, tier_pips numeric) returns numeric language sql immutable as $$
  select case when tier_pips * pip > ask - bid or tier_pips * pip < 0 then round((bid + ask) / 2, 8) + round(abs(tier_pips) * pip / 2, 8) else ask end;
$$;
create or replace function account_price(bid numeric, ask numeric, pip numeric, tier_pips numeric, out account_bid numeric, out account_ask numeric) language sql immutable as $$
  select account_bid(bid, ask, pip, tier_pips), account_ask(bid, ask, pip, tier_pips);
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
-- profit to the cent, however it was divided. `moved` is amount × move of the parts so far. One expression without a query of its own, which
-- PostgreSQL writes into the statement that calls it: it stands in every order, for each open position of the account.
create or replace function profit_left(side text, moved numeric, amount numeric, open_price numeric, close_price numeric) returns numeric language sql immutable as $$
  select case moved when 0 then profit_of(side, amount, open_price, close_price) else (
    case side when 'buy' then 0.01 else -0.01 end * (
      sign(moved + amount * (close_price - open_price)) * div(200 * abs(moved + amount * (close_price - open_price)) + open_price, 2 * open_price)
      - sign(moved) * div(200 * abs(moved) + open_price, 2 * open_price)
    )
  )::numeric(15, 2) end;
$$;

-- Balance, equity (balance less what the house advanced, plus floating profit), used and free margin of each account, and how many positions it has open.
create or replace function account_states(of_accounts uuid[], now_board board) returns table (
  account_id uuid, balance numeric, equity numeric, used numeric, free numeric, open_positions bigint
) language sql stable as $$
  select a.id, l.balance, l.balance - a.advance + f.floating, f.used, l.balance - a.advance + f.floating - f.used, f.positions
  from trading_accounts a
  join account_types t on t.id = a.account_type_id
  join ledger_accounts l on l.id = a.ledger_account_id
  cross join lateral (
    select
      count(*) as positions,
      coalesce(sum(p.margin), 0.00) as used,
      coalesce(sum(profit_left(p.side, p.moved, p.amount, p.open_price, c.price)), 0.00) as floating
    from positions p
    left join instruments i on i.symbol = p.symbol
    left join lateral (select array_position((now_board).symbols, p.symbol) as at) b on true
    left join lateral (select (now_board).bids[b.at] as bid, (now_board).asks[b.at] as ask, (now_board).pips[b.at] as pip) q on true
    -- By itself, as spread_of, which names it twice, is written into this statement only where that is a column.
    left join lateral (select markup_held(i, p.terms_version) as markup offset 0) k on true
    left join lateral (select spread_of(t, p.group_version, p.symbol, k.markup) as pips offset 0) s on true
    -- Worked out once: profit_left, which names it several times, is written into this statement then.
    left join lateral (
      select case p.side when 'buy' then account_bid(q.bid, q.ask, q.pip, s.pips) else account_ask(q.bid, q.ask, q.pip, s.pips) end as price
      offset 0
    ) c on true
    -- The first condition is the index's own, without which the whole table would be read.
    where p.account_id = a.id and p.status in ('pending', 'open') and p.status = 'open'
  ) f
  where a.id = any (of_accounts);
$$;

-- The same of one account.
create or replace function account_state(of_account uuid, now_board board, out balance numeric, out equity numeric, out used numeric, out free numeric) language sql stable as $$
  select s.balance, s.equity, s.used, s.free from account_states(array[of_account], now_board) s;
$$;
