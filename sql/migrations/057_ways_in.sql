-- When its owner said that somebody else is at work in the account; null while nothing is blocked.
alter table users add column frozen_at timestamptz;

-- Who asked for a letter with a new password. Each ask is one row of one shape, whether anybody has that address or not; the program that
-- leads looks them up later. So neither the answer nor its time tells who is registered.
create table reset_asks (
  place bigint generated always as identity primary key,
  email text not null check (length(email) <= 254),
  ip text not null check (length(ip) <= 100),
  created_at timestamptz not null default now()
);
