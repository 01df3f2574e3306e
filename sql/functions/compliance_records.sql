-- What is kept of a closed account has its time. Then it is deleted, by each domain for itself (`users_records_…`): what the person said, sent
-- and wrote down, and how it is reached. The journal of money, what was dealt, and the audit book, whose entries are a chain, stay for good, without a name.

-- Deletes what is kept of closed accounts whose time is over, of so many people at most, each with a line in the audit book; answers of how many.
create or replace function records_end(most integer, today date default current_date) returns integer language plpgsql as $$
declare
  p record;
  counts json;
  ended integer := 0;
begin
  for p in
    select id, kept_until from users where kept_until < today and records_ended_at is null order by kept_until, id limit most for update skip locked
  loop
    select json_build_object(
      'documents', (select count(*) from documents where user_id = p.id),
      'tickets', (select count(*) from support_tickets where user_id = p.id),
      'chatMessages', (select count(*) from chat_messages where user_id = p.id),
      'proofs', (select count(*) from deposit_proofs f join deposits d on d.id = f.deposit_id where d.user_id = p.id),
      'withdrawals', (select count(*) from withdrawals where user_id = p.id)
    ) into counts;
    perform records_close(p.id);
    delete from document_views v using documents d where d.id = v.document_id and d.user_id = p.id;
    delete from documents where user_id = p.id;
    delete from data_exports where user_id = p.id;
    perform audit_append(null, p.id, 'records.end', counts, json_build_object('keptUntil', p.kept_until), json_build_object('deleted', true), '', '', '');
    ended := ended + 1;
  end loop;
  return ended;
end $$;
