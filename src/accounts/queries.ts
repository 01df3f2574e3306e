import * as v from "valibot";
import type { BoardArrays } from "../market/board_sql";
import { many, one, type Sql } from "../platform/database/db";
import type { Reading } from "../platform/database/reading";
import type { Financials, TradingAccount } from "./schema";
import { accountRow, accountTypeRow } from "./schema_rows";

export const accountTypes = (sql: Sql) =>
  many(
    accountTypeRow,
    sql`
      select id, name, minimum_deposit as "minimumDeposit", group_least_spread(spreads, spreads_from) as "spreadsFrom", leverage, features, is_active as "isActive"
      from account_types
      where is_active
      order by place
      limit 100
    `,
  );

/** What few houses say is asked for only where it is said: a function's own statement costs more than the rest of a row. */
const accountColumns = (sql: Sql) => sql`
  a.id, a.name, a.account_number as "accountNumber", t.name as "accountType", a.account_type_id as "accountTypeId",
  s.balance, s.equity, s.used as margin, s.free as "freeMargin", round(s.equity * 100 / nullif(s.used, 0), 2) as "marginLevel",
  a.is_demo as "isDemo", a.status, '1:' || a.leverage as leverage,
  case when exists (select from jurisdictions) then account_caps(a) end as caps, t.spreads_from as "spreadsFrom", nullif(t.spreads, '[]') as spreads, t.version, case when t.applied < t.version then held_json(t) end as held, t.commission,
  case when exists (select from group_versions v where v.group_id = t.id and (v.swap_fee is not null or v.swaps <> '[]')) then group_swap_json(t.id) end as swap, t.minimum_deposit as "minimumDeposit",
  a.funded_total as "fundedTotal", a.advance, a.last_traded_at as "lastTradedAt", a.created_at as "createdAt", a.updated_at as "updatedAt"
`;

const accountTables = (sql: Sql, board: BoardArrays) => sql`
  from trading_accounts a
  join account_types t on t.id = a.account_type_id
  -- By itself: written into account_states as it is, its text would be read anew for each open position.
  cross join (select ${board.row}::text::board as quotes offset 0) now
  cross join lateral account_states(array[a.id], now.quotes) s
`;

/** The person's accounts on the quotes of `board`: the one last traded on first, then the oldest. */
export const accountsOf = (sql: Sql, userId: string, board: BoardArrays): Reading<TradingAccount[]> =>
  many(
    accountRow,
    sql`
      select ${accountColumns(sql)}
      ${accountTables(sql, board)}
      where a.user_id = ${userId}
      order by a.status, a.last_traded_at desc nulls last, a.created_at, a.id
      limit 100
    `,
  );

export const accountOf = (sql: Sql, userId: string, accountId: string, board: BoardArrays): Promise<TradingAccount | null> =>
  one(
    accountRow,
    sql`
      select ${accountColumns(sql)}
      ${accountTables(sql, board)}
      where a.user_id = ${userId} and a.id = ${accountId}
    `,
  );

const financialsRow = v.strictObject({
  firstName: v.string(),
  lastName: v.string(),
  email: v.string(),
  accountBalance: v.string(),
  tradingBalance: v.string(),
  totalProfit: v.string(),
});

/** Wallet, live trading balance and realised live profit; demo money is in none of them. */
export const financialsOf = (sql: Sql, userId: string): Reading<Financials | null> =>
  one(
    financialsRow,
    sql`
      select u.first_name as "firstName", u.last_name as "lastName", u.email,
        f.account_balance as "accountBalance", f.trading_balance as "tradingBalance", f.total_profit as "totalProfit"
      from users u
      join user_financials f on f.user_id = u.id
      where u.id = ${userId}
    `,
  );
