-- The smallest order, and part of a position, in USD.
alter table instruments add column smallest_deal numeric(15, 2) not null default 10.00 check (smallest_deal > 0 and smallest_deal <> 'NaN');

alter table positions
  -- Amount × (closing − opening price), summed over the parts closed so far, unrounded: the next part's profit is rounded with it.
  add column moved numeric(40, 10) not null default 0 check (moved <> 'NaN'),
  -- The price that the trader saw, and how far from it an order that waits may fill.
  add column requested_price numeric(20, 8) check (requested_price > 0 and requested_price <> 'NaN'),
  add column max_slippage numeric(20, 8) check (max_slippage >= 0 and max_slippage <> 'NaN');
