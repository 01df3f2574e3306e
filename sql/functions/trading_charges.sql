-- What an account's group costs beside the spread, and who is told when that changes.

-- Commission for one side of a deal: so much for each 100,000 USD, up to the next cent. So the parts of a deal never pay less than the whole.
create or replace function commission_of(amount numeric, rate numeric) returns numeric language sql immutable as $$
  select round(ceil(amount * rate * 0.001) * 0.01, 2);
$$;

-- Charges a side of a deal, with the account held by the caller, and writes down by which terms: those that its price was made by. It is the house's income.
create or replace function commission_charge(account trading_accounts, p positions, of_side text, terms account_types, due numeric) returns void language plpgsql as $$
declare
  charge uuid;
begin
  insert into commissions (position_id, side, group_id, version, rate, amount)
  values (p.id, of_side, terms.id, terms.version, terms.commission, due)
  returning id into charge;
  perform ledger_post(
    'commission', charge, format('Commission, %s %s %s', upper(p.side), p.symbol, case of_side when 'open' then 'opened' else 'closed' end),
    array[account.ledger_account_id, house_account(case when account.is_demo then 'demo' else 'live' end, 'house_pnl')], array[-due, due]
  );
end $$;

-- What an opening takes of the account beside its margin must be free, and in the balance: floating profit pays no commission.
create or replace function refuse_without_commission(account trading_accounts, margin numeric, due numeric, now_board board) returns void language plpgsql as $$
declare
  state record;
begin
  if due = 0 then return; end if;
  select * into state from account_state(account.id, now_board);
  if margin + due > state.free or due > state.balance then
    perform refuse('insufficient_margin', format(
      'This order needs %s of margin and %s of commission; %s is free.', money_text(margin), money_text(due), money_text(greatest(least(state.free, state.balance), 0))
    ), 'amount');
  end if;
end $$;

-- The engine takes other terms as soon as they hold.
create or replace function group_rechecks() returns trigger language plpgsql as $$
begin
  insert into engine_looks (subject)
  select a.id from trading_accounts a
  where a.account_type_id = new.id and exists (select from positions p where p.account_id = a.id and p.status in ('pending', 'open'));
  return null;
end $$;
create or replace trigger account_types_recheck after update on account_types for each row when (old.version <> new.version or old.applied <> new.applied) execute function group_rechecks();

-- The spreads that a group says of some, for its holders.
create or replace function group_spread_words(v group_versions) returns text language sql stable as $$
  select coalesce(' (' || left(string_agg(format('%s %s%s', r."for", r."spreadPips", case when r.fixed then ' fixed' end), ', '), 300) || ')', '')
  from jsonb_to_recordset(v.spreads) as r ("for" text, "spreadPips" text, fixed boolean);
$$;

-- A group's terms in words, for its holders.
create or replace function group_words(v group_versions) returns text language sql stable as $$
  select format('spread from %s pips%s, commission $%s a side for each $100,000, leverage up to 1:%s%s', v.spreads_from, group_spread_words(v), v.commission, v.leverage, group_swap_words(v));
$$;

-- Whoever holds something, or is about to come, hears of terms that come later, or later for what is open.
create or replace function group_change_told() returns trigger language plpgsql as $$
begin
  perform tell_person(
    h.user_id, 'Your account''s terms change',
    format(
      '%s, from %s UTC%s: %s.', new.name, to_char(new.effective_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI'),
      case when new.applies_at > new.effective_at then format(', for what is open then from %s UTC', to_char(new.applies_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI')) end,
      group_words(new)
    ),
    'warning', 'trades', '/dashboard', 'group-' || new.group_id
  )
  from (
    select distinct a.user_id from trading_accounts a
    where a.account_type_id = new.group_id and exists (select from positions p where p.account_id = a.id and p.status in ('pending', 'open'))
    union
    select a.user_id from group_moves m join trading_accounts a on a.id = m.account_id
    where m.to_group = new.group_id and m.effective_at > m.created_at and m.effective_at > clock_timestamp()
  ) h;
  return null;
end $$;
create or replace trigger group_versions_told after insert on group_versions for each row when (new.applies_at > new.created_at) execute function group_change_told();

-- What is written stays.
create or replace trigger commissions_append_only before delete or update or truncate on commissions for each statement execute function refuse_change();
