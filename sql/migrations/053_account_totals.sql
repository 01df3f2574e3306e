-- What the closed positions of each account brought, kept by the deed that closes them: whoever has closed fifty thousand waits no longer for
-- his figures than a newcomer. By instrument for the whole time, and by day (UTC) for the months and the curve.
create table account_symbols (
  account_id uuid not null references trading_accounts,
  symbol text not null,
  closed integer not null,
  won integer not null,
  lost integer not null,
  gained numeric(15, 2) not null,
  given numeric(15, 2) not null,
  best numeric(15, 2) not null,
  worst numeric(15, 2) not null,
  held interval not null,
  primary key (account_id, symbol)
);
-- `booked` is what the ledger moved: the profits, and what the house covered of losses.
create table account_days (
  account_id uuid not null references trading_accounts,
  day date not null,
  closed integer not null,
  profit numeric(15, 2) not null,
  booked numeric(15, 2) not null,
  primary key (account_id, day)
);
insert into account_symbols
select account_id, symbol, count(*), count(*) filter (where profit > 0), count(*) filter (where profit < 0), sum(greatest(profit, 0)), sum(greatest(-profit, 0)),
  max(profit), min(profit), sum(closed_at - opened_at)
from positions
where status = 'closed'
group by account_id, symbol;
insert into account_days
select account_id, (closed_at at time zone 'UTC')::date, count(*), sum(profit), sum(profit + covered) from positions where status = 'closed' group by 1, 2;
create index positions_closed on positions (account_id, closed_at desc, id desc) where (status = 'closed'::text);
