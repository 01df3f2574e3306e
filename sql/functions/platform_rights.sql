-- What the program may do with its own role. It reads everything. It writes what its own statements write; money, deals, requests and
-- what staff decided are written by functions alone, which run with the rights of the owner of the tables. The migrations run as the owner.

-- What the program writes itself: the columns of a table that it may insert and update, or all of them (*), and whether it may delete.
create or replace function rights_to_write() returns table (of_table text, may_insert text, may_update text, may_delete boolean) language sql immutable as $$
  values
    ('admin_notifications', '', '', true),
    ('candles', '*', '*', true),
    ('canned_answers', '*', '*', true),
    ('chart_layouts', '', '', true),
    ('chat_messages', '', 'read_at', false),
    ('checkpoint_keepers', '*', 'way, since', true),
    ('claims', '*', '*', true),
    ('contact_messages', '*', '*', false),
    ('deposit_wallets', '*', '*', false),
    ('devices', '*', '*', true),
    ('exception_reviews', '*', '', false),
    ('exposure_limits', '*', '*', true),
    ('idempotency', '*', '*', true),
    ('leader_pulse', '*', '*', false),
    ('leadership', '', '*', false),
    ('letter_links', '*', '', true),
    ('letters', '', 'status, attempts, due_at, answer, ended_at, handed', true),
    ('notice_choices', '*', '*', false),
    ('notification_outbox', '', '', true),
    ('notification_readers', '*', '*', false),
    ('notification_reads', '*', '', false),
    ('order_news', '', '', true),
    ('passkey_challenges', '*', '', true),
    ('passkeys', '*', 'name, counter, used_at', true),
    ('payout_addresses', '*', 'name', true),
    ('payment_details', '*', '*', false),
    ('price_alerts', '', '', true),
    ('proof_batches', '*', '', false),
    ('proof_entries', '*', '', false),
    ('proof_logs', '*', '*', false),
    ('proof_marks', '', 'high, gaps, aging, horizon', false),
    ('proof_outbox', '*', '', true),
    ('proof_ticks', '*', 'first, place, tick, path', true),
    ('proof_tiles', '*', 'hashes', false),
    ('proof_witnesses', '*', '*', true),
    ('push_devices', '*', '*', true),
    ('push_keys', '*', '', false),
    ('quotes', '*', '*', false),
    ('recovery_codes', '*', 'used_at', true),
    ('refused_attempts', '*', '', true),
    ('replays', '', 'ended_at', false),
    ('reset_asks', 'email, ip', '', false),
    ('role_decisions', '*', '', false),
    ('role_requests', '*', '', false),
    ('saved_filters', '*', '*', true),
    ('sessions', '*', '*', true),
    ('signature_decisions', '*', '', false),
    ('signature_rules', '', 'is_on, above, updated_at', false),
    ('signatures', '*', '', false),
    ('settings', '*', '*', false),
    ('snoozes', '*', '*', true),
    ('staff_notes', '*', '', false),
    ('staff_roles', 'id, name, permissions', 'name, permissions, updated_at', false),
    ('support_tickets', '', 'is_unread', false),
    ('term_acceptances', '*', '', false),
    ('throttles', '*', '*', true),
    ('ticks', '*', '', true),
    ('trading_accounts', '', 'name, updated_at', false),
    ('two_factors', '*', '*', true),
    (
      'users', 'email, password, long_password, first_name, last_name, referral_code, referred_by, registration_source, last_login_at, country',
      'password, long_password, updated_at', false
    ),
    ('visitor_salts', '', '', true),
    ('visitors', '', '', true),
    ('visits', '', 'ip', true)
$$;

-- What it only reads: nobody writes these but migrations, and the functions below.
create or replace function rights_to_read() returns setof text language sql immutable as $$
  select regexp_split_to_table(
    'schema_migrations '
    'people_counts person_outbox '
    'account_types demo_resets group_counts group_moves group_versions user_financials '
    'admin_actions audit_head closed_days house_days '
    'bonuses deposit_claims deposit_proofs deposits money_lines promotion_versions promotions referral_payments transfers withdrawals '
    'chat_sessions ticket_files ticket_messages '
    'account_days account_symbols quality_days correction_decisions correction_requests corrections disputes commissions swap_nights swaps engine_looks fills margin_events positions stop_moves '
    'instrument_terms instruments '
    'country_versions data_exports document_views documents jurisdictions level_rules '
    'brand_versions house_claims letter_texts page_texts '
    'book_seals ledger_accounts ledger_check ledger_entries ledger_looks ledger_postings ledger_state wallet_order '
    'watchlist_books watchlists '
    'holdings integrity_figures liability_days liability_leaves liability_trees price_minutes reference_days refusal_days', ' '
  )
$$;

-- The functions that the program calls and that write more than it may itself: they run with the rights of their owner. What they call in
-- turn does so, too, and is refused to whoever calls it alone. Those of the lead are not among them: a session is cut off by its own role.
create or replace function rights_to_call() returns setof text language sql immutable as $$
  select regexp_split_to_table(
    'account_close account_create approval_hold demo_reset group_set groups_come_due person_open '
    'alert_set alerts_fire '
    'brand_put house_claim_put letter_text_put page_text_publish terms_accept '
    'audit_append '
    'balance_change deposit_approve deposit_cancel deposit_prove deposit_reject deposit_request promotion_set transfer_make withdrawal_ask withdrawal_end withdrawal_request '
    'books_halt books_look '
    'chat_answer chat_end chat_say ticket_attach ticket_close ticket_decide ticket_merge ticket_open ticket_reply ticket_send_file '
    'day_close house_days_seal '
    'correction_confirm correction_decline correction_dispute quality_seal trade_force '
    'document_decide document_keep document_see document_undo documents_end country_set jurisdictions_set jurisdictions_preset level_rules_set account_leave export_ask export_done export_take exports_forget records_end '
    'deal_fence order_place order_trigger orders_expire rechecks_take stops_move trade_cancel trade_cancel_all trade_close trade_close_all trade_edit trade_exits trade_fill_pending trade_open trade_opens '
    'layout_put trade_margin_call trade_stop_out limits_judge instrument_add instrument_set instruments_come_due account_move moves_come_due swap_night_begin swap_night_charge swap_night_end '
    'letter_post letter_statements '
    'checkpoints_send notifications_take notify_staff person_news_take tell_person '
    'account_freeze account_release email_ask email_take_back email_verify factor_removed password_reset resets_take '
    'people_count_change people_count_come person_decide person_rename role_request_hold sign_in_note signature_hold '
    'replay_resume '
    'visitor_salt visits_record '
    'watchlists_put '
    'holdings_declare integrity_forget integrity_write liabilities_keep price_minutes_note refusals_note', ' '
  )
$$;

-- Each right on a relation, or on one of its columns, that the program has where all is as it should be. A backup reads every sequence.
create or replace function rights_wanted() returns table (of_relation text, of_column text, privilege text) language sql stable as $$
  select name, null, 'SELECT' from (select rights_to_read() union all select of_table from rights_to_write()) as r (name)
  union all
  select w.of_table, nullif(c.name, '*'), p.privilege
  from rights_to_write() w
  cross join lateral (values ('INSERT', w.may_insert), ('UPDATE', w.may_update), ('DELETE', case when w.may_delete then '*' end)) as p (privilege, columns)
  cross join lateral regexp_split_to_table(nullif(p.columns, ''), ', ') as c (name)
  union all
  select relname, null, 'SELECT' from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'S'
  union all
  values ('tick_numbers', null, 'USAGE')
$$;

-- Each that a role was given.
create or replace function rights_found(program name) returns table (of_relation text, of_column text, privilege text) language sql stable as $$
  with role as (select oid from pg_roles where rolname = program)
  select c.relname, null, a.privilege_type
  from role, pg_class c, aclexplode(c.relacl) a
  where c.relnamespace = current_schema()::regnamespace and a.grantee = role.oid
  union all
  select c.relname, t.attname, a.privilege_type
  from role, pg_class c join pg_attribute t on t.attrelid = c.oid, aclexplode(t.attacl) a
  where c.relnamespace = current_schema()::regnamespace and a.grantee = role.oid
$$;

-- What a role lacks, and what it has beyond; empty where all is as it should be.
create or replace function rights_amiss(program name) returns table (of_relation text, of_column text, privilege text, is_given boolean) language sql stable as $$
  (select w.*, false from rights_wanted() w except select f.*, false from rights_found(program) f)
  union all
  (select f.*, true from rights_found(program) f except select w.*, true from rights_wanted() w)
$$;

-- The functions of `rights_to_call` that do not run with their owner's rights yet, or that others may call, or this role may not.
create or replace function rights_uncalled(program name) returns setof regprocedure language sql stable as $$
  select p.oid::regprocedure
  from pg_proc p
  where p.pronamespace = current_schema()::regnamespace and p.proname in (select rights_to_call())
    and (
      not p.prosecdef
      or p.proconfig is distinct from array[format('search_path=%I, pg_temp', current_schema())]
      or exists (select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) where grantee = 0)
      or not has_function_privilege(program, p.oid, 'EXECUTE')
    )
$$;

-- The roles that were given these rights before.
create or replace function rights_holders() returns setof name language sql stable as $$
  select distinct r.rolname
  from pg_proc p, aclexplode(p.proacl) a join pg_roles r on r.oid = a.grantee
  where p.pronamespace = current_schema()::regnamespace and p.proname = 'audit_append' and a.grantee <> p.proowner
$$;

-- Gives a role exactly these rights; called by the owner. Returns whether anything was amiss.
create or replace function rights_give(program name) returns boolean language plpgsql as $$
declare
  amiss text[] := array(select distinct of_relation from rights_amiss(program));
  uncalled text[] := array(select rights_uncalled(program));
  relation record;
  one text;
begin
  for relation in
    select c.relname as name, case c.relkind when 'S' then 'sequence' else 'table' end as kind
    from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relname = any (amiss)
  loop
    execute format('revoke all on %s %I from %I', relation.kind, relation.name, program);
    for one in
      select w.privilege || coalesce(' (' || string_agg(quote_ident(w.of_column), ', ') || ')', '')
      from rights_wanted() w where w.of_relation = relation.name
      group by w.privilege, w.of_column is null
    loop
      execute format('grant %s on %s %I to %I', one, relation.kind, relation.name, program);
    end loop;
  end loop;
  foreach one in array uncalled loop
    execute format('alter function %s security definer set search_path = %I, pg_temp', one, current_schema());
    execute format('revoke execute on function %s from public', one);
    execute format('grant execute on function %s to %I', one, program);
  end loop;
  if not has_schema_privilege(program, current_schema(), 'USAGE') then
    execute format('grant usage on schema %I to %I', current_schema(), program);
  end if;
  return cardinality(amiss) + cardinality(uncalled) > 0;
end $$;
