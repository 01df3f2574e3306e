-- What was taken of commission with a deal; null of one from before, whose receipt in the public log does not say it.
alter table fills add column commission numeric(15, 2);
