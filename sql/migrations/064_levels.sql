-- What each level of verification opens, as the operator set it. Null: without a limit.
create table level_rules (
  level integer primary key check (level between 0 and 3),
  live_trading boolean not null default true,
  bank_deposits boolean not null default true,
  card_deposits boolean not null default true,
  crypto_deposits boolean not null default true,
  withdrawn_day numeric(15,2) check (withdrawn_day >= 0 and withdrawn_day <> 'NaN'),
  withdrawn_month numeric(15,2) check (withdrawn_month >= 0 and withdrawn_month <> 'NaN')
);
insert into level_rules (level) values (0), (1), (2), (3);

-- What holds for people who live in a country, as the operator set it. Of what is null nothing is set.
create table jurisdictions (
  country text primary key check (country ~ '^[A-Z]{2}$'),
  is_served boolean not null default true,
  leverage_major integer check (leverage_major between 1 and 10000),
  leverage_minor integer check (leverage_minor between 1 and 10000),
  leverage_crypto integer check (leverage_crypto between 1 and 10000),
  has_promotions boolean not null default true,
  warning text check (length(warning) between 1 and 1000)
);

-- By which maximum of leverage an instrument is dealt.
alter table instruments add column class text not null default 'crypto' check (class in ('major', 'minor', 'crypto'));
update instruments set class = 'major' where symbol in ('EUR/USD', 'GBP/USD', 'USD/JPY', 'AUD/USD', 'USD/CHF', 'USD/CAD', 'NZD/USD');
update instruments set class = 'minor' where class <> 'major' and symbol ~ '^(EUR|GBP|USD|AUD|NZD|CAD|CHF)/(EUR|GBP|USD|AUD|NZD|CAD|CHF|JPY)$';
