-- How often this letter was being given to the mail server when its program died, so that nobody knows whether it was taken: it is given to it
-- twice at most.
alter table letters add column handed integer not null default 0;
