-- What every opening began with, so that its record says all that its margin follows from, whatever its instrument asks for: the leverage of its account
-- and, where the owner's country allows less or more of it, that. `own_leverage`, the lesser of the two, is of those before, in instruments with steps.
alter table fills add column account_leverage integer, add column cap_leverage integer;
