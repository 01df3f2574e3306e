-- How much clients may hold of a symbol on live accounts, long less short either way, before staff are warned. It holds nobody back.
create table exposure_limits (
  symbol text primary key references instruments (symbol),
  amount numeric(15,2) not null check (amount > 0 and amount <> 'NaN'),
  updated_by uuid not null references users (id),
  updated_at timestamptz not null default now()
);
