-- PostgreSQL reads and prepares each check of a table anew for every statement that writes to it: forty of them were a third of what an
-- order cost. What is asked of many columns alike is asked of all of them at once.
alter table positions
  drop constraint positions_amount_check,
  drop constraint positions_break_even_at_check,
  drop constraint positions_cancel_free_check,
  drop constraint positions_cancel_needed_check,
  drop constraint positions_close_price_check,
  drop constraint positions_covered_check,
  drop constraint positions_leverage_check,
  drop constraint positions_limit_price_check,
  drop constraint positions_margin_check,
  drop constraint positions_max_slippage_check,
  drop constraint positions_moved_check,
  drop constraint positions_open_price_check,
  drop constraint positions_placed_ask_check,
  drop constraint positions_placed_bid_check,
  drop constraint positions_profit_check,
  drop constraint positions_requested_price_check,
  drop constraint positions_stop_loss_check,
  drop constraint positions_take_profit_check,
  drop constraint positions_trailing_distance_check,
  drop constraint positions_trigger_price_check,
  drop constraint positions_volume_check,
  drop constraint positions_cancel_code,
  drop constraint positions_cancel_code_check,
  drop constraint positions_cancel_figures,
  drop constraint positions_placed,
  add constraint positions_above_zero check (least(
    amount, volume, leverage, open_price, close_price, stop_loss, take_profit, requested_price, trigger_price, limit_price, trailing_distance, break_even_at,
    placed_bid, placed_ask
  ) > 0),
  add constraint positions_not_below_zero check (least(margin, max_slippage) >= 0),
  -- NaN is greater than all numbers.
  add constraint positions_numbers check (greatest(
    amount, volume, margin, open_price, close_price, stop_loss, take_profit, profit, covered, moved, requested_price, max_slippage, trigger_price, limit_price,
    trailing_distance, break_even_at, placed_bid, placed_ask, cancel_needed, cancel_free
  ) <> 'NaN'),
  add constraint positions_cancel_code check (
    cancel_code is null
    or status = 'cancelled' and cancel_code in ('trader', 'insufficient_margin', 'expired', 'oco', 'suspended', 'price_moved', 'too_many_positions')
  ),
  add constraint positions_cancel_figures check (
    (cancel_needed is null) = (cancel_free is null) and (cancel_needed is null or cancel_code = 'insufficient_margin')
  ),
  -- All or none.
  add constraint positions_placed check (num_nulls(placed_seq, placed_at, placed_bid, placed_ask) % 4 = 0 and (order_type = 'market' or placed_seq is not null));
