-- Chart layouts, at most twenty for each person.

-- Writes a layout under its name. One after another for each person, so that writings at the same moment don't come to more than twenty.
create or replace function layout_put(caller uuid, of_name text, layout json) returns json language plpgsql as $$
declare
  done chart_layouts;
begin
  perform from users where id = caller for no key update;
  if (select count(*) from chart_layouts l where l.user_id = caller and l.name <> of_name) >= 20 then
    perform refuse('conflict', 'You have 20 layouts, which is the most. Delete one to save another.', 'name');
  end if;
  insert into chart_layouts as l (user_id, name, layout, updated_at) values (caller, of_name, layout, clock_timestamp())
  on conflict (user_id, name) do update set layout = excluded.layout, updated_at = excluded.updated_at
  returning * into done;
  return json_build_object('name', done.name, 'updatedAt', iso(done.updated_at));
end $$;

create or replace function layouts_end() returns trigger language plpgsql as $$
begin
  delete from chart_layouts where user_id = new.id;
  update disputes set message = 'Deleted' where user_id = new.id;
  return null;
end $$;
create or replace trigger users_records_layouts after update of records_ended_at on users for each row when (old.records_ended_at is null and new.records_ended_at is not null) execute function layouts_end();
