-- What was opened on each account, in USD, is kept by the deed that opens, so that what frees a bonus is not added up of all that a person ever dealt.
-- Whoever deals waits for this, and is counted by the trigger.
alter table trading_accounts
  add column turnover numeric(15, 2) not null default 0 constraint trading_accounts_turnover_check check (turnover >= 0 and turnover <> 'NaN');
-- The turnover of all of its person's live accounts after which this bonus, and each before it, may leave.
alter table bonuses add column free_after numeric(15, 2) constraint bonuses_free_after_check check (free_after > 0 and free_after <> 'NaN');
update trading_accounts a
set turnover = o.amount
from (select p.account_id, sum(f.amount) as amount from fills f join positions p on p.id = f.position_id where f.kind = 'open' group by p.account_id) o
where a.id = o.account_id;
-- A bonus begins where the one before it is free, or with what was traded by then, if that is more.
alter table bonuses disable trigger user;
update bonuses b
set free_after = r.free_after
from (
  select entry_id, max(traded - all_before) over earlier + all_before + turnover as free_after
  from (
    select b.entry_id, b.user_id, b.turnover, sum(b.turnover) over (partition by b.user_id order by b.entry_id) - b.turnover as all_before,
      (
        select coalesce(sum(f.amount), 0)
        from positions p
        join trading_accounts a on a.id = p.account_id and not a.is_demo
        join fills f on f.position_id = p.id and f.kind = 'open' and f.created_at < b.created_at
        where p.user_id = b.user_id
      ) as traded
    from bonuses b
  ) w
  window earlier as (partition by user_id order by entry_id)
) r
where r.entry_id = b.entry_id;
alter table bonuses enable trigger user;
alter table bonuses alter column free_after set not null;
create index bonuses_free on bonuses (user_id, free_after);
drop index bonuses_user;
