-- The market: what is quoted, the latest quotes, every tick of the last week, candles. Prices of one source are never
-- mixed with another's: a chart of real prices must not begin with simulated ones.

create table instruments (
  symbol text primary key check (symbol ~ '^[A-Z]{2,10}/[A-Z]{3}$'),
  -- The same in every installation.
  id uuid not null unique generated always as (md5('instrument:' || symbol)::uuid) stored
);
insert into instruments (symbol) values
  ('EUR/USD'), ('GBP/USD'), ('USD/JPY'), ('AUD/USD'), ('USD/CHF'), ('USD/CAD'), ('NZD/USD'), ('EUR/GBP'), ('EUR/JPY'), ('GBP/JPY'), ('AUD/JPY'),
  ('EUR/CHF'), ('EUR/AUD'), ('GBP/CHF'), ('CAD/JPY'), ('BTC/USD'), ('ETH/USD'), ('LTC/USD'), ('XRP/USD'), ('ADA/USD'), ('DOT/USD'), ('LINK/USD'),
  ('AVAX/USD'), ('SOL/USD'), ('MATIC/USD'), ('BNB/USD'), ('DOGE/USD'), ('SHIB/USD'), ('TRX/USD'), ('ATOM/USD'), ('UNI/USD'), ('FIL/USD'),
  ('ALGO/USD'), ('VET/USD'), ('ICP/USD');

-- Ticks are numbered in blocks, one for each start of the program, so that a number is never given twice.
create sequence tick_numbers as bigint increment by 1000000000 minvalue 1;

create table quotes (
  symbol text primary key references instruments (symbol),
  source text not null check (source in ('simulator', 'kraken', 'replay')),
  seq bigint not null,
  at timestamptz not null,
  bid numeric(20, 8) not null check (bid > 0 and bid <> 'NaN'),
  ask numeric(20, 8) not null check (ask <> 'NaN'),
  check (ask >= bid)
);

create table ticks (
  seq bigint primary key,
  received_at timestamptz not null,
  at timestamptz not null,
  source text not null,
  symbol text not null,
  bid numeric(20, 8) not null check (bid > 0 and bid <> 'NaN'),
  ask numeric(20, 8) not null check (ask <> 'NaN'),
  check (ask >= bid)
);

create table candles (
  source text not null check (source in ('simulator', 'kraken', 'replay')),
  symbol text not null references instruments (symbol),
  interval text not null check (interval in ('1m', '5m', '15m', '1h', '1d')),
  time timestamptz not null,
  open numeric(20, 8) not null check (open > 0 and open <> 'NaN'),
  high numeric(20, 8) not null check (high <> 'NaN'),
  low numeric(20, 8) not null check (low > 0 and low <> 'NaN'),
  close numeric(20, 8) not null check (close <> 'NaN'),
  primary key (source, symbol, interval, time),
  check (low <= open and low <= close and high >= open and high >= close)
);
