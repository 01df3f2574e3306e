-- What the account held open of the instrument on the position's side just before, where its terms ask for margin by size: the fill recomputes from it.
alter table fills add column held numeric(15, 2);
