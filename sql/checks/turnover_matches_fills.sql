-- What is kept of an account's turnover is what its opening fills say, and each bonus is free after what was traded before it and its terms.
select a.id::text as subject, a.turnover as kept, coalesce(o.amount, 0) as told
from trading_accounts a
left join (
  select p.account_id, sum(f.amount) as amount from fills f join positions p on p.id = f.position_id where f.kind = 'open' group by p.account_id
) o on o.account_id = a.id
where a.turnover <> coalesce(o.amount, 0)
union all
select b.entry_id::text, b.free_after, b.due
from (
  select b.entry_id, b.free_after,
    b.turnover + greatest(lag(b.free_after) over (partition by b.user_id order by b.entry_id), (
      select coalesce(sum(f.amount), 0)
      from positions p
      join trading_accounts a on a.id = p.account_id and not a.is_demo
      join fills f on f.position_id = p.id and f.kind = 'open' and f.created_at < b.created_at
      where p.user_id = b.user_id
    )) as due
  from bonuses b
) b
where b.free_after <> b.due
