-- What a day (UTC) that is over brought the house, written down once: the overview of thirty days counts their entries no more.
create table house_days (
  day date not null,
  registrations integer not null,
  deposits numeric(15, 2) not null,
  withdrawals numeric(15, 2) not null,
  revenue numeric(15, 2) not null,
  primary key (day)
);
create index deposits_decided on deposits (decided_at) where (status = 'approved'::text);
create index withdrawals_decided on withdrawals (decided_at) where (status = 'approved'::text);
