-- How the orders of a day (UTC) that is over were filled, live and demo apart: written down once, so that who reads the page of execution quality
-- does not count all fills of a month again. Ages and latencies as histograms: each value, and how often it occurred.
create table quality_days (
  day date not null,
  is_demo boolean not null,
  opened integer not null,
  closed integer not null,
  worse_by_more integer not null,
  worse integer not null,
  as_requested integer not null,
  better integer not null,
  better_by_more integer not null,
  slippage numeric not null,
  stop_outs integer not null,
  ages integer[] not null,
  age_counts integer[] not null,
  latencies numeric[] not null,
  latency_counts integer[] not null,
  primary key (day, is_demo)
);
