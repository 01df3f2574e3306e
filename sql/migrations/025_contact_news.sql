-- What visitors write is news for staff.
create function contact_news() returns trigger language plpgsql as $$
begin
  perform notify_staff(
    'contact', 'New contact message', new.name || ': ' || coalesce(nullif(new.subject, ''), left(new.message, 200)), new.user_id, new.id, 'medium'
  );
  return null;
end $$;
create trigger contact_messages_news after insert on contact_messages for each row execute function contact_news();
