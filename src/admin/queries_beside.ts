import { found } from "../lib/refusal";
import { subtract } from "../lib/money";
import type { BoardArrays } from "../market/board_sql";
import { item, type Sql } from "../platform/database/db";
import { summaryOf } from "./queries_timeline";
import { type ClientBeside, standingRow } from "./schema_timeline";

const standingOf = (sql: Sql, userId: string) =>
  item(
    standingRow,
    sql`
      select jsonb_build_object(
        'id', u.id, 'name', u.first_name || ' ' || u.last_name, 'email', u.email, 'createdAt', iso(u.created_at),
        'registrationStatus', u.registration_status, 'kycStatus', u.kyc_status, 'accountStatus', u.account_status,
        'level', (
          select t.name from trading_accounts a join account_types t on t.id = a.account_type_id
          where a.user_id = u.id and not a.is_demo and a.status = 'active'
          order by t.place desc limit 1
        ),
        'openLive', (
          select count(*) from positions p join trading_accounts a on a.id = p.account_id where p.user_id = u.id and p.status = 'open' and not a.is_demo
        ),
        'openDemo', (
          select count(*) from positions p join trading_accounts a on a.id = p.account_id where p.user_id = u.id and p.status = 'open' and a.is_demo
        ),
        'tickets', (
          select coalesce(jsonb_agg(o.item), '[]') from (
            select jsonb_build_object(
              'id', t.id, 'subject', t.subject, 'status', t.status, 'createdAt', iso(t.created_at), 'merged', t.merged_into is not null,
              'objects', t.position_id is not null
            ) as item
            from support_tickets t where t.user_id = u.id order by t.created_at desc, t.id desc limit 20
          ) o
        )
      ) as item
      from users u
      where u.id = ${userId}
    `,
  );

/** The client's standing, with the three sentences of the client's page. Refuses (not_found) nobody's id. */
export async function clientBeside(sql: Sql, userId: string, board: BoardArrays): Promise<ClientBeside> {
  const standing = found(await standingOf(sql, userId));
  const summary = await summaryOf(sql, userId, board);
  return { ...standing, summary, floating: standing.openLive > 0 ? subtract(summary.equity, summary.balance) : null };
}
