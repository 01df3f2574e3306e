-- Which notices a person wants to see; who never chose has no row and sees all. Notices of security have no column: they
-- can't be switched off.
create table notice_choices (
  user_id uuid primary key references users (id),
  trades boolean not null default true,
  margin boolean not null default true,
  money boolean not null default true,
  support boolean not null default true,
  updated_at timestamptz not null default now()
);
