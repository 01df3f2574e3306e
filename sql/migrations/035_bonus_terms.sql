-- Bonus money leaves only after a turnover, and a referral needs a deposit worth naming: both are terms of the promotion.
alter table promotions add column turnover integer not null default 10 check (turnover between 0 and 1000);
update promotions set minimum_deposit = 100, title = 'Bonus for who referred a person, on that person''s first approved deposit of the minimum or more'
where id = 'referral_bonus' and minimum_deposit = 0;

-- What was paid under such terms, as they were when it was paid; a bonus paid before there were any has no row, and is free.
create table bonuses (
  entry_id bigint primary key references ledger_entries (id),
  user_id uuid not null references users (id),
  amount numeric(15, 2) not null check (amount > 0 and amount <> 'NaN'),
  -- USD of opening fills on live accounts after which it may leave.
  turnover numeric(15, 2) not null check (turnover > 0 and turnover <> 'NaN'),
  created_at timestamptz not null default clock_timestamp()
);
create index bonuses_user on bonuses (user_id, entry_id);
