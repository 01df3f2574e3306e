-- Alerts on the market's prices, before any account's spread. The engine watches; here it is decided, once.

-- A side of a tick, in whole units of 10⁻⁸; mid is the middle.
create or replace function alert_side(side text, bid numeric, ask numeric) returns numeric language sql immutable as $$
  select case side when 'bid' then bid when 'ask' then ask else round((bid + ask) / 2, 8) end;
$$;

-- Whether a price reaches an alert at `level` that was set when the price was `start`. A crossing is one from there to the level or past it.
create or replace function alert_reached(condition text, start numeric, level numeric, price numeric) returns boolean language sql immutable as $$
  select case condition
    when 'above' then price >= level
    when 'below' then price <= level
    else (start <= level and price >= level) or (start >= level and price <= level)
  end;
$$;

create or replace function alert_is_active(a price_alerts, at timestamptz) returns boolean language sql immutable as $$
  select a.fired_at is null and (a.expires_at is null or a.expires_at > at);
$$;

create or replace function alert_json(a price_alerts, at timestamptz) returns json language sql stable as $$
  select json_build_object(
    'id', a.id, 'symbol', a.symbol, 'side', a.side, 'condition', a.condition, 'price', a.price::text, 'note', a.note, 'expiresAt', iso(a.expires_at),
    'createdAt', iso(a.created_at), 'status', case when a.fired_at is not null then 'fired' when alert_is_active(a, at) then 'active' else 'expired' end,
    'firedAt', iso(a.fired_at), 'quoteId', a.fired_seq, 'quoteTime', iso(a.fired_quote_at), 'bid', a.fired_bid::text, 'ask', a.fired_ask::text,
    'firedPrice', a.fired_price::text
  );
$$;

-- Sets an alert, where the person has fewer than 50 that are active `now_at`. One after another for each person.
create or replace function alert_set(
  caller uuid, of_symbol text, of_side text, of_condition text, level numeric, words text, until timestamptz, seq bigint, bid numeric, ask numeric,
  now_at timestamptz, once_key text, once_fingerprint text
) returns json language plpgsql as $$
declare
  earlier json;
  a price_alerts;
begin
  earlier := once_begin(caller, once_key, once_fingerprint);
  if earlier is not null then return earlier; end if;
  perform from users where id = caller for no key update;
  if (select count(*) from price_alerts p where p.user_id = caller and alert_is_active(p, now_at)) >= 50 then
    perform refuse('too_many_alerts', 'You have 50 active alerts, which is the most. Delete one to set another.');
  end if;
  insert into price_alerts (user_id, symbol, side, condition, price, note, expires_at, since_seq, start)
  values (caller, of_symbol, of_side, of_condition, level, words, until, seq, alert_side(of_side, bid, ask))
  returning * into a;
  -- Of those that are over, the newest 200 stay.
  delete from price_alerts p where p.id in (
    select o.id from price_alerts o where o.user_id = caller and not alert_is_active(o, now_at) order by o.created_at desc, o.id desc offset 200
  );
  return once_answer(caller, once_key, 201, alert_json(a, now_at));
end $$;

-- What its person is told of an alert that fired; prices with the instrument's digits.
create or replace function alert_text(a price_alerts, digits integer) returns text language sql immutable as $$
  select format(
    '%s %s is at %s; your alert: %s %s.%s', a.symbol, a.side, price_digits(a.fired_price, digits),
    case a.condition when 'crosses' then 'crosses' else a.condition || ' or at' end, price_digits(a.price, digits), case a.note when '' then '' else ' ' || a.note end
  );
$$;

-- Fires the alerts that these ticks reach, each once: who is told of it is told in the same transaction. An alert that fired, was
-- deleted, ran out before its tick came, or is not reached by it stays as it is. Refused in an older epoch.
create or replace function alerts_fire(of_epoch bigint, hits json) returns setof json language plpgsql as $$
declare
  hit record;
  a price_alerts;
begin
  if of_epoch is not null then perform lead_fence(of_epoch); end if;
  for hit in
    select * from json_to_recordset(hits) as h (id uuid, seq bigint, at timestamptz, received timestamptz, bid numeric, ask numeric, digits integer) order by h.id
  loop
    update price_alerts p
    set fired_at = clock_timestamp(), fired_seq = hit.seq, fired_quote_at = hit.at, fired_bid = hit.bid, fired_ask = hit.ask,
      fired_price = alert_side(p.side, hit.bid, hit.ask)
    where p.id = hit.id and alert_is_active(p, hit.received) and hit.seq > p.since_seq
      and alert_reached(p.condition, p.start, p.price, alert_side(p.side, hit.bid, hit.ask))
    returning * into a;
    continue when not found;
    perform tell_person(a.user_id, 'Price alert', alert_text(a, hit.digits), 'info', null, '/alerts', 'alert-' || a.id);
    return next json_build_object('id', a.id, 'userId', a.user_id);
  end loop;
end $$;

create or replace function alerts_end() returns trigger language plpgsql as $$
begin
  delete from price_alerts where user_id = new.id;
  return null;
end $$;
create or replace trigger users_records_alerts after update of records_ended_at on users for each row when (old.records_ended_at is null and new.records_ended_at is not null) execute function alerts_end();
