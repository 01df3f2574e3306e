-- The receipts in the public log. There are more of them than of anything else, so their records are written here, in their canonical form: names in
-- their order, no spaces (RFC 8785).

-- Text that needs no escapes, as JSON; null says so.
create or replace function json_words(words text) returns text language sql immutable as $$ select coalesce('"' || words || '"', 'null'); $$;

-- The record of a position's night.
create or replace function swap_record(s swaps, p positions, is_demo boolean, point numeric) returns text language sql stable as $$
  select '{"account":"' || p.account_id || '","at":"' || iso(s.created_at) || '","booked":"' || s.amount || '","demo":' || is_demo::text ||
    ',"due":"' || s.due || '","group":"' || s.group_id || '","held":"' || s.held || '","kind":"swap","night":"' || s.night || '","nights":' || s.nights ||
    ',"openPrice":"' || p.open_price || '","point":"' || point::numeric(20, 8) || '","position":"' || p.id || '","rate":"' || s.rate ||
    '","side":"' || p.side || '","swap":' || s.number || ',"symbol":"' || p.symbol || '","unit":"' || s.unit || '","v":1,"version":' || s.version || '}';
$$;

-- What a receipt says of its terms since each names the versions that it was dealt by; the record is of version 2 then. Of version 6 is an opening, of version 3 an
-- end that says its commission, of version 5 an opening of before that says all that its margin follows from, of version 4 one of before that names no version of the countries' rules, of version 3 one of before whose margin goes by size, which alone said it then.
create or replace function fill_named(f fills) returns text language sql stable as $$
  select case when f.spread_fixed is null then '' else
    ',"fixed":' || f.spread_fixed::text || ',"group":"' || f.group_id || '","groupVersion":' || f.group_version ||
      case when f.account_leverage is not null then ',"held":' || json_words(f.held::text) when f.own_leverage is null then '' else ',"held":"' || f.held || '"' end ||
      ',"instrumentVersion":' || coalesce(f.terms_version, 0)
  end;
$$;

-- The record of a receipt, of an opening or of an end; to an end belongs the number of its `opening`. Of a position that may be open still it says
-- what does not change any more. Without a query of its own, so that PostgreSQL writes it into the statement that calls it: an eighth of the time.
create or replace function fill_record(f fills, p positions, is_demo boolean, pip text, terms integer, opening bigint) returns text language sql stable as $$
  select case f.kind when 'open' then
    '{"account":"' || p.account_id || '","amount":"' || f.amount || '","ask":"' || f.ask || '","at":"' || iso(f.created_at) ||
      '","bid":"' || f.bid || case when f.account_leverage is null then '"' else '","cap":' || coalesce(f.cap_leverage::text, 'null') end ||
      case when f.account_leverage is null or p.country_version is null then '' else coalesce(',"commission":"' || f.commission || '"', '') || ',"country":' || json_words(p.country) || ',"countryVersion":' || p.country_version end ||
      ',"demo":' || is_demo::text || ',"fill":' || f.id || fill_named(f) || ',"kind":"fill","leverage":' || p.leverage ||
      ',"limit":' || json_words(p.limit_price::text) || ',"margin":"' || f.margin || '","order":"' || p.order_type ||
      case when coalesce(f.account_leverage, f.own_leverage) is null then '"' else '","own":' || coalesce(f.account_leverage, f.own_leverage) end || ',"pip":"' || pip ||
      case when coalesce(f.account_leverage, f.own_leverage) is null then '"' else '","placed":' || coalesce(f.placed_leverage::text, 'null') end ||
      ',"position":"' || p.id || '","price":"' || f.price || '","requested":' || json_words(f.requested_price::text) || ',"side":"' || p.side ||
      '","slippage":' || json_words(f.slippage::text) || ',"slippageBound":' || json_words(p.max_slippage::text) ||
      ',"spreadPips":"' || f.tier_spread_pips || '","symbol":"' || p.symbol || '","terms":' || terms || ',"tick":' || f.quote_seq ||
      ',"tickAgeMs":' || f.quote_age_ms || ',"tickAt":"' || iso(f.quote_at) || '","trigger":' || json_words(p.trigger_price::text) ||
      ',"v":' || case when f.spread_fixed is null then 1 when f.account_leverage is not null then case when p.country_version is null then 4 when f.commission is null then 5 else 6 end when f.own_leverage is null then 2 else 3 end || '}'
  else
    '{"account":"' || p.account_id || '","amount":"' || f.amount || '","ask":"' || f.ask || '","at":"' || iso(f.created_at) ||
      '","bid":"' || f.bid || '","booked":"' || p.profit || coalesce('","commission":"' || f.commission, '') || '","covered":"' || p.covered || '","demo":' || is_demo::text || ',"fill":' || f.id || fill_named(f) ||
      ',"kind":"exit","leverage":' || p.leverage || ',"margin":"' || f.margin || '","moved":"' || p.moved || '","openPrice":"' || p.open_price ||
      '","opening":' || opening ||
      ',"parent":' || json_words(p.parent_id::text) || ',"pip":"' || pip || '","position":"' || p.id || '","price":"' || f.price ||
      '","profit":"' || f.profit || '","reason":"' || f.reason || '","requested":' || json_words(f.requested_price::text) || ',"side":"' || p.side ||
      '","slippage":' || json_words(f.slippage::text) || ',"spreadPips":"' || f.tier_spread_pips ||
      '","stopLoss":' || json_words(p.stop_loss::text) || ',"symbol":"' || p.symbol || '","takeProfit":' || json_words(p.take_profit::text) ||
      ',"terms":' || terms || ',"tick":' || f.quote_seq || ',"tickAgeMs":' || f.quote_age_ms || ',"tickAt":"' || iso(f.quote_at) ||
      '","v":' || case when f.spread_fixed is null then 1 when f.commission is null then 2 else 3 end || ',"watchedFrom":' || coalesce(p.since_seq::text, 'null') || '}'
  end;
$$;
