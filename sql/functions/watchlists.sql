-- A person's watchlists: read whole, written whole, by version.

create or replace function watchlists_of(person uuid) returns json language sql stable as $$
  select json_build_object(
    'version', coalesce((select version from watchlist_books where user_id = person), 0),
    'lists', coalesce(
      (select json_agg(json_build_object('id', id, 'name', name, 'symbols', symbols) order by place) from watchlists where user_id = person), '[]'
    )
  );
$$;

-- Puts these lists, in this order, in place of all that the person has, where nobody wrote since that version; else changes nothing.
-- `written` says which, `book` is what stands then. Refuses what is no instrument.
create or replace function watchlists_put(caller uuid, seen bigint, lists json, out written boolean, out book json) language plpgsql as $$
declare
  stranger text;
begin
  select format('lists.%s.symbols.%s', l.place - 1, s.place - 1) into stranger
  from json_array_elements(lists) with ordinality as l (list, place), json_array_elements_text(l.list -> 'symbols') with ordinality as s (symbol, place)
  where not exists (select from instruments i where i.symbol = s.symbol)
  order by l.place, s.place
  limit 1;
  if stranger is not null then perform refuse('invalid', 'Unknown symbol.', stranger); end if;

  insert into watchlist_books (user_id) values (caller) on conflict do nothing;
  update watchlist_books set version = version + 1, updated_at = clock_timestamp() where user_id = caller and version = seen;
  written := found;
  if written then
    delete from watchlists where user_id = caller;
    insert into watchlists (user_id, place, id, name, symbols)
    select caller, l.place, (l.list ->> 'id')::uuid, l.list ->> 'name', array(select json_array_elements_text(l.list -> 'symbols'))
    from json_array_elements(lists) with ordinality as l (list, place);
  end if;
  book := watchlists_of(caller);
end $$;

create or replace function watchlists_end() returns trigger language plpgsql as $$
begin
  delete from watchlists where user_id = new.id;
  delete from watchlist_books where user_id = new.id;
  return null;
end $$;
create or replace trigger users_records_watchlists after update of records_ended_at on users for each row when (old.records_ended_at is null and new.records_ended_at is not null) execute function watchlists_end();
