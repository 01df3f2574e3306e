-- What a person's charts show, by name: as text, so that its size is what was sent. What it may hold is the program's to say.
create table chart_layouts (
  user_id uuid not null references users (id),
  name text not null check (length(name) between 1 and 40),
  layout json not null check (octet_length(layout::text) <= 65536),
  updated_at timestamptz(3) not null,
  primary key (user_id, name)
);
