/** Transfers from the wallet through HTTP beside the same SQL function called by the driver alone: a money command with its journal. */
import { makeTransfer } from "../../src/funding/commands";
import type { BoardArrays } from "../../src/market/board_sql";
import type { Db } from "../../src/platform/database/db";
import { wire } from "./load";
import type { Trader } from "./orders";
import { measure, type Program } from "./program";

/** Transfers in a row before the time is looked at. */
const ROW = 20;
const FUNDS = 1_000_000;

export type Mover = Trader & { account: string };

/** Gives a trader an approved registration, money in the wallet and a live account to move it to. */
export async function fundMover(sql: Db, trader: Trader): Promise<Mover> {
  await sql`update users set registration_status = 'approved' where id = ${trader.id}`;
  await sql`
    select ledger_post('bench_funds', ${trader.id}, 'Funds of a benchmark', array[(select id from ledger_accounts where owner_id = ${trader.id} and kind = 'wallet'), house_account('live', 'house_clearing')], array[${FUNDS}, ${-FUNDS}]::numeric[])
  `;
  const [opened] = await sql<{ id: string }[]>`select account_open(${trader.id}, 'starter', false) as id`;
  if (!opened) throw new Error("no account was opened");
  return { ...trader, account: opened.id };
}

/** Transfers a second through HTTP, one connection for each mover. */
export async function transfersByHttp(program: Program, movers: Mover[], seconds: number) {
  const callers = movers.map(({ cookie, account }) => ({
    requests: Array<string>(ROW).fill(wire("POST", "/api/transfers", { cookie, body: { fromAccountId: null, toAccountId: account, amount: "0.01" } })),
  }));
  return measure(program, { seconds, callers });
}

/** Transfers a second through `transfer_make` alone. */
export async function transfersBySql(sql: Db, board: BoardArrays, movers: Mover[], seconds: number): Promise<number> {
  let done = 0;
  const began = performance.now();
  while (performance.now() - began < seconds * 1000) {
    await Promise.all(
      movers.map(async ({ id, account }) => {
        for (let n = 0; n < ROW; n++) await makeTransfer(sql, { id }, null, account, "0.01", board, null);
      }),
    );
    done += ROW * movers.length;
  }
  return (done * 1000) / (performance.now() - began);
}
