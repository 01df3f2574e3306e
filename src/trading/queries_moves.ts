import { accountsOf } from "../accounts/queries";
import { groupVersions } from "../accounts/queries_groups";
import { mayDo } from "../lib/permissions";
import type { BoardArrays } from "../market/board_sql";
import type { Me } from "../platform/app_context";
import { many, type Sql } from "../platform/database/db";
import { type HeldAccounts, standingRow } from "./schema_moves";

/** A client's accounts as staff see them, with the groups that `me` may move them to. */
export async function heldAccounts(sql: Sql, me: Me, userId: string, board: BoardArrays): Promise<HeldAccounts> {
  const [accounts, standings, versions] = await Promise.all([
    accountsOf(sql, userId, board),
    many(
      standingRow,
      sql`
        select a.id as "accountId", (select count(*)::integer from group_moves m where m.account_id = a.id) as moves, (
          select case when m.effective_at > clock_timestamp() then json_build_object('group', m.to_group, 'name', t.name, 'effectiveAt', iso(m.effective_at)) end
          from group_moves m join account_types t on t.id = m.to_group
          where m.account_id = a.id
          order by m.number desc
          limit 1
        ) as waiting
        from trading_accounts a
        where a.user_id = ${userId}
        limit 100
      `,
    ),
    mayDo(me, "groups.move") ? groupVersions(sql) : [],
  ]);
  const standingOf = new Map(standings.map(({ accountId, ...standing }) => [accountId, standing]));
  return {
    accounts: accounts.map((account) => ({ ...account, ...(standingOf.get(account.id) ?? { moves: 0, waiting: null }) })),
    groups: versions.filter(({ isInForce }) => isInForce),
  };
}
