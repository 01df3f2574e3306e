-- Double entry. Balances change only in ledger_post and ledger_post_list, in the transaction of the command that caused them.

create or replace function money_text(amount numeric) returns text language sql stable as $$
  select '$' || trim(to_char(amount, '999,999,999,990.00'));
$$;

-- The house's account of a kind. Those that every closing books on, house_pnl and house_demo, are sixteen stripes each, and a connection books on one of
-- them, so that closings do not queue on one row until its commit. All further stripes have ids below zero, so that by ids they are locked before all else.
create or replace function house_account(of_book text, of_kind text) returns bigint language sql stable as $$
  select id from ledger_accounts
  where owner_id is null and book = of_book and kind = case of_book when 'demo' then 'house_demo' else of_kind end
    and stripe = case when of_book = 'demo' or of_kind = 'house_pnl' then pg_backend_pid() % 16 else 0 end;
$$;

-- Opens an account that holds nothing yet; returns its id.
create or replace function ledger_account_open(owner uuid, of_book text, of_kind text) returns bigint language sql as $$
  insert into ledger_accounts (owner_id, book, kind) values (owner, of_book, of_kind) returning id;
$$;

-- The last entry of an account before a moment, or 0: of its postings all up to that number are earlier, and none after it is. They are in the order of
-- time, so it is found by halves, however many there are.
create or replace function entry_before(of_account bigint, moment timestamptz) returns bigint language plpgsql stable as $$
declare
  first bigint := 0;
  last bigint := coalesce((select max(p.entry_id) from ledger_postings p where p.account_id = of_account), 0);
  -- Mostly little came since, or nothing: from the last backwards each step is sixteen times the one before, until one is early enough.
  step bigint := 0;
  half bigint;
  entry bigint;
begin
  -- Of its postings none up to `first` is too late, and none after `last` is early enough.
  while first < last loop
    half := greatest(last - step, first + (last - first + 1) / 2);
    entry := (select p.entry_id from ledger_postings p where p.account_id = of_account and p.entry_id <= half order by p.entry_id desc limit 1);
    if entry is null or entry <= first or (select e.created_at < moment from ledger_entries e where e.id = entry) then
      first := half;
      step := last;
    else
      last := entry - 1;
      step := 16 * least(step, last) + 15;
    end if;
  end loop;
  return first;
end $$;

-- What an account held after its last entry up to this one.
create or replace function balance_after(of_account bigint, entry bigint) returns numeric language sql stable as $$
  select coalesce((select p.balance_after from ledger_postings p where p.account_id = of_account and p.entry_id <= entry order by p.entry_id desc limit 1), 0.00);
$$;

create or replace function balance_before(of_account bigint, moment timestamptz) returns numeric language sql stable as $$
  select balance_after(of_account, entry_before(of_account, moment));
$$;

create or replace function ledger_account_of(person uuid, of_kind text) returns bigint language sql stable as $$
  select id from ledger_accounts where owner_id = person and kind = of_kind;
$$;

-- While the books are in doubt no money moves and no trade opens.
create or replace function refuse_halted() returns void language plpgsql as $$
begin
  if (select halted from ledger_state) then
    perform refuse('unavailable', 'Payments and trading are paused while the books are checked. Please try again later.');
  end if;
end $$;

-- Stops all money and trade, with the reason. Who releases them is the operator.
create or replace function books_halt(why text) returns void language sql as $$
  update ledger_state set halted = true, reason = why where not halted;
$$;

-- The way money moves. Legs of the same account are added up, zero legs left out; the accounts that are left are locked in the order
-- of their ids, whatever the caller's order, so two commands can't wait for each other. Returns the entry's id; null where no leg is left,
-- since an entry without postings says nothing.
create or replace function ledger_post(entry_kind text, entry_object uuid, entry_memo text, accounts bigint[], amounts numeric[]) returns bigint language plpgsql as $$
declare
  moving bigint[];
  entry bigint;
begin
  perform refuse_halted();
  if exists (select from unnest(amounts) as a (amount) where a.amount is null or a.amount = 'NaN') or array_position(accounts, null) is not null then
    raise exception 'ledger_post: a leg has no account or no amount' using errcode = '22004';
  end if;
  moving := array(select l.account from unnest(accounts, amounts) as l (account, amount) group by l.account having sum(l.amount) <> 0);
  if moving = '{}' then return null; end if;
  perform 1 from ledger_accounts where id = any (moving) order by id for update;
  insert into ledger_entries (kind, object_id, memo) values (entry_kind, entry_object, entry_memo) returning id into entry;
  with
    leg as (
      select l.account, sum(l.amount) as amount from unnest(accounts, amounts) as l (account, amount) group by l.account having sum(l.amount) <> 0
    ),
    moved as (
      update ledger_accounts a set balance = a.balance + leg.amount from leg where a.id = leg.account returning a.id, leg.amount, a.balance
    )
  insert into ledger_postings (entry_id, account_id, amount, balance_after) select entry, id, amount, balance from moved;
  return entry;
end $$;

-- The same for several entries of one kind at once, each of two legs: `amounts` from the house's account to the customer's. Entries are
-- written in the order given, with the running balance of each account after each of them.
create or replace function ledger_post_list(entry_kind text, objects uuid[], memos text[], customers bigint[], houses bigint[], amounts numeric[]) returns void language plpgsql as $$
begin
  perform refuse_halted();
  if exists (select from unnest(objects, customers, houses, amounts) as l (object, customer, house, amount) where l is null or l.amount = 'NaN' or l.amount = 0) then
    raise exception 'ledger_post_list: an entry lacks an account or an amount' using errcode = '22004';
  end if;
  perform 1 from ledger_accounts where id = any (customers || houses) order by id for update;
  with
    entry as (
      insert into ledger_entries (kind, object_id, memo)
      select entry_kind, l.object, l.memo from unnest(objects, memos) with ordinality as l (object, memo, place) order by l.place
      returning id, object_id
    ),
    leg as (
      select e.id as entry, side.account, side.amount
      from unnest(objects, customers, houses, amounts) as l (object, customer, house, amount)
      join entry e on e.object_id = l.object
      cross join lateral (values (l.customer, l.amount), (l.house, -l.amount)) as side (account, amount)
    ),
    running as (
      select leg.entry, leg.account, leg.amount, a.balance + sum(leg.amount) over (partition by leg.account order by leg.entry) as balance
      from leg join ledger_accounts a on a.id = leg.account
    ),
    moved as (
      update ledger_accounts a set balance = a.balance + total.amount
      from (select account, sum(amount) as amount from leg group by account) total
      where a.id = total.account
    )
  insert into ledger_postings (entry_id, account_id, amount, balance_after) select entry, account, amount, balance from running;
end $$;

-- At commit an entry must have postings, and sum to zero in each book, however it was written.
create or replace function entry_balances() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'ledger_entries' then
    if not exists (select from ledger_postings where entry_id = new.id) then
      raise exception 'ledger entry % has no posting', new.id using errcode = '23514';
    end if;
  elsif exists (
    select from ledger_postings p join ledger_accounts a on a.id = p.account_id
    where p.entry_id = new.entry_id
    group by a.book
    having sum(p.amount) <> 0
  ) then
    raise exception 'ledger entry % does not balance', new.entry_id using errcode = '23514';
  end if;
  return null;
end $$;

-- A balance is what the account's last posting says: a change of one needs its posting in the same statement, as the two functions write it.
create or replace function balances_are_posted() returns trigger language plpgsql as $$
begin
  if exists (
    select from changed c
    left join lateral (select balance_after from ledger_postings where account_id = c.id order by entry_id desc limit 1) p on true
    where c.balance <> coalesce(p.balance_after, 0)
  ) then
    raise exception 'a balance changes only with its posting' using errcode = '23514';
  end if;
  return null;
end $$;

-- One row for each thing that is wrong with the books as they stand now; empty in good times. It reads every account.
create or replace view ledger_check as
select 'book ' || book as subject, sum(balance) as off_by from ledger_accounts group by book having sum(balance) <> 0
union all
select 'account ' || a.id, a.balance - coalesce(p.balance_after, 0)
from ledger_accounts a
left join lateral (select balance_after from ledger_postings where account_id = a.id order by entry_id desc limit 1) p on true
where a.balance <> coalesce(p.balance_after, 0)
union all
select 'entry ' || p.entry_id, sum(p.amount)
from ledger_postings p join ledger_accounts a on a.id = p.account_id
where p.entry_id > coalesce((select max(id) - 1000 from ledger_entries), 0)
group by p.entry_id, a.book
having sum(p.amount) <> 0;

-- The same of what was written since the look before, and of the next `width` accounts in turn, so that a minute's look costs what the minute
-- brought. Whoever has no more accounts has all of them read each time, and their sums with them. What is wrong is found again each time.
create or replace function books_look(width integer) returns table (subject text, off_by numeric) language plpgsql as $$
declare
  looked record;
  settled bigint;
  after bigint;
  begun bigint;
  until bigint;
  is_wrong boolean := false;
begin
  select single, entry, next, horizon, swept, coming into looked from ledger_looks for update;
  -- A round begins before the house's stripes, of which all but the first have ids below zero.
  begun := case looked.swept when 0 then -9223372036854775808 else looked.swept end;
  -- Who took a number up to `next` began before `horizon`: once all of these have ended, what follows sees whatever they wrote.
  settled := case when pg_snapshot_xmin(pg_current_snapshot()) >= looked.horizon then looked.next else looked.entry end;
  -- The newest thousand are read again.
  after := least(looked.entry, (select max(id) - 1000 from ledger_entries));
  until := (select max(id) from (select id from ledger_accounts where id > begun order by id limit width) part);
  -- Each account is fetched by its number, and the plan is made for these values, so that none reads all that there is.
  for subject, off_by in execute $look$
    with
      fresh as materialized (
        select p.entry_id, p.account_id, p.amount, a.book
        from ledger_postings p
        cross join lateral (select book from ledger_accounts where id = p.account_id limit 1) a
        where p.entry_id > $1
      ),
      read as materialized (
        select id, book, balance from ledger_accounts where id > $2 and id <= $3
        union
        select a.id, a.book, a.balance
        from (select distinct account_id from fresh) f
        cross join lateral (select id, book, balance from ledger_accounts where id = f.account_id limit 1) a
      )
    select 'book ' || book, sum(balance) from read where $5 and (select count(*) from read) < $4 group by book having sum(balance) <> 0
    union all
    select 'account ' || a.id, a.balance - coalesce(p.balance_after, 0)
    from read a
    left join lateral (select balance_after from ledger_postings where account_id = a.id order by entry_id desc limit 1) p on true
    where a.balance <> coalesce(p.balance_after, 0)
    union all
    select 'entry ' || entry_id, sum(amount) from fresh group by entry_id, book having sum(amount) <> 0
  $look$ using after, begun, until, width, looked.swept = 0
  loop
    is_wrong := true;
    return next;
  end loop;
  if not is_wrong then
    update ledger_looks set
      entry = settled,
      next = case when settled = looked.next then looked.coming else looked.next end,
      horizon = case when settled = looked.next then pg_current_xact_id() else looked.horizon end,
      coming = case when settled = looked.next then coalesce((select max(id) from ledger_entries), 0) else looked.coming end,
      swept = case when exists (select from ledger_accounts where id > until) then until else 0 end;
  end if;
end $$;

create or replace function keep_wallet_order() returns trigger language plpgsql as $$
begin
  insert into wallet_order values (new.owner_id, new.balance) on conflict (owner_id) do update set balance = excluded.balance;
  return null;
end $$;
create or replace trigger ledger_wallet_opened after insert on ledger_accounts for each row when (new.kind = 'wallet'::text) execute function keep_wallet_order();
create or replace trigger ledger_wallet_moved after update of balance on ledger_accounts for each row when (new.kind = 'wallet'::text) execute function keep_wallet_order();

-- What is written stays.
create or replace trigger ledger_entries_append_only before delete or update or truncate on ledger_entries for each statement execute function refuse_change();
create or replace trigger ledger_postings_append_only before delete or update or truncate on ledger_postings for each statement execute function refuse_change();
create or replace trigger ledger_accounts_are_posted after update on ledger_accounts referencing new table as changed for each statement execute function balances_are_posted();
create or replace trigger ledger_accounts_open_empty after insert on ledger_accounts referencing new table as changed for each statement execute function balances_are_posted();
create or replace trigger ledger_accounts_keep_owner before update of id, owner_id, book, kind, stripe on ledger_accounts for each statement execute function refuse_rewrite();
create or replace trigger ledger_accounts_stay before delete or truncate on ledger_accounts for each statement execute function refuse_change();
create or replace trigger book_seals_append_only before delete or update or truncate on book_seals for each statement execute function refuse_change();
