-- Bounds of what clients hold of a symbol on live accounts, long less short either way, from which on staff are warned.

-- Warns staff of each limit that was crossed since the last look, and answers its symbol. Of a crossing there is one warning, whoever
-- looks: it is over, and the next one is told, once less than 95 % of the limit is held. What is held about a limit crosses it all day.
create or replace function limits_judge() returns setof text language plpgsql as $$
declare
  crossed record;
begin
  for crossed in
    with held as (
      select m.symbol, coalesce(sum(case p.side when 'buy' then p.amount else -p.amount end) filter (where not a.is_demo), 0.00) as net
      from exposure_limits m
      left join positions p on p.symbol = m.symbol and p.status = 'open'
      left join trading_accounts a on a.id = p.account_id
      group by m.symbol
    )
    update exposure_limits m
    set crossed_at = case when m.crossed_at is null then date_trunc('milliseconds', clock_timestamp()) end
    from held h
    where h.symbol = m.symbol
      and case when m.crossed_at is null then abs(h.net) >= m.amount else abs(h.net) < m.amount * 0.95 end
    returning m.symbol, m.amount, m.crossed_at, h.net
  loop
    continue when crossed.crossed_at is null;
    perform notify_staff(
      'warning', 'Limit of ' || crossed.symbol || ' reached',
      'Clients hold ' || money_text(abs(crossed.net)) || ' net ' || case when crossed.net < 0 then 'short' else 'long' end
        || ' on live accounts; the limit is ' || money_text(crossed.amount) || '. No order is refused.',
      null, null, 'high', jsonb_build_object('limitOf', crossed.symbol)
    );
    return next crossed.symbol;
  end loop;
end $$;
