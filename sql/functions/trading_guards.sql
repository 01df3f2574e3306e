-- What nobody does to positions and corrections, not by hand either.

-- Whose a position is, and what it is, was said when it was ordered.
create or replace trigger positions_keep_terms before update of id, account_id, user_id, parent_id, symbol, side, created_at, order_type, country, country_version on positions for each statement execute function refuse_rewrite();
-- An order that waits is filled at the leverage of that moment.
create or replace trigger positions_keep_leverage before update of leverage on positions for each row when (old.status <> 'pending'::text or new.leverage > old.leverage) execute function refuse_rewrite();

-- An order waits, is open, is closed; or waits and is cancelled. What has ended stays as it is; what is open only grows smaller, by its parts.
create or replace trigger positions_go_on before update on positions for each row when ((old.status = any (array['closed'::text, 'cancelled'::text])) or old.status = 'pending'::text and (new.status = 'closed'::text or new.amount <> old.amount) or old.status = 'open'::text and ((new.status <> all (array['open'::text, 'closed'::text])) or new.amount > old.amount or new.open_price <> old.open_price or new.opened_at <> old.opened_at)) execute function refuse_rewrite();
create or replace trigger positions_stay before delete or truncate on positions for each statement execute function refuse_change();

-- Whose an account is, and whether its money is real.
create or replace trigger trading_accounts_keep_owner before update of id, user_id, ledger_account_id, account_number, is_demo on trading_accounts for each statement execute function refuse_rewrite();
create or replace trigger trading_accounts_stay before delete or truncate on trading_accounts for each statement execute function refuse_change();

-- No live client is settled below the market by one administrator alone.
create or replace function correction_takes_two() returns trigger language plpgsql as $$
begin
  if new.confirmed_by is null and new.settled_profit < new.market_profit
    and exists (select from positions p join trading_accounts a on a.id = p.account_id where p.id = new.position_id and not a.is_demo)
  then
    raise exception 'this correction takes a second administrator' using errcode = '23514';
  end if;
  return new;
end $$;
create or replace trigger corrections_take_two before insert on corrections for each row execute function correction_takes_two();
create or replace trigger positions_cancelled_logged after update on positions for each row when (new.status = 'cancelled'::text and old.status <> 'cancelled'::text) execute function proof_note_row('cancellation', 'id');
