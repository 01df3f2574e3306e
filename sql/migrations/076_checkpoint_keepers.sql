-- Who keeps the public log's checkpoint, and how it comes: once a day, by letter or to the person's devices.
create table checkpoint_keepers (
  user_id uuid primary key references users (id),
  way text not null check (way in ('push', 'letter')),
  since timestamptz not null default clock_timestamp()
);
