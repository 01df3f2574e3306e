import { monthOf } from "../../views/funding/months";
import type { HistoryFilter, HistoryProps } from "../../views/funding/TransactionHistory";
import { linesOf } from "../funding/queries_history";
import { listTransactions } from "../funding/schema";
import { fit } from "../lib/fit";
import type { Sql } from "../platform/database/db";

const PAGE = 50;
const FILTERS = ["type", "accountId", "from", "to"] as const;

/** A page of the transaction history as the address asks for it. An invalid filter is left out, with a message at its field. */
export async function historyFor(sql: Sql, userId: string, search: URLSearchParams): Promise<Omit<HistoryProps, "accounts">> {
  const filter = Object.fromEntries(FILTERS.map((name) => [name, search.get(name) ?? ""])) as HistoryFilter;
  const said = Object.entries({ ...filter, cursor: search.get("cursor") ?? "" }).filter(([, value]) => value);
  const asked = fit(listTransactions.query, Object.fromEntries(said));
  const lines = asked.ok ? await linesOf(sql, userId, { ...asked.value, limit: PAGE }) : [];
  const last = lines.at(-1);
  return { lines, filter, errors: asked.ok ? {} : asked.fields, next: last && lines.length === PAGE ? last.id : null, month: monthOf(new Date()) };
}
