-- The operator's own texts of the site's pages, each version kept, and who accepted which version of the terms.
create table page_texts (
  page text not null check (page in ('terms', 'privacy', 'payment-policy', 'about', 'faq')),
  version integer not null check (version > 0),
  body text not null check (length(body) between 1 and 40000),
  must_accept boolean not null default false,
  since timestamptz not null,
  created_by uuid references users (id),
  reason text not null check (length(reason) between 1 and 500),
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  primary key (page, version),
  check (page = 'terms' or not must_accept)
);
create table term_acceptances (
  user_id uuid not null references users (id),
  version integer not null,
  way text not null check (way in ('registration', 'asked')),
  accepted_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  primary key (user_id, version)
);
