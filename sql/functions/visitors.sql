-- Who visits, without a cookie.

create or replace function visitor_salt(of_day date, offered bytea) returns bytea language plpgsql as $$
begin
  insert into visitor_salts (day, salt) values (of_day, offered) on conflict do nothing;
  return (select salt from visitor_salts where day = of_day);
end $$;

-- Writes a batch: [{day, visitor (hex), ip, country, page, device, still}], `still` for one who is still there and opened nothing. One
-- caller at a time, so that numbers come in the order in which they can be seen. Tells how many were new today, and the first of them.
create or replace function visits_record(batch jsonb, out fresh bigint, out first_page text, out first_country text, out first_id uuid) language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7215205);
  with given as (
    select x.place, x.visit ->> 'ip' as ip, x.visit ->> 'country' as country, x.visit ->> 'page' as page, x.visit ->> 'device' as device,
      (x.visit ->> 'still')::boolean as still, (x.visit ->> 'day')::date as day, decode(x.visit ->> 'visitor', 'hex') as visitor
    from jsonb_array_elements(batch) with ordinality as x (visit, place)
  ), first_of_day as (
    select min(g.place) as place
    from given g
    where not exists (select from visitors v where v.day = g.day and v.visitor = g.visitor)
    group by g.day, g.visitor
  ), seen as (
    insert into visitors (day, visitor) select distinct day, visitor from given
    on conflict (day, visitor) do update set last_seen = now()
  ), written as (
    insert into visits (ip, country, page, device, is_new)
    select ip, country, page, device, place in (select place from first_of_day) from given where not still order by place
    returning id, page, country, is_new, number
  )
  select count(*), (array_agg(page order by number))[1], (array_agg(country order by number))[1], (array_agg(id order by number))[1]
  into fresh, first_page, first_country, first_id
  from written
  where is_new;
end $$;
