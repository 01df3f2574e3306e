-- Where people pay by bank or card: the operator's own details. A method without them is not offered.
create table payment_details (
  method text primary key check (method in ('bank', 'card')),
  account_name text not null default '' check (length(account_name) <= 200),
  bank_name text not null default '' check (length(bank_name) <= 200),
  -- An IBAN, or the number as the bank writes it.
  account_number text not null default '' check (length(account_number) <= 200),
  bic text not null default '' check (length(bic) <= 200),
  link text not null default '' check (link = '' or link like 'https://%' and length(link) <= 500),
  instructions text not null default '' check (length(instructions) <= 500),
  updated_at timestamptz not null default now()
);
