-- What the house advanced of a night that the balance did not bear; nights from before advanced nothing.
alter table swaps add column advanced numeric(15, 2) not null default 0;
-- Not held against what is there, which has 0: that would read every night while none can be written.
alter table swaps add constraint swaps_advanced_check check (advanced <> 'NaN' and (advanced = 0 or advanced = amount - due and advanced > 0)) not valid;
