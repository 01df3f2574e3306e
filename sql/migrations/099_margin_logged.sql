-- What an opening in an instrument with margin by size began with, so that its record says all that its margin follows from: the leverage of the account
-- and of where its owner lives, and of an order that waited the one it was placed at, above which it is not filled.
alter table fills add column own_leverage integer, add column placed_leverage integer;
