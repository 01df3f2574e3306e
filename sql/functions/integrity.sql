-- What the public page of integrity is made of.

-- Notes minutes in which prices were due, each once, and what the last of them found beside the reference feed.
create or replace function price_minutes_note(minutes timestamptz[], due integer[], fresh integer[], feed_name text, reference_name text, distances numeric[]) returns void language sql as $$
  with noted as (
    insert into price_minutes (at, due, fresh)
    select m.at, m.due, m.fresh from unnest(minutes, due, fresh) as m (at, due, fresh)
    on conflict do nothing
    returning at
  )
  insert into reference_days (day, feed, reference, distance, n)
  select (n.at at time zone 'UTC')::date, feed_name, reference_name, d.distance, count(*)
  from noted n cross join unnest(distances) as d (distance)
  where n.at = minutes[cardinality(minutes)]
  group by 1, 4
  on conflict (day, feed, reference, distance) do update set n = reference_days.n + excluded.n;
$$;

-- Adds refusals to the day's count.
create or replace function refusals_note(of_code text, more integer) returns void language sql as $$
  insert into refusal_days (day, code, n) values ((now() at time zone 'UTC')::date, of_code, more)
  on conflict (day, code) do update set n = refusal_days.n + excluded.n;
$$;

-- Forgets what no figure needs any more, and the trees that nobody asks for: who wants to keep his proof has it as a file.
create or replace function integrity_forget(days integer, tree_days integer) returns void language sql as $$
  delete from price_minutes where at < now() - make_interval(days => days + 1);
  delete from reference_days where day < (now() at time zone 'UTC')::date - days - 1;
  delete from refusal_days where day < (now() at time zone 'UTC')::date - days - 1;
  delete from liability_trees where day < (now() at time zone 'UTC')::date - tree_days;
  delete from liability_leaves where day < (now() at time zone 'UTC')::date - tree_days;
$$;

-- Writes the page's figures down, with how many entries the ledger has: those an hour old are counted once.
create or replace function integrity_write(of_figures json) returns void language sql as $$
  with
    known as (select coalesce(max(entries), 0) as n, coalesce(max(entries_up_to), 0) as up_to from integrity_figures),
    sealed as (select coalesce(max(id), 0) as up_to from ledger_entries where id > (select up_to from known) and created_at < now() - interval '1 hour'),
    more as (
      select count(*) filter (where e.id <= (select up_to from sealed)) as sealed, count(*) as n
      from ledger_entries e where e.id > (select up_to from known)
    )
  insert into integrity_figures (figures, entries, entries_up_to, measured_at)
  select jsonb_set(of_figures::jsonb, '{books,entries}', to_jsonb(known.n + more.n))::json, known.n + more.sealed, greatest(known.up_to, sealed.up_to), clock_timestamp()
  from known, sealed, more
  on conflict (single) do update set figures = excluded.figures, entries = excluded.entries, entries_up_to = excluded.entries_up_to, measured_at = excluded.measured_at;
$$;

-- What is owed to each client at this moment: what the ledger holds for them on live accounts (wallet, trading accounts, withdrawals that wait) less what the
-- house advanced.
create or replace function liabilities_now() returns table (user_id uuid, owed numeric) language sql stable as $$
  select a.owner_id, sum(greatest(a.balance - coalesce(t.advance, 0), 0))
  from ledger_accounts a
  left join trading_accounts t on t.ledger_account_id = a.id
  where a.book = 'live' and a.owner_id is not null
  group by a.owner_id;
$$;

-- Keeps a day's tree of what is owed, all of it or, where that day has one already, nothing; returns whether it did.
create or replace function liabilities_keep(
  of_day date, moment timestamptz, of_total numeric, of_size integer, of_root bytea, of_nodes bytea, people uuid[], places integer[], sums numeric[], salts text[]
) returns boolean language plpgsql as $$
begin
  insert into liability_days (day, taken_at, total, size, root) values (of_day, moment, of_total, of_size, of_root) on conflict do nothing;
  if not found then return false; end if;
  insert into liability_trees (day, nodes) values (of_day, of_nodes);
  insert into liability_leaves (day, user_id, place, owed, salt)
  select of_day, l.person, l.place, l.owed, decode(l.salt, 'hex') from unnest(people, places, sums, salts) as l (person, place, owed, salt);
  return true;
end $$;

-- Declares what the operator holds for clients, or with no amount that nothing is declared any more; with its line in the audit book.
create or replace function holdings_declare(admin uuid, of_amount numeric, of_evidence text, of_link text, why text, ip text, agent text) returns void language plpgsql as $$
declare
  before json;
begin
  perform pg_advisory_xact_lock(hashtext('holdings'));
  perform refuse_own(admin, null);
  select json_build_object('amount', amount::text, 'evidence', evidence, 'link', link) into before from holdings order by id desc limit 1;
  insert into holdings (amount, evidence, link, reason, admin_id) values (of_amount, of_evidence, of_link, why, admin);
  perform audit_append(
    admin, null, 'holdings.declare', '{}', coalesce(before, '{}'), json_build_object('amount', of_amount::text, 'evidence', of_evidence, 'link', of_link), why, ip, agent
  );
end $$;

-- What is written stays.
create or replace trigger liability_days_append_only before delete or update or truncate on liability_days for each statement execute function refuse_change();
create or replace trigger liability_days_logged after insert on liability_days for each row execute function proof_note_row('liabilities', 'day');
create or replace trigger holdings_append_only before delete or update or truncate on holdings for each statement execute function refuse_change();
