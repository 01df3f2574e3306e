-- Orders that wait for a price: limits, stops and stop-limits, with an end and with siblings; stops that follow the price.

-- In this order do the orders of an account fill that one tick reaches.
create sequence order_places;

alter table positions
  add column order_type text not null default 'market' check (order_type in ('market', 'limit', 'stop', 'stop_limit')),
  -- The account's price that fills a limit and sets off a stop or a stop-limit, and the limit that a stop-limit becomes.
  add column trigger_price numeric(20, 8) check (trigger_price > 0 and trigger_price <> 'NaN'),
  add column limit_price numeric(20, 8) check (limit_price > 0 and limit_price <> 'NaN'),
  -- The tick that set a stop-limit off.
  add column set_off_seq bigint,
  add column expires_at timestamptz,
  -- So far behind the closing side's best price does the stop loss follow it.
  add column trailing_distance numeric(20, 8) check (trailing_distance > 0 and trailing_distance <> 'NaN'),
  -- So much in profit the stop loss goes to the opening price, once: on that tick.
  add column break_even_at numeric(20, 8) check (break_even_at > 0 and break_even_at <> 'NaN'),
  add column broke_even_seq bigint,
  -- The tick on which the stop loss was last moved by either.
  add column stop_moved_seq bigint,
  -- Of the account's waiting orders with the same one, the first that fills cancels the others.
  add column oco_group uuid,
  add column place bigint,
  -- The tick that the order was placed on.
  add column placed_seq bigint,
  add column placed_at timestamptz,
  add column placed_bid numeric(20, 8) check (placed_bid > 0 and placed_bid <> 'NaN'),
  add column placed_ask numeric(20, 8) check (placed_ask > 0 and placed_ask <> 'NaN'),
  -- Why a waiting order ended, for programs; where margin lacked, how much it needed and how much was free.
  add column cancel_code text
    check (cancel_code in ('trader', 'insufficient_margin', 'expired', 'oco', 'suspended', 'price_moved', 'too_many_positions')),
  add column cancel_needed numeric(15, 2) check (cancel_needed <> 'NaN'),
  add column cancel_free numeric(15, 2) check (cancel_free <> 'NaN'),
  add constraint positions_trigger check ((order_type = 'market') = (trigger_price is null)),
  add constraint positions_limit check ((order_type = 'stop_limit') = (limit_price is not null)),
  add constraint positions_set_off check (set_off_seq is null or order_type = 'stop_limit'),
  add constraint positions_placed check (num_nulls(placed_seq, placed_at, placed_bid, placed_ask) in (0, 4) and (order_type = 'market' or placed_seq is not null)),
  add constraint positions_cancel_code check (cancel_code is null or status = 'cancelled'),
  add constraint positions_cancel_figures check (num_nulls(cancel_needed, cancel_free) in (0, 2) and (cancel_needed is null or cancel_code = 'insufficient_margin'));
create index positions_oco on positions (account_id, oco_group) where status = 'pending' and oco_group is not null;

-- Each move of a stop loss that the price made, by the tick that made it.
create table stop_moves (
  id bigint generated always as identity primary key,
  position_id uuid not null references positions (id),
  kind text not null check (kind in ('trail', 'break_even')),
  quote_seq bigint not null,
  quote_at timestamptz not null,
  level numeric(20, 8) not null check (level > 0 and level <> 'NaN'),
  created_at timestamptz not null default clock_timestamp()
);
create index stop_moves_position on stop_moves (position_id, id);
