-- A day's figures as they were written down when it was closed. The entry of the audit book that says so holds the same figures.
create table closed_days (
  day date primary key,
  figures json not null,
  -- What clients' open positions would have brought the house at the moment of closing; null without a price.
  floating numeric(15,2) check (floating <> 'NaN'),
  closed_by uuid not null references users (id),
  closed_at timestamptz not null,
  audit_id bigint not null references admin_actions (id)
);
