-- What administrators say of the day's exceptions: fills that need a look, and corrections. Once each; what is written stays.
create table exception_reviews (
  position_id uuid not null references positions (id),
  kind text not null check (kind in ('open', 'close', 'correction')),
  admin_id uuid not null references users (id),
  note text not null check (length(note) between 1 and 500),
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  primary key (position_id, kind)
);
