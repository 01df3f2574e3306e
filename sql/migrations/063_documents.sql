-- What people send to show who they are and where they live. The content is encrypted by the program, under the key that `key_id` names; it is
-- null once it was erased. `identity_before` is what the person's identity check stood at when staff decided, for who takes that back.
create table documents (
  id uuid primary key,
  user_id uuid not null references users (id),
  kind text not null check (kind in ('identity', 'address', 'selfie', 'other')),
  side text check (side in ('front', 'back')),
  media_type text not null check (media_type in ('image/png', 'image/jpeg', 'image/webp', 'application/pdf')),
  size integer not null check (size between 1 and 10485760),
  key_id text not null check (key_id ~ '^[0-9a-f]{16}$'),
  content bytea,
  status text not null default 'pending' check (status in ('pending', 'approved', 'rejected', 'asked')),
  reason text check (length(reason) between 1 and 60),
  note text not null default '' check (length(note) <= 500),
  expires_on date,
  reminded_at timestamptz,
  lapsed_at timestamptz,
  decided_by uuid references users (id),
  decided_at timestamptz,
  identity_before text,
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  check ((status = 'pending') = (decided_at is null)),
  check (side is null or kind = 'identity'),
  check ((status in ('rejected', 'asked')) = (reason is not null)),
  check (expires_on is null or status = 'approved')
);
create index documents_waiting on documents (created_at, id) where status = 'pending';
create index documents_decided on documents (decided_at desc, id desc) where status <> 'pending';
create index documents_user on documents (user_id, created_at desc, id desc);
create index documents_ending on documents (expires_on) where expires_on is not null;

-- Who of the staff looked at a document, and when: its owner reads it, too.
create table document_views (
  id bigint generated always as identity primary key,
  document_id uuid not null references documents (id),
  admin_id uuid not null references users (id),
  seen_at timestamptz not null default date_trunc('milliseconds', clock_timestamp())
);
create index document_views_document on document_views (document_id, seen_at desc);

-- Where a person lives, by ISO 3166-1; null where it was never said.
alter table users add column country text check (country ~ '^[A-Z]{2}$');
