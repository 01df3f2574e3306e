import type { ClosedPosition, Position, Receipt } from "../trading/schema";
import type { WaitingCorrection } from "../trading/schema_corrections";
import type { Answer, Person, TestApp } from "./app";
import { fundLive, order } from "./scenarios";

/** What the tests of corrections do: prices, positions, forced results, and what became of them. */

export type Trader = Awaited<ReturnType<TestApp["trader"]>>;

/** A jump is confirmed by a second tick. */
export async function quoteTwice(of: TestApp, bid: string, ask: string) {
  await of.quote("EUR/USD", bid, ask);
  await of.quote("EUR/USD", bid, ask);
}

export const openPosition = async (tess: Trader, over: object = {}) => (await tess.post<Position>("/api/trading/positions", { ...order, ...over })).body;

/** A live position of 1,000.00 on an account that holds 1,000.00. */
export async function openLive(of: TestApp) {
  const tess = await of.trader();
  const accountId = await fundLive(of, tess, "1000.00");
  return { tess, accountId, position: await openPosition(tess, { accountId }) };
}

/** The answer of a forced result, whether it was carried out or waits. */
type Forced = Omit<ClosedPosition, "status"> & Omit<WaitingCorrection, "status"> & { status: string };

export const win = (by: Person, id: string, profit: unknown, reason = "Wrong price at 10:02") =>
  by.post<Forced>(`/api/admin/trades/${id}/force-win`, { reason, profit });
export const lose = (by: Person, id: string, loss: unknown, reason = "Price error") => by.post<Forced>(`/api/admin/trades/${id}/force-loss`, { reason, loss });

export const closedOf = async (tess: Trader) => (await tess.get<ClosedPosition[]>("/api/trading/positions/history")).body;
export const receiptOf = async (tess: Trader, id: string) => (await tess.get<Receipt>(`/api/trading/positions/${id}/receipt`)).body;
export const sortedStatuses = (answers: readonly Answer<unknown>[]) => answers.map(({ status }) => status).toSorted();

/** The postings of a closing by what they went to. */
export async function postingsOf(of: TestApp, id: string): Promise<Record<string, string>> {
  const rows = await of.sql<{ kind: string; amount: string }[]>`
    select a.kind, p.amount from ledger_entries e join ledger_postings p on p.entry_id = e.id join ledger_accounts a on a.id = p.account_id
    where e.kind = 'trade_close' and e.object_id = ${id}
  `;
  return Object.fromEntries(rows.map(({ kind, amount }) => [kind, amount]));
}

/** What the audit book says of a position. */
export const auditsOf = (of: TestApp, id: string) =>
  of.sql<{ action: string; adminUserId: string; targetUserId: string; reason: string; details: Record<string, string> }[]>`
    select action, admin_user_id as "adminUserId", target_user_id as "targetUserId", reason, details from admin_actions
    where details ->> 'positionId' = ${id} order by id
  `;
