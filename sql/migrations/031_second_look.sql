-- The engine compares what it knows of accounts that moved lately with the database. An exit that was moved is such a move too.
create function positions_note_move() returns trigger language plpgsql as $$
begin
  update trading_accounts set updated_at = now() where id = new.account_id;
  return null;
end $$;
create trigger positions_exits_moved after update of stop_loss, take_profit on positions for each row execute function positions_note_move();
