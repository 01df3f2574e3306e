-- Alerts on the market's prices: what a person wants to be told of, once.
create table price_alerts (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id),
  symbol text not null references instruments (symbol),
  side text not null check (side in ('bid', 'ask', 'mid')),
  condition text not null check (condition in ('above', 'below', 'crosses')),
  price numeric(20, 8) not null check (price > 0 and price <> 'NaN'),
  note text not null default '' check (length(note) <= 200),
  expires_at timestamptz(3),
  -- The newest tick when it was set: it answers to later ones. Where that side stood then, a crossing begins.
  since_seq bigint not null,
  start numeric(20, 8) not null check (start > 0 and start <> 'NaN'),
  created_at timestamptz(3) not null default clock_timestamp(),
  -- The tick that fired it, and that side's price on it.
  fired_at timestamptz(3),
  fired_seq bigint,
  fired_quote_at timestamptz,
  fired_bid numeric(20, 8) check (fired_bid > 0 and fired_bid <> 'NaN'),
  fired_ask numeric(20, 8) check (fired_ask > 0 and fired_ask <> 'NaN'),
  fired_price numeric(20, 8) check (fired_price > 0 and fired_price <> 'NaN'),
  check (num_nonnulls(fired_at, fired_seq, fired_quote_at, fired_bid, fired_ask, fired_price) in (0, 6))
);
create index price_alerts_person on price_alerts (user_id, created_at desc, id desc);
create index price_alerts_active on price_alerts (created_at) where fired_at is null;

-- What a person is told of by a command, in its own transaction, so that none is lost: on the open pages, and on the devices
-- that want it. People are named without a reference, which would lock their rows in the middle of a command.
create table person_outbox (
  place bigint generated always as identity primary key,
  user_id uuid not null,
  -- What the person may have chosen not to see; null: always shown.
  topic text check (topic in ('trades', 'margin', 'money', 'support', 'security')),
  kind text not null check (kind in ('info', 'warning')),
  title text not null check (length(title) between 1 and 200),
  message text not null check (length(message) between 1 and 1000),
  -- Where a press on a device's message leads, and which earlier one it stands for.
  url text not null check (url like '/%' and length(url) <= 200),
  tag text not null check (length(tag) between 1 and 60),
  created_at timestamptz(3) not null default clock_timestamp()
);

-- A device of push is anybody's now: `admin_id` is whose it is, `kinds` what staff are told there, `own` whether what concerns its
-- person comes to it.
alter table push_devices add column own boolean not null default false;
