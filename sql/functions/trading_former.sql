-- What the release before calls: while it still serves beside this one, its deals keep to the same rules.

-- It does not say when it chose its tick, which counts as chosen when the statement came.

create or replace function trade_open(
  caller uuid, wanted uuid, of_symbol text, of_side text, of_amount numeric, stop numeric, target numeric, requested numeric, max_slippage numeric,
  market_open boolean, q deed_quote, now_board board, once_key text, once_fingerprint text
) returns json language sql as $$
  select trade_open(
    caller, wanted, of_symbol, of_side, of_amount, stop, target, requested, max_slippage, market_open, q, now_board, once_key, once_fingerprint, statement_timestamp()
  );
$$;

create or replace function trade_close(
  caller uuid, of_position uuid, part numeric, why text, q deed_quote, requested numeric, once_key text, once_fingerprint text
) returns json language sql as $$
  select trade_close(caller, of_position, part, why, q, requested, once_key, once_fingerprint, statement_timestamp());
$$;

create or replace function deal_gate(of_seq bigint, of_epoch bigint, subject uuid) returns void language sql as $$
  select deal_fence(of_seq, of_epoch, subject);
$$;

create or replace function looks_take(of_epoch bigint) returns setof uuid language sql as $$
  select rechecks_take(of_epoch);
$$;

create or replace function trade_edit(
  caller uuid, of_position uuid, keep_stop boolean, stop numeric, keep_target boolean, target numeric, q deed_quote
) returns json language sql as $$
  select trade_edit(caller, of_position, (
    select coalesce(json_object_agg(k.name, k.price), '{}')
    from (values ('stop_loss', keep_stop, stop), ('take_profit', keep_target, target)) as k (name, kept, price)
    where not k.kept
  ), q);
$$;

create or replace function trade_edit(caller uuid, of_position uuid, changes json, q deed_quote) returns json language sql as $$
  select trade_edit(caller, of_position, changes, q, statement_timestamp());
$$;

-- Its engine takes every waiting order for one at the market: the database says which the tick reaches.
create or replace function trade_fill_pending(of_position uuid, q deed_quote, now_board board) returns json language sql as $$
  select order_trigger(of_position, q, now_board, q.at) -> 'order';
$$;

create or replace function position_close(
  account trading_accounts, p positions, why text, price numeric, tier numeric, q deed_quote, requested numeric, actor uuid, settled numeric default null
) returns positions language sql as $$
  select position_close(account, p, why, price, (select t from account_types t where t.id = account.account_type_id), q, requested, actor, settled);
$$;

create or replace function position_fill(account trading_accounts, p positions, q deed_quote, requested numeric, actor uuid) returns positions language sql as $$
  select position_fill(account, p, q, requested, actor, null, null);
$$;

create or replace function fill_record(f fills, p positions, is_demo boolean, pip text, terms integer) returns text language sql stable as $$
  select fill_record(f, p, is_demo, pip, terms, (select o.id from fills o where o.position_id = coalesce(p.parent_id, p.id) and o.kind = 'open'));
$$;

create or replace function fill_opening(
  p positions, q deed_quote, tier numeric, requested numeric, actor uuid, of_terms integer, own integer, placed integer
) returns void language sql as $$
  select fill_opening(p, q, tier, requested, actor, of_terms, own, null, placed);
$$;
