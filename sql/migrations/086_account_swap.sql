-- All that the nights of an account's positions brought it, as `realised` has what their closings did.
alter table trading_accounts add column swap numeric(15, 2) not null default 0 check (swap <> 'NaN');
