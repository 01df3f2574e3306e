import { actorValue } from "../identity/queries";
import type { Market } from "../market/market";
import { type BoardArrays, boardOf, boardValue } from "../market/board_sql";
import { instruments } from "../market/schema";
import type { Db, Sql } from "../platform/db";
import type { Act, By } from "../platform/house";
import type { Once } from "../platform/visit";
import { type Done, done, doneBy } from "../platform/once";
import { priceText } from "../lib/money";
import { Refusal } from "../lib/refusal";
import { midOf } from "../market/board";
import type { Coin, Deposit, DepositCurrency, Network, PaymentMethod, StaffDeposit, StaffWithdrawal, Transfer, Withdrawal, WithdrawalCurrency } from "./schema";

/** The deeds on money, each one SQL function (sql/migrations/010_deposits.sql to 012_transfers.sql), so one round trip. */

export type Announced = {
  amount: string;
  currency: DepositCurrency;
  method: PaymentMethod;
  coin: Coin | null;
  network: Network | null;
  walletId: string | null;
  walletAddress: string | null;
  notes: string;
  transactionHash: string | null;
  outputIndex: number;
};
/** Records a deposit that waits for approval. Refuses (conflict) a payment that another deposit claims. */
export const requestDeposit = (sql: Db, userId: string, d: Announced, key: Once | null) =>
  done<Done<Deposit>>(sql`
    select deposit_request(
      ${userId}, ${d.amount}, ${d.currency}, ${d.method}, ${d.coin}, ${d.network}, ${d.walletId}, ${d.walletAddress}, ${d.notes},
      ${d.transactionHash}, ${d.outputIndex}, ${key?.key ?? null}, ${key?.fingerprint ?? null}
    ) as done
  `);

export const cancelDeposit = (sql: Db, userId: string, depositId: string, key: Once | null) =>
  done<Done<Deposit>>(sql`select deposit_cancel(${userId}, ${depositId}, ${key?.key ?? null}, ${key?.fingerprint ?? null}) as done`);

/** Bytes of proofs that one person may keep here. */
const PROOF_QUOTA = 50 * 1024 * 1024;

export const proveDeposit = (sql: Db, userId: string, depositId: string, type: string, file: Uint8Array) =>
  done<Deposit>(sql`select deposit_prove(${userId}, ${depositId}, ${type}, ${Buffer.from(file)}, ${PROOF_QUOTA}) as done`);

/** The part of the market that money deeds look at. */
type Quoted = Pick<Market, "board" | "clock">;

const currentMid = (market: Quoted, symbol: string): string | null => {
  const now = market.clock();
  const quote = market.board.get(symbol);
  return quote && market.board.isOpen(symbol, now) && !market.board.isStale(symbol, now) ? priceText(midOf(quote)) : null;
};
/** USD for one euro and one pound by the live mid price; null while there is none. */
export const usdRates = (market: Quoted) => ({ EUR: currentMid(market, "EUR/USD"), GBP: currentMid(market, "GBP/USD") });

/** What was paid beside the deposit to who referred its owner. */
type Referral = { referral: { userId: string; amount: string } | null };
/** Credits the wallet and pays what was promised. Refuses stale_price where the deposit's currency has no current price. */
export async function approveDeposit(sql: Db, market: Quoted, act: Act, depositId: string, notes: string, key: Once | null) {
  const rates = usdRates(market);
  const [found] = await sql<{ currency: DepositCurrency; status: string }[]>`select currency, status from deposits where id = ${depositId}`;
  const { currency = "USD", status = "" } = found ?? {};
  const rate = currency === "EUR" || currency === "GBP" ? rates[currency] : "1";
  if (rate === null && status === "pending")
    throw new Refusal("stale_price", `There is no current price for ${currency}/USD. Please try again later.`, undefined, 5);
  return done<Done<StaffDeposit> & Referral>(sql`
    select deposit_approve(${act.admin.id}, ${depositId}, ${rate}, ${notes}, ${act.ip}, ${act.userAgent}, ${key?.key ?? null}, ${key?.fingerprint ?? null}) as done
  `);
}

export const rejectDeposit = (sql: Db, act: Act, depositId: string, reason: string, key: Once | null) =>
  done<Done<StaffDeposit>>(sql`
    select deposit_reject(${act.admin.id}, ${depositId}, ${reason}, ${act.ip}, ${act.userAgent}, ${key?.key ?? null}, ${key?.fingerprint ?? null}) as done
  `);

export type Asked = { amount: string; currency: WithdrawalCurrency; method: PaymentMethod; network: Network | null; walletAddress: string };
/** A withdrawal as the database knows it; the time it takes is added for the eye. */
export type Bare<W extends Withdrawal = Withdrawal> = Omit<W, "estimatedProcessingTime">;

/** Moves the amount to the hold. A password given in this session less than 15 minutes ago vouches for a new address. */
export const requestWithdrawal = (sql: Db, me: { id: string; sessionId: string }, w: Asked, key: Once | null) =>
  done<Done<Bare>>(sql`
    select withdrawal_request(
      ${me.id}, ${w.amount}, ${w.currency}, ${w.method}, ${w.walletAddress},
      exists (select from sessions where id = ${me.sessionId} and user_id = ${me.id} and confirmed_at > now() - interval '15 minutes'),
      ${key?.key ?? null}, ${key?.fingerprint ?? null}, ${w.network}
    ) as done
  `);

export const cancelWithdrawal = (sql: Db, userId: string, id: string, key: Once | null) =>
  done<Done<Bare>>(sql`select withdrawal_end(${userId}, ${id}, 'cancelled', null, null, '', '', ${key?.key ?? null}, ${key?.fingerprint ?? null}) as done`);

/** Pays the held amount out (`approved`, with the payout's hash where known) or gives it back (`rejected`, with the reason). */
export const decideWithdrawal = (
  sql: Db,
  act: Act,
  id: string,
  decision: { status: "approved" | "rejected"; note: string; hash: string | null },
  key: Once | null,
) =>
  done<Done<Bare<StaffWithdrawal>>>(sql`
    select withdrawal_end(
      ${act.admin.id}, ${id}, ${decision.status}, ${decision.note}, ${decision.hash}, ${act.ip}, ${act.userAgent}, ${key?.key ?? null}, ${key?.fingerprint ?? null}
    ) as done
  `);

/** The quotes by which money may leave an account: one that went stale while its market is open says nothing of what is free. */
export function trustedBoard({ board, clock }: Quoted): BoardArrays {
  const now = clock();
  return boardOf(instruments.flatMap(({ symbol }) => (board.isOpen(symbol, now) && board.isStale(symbol, now) ? [] : (board.get(symbol) ?? []))));
}

/** Moves money between the wallet (null) and live accounts of the caller's. */
export const makeTransfer = (sql: Db, by: By, from: string | null, to: string | null, amount: string, board: BoardArrays, key: Once | null) =>
  doneBy<Done<Transfer>>(
    by,
    sql`
      select who.id as "userId", who.idle,
        transfer_make(who.id, ${from}, ${to}, ${amount}, ${boardValue(sql, board)}, ${key?.key ?? null}, ${key?.fingerprint ?? null}) as done
      from ${actorValue(sql, by)}
    `,
  );

/** The balance screen: moves what its figures say between the wallet and the oldest live account. */
export const changeBalance = async (
  sql: Sql,
  userId: string,
  to: { accountBalance: string; tradingBalance: string; totalProfit: string },
  board: BoardArrays,
): Promise<void> => {
  await sql`select balance_change(${userId}, ${to.accountBalance}, ${to.tradingBalance}, ${to.totalProfit}, ${boardValue(sql, board)})`;
};
