import { actorValue, provenValue } from "../identity/queries";
import type { Market } from "../market/market";
import { type BoardArrays, boardOf, boardValue } from "../market/board_sql";
import type { Db, Sql } from "../platform/database/db";
import { inParts } from "../platform/database/in_parts";
import type { Act, AppContext, By } from "../platform/app_context";
import type { Idempotency } from "../platform/http/request_context";
import { type Done, done, doneBy } from "../platform/http/idempotency";
import { priceText } from "../lib/money";
import { Refusal } from "../lib/refusal";
import { midOf } from "../market/board";
import type { Coin, Deposit, DepositCurrency, Network, PaymentMethod, StaffDeposit, StaffWithdrawal, Transfer, Withdrawal, WithdrawalCurrency } from "./schema";

/** The commands on money, each one SQL function (sql/functions/funding_*.sql), so one round trip. */

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
/** A refusal that is an answer: what led to it stays on record. `rival`: the deposit that claims the payment already. */
type Claimed = { status: 409; answer: { message: string; code: string; fields: Record<string, string> }; rival?: string; repeated?: boolean };

/**
 * Records a deposit that waits for approval. Refuses (conflict) a payment that another deposit claims, which staff see beside that one.
 */
export async function requestDeposit(
  { sql, bus }: Pick<AppContext, "sql" | "bus">,
  userId: string,
  d: Announced,
  key: Idempotency | null,
): Promise<Done<Deposit>> {
  const made = await done<(Done<Deposit> & { status: 201 }) | Claimed>(sql`
    select deposit_request(
      ${userId}, ${d.amount}, ${d.currency}, ${d.method}, ${d.coin}, ${d.network}, ${d.walletId}, ${d.walletAddress}, ${d.notes},
      ${d.transactionHash}, ${d.outputIndex}, ${key?.key ?? null}, ${key?.fingerprint ?? null}
    ) as done
  `);
  if (made.status === 201) return made;
  if (made.rival) bus.publish("request", { kind: "deposit", id: made.rival, status: "pending" });
  throw new Refusal(made.answer.code, made.answer.message, made.answer.fields);
}

export const cancelDeposit = (sql: Db, userId: string, depositId: string, key: Idempotency | null) =>
  done<Done<Deposit>>(sql`select deposit_cancel(${userId}, ${depositId}, ${key?.key ?? null}, ${key?.fingerprint ?? null}) as done`);

/** Bytes of proofs that one person may keep here. */
const PROOF_QUOTA = 50 * 1024 * 1024;

export const proveDeposit = (sql: Db, userId: string, depositId: string, type: string, file: Uint8Array) =>
  inParts(sql, file, (tx, oid) => done<Deposit>(tx`select deposit_prove(${userId}, ${depositId}, ${type}, lo_get(${oid}), ${PROOF_QUOTA}) as done`));

/** The part of the market that money commands need. */
export type Quoted = Pick<Market, "board" | "clock">;

export const currentMid = (market: Quoted, symbol: string): string | null => {
  const now = market.clock();
  const quote = market.board.get(symbol);
  return quote && market.board.isOpen(symbol, now) && !market.board.isStale(symbol, now) ? priceText(midOf(quote)) : null;
};
/** USD for one euro and one pound by the live mid price; null while there is none. */
export const usdRates = (market: Quoted) => ({ EUR: currentMid(market, "EUR/USD"), GBP: currentMid(market, "GBP/USD") });

/** The reward that the referrer got with the deposit. */
type Referral = { referral: { userId: string; amount: string } | null };
/** USD for one unit of a deposit's money; null where it waits no more. Refuses stale_price where its currency has no current price. */
export async function depositRate(sql: Sql, market: Quoted, depositId: string): Promise<string | null> {
  const rates = usdRates(market);
  const [found] = await sql<{ currency: DepositCurrency; status: string }[]>`select currency, status from deposits where id = ${depositId}`;
  const { currency = "USD", status = "" } = found ?? {};
  const rate = currency === "EUR" || currency === "GBP" ? rates[currency] : "1";
  if (rate === null && status === "pending")
    throw new Refusal("stale_price", `There is no current price for ${currency}/USD. Please try again later.`, undefined, 5);
  return rate;
}

/** Credits the wallet at this rate (`depositRate`) and pays what was promised. */
export const approveDeposit = (sql: Sql, act: Act, depositId: string, rate: string | null, notes: string, key: Idempotency | null) =>
  done<Done<StaffDeposit> & Referral>(sql`
    select deposit_approve(${act.admin.id}, ${depositId}, ${rate}, ${notes}, ${act.ip}, ${act.userAgent}, ${key?.key ?? null}, ${key?.fingerprint ?? null}) as done
  `);

export const rejectDeposit = (sql: Db, act: Act, depositId: string, reason: string, key: Idempotency | null) =>
  done<Done<StaffDeposit>>(sql`
    select deposit_reject(${act.admin.id}, ${depositId}, ${reason}, ${act.ip}, ${act.userAgent}, ${key?.key ?? null}, ${key?.fingerprint ?? null}) as done
  `);

export type Asked = { amount: string; currency: WithdrawalCurrency; method: PaymentMethod; network: Network | null; walletAddress: string };
/** A withdrawal as the database knows it; the time it takes is added for the eye. */
export type Bare<W extends Withdrawal = Withdrawal> = Omit<W, "estimatedProcessingTime">;

/** Moves the amount to the hold. A password given in this session less than 15 minutes ago vouches for a new address. */
export const requestWithdrawal = (sql: Db, me: { id: string; sessionId: string }, w: Asked, key: Idempotency | null, cooldownMs = 0) =>
  done<Done<Bare>>(sql`
    select withdrawal_ask(
      ${me.id}, ${w.amount}, ${w.currency}, ${w.method}, ${w.walletAddress},
      ${provenValue(sql, me)},
      ${key?.key ?? null}, ${key?.fingerprint ?? null}, ${w.network}, ${cooldownMs} * interval '1 millisecond'
    ) as done
  `);

/** Where letters are sent, a withdrawal needs an address that its owner reads: what it tells of is how a theft is noticed. */
export async function refuseUnverified({ sql, config }: Pick<AppContext, "sql" | "config">, userId: string): Promise<void> {
  if (config.smtp === null) return;
  const [user] = await sql<{ verified: boolean }[]>`select is_email_verified as verified from users where id = ${userId}`;
  if (user?.verified !== true)
    throw new Refusal("email_unverified", "Please verify your email address first: open the letter that we sent you, or have it sent again under /email.");
}

export const cancelWithdrawal = (sql: Db, userId: string, id: string, key: Idempotency | null) =>
  done<Done<Bare>>(sql`select withdrawal_end(${userId}, ${id}, 'cancelled', null, null, '', '', ${key?.key ?? null}, ${key?.fingerprint ?? null}) as done`);

/** Pays the held amount out (`approved`, with the payout's hash where known) or gives it back (`rejected`, with the reason). */
export const decideWithdrawal = (
  sql: Sql,
  act: Act,
  id: string,
  decision: { status: "approved" | "rejected"; note: string; hash: string | null },
  key: Idempotency | null,
) =>
  done<Done<Bare<StaffWithdrawal>>>(sql`
    select withdrawal_end(
      ${act.admin.id}, ${id}, ${decision.status}, ${decision.note}, ${decision.hash}, ${act.ip}, ${act.userAgent}, ${key?.key ?? null}, ${key?.fingerprint ?? null}
    ) as done
  `);

/** The quotes for deciding how much money may leave an account; without those that went stale while their market is open. */
export function trustedBoard({ board, clock }: Quoted): BoardArrays {
  const now = clock();
  const all = board.all();
  const trusted = all.filter(({ symbol }) => !(board.isStale(symbol, now) && board.isOpen(symbol, now)));
  return trusted.length === all.length ? board.arrays() : boardOf(trusted);
}

/** Moves money between the wallet (null) and live accounts of the caller's. */
export const makeTransfer = (sql: Db, by: By, from: string | null, to: string | null, amount: string, board: BoardArrays, key: Idempotency | null) =>
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
