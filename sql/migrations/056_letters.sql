-- Letters: what people are told by mail. Each is written in the transaction of the command that it tells of (letter_post), and sent by the
-- program that leads. `due_at` is when it is tried next; while one is being sent, when somebody else may try. `answer` is what the mail
-- server said last, or why it was not asked.
create table letters (
  id uuid primary key default gen_random_uuid(),
  user_id uuid references users (id),
  address text not null check (length(address) between 3 and 254 and address !~ '[[:cntrl:][:space:]]'),
  kind text not null check (kind ~ '^[a-z_]{1,40}$'),
  facts jsonb not null default '{}',
  status text not null default 'waiting' check (status in ('waiting', 'sent', 'failed', 'kept', 'recalled')),
  attempts integer not null default 0,
  due_at timestamptz not null default clock_timestamp(),
  answer text check (length(answer) <= 500),
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  ended_at timestamptz,
  check ((status = 'waiting') = (ended_at is null))
);
create index letters_due on letters (due_at) where status = 'waiting';
create index letters_failed on letters (ended_at) where status = 'failed';
create index letters_newest on letters (created_at desc, id desc);
create index letters_user on letters (user_id, created_at desc, id desc);
-- One monthly statement a person and month.
create unique index letters_statements on letters (user_id, (facts ->> 'month')) where kind = 'statement';

-- The links in letters. Only a hash of each token is kept. A letter that is sent again has another token for the same purpose; all of them
-- are used up together.
create table letter_links (
  hash text primary key check (hash ~ '^[0-9a-f]{64}$'),
  letter_id uuid not null references letters (id) on delete cascade,
  user_id uuid not null references users (id),
  purpose text not null check (purpose in ('verify', 'reset', 'take_back', 'freeze', 'unsubscribe')),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index letter_links_letter on letter_links (letter_id, purpose);
create index letter_links_user on letter_links (user_id, purpose) where used_at is null;
create index letter_links_end on letter_links (expires_at);

-- What a person wants to be told by letter, beside what the pages and devices tell.
alter table notice_choices
  add column email_trades boolean not null default true,
  add column email_margin boolean not null default true,
  add column email_money boolean not null default true,
  add column email_support boolean not null default true,
  add column email_statements boolean not null default true;
