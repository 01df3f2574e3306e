-- The whole database as all of sql/migrations and sql/functions leave it. Made by scripts/stamp.ts; change it there, not here.

create type board as (symbols text[], bids numeric[], asks numeric[], pips numeric[]);
create type deed_quote as (seq bigint, at timestamp with time zone, age_ms integer, bid numeric, ask numeric, pip numeric);
create type exit_due as (id uuid, account_id uuid, customer bigint, house bigint, memo text, why text, price numeric, tier numeric, result numeric, q deed_quote, group_id text, group_version integer, terms_version integer);
create type market_result as (price numeric, result numeric);

create sequence account_numbers as bigint increment by 1;
create sequence order_places as bigint increment by 1;
create sequence tick_numbers as bigint increment by 1000000000;

create table account_days (
  account_id uuid not null,
  day date not null,
  closed integer not null,
  profit numeric(15,2) not null,
  booked numeric(15,2) not null,
  constraint account_days_pkey primary key (account_id, day),
  constraint account_days_account_id_fkey foreign key (account_id) references trading_accounts(id)
);

create table account_symbols (
  account_id uuid not null,
  symbol text not null,
  closed integer not null,
  won integer not null,
  lost integer not null,
  gained numeric(15,2) not null,
  given numeric(15,2) not null,
  best numeric(15,2) not null,
  worst numeric(15,2) not null,
  held interval not null,
  charges numeric(15,2) not null default 0,
  constraint account_symbols_pkey primary key (account_id, symbol),
  constraint account_symbols_charges_check check (charges >= 0::numeric and charges <> 'NaN'::numeric),
  constraint account_symbols_account_id_fkey foreign key (account_id) references trading_accounts(id)
);

create table account_types (
  id text not null,
  name text not null,
  minimum_deposit numeric(15,2) not null,
  spreads_from numeric(5,1) not null,
  leverage text not null,
  features json not null,
  is_active boolean not null default true,
  place integer not null,
  commission numeric(8,2) not null default 0,
  version integer not null default 1,
  countries text[],
  applied integer not null default 1,
  spreads jsonb not null default '[]'::jsonb,
  constraint account_types_pkey primary key (id),
  constraint account_types_commission_check check (commission >= 0::numeric and commission <> 'NaN'::numeric),
  constraint account_types_countries_check check (cardinality(countries) > 0),
  constraint account_types_id_check check (id ~ '^[a-z]{1,20}$'::text),
  constraint account_types_minimum_deposit_check check (minimum_deposit >= 0::numeric and minimum_deposit <> 'NaN'::numeric),
  constraint account_types_spreads_from_check check (spreads_from >= 0::numeric and spreads_from <> 'NaN'::numeric)
);
create trigger account_types_logged after insert or delete or update on account_types for each statement execute function proof_note_terms();
create trigger account_types_recheck after update on account_types for each row when (old.version <> new.version or old.applied <> new.applied) execute function group_rechecks();

create table admin_actions (
  id bigint generated always as identity not null,
  admin_user_id uuid,
  target_user_id uuid,
  action text not null,
  details json not null,
  previous_state json not null,
  new_state json not null,
  reason text not null,
  ip_address text not null,
  user_agent text not null,
  created_at timestamp with time zone not null,
  previous_hash text not null,
  hash text not null,
  constraint admin_actions_pkey primary key (id),
  constraint admin_actions_action_check check (length(action) >= 1 and length(action) <= 60),
  constraint admin_actions_ip_address_check check (length(ip_address) <= 64),
  constraint admin_actions_reason_check check (length(reason) <= 500),
  constraint admin_actions_user_agent_check check (length(user_agent) <= 512),
  constraint admin_actions_admin_user_id_fkey foreign key (admin_user_id) references users(id),
  constraint admin_actions_target_user_id_fkey foreign key (target_user_id) references users(id)
);
create index admin_actions_admin on admin_actions (admin_user_id, id desc);
create index admin_actions_search on admin_actions using gin (letter_groups(lower(((((action || ' '::text) || reason) || ' '::text) || (details)::text)), 3));
create index admin_actions_target on admin_actions (target_user_id, id desc);
create index admin_actions_time on admin_actions (created_at);
create trigger admin_actions_append_only before delete or update or truncate on admin_actions for each statement execute function refuse_change();
create trigger admin_actions_logged after insert on admin_actions referencing new table as told for each statement execute function proof_note('audit');

create table admin_notifications (
  number bigint generated always as identity not null,
  id uuid not null default gen_random_uuid(),
  type text not null,
  title text not null,
  message text not null,
  user_id uuid,
  related_id uuid,
  priority text not null,
  metadata jsonb not null,
  created_at timestamp with time zone not null,
  constraint admin_notifications_pkey primary key (number),
  constraint admin_notifications_id_key unique (id)
);
create index admin_notifications_age on admin_notifications (created_at);
create unique index admin_notifications_object on admin_notifications (type, related_id) where (related_id is not null);
create index admin_notifications_permission on admin_notifications (coalesce((metadata ->> 'permission'::text),
case
    when (type = 'visitor'::text) then 'visitors.read'::text
    when (type = 'deposit'::text) then 'deposits.read'::text
    when (type = 'withdrawal'::text) then 'withdrawals.read'::text
    when ((type = any (array['trade'::text, 'correction'::text])) or (metadata ? 'limitOf'::text)) then 'trades.read'::text
    when (type = any (array['ticket'::text, 'chat'::text, 'contact'::text])) then 'support.read'::text
    when (metadata ? 'documentId'::text) then 'kyc.read'::text
    when ((type = 'warning'::text) and (metadata ? 'adminId'::text)) then 'roles.read'::text
    when ((type = 'registration'::text) or (metadata ? 'clientId'::text)) then 'people.read'::text
    else 'panel.read'::text
end), ((- number)));
create index admin_notifications_raised_permission on admin_notifications (coalesce((metadata ->> 'permission'::text),
case
    when (type = 'visitor'::text) then 'visitors.read'::text
    when (type = 'deposit'::text) then 'deposits.read'::text
    when (type = 'withdrawal'::text) then 'withdrawals.read'::text
    when ((type = any (array['trade'::text, 'correction'::text])) or (metadata ? 'limitOf'::text)) then 'trades.read'::text
    when (type = any (array['ticket'::text, 'chat'::text, 'contact'::text])) then 'support.read'::text
    when (metadata ? 'documentId'::text) then 'kyc.read'::text
    when ((type = 'warning'::text) and (metadata ? 'adminId'::text)) then 'roles.read'::text
    when ((type = 'registration'::text) or (metadata ? 'clientId'::text)) then 'people.read'::text
    else 'panel.read'::text
end), ((- number))) where (priority <> 'low'::text);

create table audit_head (
  single boolean not null default true,
  hash text not null,
  last_id bigint not null,
  constraint audit_head_pkey primary key (single),
  constraint audit_head_single_check check (single)
);

create table bonuses (
  entry_id bigint not null,
  user_id uuid not null,
  amount numeric(15,2) not null,
  turnover numeric(15,2) not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  free_after numeric(15,2) not null,
  constraint bonuses_pkey primary key (entry_id),
  constraint bonuses_amount_check check (amount > 0::numeric and amount <> 'NaN'::numeric),
  constraint bonuses_free_after_check check (free_after > 0::numeric and free_after <> 'NaN'::numeric),
  constraint bonuses_turnover_check check (turnover > 0::numeric and turnover <> 'NaN'::numeric),
  constraint bonuses_entry_id_fkey foreign key (entry_id) references ledger_entries(id),
  constraint bonuses_user_id_fkey foreign key (user_id) references users(id)
);
create index bonuses_free on bonuses (user_id, free_after);
create trigger bonuses_append_only before delete or update or truncate on bonuses for each statement execute function refuse_change();

create table book_seals (
  number bigint generated always as identity not null,
  entry bigint not null,
  fill bigint not null,
  action bigint not null,
  is_whole boolean not null,
  at timestamp with time zone not null default clock_timestamp(),
  constraint book_seals_pkey primary key (number)
);
create trigger book_seals_append_only before delete or update or truncate on book_seals for each statement execute function refuse_change();

create table brand_versions (
  version integer not null,
  name text not null,
  sender text not null,
  accent_light text,
  accent_dark text,
  logo bytea,
  icon bytea,
  created_by uuid not null,
  reason text not null,
  created_at timestamp with time zone not null default date_trunc('milliseconds'::text, clock_timestamp()),
  constraint brand_versions_pkey primary key (version),
  constraint brand_versions_accent_dark_check check (accent_dark ~ '^#[0-9a-f]{6}$'::text),
  constraint brand_versions_accent_light_check check (accent_light ~ '^#[0-9a-f]{6}$'::text),
  constraint brand_versions_icon_check check (octet_length(icon) <= 1000000),
  constraint brand_versions_logo_check check (octet_length(logo) <= 300000),
  constraint brand_versions_name_check check (length(name) >= 1 and length(name) <= 40),
  constraint brand_versions_reason_check check (length(reason) >= 1 and length(reason) <= 500),
  constraint brand_versions_sender_check check (length(sender) <= 60),
  constraint brand_versions_version_check check (version > 0),
  constraint brand_versions_created_by_fkey foreign key (created_by) references users(id)
);
create trigger brand_versions_append_only before delete or update or truncate on brand_versions for each statement execute function refuse_change();

create table candles (
  source text not null,
  symbol text not null,
  interval text not null,
  time timestamp with time zone not null,
  open numeric(20,8) not null,
  high numeric(20,8) not null,
  low numeric(20,8) not null,
  close numeric(20,8) not null,
  constraint candles_pkey primary key (source, symbol, "interval", "time"),
  constraint candles_check check (low <= open and low <= close and high >= open and high >= close),
  constraint candles_close_check check (close <> 'NaN'::numeric),
  constraint candles_high_check check (high <> 'NaN'::numeric),
  constraint candles_interval_check check ("interval" = any (array['1m'::text, '5m'::text, '15m'::text, '1h'::text, '1d'::text])),
  constraint candles_low_check check (low > 0::numeric and low <> 'NaN'::numeric),
  constraint candles_open_check check (open > 0::numeric and open <> 'NaN'::numeric),
  constraint candles_source_check check (source = any (array['simulator'::text, 'kraken'::text, 'replay'::text])),
  constraint candles_symbol_fkey foreign key (symbol) references instruments(symbol)
);

create table canned_answers (
  id uuid not null default gen_random_uuid(),
  title text not null,
  body text not null,
  updated_by uuid not null,
  version integer not null default 1,
  created_at timestamp with time zone not null default date_trunc('milliseconds'::text, clock_timestamp()),
  updated_at timestamp with time zone not null default clock_timestamp(),
  constraint canned_answers_pkey primary key (id),
  constraint canned_answers_body_check check (length(body) >= 1 and length(body) <= 5000),
  constraint canned_answers_title_check check (length(title) >= 1 and length(title) <= 100),
  constraint canned_answers_updated_by_fkey foreign key (updated_by) references users(id)
);
create unique index canned_answers_title on canned_answers (lower(title));

create table chart_layouts (
  user_id uuid not null,
  name text not null,
  layout json not null,
  updated_at timestamp(3) with time zone not null,
  constraint chart_layouts_pkey primary key (user_id, name),
  constraint chart_layouts_layout_check check (octet_length(layout::text) <= 65536),
  constraint chart_layouts_name_check check (length(name) >= 1 and length(name) <= 40),
  constraint chart_layouts_user_id_fkey foreign key (user_id) references users(id)
);

create table chat_messages (
  id uuid not null default gen_random_uuid(),
  session_id uuid not null,
  user_id uuid not null,
  admin_user_id uuid,
  number bigint not null,
  message text not null,
  message_type text not null default 'text'::text,
  is_from_admin boolean not null,
  client_id uuid not null,
  read_at timestamp with time zone,
  created_at timestamp with time zone not null default date_trunc('milliseconds'::text, clock_timestamp()),
  constraint chat_messages_pkey primary key (id),
  constraint chat_messages_user_id_number_key unique (user_id, number),
  constraint chat_messages_check check (is_from_admin = (admin_user_id is not null)),
  constraint chat_messages_message_check check (length(message) >= 1 and length(message) <= 5000),
  constraint chat_messages_message_type_check check (message_type = 'text'::text),
  constraint chat_messages_number_check check (number > 0),
  constraint chat_messages_admin_user_id_fkey foreign key (admin_user_id) references users(id),
  constraint chat_messages_session_id_fkey foreign key (session_id) references chat_sessions(id),
  constraint chat_messages_user_id_fkey foreign key (user_id) references users(id)
);
create index chat_messages_age on chat_messages (user_id, created_at);
create unique index chat_messages_client on chat_messages (coalesce(admin_user_id, user_id), client_id);
create index chat_messages_search on chat_messages using gin (letter_groups(lower(message), 3));
create index chat_messages_session on chat_messages (session_id, number desc);
create index chat_messages_unread on chat_messages (user_id, is_from_admin) where (read_at is null);
create trigger chat_messages_keep_words before update on chat_messages for each row execute function chat_keeps_words();
create trigger chat_messages_kept before delete on chat_messages for each row execute function refuse_kept();
create trigger chat_messages_stay before truncate on chat_messages for each statement execute function refuse_change();

create table chat_sessions (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  last_number bigint not null,
  last_message text not null,
  last_at timestamp with time zone not null default clock_timestamp(),
  ended_at timestamp with time zone,
  ended_by uuid,
  created_at timestamp with time zone not null default date_trunc('milliseconds'::text, clock_timestamp()),
  waiting_since timestamp with time zone,
  constraint chat_sessions_pkey primary key (id),
  constraint chat_sessions_check check ((ended_at is null) = (ended_by is null)),
  constraint chat_sessions_last_message_check check (length(last_message) <= 200),
  constraint chat_sessions_waiting_check check (waiting_since is null or ended_at is null),
  constraint chat_sessions_ended_by_fkey foreign key (ended_by) references users(id),
  constraint chat_sessions_user_id_fkey foreign key (user_id) references users(id)
);
create index chat_sessions_newest on chat_sessions (last_at desc, id desc);
create unique index chat_sessions_open on chat_sessions (user_id) where (ended_at is null);
create index chat_sessions_user on chat_sessions (user_id, last_number desc);
create index chat_sessions_waiting on chat_sessions (waiting_since) where (waiting_since is not null);

create table checkpoint_keepers (
  user_id uuid not null,
  way text not null,
  since timestamp with time zone not null default clock_timestamp(),
  constraint checkpoint_keepers_pkey primary key (user_id),
  constraint checkpoint_keepers_way_check check (way = any (array['push'::text, 'letter'::text])),
  constraint checkpoint_keepers_user_id_fkey foreign key (user_id) references users(id)
);

create table claims (
  kind text not null,
  object_id uuid not null,
  admin_id uuid not null,
  expires_at timestamp with time zone not null,
  touched_at timestamp with time zone not null default clock_timestamp(),
  constraint claims_pkey primary key (kind, object_id, admin_id),
  constraint claims_kind_check check (kind = any (array['deposit'::text, 'withdrawal'::text, 'registration'::text, 'correction'::text, 'ticket'::text, 'chat'::text, 'document'::text, 'letter'::text, 'role'::text])),
  constraint claims_admin_id_fkey foreign key (admin_id) references users(id)
);
create index claims_expiry on claims (expires_at);

create table closed_days (
  day date not null,
  figures json not null,
  floating numeric(15,2),
  closed_by uuid not null,
  closed_at timestamp with time zone not null,
  audit_id bigint not null,
  constraint closed_days_pkey primary key (day),
  constraint closed_days_floating_check check (floating <> 'NaN'::numeric),
  constraint closed_days_audit_id_fkey foreign key (audit_id) references admin_actions(id),
  constraint closed_days_closed_by_fkey foreign key (closed_by) references users(id)
);
create trigger closed_days_append_only before delete or update or truncate on closed_days for each statement execute function refuse_change();
create trigger closed_days_logged after insert on closed_days for each row execute function proof_note_row('day', 'day');

create table commissions (
  id uuid not null default gen_random_uuid(),
  position_id uuid not null,
  side text not null,
  group_id text not null,
  version integer not null,
  rate numeric(8,2) not null,
  amount numeric(15,2) not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint commissions_pkey primary key (id),
  constraint commissions_position_id_side_key unique (position_id, side),
  constraint commissions_amount_check check (amount > 0::numeric and amount <> 'NaN'::numeric),
  constraint commissions_rate_check check (rate > 0::numeric and rate <> 'NaN'::numeric),
  constraint commissions_side_check check (side = any (array['open'::text, 'close'::text])),
  constraint commissions_group_id_version_fkey foreign key (group_id, version) references group_versions(group_id, version),
  constraint commissions_position_id_fkey foreign key (position_id) references positions(id)
);
create trigger commissions_append_only before delete or update or truncate on commissions for each statement execute function refuse_change();

create table contact_messages (
  id uuid not null default gen_random_uuid(),
  name text not null,
  email text not null,
  subject text not null default ''::text,
  message text not null,
  status text not null default 'new'::text,
  user_id uuid,
  network text not null,
  note text not null default ''::text,
  handled_by uuid,
  handled_at timestamp with time zone,
  created_at timestamp with time zone not null default date_trunc('milliseconds'::text, clock_timestamp()),
  constraint contact_messages_pkey primary key (id),
  constraint contact_messages_check check ((status = 'new'::text) = (handled_by is null) and (handled_by is null) = (handled_at is null)),
  constraint contact_messages_email_check check (length(email) >= 3 and length(email) <= 254),
  constraint contact_messages_message_check check (length(message) >= 1 and length(message) <= 5000),
  constraint contact_messages_name_check check (length(name) >= 1 and length(name) <= 100),
  constraint contact_messages_network_check check (length(network) <= 64),
  constraint contact_messages_note_check check (length(note) <= 500),
  constraint contact_messages_status_check check (status = any (array['new'::text, 'answered'::text, 'closed'::text])),
  constraint contact_messages_subject_check check (length(subject) <= 200),
  constraint contact_messages_handled_by_fkey foreign key (handled_by) references users(id),
  constraint contact_messages_user_id_fkey foreign key (user_id) references users(id)
);
create index contact_messages_network on contact_messages (network, created_at desc);
create index contact_messages_new on contact_messages (created_at) where (status = 'new'::text);
create index contact_messages_newest on contact_messages (created_at desc, id desc);
create trigger contact_messages_news after insert on contact_messages for each row execute function contact_news();

create table correction_decisions (
  request_id uuid not null,
  admin_id uuid not null,
  decision text not null,
  reason text not null,
  created_at timestamp with time zone not null default date_trunc('milliseconds'::text, clock_timestamp()),
  constraint correction_decisions_pkey primary key (request_id),
  constraint correction_decisions_decision_check check (decision = any (array['confirmed'::text, 'declined'::text])),
  constraint correction_decisions_reason_check check (length(reason) <= 500),
  constraint correction_decisions_admin_id_fkey foreign key (admin_id) references users(id),
  constraint correction_decisions_request_id_fkey foreign key (request_id) references correction_requests(id)
);
create trigger correction_decisions_append_only before delete or update or truncate on correction_decisions for each statement execute function refuse_change();
create trigger correction_decisions_logged after insert on correction_decisions for each row execute function proof_note_row('confirmation', 'request_id');

create table correction_requests (
  id uuid not null default gen_random_uuid(),
  position_id uuid not null,
  admin_id uuid not null,
  settled_profit numeric(15,2) not null,
  market_profit numeric(15,2) not null,
  reason text not null,
  created_at timestamp with time zone not null default date_trunc('milliseconds'::text, clock_timestamp()),
  constraint correction_requests_pkey primary key (id),
  constraint correction_requests_market_profit_check check (market_profit <> 'NaN'::numeric),
  constraint correction_requests_reason_check check (length(reason) >= 1 and length(reason) <= 500),
  constraint correction_requests_settled_profit_check check (settled_profit <> 0::numeric and settled_profit <> 'NaN'::numeric),
  constraint correction_requests_admin_id_fkey foreign key (admin_id) references users(id),
  constraint correction_requests_position_id_fkey foreign key (position_id) references positions(id)
);
create index correction_requests_newest on correction_requests (created_at desc, id desc);
create index correction_requests_position on correction_requests (position_id);
create trigger correction_requests_append_only before delete or update or truncate on correction_requests for each statement execute function refuse_change();
create trigger correction_requests_news after insert on correction_requests for each row execute function correction_request_news();

create table corrections (
  position_id uuid not null,
  request_id uuid,
  admin_id uuid not null,
  confirmed_by uuid,
  administrator text not null,
  reason text not null,
  market_price numeric(20,8) not null,
  market_profit numeric(15,2) not null,
  settled_profit numeric(15,2) not null,
  created_at timestamp with time zone not null default date_trunc('milliseconds'::text, clock_timestamp()),
  constraint corrections_pkey primary key (position_id),
  constraint corrections_request_id_key unique (request_id),
  constraint corrections_check check ((request_id is null) = (confirmed_by is null)),
  constraint corrections_check1 check (confirmed_by <> admin_id),
  constraint corrections_market_price_check check (market_price > 0::numeric and market_price <> 'NaN'::numeric),
  constraint corrections_market_profit_check check (market_profit <> 'NaN'::numeric),
  constraint corrections_reason_check check (length(reason) >= 1 and length(reason) <= 500),
  constraint corrections_settled_profit_check check (settled_profit <> 0::numeric and settled_profit <> 'NaN'::numeric),
  constraint corrections_admin_id_fkey foreign key (admin_id) references users(id),
  constraint corrections_confirmed_by_fkey foreign key (confirmed_by) references users(id),
  constraint corrections_position_id_fkey foreign key (position_id) references positions(id),
  constraint corrections_request_id_fkey foreign key (request_id) references correction_requests(id)
);
create index corrections_newest on corrections (created_at desc, position_id desc);
create trigger corrections_append_only before delete or update or truncate on corrections for each statement execute function refuse_change();
create trigger corrections_logged after insert on corrections for each row execute function proof_note_row('correction', 'position_id');
create trigger corrections_news after insert on corrections for each row execute function correction_news();
create trigger corrections_take_two before insert on corrections for each row execute function correction_takes_two();

create table country_versions (
  version integer not null,
  rules jsonb not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint country_versions_pkey primary key (version),
  constraint country_versions_version_check check (version >= 1)
);
create trigger country_versions_append_only before delete or update or truncate on country_versions for each statement execute function refuse_change();
create trigger country_versions_logged after insert on country_versions for each row execute function proof_note_row('countries', 'version');

create table data_exports (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  status text not null default 'waiting'::text,
  key_id text,
  content bytea,
  size integer,
  created_at timestamp with time zone not null default date_trunc('milliseconds'::text, clock_timestamp()),
  taken_at timestamp with time zone,
  ready_at timestamp with time zone,
  expires_at timestamp with time zone not null default clock_timestamp() + '7 days'::interval,
  constraint data_exports_pkey primary key (id),
  constraint data_exports_check check ((status = 'ready'::text) = (content is not null)),
  constraint data_exports_status_check check (status = any (array['waiting'::text, 'ready'::text, 'failed'::text])),
  constraint data_exports_user_id_fkey foreign key (user_id) references users(id)
);
create index data_exports_due on data_exports (created_at) where (status = 'waiting'::text);
create index data_exports_end on data_exports (expires_at);
create index data_exports_user on data_exports (user_id, created_at desc, id desc);
create unique index data_exports_waiting on data_exports (user_id) where (status = 'waiting'::text);

create table demo_resets (
  id uuid not null default gen_random_uuid(),
  account_id uuid not null,
  amount numeric(15,2) not null,
  created_at timestamp with time zone not null default date_trunc('milliseconds'::text, clock_timestamp()),
  constraint demo_resets_pkey primary key (id),
  constraint demo_resets_amount_check check (amount <> 0::numeric and amount <> 'NaN'::numeric),
  constraint demo_resets_account_id_fkey foreign key (account_id) references trading_accounts(id)
);
create index demo_resets_account on demo_resets (account_id, created_at desc);

create table deposit_claims (
  id uuid not null default gen_random_uuid(),
  deposit_id uuid not null,
  user_id uuid not null,
  created_at timestamp with time zone not null default date_trunc('milliseconds'::text, clock_timestamp()),
  constraint deposit_claims_pkey primary key (id),
  constraint deposit_claims_deposit_id_user_id_key unique (deposit_id, user_id),
  constraint deposit_claims_deposit_id_fkey foreign key (deposit_id) references deposits(id),
  constraint deposit_claims_user_id_fkey foreign key (user_id) references users(id)
);

create table deposit_proofs (
  deposit_id uuid not null,
  media_type text not null,
  content bytea not null,
  created_at timestamp with time zone not null default now(),
  constraint deposit_proofs_pkey primary key (deposit_id),
  constraint deposit_proofs_content_check check (octet_length(content) >= 1 and octet_length(content) <= 5242880),
  constraint deposit_proofs_media_type_check check (media_type = any (array['image/png'::text, 'image/jpeg'::text, 'image/webp'::text, 'application/pdf'::text])),
  constraint deposit_proofs_deposit_id_fkey foreign key (deposit_id) references deposits(id)
);

create table deposit_wallets (
  id uuid not null default gen_random_uuid(),
  currency text not null,
  network text not null,
  wallet_address text not null,
  wallet_type text not null default 'deposit'::text,
  is_active boolean not null default true,
  is_default boolean not null default false,
  daily_limit numeric(15,2),
  monthly_limit numeric(15,2),
  description text not null default ''::text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint deposit_wallets_pkey primary key (id),
  constraint deposit_wallets_currency_check check (currency = any (array['BTC'::text, 'ETH'::text, 'USDT'::text, 'LTC'::text])),
  constraint deposit_wallets_daily_limit_check check (daily_limit > 0::numeric and daily_limit <> 'NaN'::numeric),
  constraint deposit_wallets_description_check check (length(description) <= 500),
  constraint deposit_wallets_monthly_limit_check check (monthly_limit > 0::numeric and monthly_limit <> 'NaN'::numeric),
  constraint deposit_wallets_network_check check (network = any (array['Mainnet'::text, 'ERC-20'::text, 'BEP-20'::text, 'TRC-20'::text])),
  constraint deposit_wallets_wallet_address_check check (length(wallet_address) >= 20 and length(wallet_address) <= 200)
);
create unique index deposit_wallets_address on deposit_wallets (currency, network, wallet_address);
create unique index deposit_wallets_default on deposit_wallets (currency, network) where (is_default and is_active);

create table deposits (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  amount numeric(15,2) not null,
  currency text not null,
  method text not null,
  coin text,
  network text,
  wallet_id uuid,
  wallet_address text,
  transaction_hash text,
  output_index integer not null default 0,
  notes text not null default ''::text,
  status text not null default 'pending'::text,
  rate numeric(20,8),
  credited numeric(15,2),
  bonus_applied numeric(15,2) not null default 0,
  admin_notes text,
  rejection_reason text,
  decided_by uuid,
  decided_at timestamp with time zone,
  created_at timestamp with time zone not null default date_trunc('milliseconds'::text, clock_timestamp()),
  constraint deposits_pkey primary key (id),
  constraint deposits_admin_notes_check check (length(admin_notes) <= 500),
  constraint deposits_amount_check check (amount > 0::numeric and amount <> 'NaN'::numeric),
  constraint deposits_bonus_applied_check check (bonus_applied >= 0::numeric and bonus_applied <> 'NaN'::numeric),
  constraint deposits_check check ((status = 'approved'::text) = (credited is not null and rate is not null)),
  constraint deposits_check1 check ((status = 'pending'::text) = (decided_at is null)),
  constraint deposits_coin_check check (coin = any (array['BTC'::text, 'ETH'::text, 'USDT'::text, 'LTC'::text])),
  constraint deposits_credited_check check (credited > 0::numeric and credited <> 'NaN'::numeric),
  constraint deposits_currency_check check (currency = any (array['USD'::text, 'EUR'::text, 'GBP'::text, 'BTC'::text, 'ETH'::text, 'USDT'::text, 'LTC'::text])),
  constraint deposits_method_check check (method = any (array['card'::text, 'bank'::text, 'crypto'::text])),
  constraint deposits_network_check check (network = any (array['Mainnet'::text, 'ERC-20'::text, 'BEP-20'::text, 'TRC-20'::text])),
  constraint deposits_notes_check check (length(notes) <= 500),
  constraint deposits_output_index_check check (output_index >= 0 and output_index <= 100000),
  constraint deposits_rate_check check (rate > 0::numeric and rate <> 'NaN'::numeric),
  constraint deposits_rejection_reason_check check (length(rejection_reason) <= 500),
  constraint deposits_status_check check (status = any (array['pending'::text, 'approved'::text, 'rejected'::text, 'cancelled'::text])),
  constraint deposits_transaction_hash_check check (length(transaction_hash) >= 8 and length(transaction_hash) <= 128),
  constraint deposits_wallet_address_check check (length(wallet_address) <= 200),
  constraint deposits_decided_by_fkey foreign key (decided_by) references users(id),
  constraint deposits_user_id_fkey foreign key (user_id) references users(id),
  constraint deposits_wallet_id_fkey foreign key (wallet_id) references deposit_wallets(id)
);
create index deposits_amount on deposits (amount, created_at desc);
create index deposits_by_amount on deposits (amount, id);
create index deposits_decided on deposits (decided_at) where (status = 'approved'::text);
create index deposits_decided_last on deposits (coalesce(decided_at, created_at), id) where (status <> 'pending'::text);
create index deposits_hash on deposits (regexp_replace(lower(transaction_hash), '^0x'::text, ''::text)) where (transaction_hash is not null);
create index deposits_newest on deposits (created_at desc, id desc);
create unique index deposits_payment on deposits (coalesce(coin, currency), (
case
    when ((coin = 'ETH'::text) and (network = 'Mainnet'::text)) then 'ERC-20'::text
    else coalesce(network, ''::text)
end), regexp_replace(lower(transaction_hash), '^0x'::text, ''::text), output_index) where ((transaction_hash is not null) and (status = any (array['pending'::text, 'approved'::text])));
create index deposits_search on deposits using gin (letter_groups(lower(((coalesce(transaction_hash, ''::text) || ' '::text) || coalesce(wallet_address, ''::text))), 3)) where ((transaction_hash is not null) or (wallet_address is not null));
create index deposits_status on deposits (status, id);
create index deposits_user on deposits (user_id, created_at desc, id desc);
create index deposits_waiting on deposits (created_at desc, id desc) where (status = 'pending'::text);
create index deposits_wallet_use on deposits (wallet_id, decided_at) where (status = 'approved'::text);
create trigger deposits_keep_terms before update on deposits for each row execute function request_keeps_terms('{status,decided_by,decided_at,rate,credited,admin_notes,rejection_reason}', '{bonus_applied}');
create trigger deposits_news after insert on deposits for each row when (new.status = 'pending'::text) execute function deposit_news();
create trigger deposits_stay before delete or truncate on deposits for each statement execute function refuse_change();

create table devices (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  token_hash text not null,
  created_at timestamp with time zone not null default now(),
  seen_at timestamp with time zone not null default now(),
  constraint devices_pkey primary key (id),
  constraint devices_user_id_token_hash_key unique (user_id, token_hash),
  constraint devices_token_hash_check check (token_hash ~ '^[0-9a-f]{64}$'::text),
  constraint devices_user_id_fkey foreign key (user_id) references users(id)
);
create index devices_seen on devices (seen_at);
create index devices_token on devices (token_hash);

create table disputes (
  id uuid not null default gen_random_uuid(),
  position_id uuid not null,
  user_id uuid not null,
  message text not null,
  created_at timestamp with time zone not null default date_trunc('milliseconds'::text, clock_timestamp()),
  ticket_id uuid,
  constraint disputes_pkey primary key (id),
  constraint disputes_position_id_key unique (position_id),
  constraint disputes_message_check check (length(message) >= 1 and length(message) <= 5000),
  constraint disputes_position_id_fkey foreign key (position_id) references corrections(position_id),
  constraint disputes_ticket_id_fkey foreign key (ticket_id) references support_tickets(id),
  constraint disputes_user_id_fkey foreign key (user_id) references users(id)
);
create index disputes_newest on disputes (created_at desc, id desc);
create trigger disputes_news after insert on disputes for each row execute function dispute_news();

create table document_views (
  id bigint generated always as identity not null,
  document_id uuid not null,
  admin_id uuid not null,
  seen_at timestamp with time zone not null default date_trunc('milliseconds'::text, clock_timestamp()),
  constraint document_views_pkey primary key (id),
  constraint document_views_admin_id_fkey foreign key (admin_id) references users(id),
  constraint document_views_document_id_fkey foreign key (document_id) references documents(id)
);
create index document_views_document on document_views (document_id, seen_at desc);
create trigger document_views_append_only before update or truncate on document_views for each statement execute function refuse_change();
create trigger document_views_kept before delete on document_views for each row execute function refuse_kept_document();

create table documents (
  id uuid not null,
  user_id uuid not null,
  kind text not null,
  side text,
  media_type text not null,
  size integer not null,
  key_id text not null,
  content bytea,
  status text not null default 'pending'::text,
  reason text,
  note text not null default ''::text,
  expires_on date,
  reminded_at timestamp with time zone,
  lapsed_at timestamp with time zone,
  decided_by uuid,
  decided_at timestamp with time zone,
  identity_before text,
  created_at timestamp with time zone not null default date_trunc('milliseconds'::text, clock_timestamp()),
  constraint documents_pkey primary key (id),
  constraint documents_check check ((status = 'pending'::text) = (decided_at is null)),
  constraint documents_check1 check (side is null or kind = 'identity'::text),
  constraint documents_check2 check ((status = any (array['rejected'::text, 'asked'::text])) = (reason is not null)),
  constraint documents_check3 check (expires_on is null or status = 'approved'::text),
  constraint documents_key_id_check check (key_id ~ '^[0-9a-f]{16}$'::text),
  constraint documents_kind_check check (kind = any (array['identity'::text, 'address'::text, 'selfie'::text, 'other'::text])),
  constraint documents_media_type_check check (media_type = any (array['image/png'::text, 'image/jpeg'::text, 'image/webp'::text, 'application/pdf'::text])),
  constraint documents_note_check check (length(note) <= 500),
  constraint documents_reason_check check (length(reason) >= 1 and length(reason) <= 60),
  constraint documents_side_check check (side = any (array['front'::text, 'back'::text])),
  constraint documents_size_check check (size >= 1 and size <= 10485760),
  constraint documents_status_check check (status = any (array['pending'::text, 'approved'::text, 'rejected'::text, 'asked'::text])),
  constraint documents_decided_by_fkey foreign key (decided_by) references users(id),
  constraint documents_user_id_fkey foreign key (user_id) references users(id)
);
create index documents_decided on documents (decided_at desc, id desc) where (status <> 'pending'::text);
create index documents_ending on documents (expires_on) where (expires_on is not null);
create index documents_user on documents (user_id, created_at desc, id desc);
create index documents_waiting on documents (created_at, id) where (status = 'pending'::text);
create trigger documents_news after insert on documents for each row execute function document_news();

create table engine_looks (
  id bigint generated always as identity not null,
  subject uuid not null,
  constraint engine_looks_pkey primary key (id)
);

create table exception_reviews (
  position_id uuid not null,
  kind text not null,
  admin_id uuid not null,
  note text not null,
  created_at timestamp with time zone not null default date_trunc('milliseconds'::text, clock_timestamp()),
  constraint exception_reviews_pkey primary key (position_id, kind),
  constraint exception_reviews_kind_check check (kind = any (array['open'::text, 'close'::text, 'correction'::text])),
  constraint exception_reviews_note_check check (length(note) >= 1 and length(note) <= 500),
  constraint exception_reviews_admin_id_fkey foreign key (admin_id) references users(id),
  constraint exception_reviews_position_id_fkey foreign key (position_id) references positions(id)
);
create trigger exception_reviews_append_only before delete or update or truncate on exception_reviews for each statement execute function refuse_change();

create table exposure_limits (
  symbol text not null,
  amount numeric(15,2) not null,
  updated_by uuid not null,
  updated_at timestamp with time zone not null default now(),
  crossed_at timestamp with time zone,
  constraint exposure_limits_pkey primary key (symbol),
  constraint exposure_limits_amount_check check (amount > 0::numeric and amount <> 'NaN'::numeric),
  constraint exposure_limits_symbol_fkey foreign key (symbol) references instruments(symbol),
  constraint exposure_limits_updated_by_fkey foreign key (updated_by) references users(id)
);

create table fills (
  id bigint generated always as identity not null,
  position_id uuid not null,
  kind text not null,
  quote_seq bigint not null,
  quote_at timestamp with time zone not null,
  quote_age_ms integer not null,
  bid numeric(20,8) not null,
  ask numeric(20,8) not null,
  tier_spread_pips numeric(5,1) not null,
  requested_price numeric(20,8),
  price numeric(20,8) not null,
  slippage numeric(20,8),
  amount numeric(15,2) not null,
  margin numeric(15,2) not null,
  profit numeric(15,2),
  reason text,
  actor_id uuid,
  latency_ms numeric(12,3) not null default round(extract(epoch from clock_timestamp() - statement_timestamp()) * 1000::numeric, 3),
  created_at timestamp with time zone not null default clock_timestamp(),
  terms_version integer,
  group_id text,
  group_version integer,
  spread_fixed boolean,
  held numeric(15,2),
  own_leverage integer,
  placed_leverage integer,
  account_leverage integer,
  cap_leverage integer,
  commission numeric(15,2),
  constraint fills_pkey primary key (id),
  constraint fills_position_id_kind_key unique (position_id, kind),
  constraint fills_kind_check check (kind = any (array['open'::text, 'close'::text])),
  constraint fills_latency_ms_check check (latency_ms <> 'NaN'::numeric),
  constraint fills_quote_age_ms_check check (quote_age_ms >= 0),
  constraint fills_actor_id_fkey foreign key (actor_id) references users(id),
  constraint fills_position_id_fkey foreign key (position_id) references positions(id)
);
create index fills_time on fills (created_at);
create trigger fills_add_up after insert on fills referencing new table as written for each statement execute function account_turnover_add();
create trigger fills_append_only before delete or update or truncate on fills for each statement execute function refuse_change();

create table group_counts (
  place bigint generated always as identity not null,
  group_id text not null,
  count bigint not null,
  constraint group_counts_pkey primary key (place)
);

create table group_moves (
  number bigint generated always as identity not null,
  account_id uuid not null,
  from_group text not null,
  to_group text not null,
  effective_at timestamp with time zone not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  moved_by uuid not null,
  reason text not null,
  constraint group_moves_pkey primary key (number),
  constraint group_moves_reason_check check (length(reason) >= 1 and length(reason) <= 500),
  constraint group_moves_account_id_fkey foreign key (account_id) references trading_accounts(id),
  constraint group_moves_from_group_fkey foreign key (from_group) references account_types(id),
  constraint group_moves_moved_by_fkey foreign key (moved_by) references users(id),
  constraint group_moves_to_group_fkey foreign key (to_group) references account_types(id)
);
create index group_moves_account on group_moves (account_id, number desc);
create index group_moves_waiting on group_moves (effective_at) where (effective_at > created_at);
create trigger group_moves_append_only before delete or update or truncate on group_moves for each statement execute function refuse_change();

create table group_versions (
  group_id text not null,
  version integer not null,
  name text not null,
  spreads_from numeric(5,1) not null,
  commission numeric(8,2) not null,
  minimum_deposit numeric(15,2) not null,
  leverage integer not null,
  is_active boolean not null,
  effective_at timestamp with time zone not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  changed_by uuid,
  change_reason text,
  swaps jsonb not null default '[]'::jsonb,
  swap_fee numeric(8,2),
  countries text[],
  applies_at timestamp with time zone not null,
  spreads jsonb not null default '[]'::jsonb,
  constraint group_versions_pkey primary key (group_id, version),
  constraint group_versions_change_reason_check check (length(change_reason) >= 1 and length(change_reason) <= 500),
  constraint group_versions_check check (applies_at >= effective_at),
  constraint group_versions_commission_check check (commission >= 0::numeric and commission <> 'NaN'::numeric),
  constraint group_versions_countries_check check (cardinality(countries) > 0),
  constraint group_versions_leverage_check check (leverage >= 1 and leverage <= 5000),
  constraint group_versions_minimum_deposit_check check (minimum_deposit >= 0::numeric and minimum_deposit <> 'NaN'::numeric),
  constraint group_versions_name_check check (length(name) >= 1 and length(name) <= 60),
  constraint group_versions_spreads_check check (jsonb_typeof(spreads) = 'array'::text),
  constraint group_versions_spreads_from_check check (spreads_from >= 0::numeric and spreads_from <> 'NaN'::numeric),
  constraint group_versions_swap_fee_check check (swap_fee >= 0::numeric and swap_fee <> 'NaN'::numeric),
  constraint group_versions_swaps_check check (jsonb_typeof(swaps) = 'array'::text),
  constraint group_versions_version_check check (version >= 1),
  constraint group_versions_changed_by_fkey foreign key (changed_by) references users(id),
  constraint group_versions_group_id_fkey foreign key (group_id) references account_types(id)
);
create trigger group_versions_append_only before delete or update or truncate on group_versions for each statement execute function refuse_change();
create trigger group_versions_logged after insert on group_versions for each row execute function proof_note_row('group', 'group_id', 'version');
create trigger group_versions_told after insert on group_versions for each row when (new.applies_at > new.created_at) execute function group_change_told();

create table holdings (
  id bigint generated always as identity not null,
  amount numeric(18,2),
  evidence text not null,
  link text,
  reason text not null,
  admin_id uuid not null,
  created_at timestamp with time zone not null default date_trunc('milliseconds'::text, clock_timestamp()),
  constraint holdings_pkey primary key (id),
  constraint holdings_amount_check check (amount >= 0::numeric and amount <> 'NaN'::numeric),
  constraint holdings_evidence_check check (length(evidence) <= 500),
  constraint holdings_link_check check (link ~ '^https://'::text and length(link) <= 300),
  constraint holdings_reason_check check (length(reason) >= 1 and length(reason) <= 500),
  constraint holdings_admin_id_fkey foreign key (admin_id) references users(id)
);
create trigger holdings_append_only before delete or update or truncate on holdings for each statement execute function refuse_change();

create table house_claims (
  id uuid not null,
  version integer not null,
  kind text not null,
  text text not null,
  evidence text not null,
  link text,
  starts_at timestamp with time zone,
  ends_at timestamp with time zone,
  created_by uuid not null,
  reason text not null,
  created_at timestamp with time zone not null default date_trunc('milliseconds'::text, clock_timestamp()),
  constraint house_claims_pkey primary key (id, version),
  constraint house_claims_check check (ends_at > starts_at),
  constraint house_claims_evidence_check check (length(evidence) <= 300),
  constraint house_claims_kind_check check (kind = any (array['award'::text, 'licence'::text, 'client_numbers'::text, 'other'::text])),
  constraint house_claims_link_check check (link ~ '^https://'::text and length(link) <= 500),
  constraint house_claims_reason_check check (length(reason) >= 1 and length(reason) <= 500),
  constraint house_claims_text_check check (length(text) >= 1 and length(text) <= 120),
  constraint house_claims_version_check check (version > 0),
  constraint house_claims_created_by_fkey foreign key (created_by) references users(id)
);
create trigger house_claims_append_only before delete or update or truncate on house_claims for each statement execute function refuse_change();

create table house_days (
  day date not null,
  registrations integer not null,
  deposits numeric(15,2) not null,
  withdrawals numeric(15,2) not null,
  revenue numeric(15,2) not null,
  constraint house_days_pkey primary key (day)
);

create table idempotency (
  user_id uuid not null,
  key text not null,
  fingerprint text not null,
  status integer not null,
  answer json not null,
  created_at timestamp with time zone not null default now(),
  constraint idempotency_pkey primary key (user_id, key),
  constraint idempotency_key_check check (length(key) >= 1 and length(key) <= 200),
  constraint idempotency_user_id_fkey foreign key (user_id) references users(id)
);
create index idempotency_age on idempotency (created_at);

create table instrument_terms (
  symbol text not null,
  version integer not null,
  state text not null,
  minimum numeric(15,2),
  step numeric(15,2),
  maximum numeric(15,2),
  margin_percent numeric(5,2),
  leverage integer generated always as (floor(100::numeric / margin_percent)::integer) stored,
  client_limit numeric(15,2),
  effective_at timestamp with time zone not null,
  changed_by uuid not null,
  change_reason text not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  listing jsonb,
  house_limit numeric(15,2),
  markup numeric(5,1),
  margin_steps jsonb,
  applies_at timestamp with time zone,
  constraint instrument_terms_pkey primary key (symbol, version),
  constraint instrument_terms_change_reason_check check (length(change_reason) >= 1 and length(change_reason) <= 500),
  constraint instrument_terms_check check (applies_at >= effective_at),
  constraint instrument_terms_client_limit_check check (client_limit > 0::numeric and client_limit <> 'NaN'::numeric),
  constraint instrument_terms_house_limit_check check (house_limit > 0::numeric and house_limit <> 'NaN'::numeric),
  constraint instrument_terms_listing_check check (((listing ->> 'digits'::text)::integer) >= 1 and ((listing ->> 'digits'::text)::integer) <= 8 and ((listing ->> 'pip'::text)::numeric) > 0::numeric),
  constraint instrument_terms_margin_percent_check check (margin_percent >= 0.2 and margin_percent <= 100::numeric),
  constraint instrument_terms_margin_steps_check check (jsonb_typeof(margin_steps) = 'array'::text and jsonb_array_length(margin_steps) >= 1 and jsonb_array_length(margin_steps) <= 10),
  constraint instrument_terms_markup_check check (markup >= 0::numeric and markup <> 'NaN'::numeric),
  constraint instrument_terms_maximum_check check (maximum > 0::numeric and maximum <> 'NaN'::numeric),
  constraint instrument_terms_minimum_check check (minimum > 0::numeric and minimum <> 'NaN'::numeric),
  constraint instrument_terms_state_check check (state = any (array['tradable'::text, 'close_only'::text, 'shown'::text, 'hidden'::text])),
  constraint instrument_terms_step_check check (step > 0::numeric and step <> 'NaN'::numeric),
  constraint instrument_terms_changed_by_fkey foreign key (changed_by) references users(id),
  constraint instrument_terms_symbol_fkey foreign key (symbol) references instruments(symbol)
);
create trigger instrument_terms_append_only before delete or update or truncate on instrument_terms for each statement execute function refuse_change();
create trigger instrument_terms_logged after insert on instrument_terms for each row execute function proof_note_row('instrument', 'symbol', 'version');
create trigger instrument_terms_told after insert on instrument_terms for each row when (new.applies_at > new.created_at) execute function instrument_change_told();

create table instruments (
  symbol text not null,
  id uuid not null generated always as (md5('instrument:'::text || symbol)::uuid) stored,
  smallest_deal numeric(15,2) not null default 10.00,
  class text not null default 'crypto'::text,
  place integer not null,
  listing jsonb not null,
  markup numeric(5,1) not null default 0,
  version integer not null default 0,
  applied integer not null default 0,
  constraint instruments_pkey primary key (symbol),
  constraint instruments_id_key unique (id),
  constraint instruments_place_key unique (place),
  constraint instruments_class_check check (class = any (array['major'::text, 'minor'::text, 'crypto'::text])),
  constraint instruments_listing_check check ((listing ->> 'name'::text) is not null and ((listing ->> 'digits'::text)::integer) >= 1 and ((listing ->> 'digits'::text)::integer) <= 8 and ((listing ->> 'pip'::text)::numeric) > 0::numeric),
  constraint instruments_markup_check check (markup >= 0::numeric and markup <> 'NaN'::numeric),
  constraint instruments_smallest_deal_check check (smallest_deal > 0::numeric and smallest_deal <> 'NaN'::numeric),
  constraint instruments_symbol_check check (symbol ~ '^[A-Z]{2,10}/[A-Z]{3}$'::text)
);
create trigger instruments_append_only before delete or update of symbol, listing or truncate on instruments for each statement execute function refuse_change();
create trigger instruments_logged after insert or delete or update on instruments for each statement execute function proof_note_terms();

create table integrity_figures (
  single boolean not null default true,
  figures json not null,
  entries bigint not null,
  entries_up_to bigint not null,
  measured_at timestamp with time zone not null,
  constraint integrity_figures_pkey primary key (single),
  constraint integrity_figures_single_check check (single)
);

create table jurisdictions (
  country text not null,
  is_served boolean not null default true,
  leverage_major integer,
  leverage_minor integer,
  leverage_crypto integer,
  has_promotions boolean not null default true,
  warning text,
  constraint jurisdictions_pkey primary key (country),
  constraint jurisdictions_country_check check (country ~ '^[A-Z]{2}$'::text),
  constraint jurisdictions_leverage_crypto_check check (leverage_crypto >= 1 and leverage_crypto <= 10000),
  constraint jurisdictions_leverage_major_check check (leverage_major >= 1 and leverage_major <= 10000),
  constraint jurisdictions_leverage_minor_check check (leverage_minor >= 1 and leverage_minor <= 10000),
  constraint jurisdictions_warning_check check (length(warning) >= 1 and length(warning) <= 1000)
);
create trigger jurisdictions_kept after insert or delete or update on jurisdictions for each statement execute function country_rules_kept();
create trigger jurisdictions_logged after insert or delete or update on jurisdictions for each statement execute function proof_note_terms();

create table leader_pulse (
  single boolean not null default true,
  epoch bigint not null,
  pid integer not null,
  beat_at timestamp with time zone not null,
  constraint leader_pulse_pkey primary key (single),
  constraint leader_pulse_single_check check (single)
);

create table leadership (
  single boolean not null default true,
  epoch bigint not null default 0,
  first_seq bigint not null default 0,
  constraint leadership_pkey primary key (single),
  constraint leadership_single_check check (single)
);

create table ledger_accounts (
  id bigint generated always as identity not null,
  owner_id uuid,
  book text not null,
  kind text not null,
  balance numeric(15,2) not null default 0,
  stripe smallint not null default 0,
  constraint ledger_accounts_pkey primary key (id),
  constraint customer_not_negative check (kind ~~ 'house\_%'::text or balance >= 0::numeric),
  constraint demo_is_only_traded check (book = 'live'::text or (kind = any (array['trading'::text, 'house_demo'::text]))),
  constraint house_has_no_owner check ((owner_id is null) = (kind ~~ 'house\_%'::text)),
  constraint ledger_accounts_balance_check check (balance <> 'NaN'::numeric),
  constraint ledger_accounts_book_check check (book = any (array['live'::text, 'demo'::text])),
  constraint ledger_accounts_kind_check check (kind = any (array['wallet'::text, 'trading'::text, 'withdrawal_hold'::text, 'house_clearing'::text, 'house_pnl'::text, 'house_bonus'::text, 'house_adjustment'::text, 'house_demo'::text])),
  constraint ledger_accounts_owner_id_fkey foreign key (owner_id) references users(id)
);
create unique index ledger_one_house on ledger_accounts (book, kind, stripe) where (owner_id is null);
create unique index ledger_one_per_person on ledger_accounts (owner_id, kind) where (kind = any (array['wallet'::text, 'withdrawal_hold'::text]));
create index ledger_owner on ledger_accounts (owner_id);
create trigger ledger_accounts_are_posted after update on ledger_accounts referencing new table as changed for each statement execute function balances_are_posted();
create trigger ledger_accounts_keep_owner before update of id, owner_id, book, kind, stripe on ledger_accounts for each statement execute function refuse_rewrite();
create trigger ledger_accounts_open_empty after insert on ledger_accounts referencing new table as changed for each statement execute function balances_are_posted();
create trigger ledger_accounts_stay before delete or truncate on ledger_accounts for each statement execute function refuse_change();
create trigger ledger_wallet_moved after update of balance on ledger_accounts for each row when (new.kind = 'wallet'::text) execute function keep_wallet_order();
create trigger ledger_wallet_opened after insert on ledger_accounts for each row when (new.kind = 'wallet'::text) execute function keep_wallet_order();

create table ledger_entries (
  id bigint generated always as identity not null,
  kind text not null,
  object_id uuid not null,
  memo text not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint ledger_entries_pkey primary key (id),
  constraint ledger_entries_kind_object_id_key unique (kind, object_id),
  constraint ledger_entries_kind_check check (length(kind) >= 1 and length(kind) <= 60),
  constraint ledger_entries_memo_check check (length(memo) <= 500)
);
create index ledger_entries_time on ledger_entries using brin (created_at) with (autosummarize='on');
create trigger ledger_entries_append_only before delete or update or truncate on ledger_entries for each statement execute function refuse_change();
create constraint trigger ledger_entry_has_postings after insert on ledger_entries deferrable initially deferred for each row execute function entry_balances();

create table ledger_looks (
  single boolean not null default true,
  entry bigint not null,
  next bigint not null,
  horizon xid8 not null,
  swept bigint not null default 0,
  coming bigint not null,
  constraint ledger_looks_pkey primary key (single),
  constraint ledger_looks_single_check check (single)
);

create table ledger_postings (
  entry_id bigint not null,
  account_id bigint not null,
  amount numeric(15,2) not null,
  balance_after numeric(15,2) not null,
  constraint ledger_postings_pkey primary key (entry_id, account_id),
  constraint ledger_postings_amount_check check (amount <> 0::numeric and amount <> 'NaN'::numeric),
  constraint ledger_postings_balance_after_check check (balance_after <> 'NaN'::numeric),
  constraint ledger_postings_account_id_fkey foreign key (account_id) references ledger_accounts(id),
  constraint ledger_postings_entry_id_fkey foreign key (entry_id) references ledger_entries(id)
);
create index ledger_postings_account on ledger_postings (account_id, entry_id desc);
create constraint trigger ledger_entry_balances after insert on ledger_postings deferrable initially deferred for each row execute function entry_balances();
create trigger ledger_postings_append_only before delete or update or truncate on ledger_postings for each statement execute function refuse_change();
create trigger ledger_postings_are_listed after insert on ledger_postings for each row execute function keep_money_line();

create table ledger_state (
  single boolean not null default true,
  halted boolean not null default false,
  reason text,
  constraint ledger_state_pkey primary key (single),
  constraint ledger_state_single_check check (single)
);
create trigger ledger_state_news after update on ledger_state for each row when (new.halted and not old.halted) execute function books_news();

create table letter_links (
  hash text not null,
  letter_id uuid not null,
  user_id uuid not null,
  purpose text not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint letter_links_pkey primary key (hash),
  constraint letter_links_hash_check check (hash ~ '^[0-9a-f]{64}$'::text),
  constraint letter_links_purpose_check check (purpose = any (array['verify'::text, 'reset'::text, 'take_back'::text, 'freeze'::text, 'unsubscribe'::text])),
  constraint letter_links_letter_id_fkey foreign key (letter_id) references letters(id) on delete cascade,
  constraint letter_links_user_id_fkey foreign key (user_id) references users(id)
);
create index letter_links_end on letter_links (expires_at);
create index letter_links_letter on letter_links (letter_id, purpose);
create index letter_links_user on letter_links (user_id, purpose) where (used_at is null);

create table letter_texts (
  letter text not null,
  version integer not null,
  subject text,
  body text,
  created_by uuid not null,
  reason text not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  is_markdown boolean not null default false,
  constraint letter_texts_pkey primary key (letter, version),
  constraint letter_texts_body_check check (length(body) >= 1 and length(body) <= 4000),
  constraint letter_texts_check check ((subject is null) = (body is null)),
  constraint letter_texts_letter_check check (letter ~ '^[a-z_]+(\.[a-z]+)?$'::text),
  constraint letter_texts_reason_check check (length(reason) >= 1 and length(reason) <= 500),
  constraint letter_texts_subject_check check (length(subject) >= 1 and length(subject) <= 150),
  constraint letter_texts_version_check check (version > 0),
  constraint letter_texts_created_by_fkey foreign key (created_by) references users(id)
);
create trigger letter_texts_append_only before delete or update or truncate on letter_texts for each statement execute function refuse_change();

create table letters (
  id uuid not null default gen_random_uuid(),
  user_id uuid,
  address text not null,
  kind text not null,
  facts jsonb not null default '{}'::jsonb,
  status text not null default 'waiting'::text,
  attempts integer not null default 0,
  due_at timestamp with time zone not null default clock_timestamp(),
  answer text,
  created_at timestamp with time zone not null default date_trunc('milliseconds'::text, clock_timestamp()),
  ended_at timestamp with time zone,
  handed integer not null default 0,
  constraint letters_pkey primary key (id),
  constraint letters_address_check check (length(address) >= 3 and length(address) <= 254 and address !~ '[[:cntrl:][:space:]]'::text),
  constraint letters_answer_check check (length(answer) <= 500),
  constraint letters_check check ((status = 'waiting'::text) = (ended_at is null)),
  constraint letters_kind_check check (kind ~ '^[a-z_]{1,40}$'::text),
  constraint letters_status_check check (status = any (array['waiting'::text, 'sent'::text, 'failed'::text, 'kept'::text, 'recalled'::text])),
  constraint letters_user_id_fkey foreign key (user_id) references users(id)
);
create index letters_due on letters (due_at) where (status = 'waiting'::text);
create index letters_failed on letters (ended_at) where (status = 'failed'::text);
create index letters_newest on letters (created_at desc, id desc);
create unique index letters_statements on letters (user_id, ((facts ->> 'month'::text))) where (kind = 'statement'::text);
create index letters_user on letters (user_id, created_at desc, id desc);

create table level_rules (
  level integer not null,
  live_trading boolean not null default true,
  bank_deposits boolean not null default true,
  card_deposits boolean not null default true,
  crypto_deposits boolean not null default true,
  withdrawn_day numeric(15,2),
  withdrawn_month numeric(15,2),
  constraint level_rules_pkey primary key (level),
  constraint level_rules_level_check check (level >= 0 and level <= 3),
  constraint level_rules_withdrawn_day_check check (withdrawn_day >= 0::numeric and withdrawn_day <> 'NaN'::numeric),
  constraint level_rules_withdrawn_month_check check (withdrawn_month >= 0::numeric and withdrawn_month <> 'NaN'::numeric)
);

create table liability_days (
  day date not null,
  taken_at timestamp with time zone not null,
  total numeric(18,2) not null,
  size integer not null,
  root bytea not null,
  constraint liability_days_pkey primary key (day),
  constraint liability_days_root_check check (octet_length(root) = 32),
  constraint liability_days_size_check check (size > 0),
  constraint liability_days_total_check check (total >= 0::numeric and total <> 'NaN'::numeric)
);
create trigger liability_days_append_only before delete or update or truncate on liability_days for each statement execute function refuse_change();
create trigger liability_days_logged after insert on liability_days for each row execute function proof_note_row('liabilities', 'day');

create table liability_leaves (
  day date not null,
  user_id uuid not null,
  place integer not null,
  owed numeric(15,2) not null,
  salt bytea not null,
  constraint liability_leaves_pkey primary key (day, user_id),
  constraint liability_leaves_day_place_key unique (day, place),
  constraint liability_leaves_owed_check check (owed >= 0::numeric and owed <> 'NaN'::numeric),
  constraint liability_leaves_place_check check (place >= 0),
  constraint liability_leaves_salt_check check (octet_length(salt) = 32),
  constraint liability_leaves_day_fkey foreign key (day) references liability_days(day),
  constraint liability_leaves_user_id_fkey foreign key (user_id) references users(id)
);

create table liability_trees (
  day date not null,
  nodes bytea not null,
  constraint liability_trees_pkey primary key (day),
  constraint liability_trees_day_fkey foreign key (day) references liability_days(day)
);

create table margin_events (
  id bigint generated always as identity not null,
  account_id uuid not null,
  kind text not null,
  position_id uuid,
  equity numeric(15,2) not null,
  used numeric(15,2) not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint margin_events_pkey primary key (id),
  constraint margin_events_position_id_key unique (position_id),
  constraint margin_events_check check ((kind = 'stop_out'::text) = (position_id is not null)),
  constraint margin_events_check1 check (equity < used and (kind = 'margin_call'::text or (equity * 2::numeric) < used)),
  constraint margin_events_equity_check check (equity <> 'NaN'::numeric),
  constraint margin_events_kind_check check (kind = any (array['margin_call'::text, 'stop_out'::text])),
  constraint margin_events_used_check check (used > 0::numeric and used <> 'NaN'::numeric),
  constraint margin_events_account_id_fkey foreign key (account_id) references trading_accounts(id),
  constraint margin_events_position_id_fkey foreign key (position_id) references positions(id)
);
create index margin_events_account on margin_events (account_id, id desc);
create trigger margin_events_append_only before delete or update or truncate on margin_events for each statement execute function refuse_change();
create trigger margin_events_logged after insert on margin_events for each row execute function proof_note_row('margin', 'id');

create table money_lines (
  account_id bigint not null,
  type text not null,
  entry_id bigint not null,
  constraint money_lines_pkey primary key (account_id, type, entry_id),
  constraint money_lines_type_check check (type = any (array['deposit'::text, 'bonus'::text, 'referral'::text, 'withdrawal'::text, 'withdrawal_returned'::text, 'transfer'::text, 'trade'::text, 'commission'::text, 'swap'::text, 'correction'::text, 'other'::text]))
);
create trigger money_lines_append_only before delete or update or truncate on money_lines for each statement execute function refuse_change();

create table notice_choices (
  user_id uuid not null,
  trades boolean not null default true,
  margin boolean not null default true,
  money boolean not null default true,
  support boolean not null default true,
  updated_at timestamp with time zone not null default now(),
  email_trades boolean not null default true,
  email_margin boolean not null default true,
  email_money boolean not null default true,
  email_support boolean not null default true,
  email_statements boolean not null default true,
  constraint notice_choices_pkey primary key (user_id),
  constraint notice_choices_user_id_fkey foreign key (user_id) references users(id)
);

create table notification_outbox (
  place bigint generated always as identity not null,
  type text not null,
  title text not null,
  message text not null,
  user_id uuid,
  related_id uuid,
  priority text not null,
  metadata jsonb not null,
  created_at timestamp with time zone not null default date_trunc('milliseconds'::text, clock_timestamp()),
  constraint notification_outbox_message_check check (length(message) >= 1 and length(message) <= 1000),
  constraint notification_outbox_priority_check check (priority = any (array['low'::text, 'medium'::text, 'high'::text, 'urgent'::text])),
  constraint notification_outbox_title_check check (length(title) >= 1 and length(title) <= 200),
  constraint notification_outbox_type_check check (type = any (array['visitor'::text, 'deposit'::text, 'withdrawal'::text, 'trade'::text, 'registration'::text, 'ticket'::text, 'chat'::text, 'contact'::text, 'correction'::text, 'warning'::text]))
);

create table notification_readers (
  admin_id uuid not null,
  read_through bigint not null,
  read_at timestamp with time zone not null default now(),
  constraint notification_readers_pkey primary key (admin_id),
  constraint notification_readers_admin_id_fkey foreign key (admin_id) references users(id)
);

create table notification_reads (
  admin_id uuid not null,
  number bigint not null,
  read_at timestamp with time zone not null default now(),
  constraint notification_reads_pkey primary key (admin_id, number),
  constraint notification_reads_admin_id_fkey foreign key (admin_id) references users(id),
  constraint notification_reads_number_fkey foreign key (number) references admin_notifications(number) on delete cascade
);
create index notification_reads_number on notification_reads (number);

create table order_news (
  place bigint generated always as identity not null,
  position_id uuid not null,
  amount numeric(15,2) not null
);

create table page_texts (
  page text not null,
  version integer not null,
  body text not null,
  must_accept boolean not null default false,
  since timestamp with time zone not null,
  created_by uuid,
  reason text not null,
  created_at timestamp with time zone not null default date_trunc('milliseconds'::text, clock_timestamp()),
  constraint page_texts_pkey primary key (page, version),
  constraint page_texts_body_check check (length(body) >= 1 and length(body) <= 40000),
  constraint page_texts_check check (page = 'terms'::text or not must_accept),
  constraint page_texts_page_check check (page = any (array['terms'::text, 'privacy'::text, 'payment-policy'::text, 'about'::text, 'faq'::text])),
  constraint page_texts_reason_check check (length(reason) >= 1 and length(reason) <= 500),
  constraint page_texts_version_check check (version > 0),
  constraint page_texts_created_by_fkey foreign key (created_by) references users(id)
);
create trigger page_texts_append_only before delete or update or truncate on page_texts for each statement execute function refuse_change();

create table passkey_challenges (
  challenge text not null,
  user_id uuid,
  purpose text not null,
  created_at timestamp with time zone not null default now(),
  constraint passkey_challenges_pkey primary key (challenge),
  constraint passkey_challenges_challenge_check check (challenge ~ '^[A-Za-z0-9_-]{43}$'::text),
  constraint passkey_challenges_purpose_check check (purpose = any (array['add'::text, 'sign_in'::text, 'confirm'::text])),
  constraint passkey_challenges_user_id_fkey foreign key (user_id) references users(id)
);
create index passkey_challenges_end on passkey_challenges (created_at);

create table passkeys (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  credential text not null,
  public_key bytea not null,
  counter bigint not null default 0,
  transports text[] not null default '{}'::text[],
  name text not null,
  created_at timestamp with time zone not null default date_trunc('milliseconds'::text, clock_timestamp()),
  used_at timestamp with time zone,
  constraint passkeys_pkey primary key (id),
  constraint passkeys_credential_key unique (credential),
  constraint passkeys_credential_check check (credential ~ '^[A-Za-z0-9_-]+$'::text and length(credential) <= 1400),
  constraint passkeys_name_check check (length(name) >= 1 and length(name) <= 60),
  constraint passkeys_public_key_check check (octet_length(public_key) <= 4096),
  constraint passkeys_user_id_fkey foreign key (user_id) references users(id)
);
create index passkeys_user on passkeys (user_id, created_at);

create table payment_details (
  method text not null,
  account_name text not null default ''::text,
  bank_name text not null default ''::text,
  account_number text not null default ''::text,
  bic text not null default ''::text,
  link text not null default ''::text,
  instructions text not null default ''::text,
  updated_at timestamp with time zone not null default now(),
  constraint payment_details_pkey primary key (method),
  constraint payment_details_account_name_check check (length(account_name) <= 200),
  constraint payment_details_account_number_check check (length(account_number) <= 200),
  constraint payment_details_bank_name_check check (length(bank_name) <= 200),
  constraint payment_details_bic_check check (length(bic) <= 200),
  constraint payment_details_instructions_check check (length(instructions) <= 500),
  constraint payment_details_link_check check (link = ''::text or link ~~ 'https://%'::text and length(link) <= 500),
  constraint payment_details_method_check check (method = any (array['bank'::text, 'card'::text]))
);

create table payout_addresses (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  name text not null,
  currency text not null,
  address text not null,
  created_at timestamp with time zone not null default date_trunc('milliseconds'::text, clock_timestamp()),
  constraint payout_addresses_pkey primary key (id),
  constraint payout_addresses_user_id_currency_address_key unique (user_id, currency, address),
  constraint payout_addresses_address_check check (length(address) >= 1 and length(address) <= 200),
  constraint payout_addresses_currency_check check (currency = any (array['USD'::text, 'BTC'::text, 'ETH'::text, 'USDT'::text, 'LTC'::text])),
  constraint payout_addresses_name_check check (length(name) >= 1 and length(name) <= 60),
  constraint payout_addresses_user_id_fkey foreign key (user_id) references users(id)
);
create index payout_addresses_user on payout_addresses (user_id, created_at desc, id desc);

create table people_counts (
  slot integer not null,
  role text not null,
  count bigint not null,
  constraint people_counts_pkey primary key (role, slot)
);

create table person_outbox (
  place bigint generated always as identity not null,
  user_id uuid not null,
  topic text,
  kind text not null,
  title text not null,
  message text not null,
  url text not null,
  tag text not null,
  created_at timestamp(3) with time zone not null default clock_timestamp(),
  constraint person_outbox_pkey primary key (place),
  constraint person_outbox_kind_check check (kind = any (array['info'::text, 'warning'::text])),
  constraint person_outbox_message_check check (length(message) >= 1 and length(message) <= 1000),
  constraint person_outbox_tag_check check (length(tag) >= 1 and length(tag) <= 60),
  constraint person_outbox_title_check check (length(title) >= 1 and length(title) <= 200),
  constraint person_outbox_topic_check check (topic = any (array['trades'::text, 'margin'::text, 'money'::text, 'support'::text, 'security'::text])),
  constraint person_outbox_url_check check (url ~~ '/%'::text and length(url) <= 200)
);

create table positions (
  id uuid not null default gen_random_uuid(),
  account_id uuid not null,
  user_id uuid not null,
  parent_id uuid,
  symbol text not null,
  side text not null,
  amount numeric(15,2) not null,
  volume numeric(28,8),
  leverage integer not null,
  margin numeric(15,2) not null,
  open_price numeric(20,8),
  close_price numeric(20,8),
  stop_loss numeric(20,8),
  take_profit numeric(20,8),
  profit numeric(15,2),
  covered numeric(15,2) not null default 0,
  status text not null,
  close_reason text,
  cancel_reason text,
  created_at timestamp with time zone not null default date_trunc('milliseconds'::text, clock_timestamp()),
  opened_at timestamp with time zone,
  closed_at timestamp with time zone,
  since_seq bigint,
  moved numeric(40,10) not null default 0,
  requested_price numeric(20,8),
  max_slippage numeric(20,8),
  order_type text not null default 'market'::text,
  trigger_price numeric(20,8),
  limit_price numeric(20,8),
  set_off_seq bigint,
  expires_at timestamp with time zone,
  trailing_distance numeric(20,8),
  break_even_at numeric(20,8),
  broke_even_seq bigint,
  stop_moved_seq bigint,
  oco_group uuid,
  place bigint,
  placed_seq bigint,
  placed_at timestamp with time zone,
  placed_bid numeric(20,8),
  placed_ask numeric(20,8),
  cancel_code text,
  cancel_needed numeric(15,2),
  cancel_free numeric(15,2),
  charges numeric(15,2) not null default 0,
  swap numeric(15,2) not null default 0,
  group_version integer,
  terms_version integer,
  country text,
  country_version integer,
  constraint positions_pkey primary key (id),
  constraint positions_above_zero check (least(amount, volume, leverage::numeric, open_price, close_price, stop_loss, take_profit, requested_price, trigger_price, limit_price, trailing_distance, break_even_at, placed_bid, placed_ask) > 0::numeric),
  constraint positions_cancel_code check (cancel_code is null or status = 'cancelled'::text and (cancel_code = any (array['trader'::text, 'insufficient_margin'::text, 'expired'::text, 'oco'::text, 'suspended'::text, 'price_moved'::text, 'too_many_positions'::text, 'close_only'::text, 'instrument_limit'::text]))),
  constraint positions_cancel_figures check ((cancel_needed is null) = (cancel_free is null) and (cancel_needed is null or cancel_code = 'insufficient_margin'::text)),
  constraint positions_cancel_reason_check check (length(cancel_reason) <= 500),
  constraint positions_charges_check check (charges <> 'NaN'::numeric),
  constraint positions_check check ((status = any (array['pending'::text, 'cancelled'::text])) or open_price is not null and volume is not null and opened_at is not null),
  constraint positions_check1 check ((status = 'closed'::text) = (close_price is not null and profit is not null and closed_at is not null and close_reason is not null)),
  constraint positions_close_reason_check check (close_reason = any (array['trader'::text, 'stop_loss'::text, 'take_profit'::text, 'stop_out'::text, 'admin'::text])),
  constraint positions_limit check ((order_type = 'stop_limit'::text) = (limit_price is not null)),
  constraint positions_not_below_zero check (least(margin, max_slippage) >= 0::numeric),
  constraint positions_numbers check (greatest(amount, volume, margin, open_price, close_price, stop_loss, take_profit, profit, covered, moved, requested_price, max_slippage, trigger_price, limit_price, trailing_distance, break_even_at, placed_bid, placed_ask, cancel_needed, cancel_free) <> 'NaN'::numeric),
  constraint positions_order_type_check check (order_type = any (array['market'::text, 'limit'::text, 'stop'::text, 'stop_limit'::text])),
  constraint positions_placed check ((num_nulls(placed_seq, placed_at, placed_bid, placed_ask) % 4) = 0 and (order_type = 'market'::text or placed_seq is not null)),
  constraint positions_set_off check (set_off_seq is null or order_type = 'stop_limit'::text),
  constraint positions_side_check check (side = any (array['buy'::text, 'sell'::text])),
  constraint positions_status_check check (status = any (array['pending'::text, 'open'::text, 'closed'::text, 'cancelled'::text])),
  constraint positions_swap_check check (swap <> 'NaN'::numeric),
  constraint positions_trigger check ((order_type = 'market'::text) = (trigger_price is null)),
  constraint positions_account_id_fkey foreign key (account_id) references trading_accounts(id),
  constraint positions_parent_id_fkey foreign key (parent_id) references positions(id),
  constraint positions_user_id_fkey foreign key (user_id) references users(id)
);
create index positions_cancelled on positions (user_id, created_at desc) where (status = 'cancelled'::text);
create index positions_closed on positions (account_id, closed_at desc, id desc) where (status = 'closed'::text);
create index positions_closed_for on positions (user_id, closed_at desc) where (close_reason = any (array['stop_out'::text, 'admin'::text]));
create index positions_closed_opened on positions (user_id, opened_at desc) where ((status = 'closed'::text) and (parent_id is null));
create index positions_history on positions (user_id, closed_at desc, id desc) where (status = 'closed'::text);
create index positions_live on positions (account_id) where (status = any (array['pending'::text, 'open'::text]));
create index positions_live_user on positions (user_id, created_at desc) where (status = any (array['pending'::text, 'open'::text]));
create index positions_newest on positions (created_at desc, id desc) where (status = any (array['pending'::text, 'open'::text]));
create index positions_oco on positions (account_id, oco_group) where ((status = 'pending'::text) and (oco_group is not null));
create index positions_parts on positions (parent_id) where (parent_id is not null);
create index positions_watch on positions (symbol) where (status = any (array['pending'::text, 'open'::text]));
create trigger positions_add_up after update on positions for each row when (new.status = 'closed'::text and old.status <> 'closed'::text) execute function account_totals_add();
create trigger positions_cancelled_logged after update on positions for each row when (new.status = 'cancelled'::text and old.status <> 'cancelled'::text) execute function proof_note_row('cancellation', 'id');
create trigger positions_exits_moved after update of stop_loss, take_profit on positions for each row when (not new.stop_moved_seq is distinct from old.stop_moved_seq) execute function positions_note_move();
create trigger positions_go_on before update on positions for each row when ((old.status = any (array['closed'::text, 'cancelled'::text])) or old.status = 'pending'::text and (new.status = 'closed'::text or new.amount <> old.amount) or old.status = 'open'::text and ((new.status <> all (array['open'::text, 'closed'::text])) or new.amount > old.amount or new.open_price <> old.open_price or new.opened_at <> old.opened_at)) execute function refuse_rewrite();
create trigger positions_keep_leverage before update of leverage on positions for each row when (old.status <> 'pending'::text or new.leverage > old.leverage) execute function refuse_rewrite();
create trigger positions_keep_terms before update of id, account_id, user_id, parent_id, symbol, side, created_at, order_type, country, country_version on positions for each statement execute function refuse_rewrite();
create trigger positions_news after insert on positions referencing new table as placed for each statement execute function trade_news();
create trigger positions_stay before delete or truncate on positions for each statement execute function refuse_change();

create table price_alerts (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  symbol text not null,
  side text not null,
  condition text not null,
  price numeric(20,8) not null,
  note text not null default ''::text,
  expires_at timestamp(3) with time zone,
  since_seq bigint not null,
  start numeric(20,8) not null,
  created_at timestamp(3) with time zone not null default clock_timestamp(),
  fired_at timestamp(3) with time zone,
  fired_seq bigint,
  fired_quote_at timestamp with time zone,
  fired_bid numeric(20,8),
  fired_ask numeric(20,8),
  fired_price numeric(20,8),
  constraint price_alerts_pkey primary key (id),
  constraint price_alerts_check check (num_nonnulls(fired_at, fired_seq, fired_quote_at, fired_bid, fired_ask, fired_price) = any (array[0, 6])),
  constraint price_alerts_condition_check check (condition = any (array['above'::text, 'below'::text, 'crosses'::text])),
  constraint price_alerts_fired_ask_check check (fired_ask > 0::numeric and fired_ask <> 'NaN'::numeric),
  constraint price_alerts_fired_bid_check check (fired_bid > 0::numeric and fired_bid <> 'NaN'::numeric),
  constraint price_alerts_fired_price_check check (fired_price > 0::numeric and fired_price <> 'NaN'::numeric),
  constraint price_alerts_note_check check (length(note) <= 200),
  constraint price_alerts_price_check check (price > 0::numeric and price <> 'NaN'::numeric),
  constraint price_alerts_side_check check (side = any (array['bid'::text, 'ask'::text, 'mid'::text])),
  constraint price_alerts_start_check check (start > 0::numeric and start <> 'NaN'::numeric),
  constraint price_alerts_symbol_fkey foreign key (symbol) references instruments(symbol),
  constraint price_alerts_user_id_fkey foreign key (user_id) references users(id)
);
create index price_alerts_active on price_alerts (created_at) where (fired_at is null);
create index price_alerts_person on price_alerts (user_id, created_at desc, id desc);

create table price_minutes (
  at timestamp with time zone not null,
  due integer not null,
  fresh integer not null,
  constraint price_minutes_pkey primary key (at),
  constraint price_minutes_check check (fresh >= 0 and fresh <= due)
);

create table promotion_versions (
  promotion_id text not null,
  version integer not null,
  title text not null,
  amount numeric(15,2) not null,
  minimum_deposit numeric(15,2) not null,
  is_active boolean not null,
  turnover integer not null,
  starts_at timestamp with time zone,
  ends_at timestamp with time zone,
  countries text[],
  since timestamp with time zone not null,
  changed_by uuid,
  change_reason text,
  constraint promotion_versions_pkey primary key (promotion_id, version),
  constraint promotion_versions_change_reason_check check (length(change_reason) >= 1 and length(change_reason) <= 500),
  constraint promotion_versions_changed_by_fkey foreign key (changed_by) references users(id),
  constraint promotion_versions_promotion_id_fkey foreign key (promotion_id) references promotions(id)
);
create trigger promotion_versions_append_only before delete or update or truncate on promotion_versions for each statement execute function refuse_change();

create table promotions (
  id text not null,
  title text not null,
  amount numeric(15,2) not null,
  minimum_deposit numeric(15,2) not null,
  is_active boolean not null default true,
  turnover integer not null default 10,
  starts_at timestamp with time zone,
  ends_at timestamp with time zone,
  countries text[],
  version integer not null default 1,
  constraint promotions_pkey primary key (id),
  constraint promotions_amount_check check (amount > 0::numeric and amount <> 'NaN'::numeric),
  constraint promotions_countries_check check (cardinality(countries) >= 1 and cardinality(countries) <= 300 and array_position(countries, null::text) is null),
  constraint promotions_id_check check (id = any (array['deposit_bonus'::text, 'bitcoin_bonus'::text, 'referral_bonus'::text])),
  constraint promotions_minimum_deposit_check check (minimum_deposit >= 0::numeric and minimum_deposit <> 'NaN'::numeric),
  constraint promotions_time_check check (ends_at > starts_at),
  constraint promotions_title_check check (length(title) >= 1 and length(title) <= 100),
  constraint promotions_turnover_check check (turnover >= 0 and turnover <= 1000)
);
create trigger promotions_keep before update on promotions for each row execute function promotion_keep();

create table proof_batches (
  first bigint not null,
  last bigint not null,
  log integer not null,
  index bigint not null,
  constraint proof_batches_pkey primary key (first),
  constraint proof_batches_check check (last >= first),
  constraint proof_batches_log_index_fkey foreign key (log, index) references proof_entries(log, index)
);
create trigger proof_batches_append_only before delete or update or truncate on proof_batches for each statement execute function refuse_change();

create table proof_entries (
  log integer not null,
  index bigint not null,
  kind text not null,
  ref text not null,
  salt bytea not null,
  record text not null,
  constraint proof_entries_pkey primary key (log, index),
  constraint proof_entries_kind_ref_key unique (kind, ref),
  constraint proof_entries_index_check check (index >= 0),
  constraint proof_entries_salt_check check (octet_length(salt) = 32)
);
create trigger proof_entries_append_only before delete or update or truncate on proof_entries for each statement execute function refuse_change();

create table proof_logs (
  number integer not null,
  origin text not null,
  key text not null,
  size bigint not null default 0,
  root bytea,
  note text,
  signed_at timestamp with time zone,
  terms integer not null default 0,
  terms_said text not null default ''::text,
  begun_at timestamp with time zone not null default clock_timestamp(),
  ended_at timestamp with time zone,
  ended_why text,
  constraint proof_logs_pkey primary key (number),
  constraint proof_logs_origin_key unique (origin),
  constraint proof_logs_check check ((ended_at is null) = (ended_why is null)),
  constraint proof_logs_check1 check ((size = 0) = (root is null) and (root is null) = (note is null) and (note is null) = (signed_at is null)),
  constraint proof_logs_ended_why_check check (length(ended_why) >= 1 and length(ended_why) <= 500),
  constraint proof_logs_number_check check (number > 0),
  constraint proof_logs_origin_check check (length(origin) >= 1 and length(origin) <= 200),
  constraint proof_logs_root_check check (octet_length(root) = 32),
  constraint proof_logs_size_check check (size >= 0)
);
create unique index proof_logs_open on proof_logs ((true)) where (ended_at is null);
create trigger proof_logs_grow before update on proof_logs for each row execute function proof_log_grows();
create trigger proof_logs_stay before delete or truncate on proof_logs for each statement execute function refuse_change();

create table proof_marks (
  note text not null,
  high bigint not null,
  gaps bigint[] not null default '{}'::bigint[],
  aging bigint[] not null default '{}'::bigint[],
  horizon xid8,
  constraint proof_marks_pkey primary key (note)
);

create table proof_outbox (
  id bigint generated always as identity not null,
  kind text not null,
  ref text not null,
  at timestamp with time zone not null default clock_timestamp(),
  constraint proof_outbox_pkey primary key (id)
);

create table proof_ticks (
  seq bigint not null,
  first bigint,
  place integer,
  tick text,
  path bytea,
  constraint proof_ticks_pkey primary key (seq),
  constraint proof_ticks_check check (num_nulls(first, place, tick, path) = any (array[0, 4])),
  constraint proof_ticks_path_check check ((octet_length(path) % 32) = 0),
  constraint proof_ticks_place_check check (place >= 0),
  constraint proof_ticks_first_fkey foreign key (first) references proof_batches(first)
);
create index proof_ticks_waiting on proof_ticks (seq) where (first is null);

create table proof_tiles (
  log integer not null,
  level smallint not null,
  n bigint not null,
  hashes bytea not null,
  constraint proof_tiles_pkey primary key (log, level, n),
  constraint proof_tiles_hashes_check check (octet_length(hashes) >= 32 and octet_length(hashes) <= 8192 and (octet_length(hashes) % 32) = 0),
  constraint proof_tiles_level_check check (level >= 0 and level <= 7),
  constraint proof_tiles_n_check check (n >= 0),
  constraint proof_tiles_log_fkey foreign key (log) references proof_logs(number)
);
create trigger proof_tiles_grow before update on proof_tiles for each row execute function proof_tile_grows();
create trigger proof_tiles_stay before delete or truncate on proof_tiles for each statement execute function refuse_change();

create table proof_witnesses (
  name text not null,
  origin text,
  size bigint not null default 0,
  checkpoint text,
  signature text,
  signed_at timestamp with time zone,
  fault text,
  tried_at timestamp with time zone not null default clock_timestamp(),
  contradicted_origin text,
  contradiction text,
  constraint proof_witnesses_pkey primary key (name),
  constraint proof_witnesses_contradicted check ((contradicted_origin is null) = (contradiction is null)),
  constraint proof_witnesses_contradiction_check check (length(contradiction) >= 1 and length(contradiction) <= 500),
  constraint proof_witnesses_size_check check (size >= 0)
);

create table push_devices (
  id uuid not null default gen_random_uuid(),
  admin_id uuid not null,
  session_id uuid not null,
  endpoint text not null,
  p256dh text not null,
  auth text not null,
  kinds text[] not null,
  user_agent text not null,
  failures integer not null default 0,
  created_at timestamp with time zone not null default now(),
  told_at timestamp with time zone,
  own boolean not null default false,
  constraint push_devices_pkey primary key (id),
  constraint push_devices_endpoint_key unique (endpoint),
  constraint push_devices_auth_check check (length(auth) = 22),
  constraint push_devices_endpoint_check check (length(endpoint) >= 10 and length(endpoint) <= 1000),
  constraint push_devices_kinds_check check (cardinality(kinds) >= 0 and cardinality(kinds) <= 20),
  constraint push_devices_p256dh_check check (length(p256dh) = 87),
  constraint push_devices_user_agent_check check (length(user_agent) <= 512),
  constraint push_devices_admin_id_fkey foreign key (admin_id) references users(id)
);
create index push_devices_admin on push_devices (admin_id, created_at);
create index push_devices_session on push_devices (session_id);

create table push_keys (
  single boolean not null default true,
  public_key text not null,
  private_key text not null,
  created_at timestamp with time zone not null default now(),
  constraint push_keys_pkey primary key (single),
  constraint push_keys_single_check check (single)
);

create table quality_days (
  day date not null,
  is_demo boolean not null,
  opened integer not null,
  closed integer not null,
  worse_by_more integer not null,
  worse integer not null,
  as_requested integer not null,
  better integer not null,
  better_by_more integer not null,
  slippage numeric not null,
  stop_outs integer not null,
  ages integer[] not null,
  age_counts integer[] not null,
  latencies numeric[] not null,
  latency_counts integer[] not null,
  constraint quality_days_pkey primary key (day, is_demo)
);

create table quotes (
  symbol text not null,
  source text not null,
  seq bigint not null,
  at timestamp with time zone not null,
  bid numeric(20,8) not null,
  ask numeric(20,8) not null,
  constraint quotes_pkey primary key (symbol),
  constraint quotes_ask_check check (ask <> 'NaN'::numeric),
  constraint quotes_bid_check check (bid > 0::numeric and bid <> 'NaN'::numeric),
  constraint quotes_check check (ask >= bid),
  constraint quotes_source_check check (source = any (array['simulator'::text, 'kraken'::text, 'replay'::text])),
  constraint quotes_symbol_fkey foreign key (symbol) references instruments(symbol)
);

create table recovery_codes (
  user_id uuid not null,
  code_hash text not null,
  used_at timestamp with time zone,
  constraint recovery_codes_pkey primary key (user_id, code_hash),
  constraint recovery_codes_code_hash_check check (code_hash ~ '^[0-9a-f]{64}$'::text),
  constraint recovery_codes_user_id_fkey foreign key (user_id) references users(id)
);

create table reference_days (
  day date not null,
  feed text not null,
  reference text not null,
  distance numeric(12,3) not null,
  n integer not null,
  constraint reference_days_pkey primary key (day, feed, reference, distance),
  constraint reference_days_distance_check check (distance >= 0::numeric and distance <> 'NaN'::numeric),
  constraint reference_days_n_check check (n > 0)
);

create table referral_payments (
  referred_id uuid not null,
  referrer_id uuid not null,
  deposit_id uuid not null,
  amount numeric(15,2) not null,
  created_at timestamp with time zone not null default now(),
  constraint referral_payments_pkey primary key (referred_id),
  constraint referral_payments_amount_check check (amount > 0::numeric and amount <> 'NaN'::numeric),
  constraint referral_payments_check check (referrer_id <> referred_id),
  constraint referral_payments_deposit_id_fkey foreign key (deposit_id) references deposits(id),
  constraint referral_payments_referred_id_fkey foreign key (referred_id) references users(id),
  constraint referral_payments_referrer_id_fkey foreign key (referrer_id) references users(id)
);
create index referral_payments_referrer on referral_payments (referrer_id);

create table refusal_days (
  day date not null,
  code text not null,
  n integer not null,
  constraint refusal_days_pkey primary key (day, code),
  constraint refusal_days_code_check check (code ~ '^[a-z_]{1,40}$'::text),
  constraint refusal_days_n_check check (n >= 0)
);

create table refused_attempts (
  id bigint generated always as identity not null,
  user_id uuid not null,
  method text not null,
  path text not null,
  code text not null,
  reason text not null,
  ip_address text not null,
  request_id text not null,
  created_at timestamp with time zone not null default now(),
  constraint refused_attempts_pkey primary key (id),
  constraint refused_attempts_user_id_fkey foreign key (user_id) references users(id)
);
create index refused_attempts_by_age on refused_attempts (created_at);
create index refused_attempts_by_person on refused_attempts (user_id, path, created_at);

create table replays (
  first bigint not null,
  fingerprint text not null,
  begun_at timestamp with time zone not null default now(),
  ended_at timestamp with time zone,
  constraint replays_pkey primary key (first),
  constraint replays_fingerprint_check check (length(fingerprint) = 64)
);

create table reset_asks (
  place bigint generated always as identity not null,
  email text not null,
  ip text not null,
  created_at timestamp with time zone not null default now(),
  constraint reset_asks_pkey primary key (place),
  constraint reset_asks_email_check check (length(email) <= 254),
  constraint reset_asks_ip_check check (length(ip) <= 100)
);

create table role_decisions (
  request_id uuid not null,
  admin_id uuid not null,
  decision text not null,
  reason text not null,
  created_at timestamp with time zone not null default date_trunc('milliseconds'::text, clock_timestamp()),
  constraint role_decisions_pkey primary key (request_id),
  constraint role_decisions_decision_check check (decision = any (array['confirmed'::text, 'declined'::text])),
  constraint role_decisions_reason_check check (length(reason) <= 500),
  constraint role_decisions_admin_id_fkey foreign key (admin_id) references users(id),
  constraint role_decisions_request_id_fkey foreign key (request_id) references role_requests(id)
);
create trigger role_decisions_append_only before delete or update or truncate on role_decisions for each statement execute function refuse_change();

create table role_requests (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  admin_id uuid not null,
  reason text not null,
  created_at timestamp with time zone not null default date_trunc('milliseconds'::text, clock_timestamp()),
  staff_role text,
  constraint role_requests_pkey primary key (id),
  constraint role_requests_check check (user_id <> admin_id),
  constraint role_requests_reason_check check (length(reason) >= 1 and length(reason) <= 500),
  constraint role_requests_admin_id_fkey foreign key (admin_id) references users(id),
  constraint role_requests_staff_role_fkey foreign key (staff_role) references staff_roles(id),
  constraint role_requests_user_id_fkey foreign key (user_id) references users(id)
);
create index role_requests_newest on role_requests (created_at desc, id desc);
create index role_requests_user on role_requests (user_id);
create trigger role_requests_append_only before delete or update or truncate on role_requests for each statement execute function refuse_change();
create trigger role_requests_news after insert on role_requests for each row execute function role_request_news();

create table saved_filters (
  id uuid not null default gen_random_uuid(),
  admin_id uuid not null,
  queue text not null,
  name text not null,
  query text not null,
  created_at timestamp with time zone not null default date_trunc('milliseconds'::text, clock_timestamp()),
  constraint saved_filters_pkey primary key (id),
  constraint saved_filters_name_check check (length(name) >= 1 and length(name) <= 60),
  constraint saved_filters_query_check check (length(query) >= 1 and length(query) <= 500),
  constraint saved_filters_queue_check check (queue ~ '^[a-z]{1,20}$'::text),
  constraint saved_filters_admin_id_fkey foreign key (admin_id) references users(id)
);
create unique index saved_filters_name on saved_filters (admin_id, queue, lower(name));

create table schema_migrations (
  version integer not null,
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now(),
  constraint schema_migrations_pkey primary key (version)
);

create table sessions (
  sid text not null,
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  sess json not null,
  created_at timestamp with time zone not null default now(),
  seen_at timestamp with time zone not null default now(),
  confirmed_at timestamp with time zone not null default now(),
  expire timestamp with time zone not null,
  device_id uuid,
  constraint sessions_pkey primary key (sid),
  constraint sessions_id_key unique (id),
  constraint sessions_sid_check check (length(sid) = 64),
  constraint sessions_device_id_fkey foreign key (device_id) references devices(id) on delete set null,
  constraint sessions_user_id_fkey foreign key (user_id) references users(id)
);
create index sessions_device on sessions (device_id);
create index sessions_expire on sessions (expire);
create index sessions_user on sessions (user_id);

create table settings (
  key text not null,
  value text not null,
  updated_by uuid,
  updated_at timestamp with time zone not null default now(),
  constraint settings_pkey primary key (key),
  constraint settings_key_check check (key ~ '^[a-z_]{1,40}$'::text),
  constraint settings_value_check check (length(value) <= 500),
  constraint settings_updated_by_fkey foreign key (updated_by) references users(id)
);

create table signature_decisions (
  signature_id uuid not null,
  admin_id uuid not null,
  decision text not null,
  reason text not null,
  created_at timestamp with time zone not null default date_trunc('milliseconds'::text, clock_timestamp()),
  constraint signature_decisions_pkey primary key (signature_id),
  constraint signature_decisions_decision_check check (decision = any (array['signed'::text, 'declined'::text])),
  constraint signature_decisions_reason_check check (length(reason) <= 500),
  constraint signature_decisions_admin_id_fkey foreign key (admin_id) references users(id),
  constraint signature_decisions_signature_id_fkey foreign key (signature_id) references signatures(id)
);
create trigger signature_decisions_append_only before delete or update or truncate on signature_decisions for each statement execute function refuse_change();

create table signature_rules (
  deed text not null,
  is_on boolean not null,
  above numeric(15,2),
  updated_at timestamp with time zone not null default date_trunc('milliseconds'::text, clock_timestamp()),
  constraint signature_rules_pkey primary key (deed),
  constraint signature_rules_above_check check (above >= 0::numeric and above <> 'NaN'::numeric),
  constraint signature_rules_deed_check check (deed = any (array['deposit'::text, 'withdrawal'::text, 'wallet'::text, 'compliance'::text, 'erase'::text, 'costs'::text, 'margin'::text, 'promotion'::text]))
);

create table signatures (
  id uuid not null default gen_random_uuid(),
  deed text not null,
  kind text not null,
  permission text not null,
  object text not null,
  title text not null,
  admin_id uuid not null,
  user_id uuid,
  body jsonb not null,
  before jsonb not null,
  after jsonb not null,
  reason text not null,
  created_at timestamp with time zone not null default date_trunc('milliseconds'::text, clock_timestamp()),
  expires_at timestamp with time zone not null default date_trunc('milliseconds'::text, clock_timestamp()) + '1 day'::interval,
  constraint signatures_pkey primary key (id),
  constraint signatures_reason_check check (length(reason) <= 500),
  constraint signatures_title_check check (length(title) >= 1 and length(title) <= 300),
  constraint signatures_admin_id_fkey foreign key (admin_id) references users(id),
  constraint signatures_user_id_fkey foreign key (user_id) references users(id)
);
create index signatures_newest on signatures (created_at desc, id desc);
create index signatures_object on signatures (kind, object);
create index signatures_user on signatures (user_id);
create trigger signatures_append_only before delete or update or truncate on signatures for each statement execute function refuse_change();
create trigger signatures_news after insert on signatures for each row execute function signature_news();

create table snoozes (
  kind text not null,
  object_id uuid not null,
  admin_id uuid not null,
  until timestamp(3) with time zone not null,
  created_at timestamp with time zone not null default now(),
  constraint snoozes_pkey primary key (kind, object_id, admin_id),
  constraint snoozes_kind_check check (kind = any (array['deposit'::text, 'withdrawal'::text, 'registration'::text, 'correction'::text, 'dispute'::text, 'role'::text, 'letter'::text, 'document'::text])),
  constraint snoozes_admin_id_fkey foreign key (admin_id) references users(id)
);
create index snoozes_end on snoozes (until);

create table staff_notes (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  admin_id uuid not null,
  body text not null,
  created_at timestamp with time zone not null default date_trunc('milliseconds'::text, clock_timestamp()),
  constraint staff_notes_pkey primary key (id),
  constraint staff_notes_body_check check (length(body) >= 1 and length(body) <= 5000),
  constraint staff_notes_admin_id_fkey foreign key (admin_id) references users(id),
  constraint staff_notes_user_id_fkey foreign key (user_id) references users(id)
);
create index staff_notes_user on staff_notes (user_id, created_at desc, id desc);
create trigger staff_notes_append_only before update or truncate on staff_notes for each statement execute function refuse_change();
create trigger staff_notes_kept before delete on staff_notes for each row execute function refuse_kept();

create table staff_roles (
  id text not null,
  name text not null,
  permissions text[],
  created_at timestamp with time zone not null default date_trunc('milliseconds'::text, clock_timestamp()),
  updated_at timestamp with time zone not null default date_trunc('milliseconds'::text, clock_timestamp()),
  constraint staff_roles_pkey primary key (id),
  constraint staff_roles_id_check check (id ~ '^[a-z][a-z0-9-]{1,39}$'::text),
  constraint staff_roles_name_check check (length(name) >= 1 and length(name) <= 60),
  constraint staff_roles_permissions_check check (cardinality(permissions) >= 1 and cardinality(permissions) <= 100 and array_position(permissions, null::text) is null)
);
create unique index staff_roles_name on staff_roles (lower(name));

create table stop_moves (
  id bigint generated always as identity not null,
  position_id uuid not null,
  kind text not null,
  quote_seq bigint not null,
  quote_at timestamp with time zone not null,
  level numeric(20,8) not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint stop_moves_pkey primary key (id),
  constraint stop_moves_kind_check check (kind = any (array['trail'::text, 'break_even'::text])),
  constraint stop_moves_level_check check (level > 0::numeric and level <> 'NaN'::numeric),
  constraint stop_moves_position_id_fkey foreign key (position_id) references positions(id)
);
create index stop_moves_position on stop_moves (position_id, id);
create trigger stop_moves_append_only before delete or update or truncate on stop_moves for each statement execute function refuse_change();

create table support_tickets (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  subject text not null,
  message text not null,
  category text not null,
  priority text not null default 'medium'::text,
  status text not null default 'open'::text,
  position_id uuid,
  admin_response text,
  assigned_to uuid,
  resolved_by uuid,
  resolved_at timestamp with time zone,
  responded_at timestamp with time zone,
  waiting_since timestamp with time zone default clock_timestamp(),
  is_unread boolean not null default false,
  version integer not null default 1,
  created_at timestamp with time zone not null default date_trunc('milliseconds'::text, clock_timestamp()),
  updated_at timestamp with time zone not null default clock_timestamp(),
  merged_into uuid,
  merged_at timestamp with time zone,
  constraint support_tickets_pkey primary key (id),
  constraint support_tickets_admin_response_check check (length(admin_response) >= 1 and length(admin_response) <= 5000),
  constraint support_tickets_category_check check (category = any (array['technical'::text, 'financial'::text, 'account'::text, 'trading'::text, 'general'::text])),
  constraint support_tickets_check check ((responded_at is null) = (admin_response is null)),
  constraint support_tickets_check1 check ((resolved_at is null) = (resolved_by is null)),
  constraint support_tickets_merged_check check ((merged_into is null) = (merged_at is null) and (merged_into is null or merged_into <> id and status = 'closed'::text and waiting_since is null)),
  constraint support_tickets_message_check check (length(message) >= 1 and length(message) <= 5000),
  constraint support_tickets_priority_check check (priority = any (array['low'::text, 'medium'::text, 'high'::text, 'urgent'::text])),
  constraint support_tickets_status_check check (status = any (array['open'::text, 'in_progress'::text, 'resolved'::text, 'closed'::text])),
  constraint support_tickets_subject_check check (length(subject) >= 1 and length(subject) <= 200),
  constraint support_tickets_assigned_to_fkey foreign key (assigned_to) references users(id),
  constraint support_tickets_merged_into_fkey foreign key (merged_into) references support_tickets(id),
  constraint support_tickets_position_id_fkey foreign key (position_id) references positions(id),
  constraint support_tickets_resolved_by_fkey foreign key (resolved_by) references users(id),
  constraint support_tickets_user_id_fkey foreign key (user_id) references users(id)
);
create index support_tickets_merged on support_tickets (merged_into) where (merged_into is not null);
create index support_tickets_newest on support_tickets (created_at desc, id desc);
create index support_tickets_owner on support_tickets (user_id, created_at desc, id desc);
create unique index support_tickets_position on support_tickets (position_id) where (position_id is not null);
create index support_tickets_search on support_tickets using gin (letter_groups(lower(subject), 3));
create index support_tickets_touched on support_tickets (updated_at desc, id desc);
create index support_tickets_waiting on support_tickets (waiting_since) where (waiting_since is not null);
create trigger support_tickets_keep_words before update on support_tickets for each row execute function ticket_keeps_words();
create trigger support_tickets_stay before delete or truncate on support_tickets for each statement execute function refuse_change();

create table swap_nights (
  night date not null,
  ended_at timestamp with time zone not null default clock_timestamp(),
  constraint swap_nights_pkey primary key (night)
);
create trigger swap_nights_append_only before delete or update or truncate on swap_nights for each statement execute function refuse_change();

create table swaps (
  id uuid not null default gen_random_uuid(),
  number bigint generated always as identity not null,
  position_id uuid not null,
  night date not null,
  group_id text not null,
  version integer not null,
  unit text not null,
  rate numeric(12,4) not null,
  nights integer not null,
  held numeric(15,2) not null,
  due numeric(15,2) not null,
  amount numeric(15,2) not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  advanced numeric(15,2) not null default 0,
  constraint swaps_pkey primary key (id),
  constraint swaps_number_key unique (number),
  constraint swaps_position_id_night_key unique (position_id, night),
  constraint swaps_advanced_check check (advanced <> 'NaN'::numeric and (advanced = 0::numeric or advanced = (amount - due) and advanced > 0::numeric)) not valid,
  constraint swaps_check check (amount >= least(due, 0::numeric) and amount <= greatest(due, 0::numeric)),
  constraint swaps_due_check check (due <> 0::numeric and due <> 'NaN'::numeric),
  constraint swaps_held_check check (held > 0::numeric and held <> 'NaN'::numeric),
  constraint swaps_nights_check check (nights = any (array[1, 3])),
  constraint swaps_rate_check check (rate <> 0::numeric and rate <> 'NaN'::numeric),
  constraint swaps_unit_check check (unit = any (array['points'::text, 'percent'::text, 'fee'::text])),
  constraint swaps_group_id_version_fkey foreign key (group_id, version) references group_versions(group_id, version),
  constraint swaps_position_id_fkey foreign key (position_id) references positions(id)
);
create trigger swaps_append_only before delete or update or truncate on swaps for each statement execute function refuse_change();

create table term_acceptances (
  user_id uuid not null,
  version integer not null,
  way text not null,
  accepted_at timestamp with time zone not null default date_trunc('milliseconds'::text, clock_timestamp()),
  constraint term_acceptances_pkey primary key (user_id, version),
  constraint term_acceptances_way_check check (way = any (array['registration'::text, 'asked'::text])),
  constraint term_acceptances_user_id_fkey foreign key (user_id) references users(id)
);
create trigger term_acceptances_append_only before delete or update or truncate on term_acceptances for each statement execute function refuse_change();

create table throttles (
  key text not null,
  failures numeric(8,3) not null,
  failed_at timestamp with time zone not null,
  constraint throttles_pkey primary key (key),
  constraint throttles_key_check check (length(key) <= 300)
);

create table ticket_files (
  id uuid not null default gen_random_uuid(),
  ticket_id uuid not null,
  author_id uuid not null,
  is_from_staff boolean not null,
  name text not null,
  media_type text not null,
  content bytea not null,
  created_at timestamp with time zone not null default date_trunc('milliseconds'::text, clock_timestamp()),
  constraint ticket_files_pkey primary key (id),
  constraint ticket_files_content_check check (octet_length(content) >= 1 and octet_length(content) <= 5242880),
  constraint ticket_files_media_type_check check (media_type = any (array['image/png'::text, 'image/jpeg'::text, 'image/webp'::text, 'application/pdf'::text])),
  constraint ticket_files_name_check check (length(name) >= 1 and length(name) <= 200),
  constraint ticket_files_author_id_fkey foreign key (author_id) references users(id),
  constraint ticket_files_ticket_id_fkey foreign key (ticket_id) references support_tickets(id)
);
create index ticket_files_author on ticket_files (author_id);
create index ticket_files_ticket on ticket_files (ticket_id, created_at, id);
create trigger ticket_files_append_only before update or truncate on ticket_files for each statement execute function refuse_change();
create trigger ticket_files_kept before delete on ticket_files for each row execute function refuse_kept_words();

create table ticket_messages (
  id uuid not null default gen_random_uuid(),
  ticket_id uuid not null,
  author_id uuid not null,
  is_from_staff boolean not null,
  message text not null,
  created_at timestamp with time zone not null default date_trunc('milliseconds'::text, clock_timestamp()),
  constraint ticket_messages_pkey primary key (id),
  constraint ticket_messages_message_check check (length(message) >= 1 and length(message) <= 5000),
  constraint ticket_messages_author_id_fkey foreign key (author_id) references users(id),
  constraint ticket_messages_ticket_id_fkey foreign key (ticket_id) references support_tickets(id)
);
create index ticket_messages_author on ticket_messages (author_id, created_at);
create index ticket_messages_ticket on ticket_messages (ticket_id, created_at, id);
create trigger ticket_messages_append_only before update or truncate on ticket_messages for each statement execute function refuse_change();
create trigger ticket_messages_kept before delete on ticket_messages for each row execute function refuse_kept_words();

create table ticks (
  seq bigint not null,
  received_at timestamp with time zone not null,
  at timestamp with time zone not null,
  source text not null,
  symbol text not null,
  bid numeric(20,8) not null,
  ask numeric(20,8) not null,
  constraint ticks_pkey primary key (seq),
  constraint ticks_ask_check check (ask <> 'NaN'::numeric),
  constraint ticks_bid_check check (bid > 0::numeric and bid <> 'NaN'::numeric),
  constraint ticks_check check (ask >= bid)
);
create trigger ticks_logged after insert on ticks referencing new table as told for each statement execute function proof_note_ticks();

create table trading_accounts (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  ledger_account_id bigint not null,
  account_number text not null,
  account_type_id text not null,
  is_demo boolean not null,
  status text not null default 'active'::text,
  leverage integer not null default 100,
  funded_total numeric(15,2) not null default 0,
  funded_net numeric(15,2) not null default 0,
  realised numeric(15,2) not null default 0,
  advance numeric(15,2) not null default 0,
  margin_called_at timestamp with time zone,
  last_traded_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  name text,
  judged_seq bigint,
  swap numeric(15,2) not null default 0,
  turnover numeric(15,2) not null default 0,
  constraint trading_accounts_pkey primary key (id),
  constraint trading_accounts_account_number_key unique (account_number),
  constraint trading_accounts_ledger_account_id_key unique (ledger_account_id),
  constraint trading_accounts_advance_check check (advance >= 0::numeric and advance <> 'NaN'::numeric),
  constraint trading_accounts_funded_net_check check (funded_net <> 'NaN'::numeric),
  constraint trading_accounts_funded_total_check check (funded_total >= 0::numeric and funded_total <> 'NaN'::numeric),
  constraint trading_accounts_leverage_check check (leverage >= 1 and leverage <= 5000),
  constraint trading_accounts_name_check check (length(name) >= 1 and length(name) <= 60),
  constraint trading_accounts_realised_check check (realised <> 'NaN'::numeric),
  constraint trading_accounts_status_check check (status = any (array['active'::text, 'closed'::text])),
  constraint trading_accounts_swap_check check (swap <> 'NaN'::numeric),
  constraint trading_accounts_turnover_check check (turnover >= 0::numeric and turnover <> 'NaN'::numeric),
  constraint trading_accounts_account_type_id_fkey foreign key (account_type_id) references account_types(id),
  constraint trading_accounts_ledger_account_id_fkey foreign key (ledger_account_id) references ledger_accounts(id),
  constraint trading_accounts_user_id_fkey foreign key (user_id) references users(id)
);
create index trading_accounts_search on trading_accounts using gin (letter_groups(lower(account_number), 3));
create index trading_accounts_user on trading_accounts (user_id, created_at);
create trigger trading_accounts_change_group after update of account_type_id, status on trading_accounts for each row when (old.account_type_id is distinct from new.account_type_id or old.status is distinct from new.status) execute function group_count_change();
create trigger trading_accounts_come after insert on trading_accounts referencing new table as come for each statement execute function group_count_come();
create trigger trading_accounts_keep_owner before update of id, user_id, ledger_account_id, account_number, is_demo on trading_accounts for each statement execute function refuse_rewrite();
create trigger trading_accounts_stay before delete or truncate on trading_accounts for each statement execute function refuse_change();

create table transfers (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  from_account_id uuid,
  to_account_id uuid,
  amount numeric(15,2) not null,
  created_at timestamp with time zone not null default date_trunc('milliseconds'::text, clock_timestamp()),
  constraint transfers_pkey primary key (id),
  constraint transfers_amount_check check (amount > 0::numeric and amount <> 'NaN'::numeric),
  constraint transfers_check check (from_account_id is distinct from to_account_id),
  constraint transfers_from_account_id_fkey foreign key (from_account_id) references trading_accounts(id),
  constraint transfers_to_account_id_fkey foreign key (to_account_id) references trading_accounts(id),
  constraint transfers_user_id_fkey foreign key (user_id) references users(id)
);
create index transfers_user on transfers (user_id, created_at desc, id desc);

create table two_factors (
  user_id uuid not null,
  secret text not null,
  confirmed_at timestamp with time zone,
  last_step bigint not null default 0,
  created_at timestamp with time zone not null default now(),
  constraint two_factors_pkey primary key (user_id),
  constraint two_factors_secret_check check (secret ~ '^[A-Z2-7]{32}$'::text),
  constraint two_factors_user_id_fkey foreign key (user_id) references users(id)
);

create table users (
  id uuid not null default gen_random_uuid(),
  email text not null,
  password text not null,
  first_name text not null,
  last_name text not null,
  profile_image_url text,
  referral_code text not null,
  referred_by uuid,
  is_email_verified boolean not null default false,
  registration_status text not null default 'pending'::text,
  registration_reason text,
  approved_by uuid,
  approved_at timestamp with time zone,
  registration_source text not null default 'direct'::text,
  credit_score integer not null default 750,
  risk_level text not null default 'medium'::text,
  trading_experience text not null default 'beginner'::text,
  account_status text not null default 'active'::text,
  suspended_until timestamp with time zone,
  suspension_reason text,
  kyc_status text not null default 'pending'::text,
  is_vip boolean not null default false,
  role text not null default 'user'::text,
  last_login_at timestamp with time zone,
  created_at timestamp with time zone not null default date_trunc('milliseconds'::text, clock_timestamp()),
  updated_at timestamp with time zone not null default now(),
  search text not null generated always as (lower(((((((' '::text || first_name) || ' '::text) || last_name) || ' '::text) || email) || ' '::text) || id::text)) stored,
  long_password boolean not null default false,
  admin_since timestamp with time zone,
  frozen_at timestamp with time zone,
  factor_removed_at timestamp with time zone,
  country text,
  closed_at timestamp with time zone,
  kept_until date,
  staff_role text,
  records_ended_at timestamp with time zone,
  constraint users_pkey primary key (id),
  constraint users_referral_code_key unique (referral_code),
  constraint users_account_status_check check (account_status = any (array['active'::text, 'suspended'::text, 'banned'::text])),
  constraint users_check check (referred_by <> id),
  constraint users_country_check check (country ~ '^[A-Z]{2}$'::text),
  constraint users_email_check check (length(email) >= 3 and length(email) <= 254),
  constraint users_first_name_check check (length(first_name) >= 1 and length(first_name) <= 100),
  constraint users_kyc_status_check check (kyc_status = any (array['pending'::text, 'verified'::text, 'rejected'::text])),
  constraint users_last_name_check check (length(last_name) >= 1 and length(last_name) <= 100),
  constraint users_registration_reason_check check (length(registration_reason) <= 500),
  constraint users_registration_source_check check (registration_source = any (array['direct'::text, 'referral'::text, 'operator'::text])),
  constraint users_registration_status_check check (registration_status = any (array['pending'::text, 'approved'::text, 'rejected'::text])),
  constraint users_role_check check (role = any (array['user'::text, 'admin'::text])),
  constraint users_staff_role_check check ((role = 'admin'::text) = (staff_role is not null)),
  constraint users_suspension_reason_check check (length(suspension_reason) <= 500),
  constraint users_approved_by_fkey foreign key (approved_by) references users(id),
  constraint users_referred_by_fkey foreign key (referred_by) references users(id),
  constraint users_staff_role_fkey foreign key (staff_role) references staff_roles(id)
);
create unique index users_email on users (lower(email));
create index users_kyc on users (kyc_status, id);
create index users_name on users (lower(((first_name || ' '::text) || last_name)), id);
create index users_newest on users (created_at desc, id);
create index users_records on users (kept_until) where ((kept_until is not null) and (records_ended_at is null));
create index users_referred_by on users (referred_by) where (referred_by is not null);
create index users_role on users (role, id);
create index users_search on users using gin (letter_groups(search, 3));
create index users_search_short on users using gin (letter_groups(search, 2));
create index users_staff on users (staff_role, id) where (staff_role is not null);
create index users_standing on users (account_status, id);
create index users_standing_newest on users (account_status, created_at desc, id);
create index users_waiting on users (created_at) where (registration_status = 'pending'::text);
create trigger users_accept_terms after insert on users for each row execute function terms_accept_first();
create trigger users_admin_since before update of role, staff_role on users for each row when (old.role is distinct from new.role or old.staff_role is distinct from new.staff_role) execute function note_admin_since();
create trigger users_change_role after update of role on users for each row when (old.role is distinct from new.role) execute function people_count_change();
create trigger users_closed_addresses after update of closed_at on users for each row when (old.closed_at is null and new.closed_at is not null) execute function addresses_erase();
create trigger users_closed_contact after update of closed_at on users for each row when (old.closed_at is null and new.closed_at is not null) execute function contact_erase();
create trigger users_come after insert on users referencing new table as come for each statement execute function people_count_come();
create trigger users_end_waiting_orders after update of account_status, registration_status on users for each row execute function waiting_orders_end();
create trigger users_frozen after update of frozen_at on users for each row when (old.frozen_at is null and new.frozen_at is not null) execute function frozen_news();
create trigger users_news after insert on users for each row when (new.role = 'user'::text) execute function registration_news();
create trigger users_records_accounts after update of records_ended_at on users for each row when (old.records_ended_at is null and new.records_ended_at is not null) execute function account_names_end();
create trigger users_records_alerts after update of records_ended_at on users for each row when (old.records_ended_at is null and new.records_ended_at is not null) execute function alerts_end();
create trigger users_records_layouts after update of records_ended_at on users for each row when (old.records_ended_at is null and new.records_ended_at is not null) execute function layouts_end();
create trigger users_records_notes after update of records_ended_at on users for each row when (old.records_ended_at is null and new.records_ended_at is not null) execute function staff_notes_end();
create trigger users_records_requests after update of records_ended_at on users for each row when (old.records_ended_at is null and new.records_ended_at is not null) execute function requests_end();
create trigger users_records_watchlists after update of records_ended_at on users for each row when (old.records_ended_at is null and new.records_ended_at is not null) execute function watchlists_end();
create trigger users_records_words after update of records_ended_at on users for each row when (old.records_ended_at is null and new.records_ended_at is not null) execute function words_end();
create trigger users_served before update of registration_status on users for each row when (new.registration_status = 'approved'::text and old.registration_status <> 'approved'::text and new.role = 'user'::text) execute function approval_served();
create trigger users_served_newcomer before insert on users for each row when (new.country is not null) execute function newcomer_served();
create trigger users_staff_role before insert or update of role, staff_role on users for each row execute function staff_role_follows();

create table visitor_salts (
  day date not null,
  salt bytea not null,
  constraint visitor_salts_pkey primary key (day),
  constraint visitor_salts_salt_check check (octet_length(salt) = 32)
);

create table visitors (
  day date not null,
  visitor bytea not null,
  last_seen timestamp with time zone not null default now(),
  constraint visitors_pkey primary key (day, visitor),
  constraint visitors_visitor_check check (octet_length(visitor) = 16)
);
create index visitors_last_seen on visitors (last_seen);

create table visits (
  number bigint generated always as identity not null,
  id uuid not null default gen_random_uuid(),
  ip text,
  country text,
  page text not null,
  device text not null,
  is_new boolean not null,
  created_at timestamp with time zone not null default date_trunc('milliseconds'::text, clock_timestamp()),
  constraint visits_pkey primary key (number),
  constraint visits_country_check check (country ~ '^[A-Z]{2}$'::text),
  constraint visits_device_check check (device = any (array['mobile'::text, 'tablet'::text, 'desktop'::text])),
  constraint visits_ip_check check (length(ip) <= 45),
  constraint visits_page_check check (length(page) >= 1 and length(page) <= 512)
);
create index visits_age on visits (created_at);
create index visits_with_ip on visits (created_at) where (ip is not null);

create table wallet_order (
  owner_id uuid not null,
  balance numeric(15,2) not null,
  constraint wallet_order_pkey primary key (owner_id),
  constraint wallet_order_owner_id_fkey foreign key (owner_id) references users(id)
);
create index wallet_order_balance on wallet_order (balance, owner_id);

create table watchlist_books (
  user_id uuid not null,
  version bigint not null default 0,
  updated_at timestamp(3) with time zone not null default now(),
  constraint watchlist_books_pkey primary key (user_id),
  constraint watchlist_books_version_check check (version >= 0),
  constraint watchlist_books_user_id_fkey foreign key (user_id) references users(id)
);

create table watchlists (
  user_id uuid not null,
  place integer not null,
  id uuid not null,
  name text not null,
  symbols text[] not null,
  constraint watchlists_pkey primary key (user_id, id),
  constraint watchlists_user_id_place_key unique (user_id, place),
  constraint watchlists_name_check check (length(name) >= 1 and length(name) <= 40),
  constraint watchlists_place_check check (place >= 1 and place <= 20),
  constraint watchlists_symbols_check check (cardinality(symbols) <= 100 and array_position(symbols, null::text) is null),
  constraint watchlists_user_id_fkey foreign key (user_id) references watchlist_books(user_id)
);

create table withdrawals (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  amount numeric(15,2) not null,
  currency text not null,
  method text not null,
  network text,
  wallet_address text not null,
  status text not null default 'pending'::text,
  admin_notes text,
  rejection_reason text,
  transaction_hash text,
  decided_by uuid,
  decided_at timestamp with time zone,
  created_at timestamp with time zone not null default date_trunc('milliseconds'::text, clock_timestamp()),
  not_before timestamp with time zone,
  constraint withdrawals_pkey primary key (id),
  constraint withdrawals_admin_notes_check check (length(admin_notes) <= 500),
  constraint withdrawals_amount_check check (amount > 0::numeric and amount <> 'NaN'::numeric),
  constraint withdrawals_check check ((status = 'pending'::text) = (decided_at is null)),
  constraint withdrawals_currency_check check (currency = any (array['USD'::text, 'BTC'::text, 'ETH'::text, 'USDT'::text, 'LTC'::text])),
  constraint withdrawals_method_check check (method = any (array['card'::text, 'bank'::text, 'crypto'::text])),
  constraint withdrawals_network_check check (network = any (array['Mainnet'::text, 'ERC-20'::text, 'BEP-20'::text, 'TRC-20'::text])),
  constraint withdrawals_rejection_reason_check check (length(rejection_reason) <= 500),
  constraint withdrawals_status_check check (status = any (array['pending'::text, 'approved'::text, 'rejected'::text, 'cancelled'::text])),
  constraint withdrawals_transaction_hash_check check (length(transaction_hash) <= 128),
  constraint withdrawals_wallet_address_check check (length(wallet_address) >= 1 and length(wallet_address) <= 200),
  constraint withdrawals_decided_by_fkey foreign key (decided_by) references users(id),
  constraint withdrawals_user_id_fkey foreign key (user_id) references users(id)
);
create index withdrawals_address on withdrawals (wallet_address);
create index withdrawals_amount on withdrawals (amount, created_at desc);
create index withdrawals_by_amount on withdrawals (amount, id);
create index withdrawals_decided on withdrawals (decided_at) where (status = 'approved'::text);
create index withdrawals_decided_last on withdrawals (coalesce(decided_at, created_at), id) where (status <> 'pending'::text);
create index withdrawals_known on withdrawals (user_id, currency, wallet_address) where (status = 'approved'::text);
create index withdrawals_newest on withdrawals (created_at desc, id desc);
create index withdrawals_search on withdrawals using gin (letter_groups(lower(((coalesce(transaction_hash, ''::text) || ' '::text) || wallet_address)), 3));
create index withdrawals_status on withdrawals (status, id);
create index withdrawals_user on withdrawals (user_id, created_at desc, id desc);
create index withdrawals_waiting on withdrawals (created_at desc, id desc) where (status = 'pending'::text);
create trigger withdrawals_keep_terms before update on withdrawals for each row execute function request_keeps_terms('{status,decided_by,decided_at,transaction_hash,admin_notes,rejection_reason}', '{}');
create trigger withdrawals_news after insert on withdrawals for each row when (new.status = 'pending'::text) execute function withdrawal_news();
create trigger withdrawals_stay before delete or truncate on withdrawals for each statement execute function refuse_change();
