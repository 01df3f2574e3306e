import { many, type Sql } from "../platform/db";
import { ledgerLineRow } from "./schema";

/** A person's movements of live money, newest first. Demo money is in no statement; what is on hold for a withdrawal shows as the wallet's own line. */
export const linesOf = (sql: Sql, userId: string, limit: number) =>
  many(
    ledgerLineRow,
    sql`
      select p.entry_id || '-' || p.account_id as id, e.kind as type, p.amount, 'USD' as currency, 'completed' as status, e.memo as description,
        t.account_number as "accountNumber", e.created_at as "createdAt", p.balance_after as "balanceAfter"
      from ledger_accounts a
      join ledger_postings p on p.account_id = a.id
      join ledger_entries e on e.id = p.entry_id
      left join trading_accounts t on t.ledger_account_id = a.id
      where a.owner_id = ${userId} and a.book = 'live' and a.kind in ('wallet', 'trading')
      order by p.entry_id desc, p.account_id
      limit ${limit}
    `,
  );
