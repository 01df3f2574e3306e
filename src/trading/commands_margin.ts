import type { Quote } from "../market/board";
import { type BoardArrays, boardValue } from "../market/board_sql";
import type { Db, Sql } from "../platform/database/db";
import { command, type Epoch, leadFence, ofEngine, quoteList } from "./commands";
import type { Verdict } from "./margin";
import type { Position } from "./schema";

/** The commands on an account's margin (sql/functions/trading_margin.sql), each one round trip. */

/** An account that fell below its used margin (`called`), or recovered; figures in USD, the level in percent. */
export type MarginCall = { called: boolean; accountNumber: string; equity: string; used: string; level: string | null };

/** A position that a stop-out closed, with the account's figures just before. */
export type StopOut = { closed: Position; equity: string; used: string; level: string };

/** What became of a verdict; neither a call nor a stop-out where the database sees no reason for one. */
export type Carried = { call: MarginCall | null; stopOuts: StopOut[] };

/** An account by its id, and those of the positions that are known as open. */
type Judged = { id: string; positions: readonly string[] };

/** What a verdict is founded on: the board, its newest tick, and the quotes on which a position may be closed. */
type Grounds = { board: BoardArrays; seq: number; quotes: readonly Quote[] };

/**
 * Carries out what an account's margin asks for. Tried `again`, it first looks whether that was done and the answer lost: then it
 * answers with it, and does nothing more.
 */
export async function carryOut(sql: Db, verdict: Verdict, account: Judged, grounds: Grounds, epoch: Epoch, again: boolean): Promise<Carried> {
  if (verdict === "stop_out") {
    const before = again ? await stoppedOutBefore(sql, account) : [];
    const done = before.length > 0 ? null : await stopOut(sql, account.id, grounds, epoch);
    return { call: null, stopOuts: done ? [done] : before };
  }
  const before = again && verdict === "call" ? await calledBefore(sql, account) : null;
  return { call: before ?? (await callMargin(sql, account.id, grounds, epoch)), stopOuts: [] };
}

/** Notes a margin call or its end; null where the database sees nothing new on this board. */
export const callMargin = (sql: Sql, accountId: string, { board, seq }: Omit<Grounds, "quotes">, epoch: Epoch = null) =>
  command<MarginCall | null>(() => sql`select trade_margin_call(${accountId}, ${boardValue(sql, board)}, ${seq}) as done from ${leadFence(sql, epoch)}`);

/** Closes the worst position of an account below half its used margin, among the symbols of the quotes; null where it must not. */
export function stopOut(sql: Sql, accountId: string, { board, seq, quotes }: Grounds, epoch: Epoch = null): Promise<StopOut | null> {
  const fresh = quotes.map((quote) => ofEngine(quote));
  return command(
    () => sql`select trade_stop_out(${accountId}, ${boardValue(sql, board)}, ${quoteList(sql, fresh)}, ${seq}) as done from ${leadFence(sql, epoch)}`,
  );
}

/** The call of an account that is marked as called in the database. */
async function calledBefore(sql: Db, { id }: Judged): Promise<MarginCall | null> {
  const [row] = await sql<{ call: MarginCall }[]>`
    select json_build_object(
      'called', true, 'accountNumber', a.account_number, 'equity', e.equity::text, 'used', e.used::text, 'level', margin_level(e.equity, e.used)::text
    ) as call
    from margin_events e
    join trading_accounts a on a.id = e.account_id
    where a.id = ${id} and a.margin_called_at is not null and e.kind = 'margin_call'
    order by e.id desc
    limit 1
  `;
  return row?.call ?? null;
}

/** The stop-outs of positions that are known as open. */
async function stoppedOutBefore(sql: Db, { positions }: Judged): Promise<StopOut[]> {
  const rows = await sql<{ done: StopOut }[]>`
    select json_build_object(
      'closed', position_json(p, p.close_price), 'equity', e.equity::text, 'used', e.used::text, 'level', margin_level(e.equity, e.used)::text
    ) as done
    from margin_events e
    join positions p on p.id = e.position_id
    where p.id in ${sql(positions)}
    order by e.id
    limit ${positions.length}
  `;
  return rows.map(({ done }) => done);
}
