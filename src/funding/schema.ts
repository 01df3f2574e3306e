import * as v from "valibot";
import type { WaitingSignature } from "../identity/schema_signatures";
import { answer, endpoint } from "../lib/endpoint";
import { asFile, days, idParams, listQuery, moneyAmount, optionalText, sortedBy, type SortOf, text } from "../lib/shapes";
import {
  address,
  coins,
  depositCurrencies,
  methods,
  networks,
  nullableText,
  oneOf,
  type PaymentMethod,
  requestStatuses,
  withdrawalCurrencies,
} from "./schema_terms";

/** Deposits and withdrawals, and what staff decide on them. Money is USD in decimal strings, unless a currency stands beside it. */

// --- Deposits -------------------------------------------------------------------------------------------------------

const depositEntries = {
  id: v.string(),
  userId: v.string(),
  /** In `currency` for EUR and GBP; in USD for all others (for a coin: the value to be sent in it). */
  amount: v.string(),
  currency: v.picklist(depositCurrencies),
  method: v.picklist(methods),
  /** The coin that it is sent in; null for card and bank. */
  cryptoType: v.nullable(v.picklist(coins)),
  network: v.nullable(v.picklist(networks)),
  walletAddress: nullableText,
  transactionHash: nullableText,
  outputIndex: v.number(),
  notes: v.string(),
  status: v.picklist(requestStatuses),
  /** Where the proof of payment is read; null where none was sent. */
  proofOfPayment: nullableText,
  /** USD for one unit of the currency, and the USD credited; null until approved. */
  rate: nullableText,
  credited: nullableText,
  bonusApplied: v.string(),
  rejectionReason: nullableText,
  approvedAt: nullableText,
  rejectedAt: nullableText,
  /** When it stopped waiting, by whomever. */
  completedAt: nullableText,
  createdAt: v.string(),
};
export const depositRow = v.strictObject(depositEntries);
export type Deposit = v.InferOutput<typeof depositRow>;

const ownerEntries = { firstName: v.string(), lastName: v.string(), email: v.string() };
/** `decidedBy` by what was decided. */
type Deciders = { approvedBy?: string | null; rejectedBy?: string | null };
const decisionEntries = { adminNotes: nullableText, /** The administrator's e-mail address. */ decidedBy: nullableText };

export const staffDepositRow = v.strictObject({ ...depositEntries, ...ownerEntries, ...decisionEntries });
/** A person other than the owner who named the same payment, and when. */
export const depositClaimRow = v.strictObject({ userId: v.string(), ...ownerEntries, createdAt: v.string() });
/**
 * `creditsUsd`: what approval would credit now; null while EUR or GBP has no current price, and once it is decided. `claims`: who else named
 * its payment, the first one first; left out in the answer of a decision.
 */
export type StaffDeposit = v.InferOutput<typeof staffDepositRow> & Deciders & { creditsUsd: string | null; claims?: v.InferOutput<typeof depositClaimRow>[] };

/** The dashboard's and the mobile flow's names for the same three ways. */
const methodNames = new Map<string, PaymentMethod>([
  ["card", "card"],
  ["credit_card", "card"],
  ["bank", "bank"],
  ["bank_transfer", "bank"],
  ["crypto", "crypto"],
  ["cryptocurrency", "crypto"],
]);
const depositMethod = v.pipe(
  oneOf(["card", "bank", "crypto", "credit_card", "bank_transfer", "cryptocurrency"], "Payment method is required"),
  v.transform((name) => methodNames.get(name) as PaymentMethod),
);

const optionalAddress = optionalText(200);
const optionalNetwork = v.optional(v.nullable(v.picklist(networks, "Please select a network")), null);
/** What proves a payment on its chain; letters and digits, held unique whatever their case. */
const payment = {
  transactionHash: v.optional(
    v.nullable(
      v.pipe(
        v.string("A transaction hash has 8 to 128 letters and digits."),
        v.trim(),
        v.regex(/^([0-9a-zA-Z]{8,128})?$/, "A transaction hash has 8 to 128 letters and digits."),
      ),
    ),
    null,
  ),
  outputIndex: v.optional(
    v.nullable(
      v.pipe(
        v.number("The output index is a whole number."),
        v.integer("The output index is a whole number."),
        v.minValue(0, "The output index is a whole number."),
        v.maxValue(100_000, "The output index is too large."),
      ),
    ),
    0,
  ),
};

/** The dashboard's dialog and the mobile flow. For a coin chosen in the mobile flow `cryptoType` may name it; else the wallet's address tells. */
export const depositBody = v.object({
  amount: moneyAmount("Amount is required"),
  currency: oneOf(depositCurrencies, "Currency is required"),
  method: depositMethod,
  notes: optionalText(500),
  walletAddress: optionalAddress,
  cryptoType: v.optional(v.nullable(v.picklist(coins, "Please select a cryptocurrency")), null),
  network: optionalNetwork,
  ...payment,
});

/** The crypto portal. `walletUsed` is a wallet's address or id; below $300 the rule answers 422 `minimum_deposit`. */
export const depositRequestBody = v.object({
  method: v.optional(v.literal("cryptocurrency", "method must be cryptocurrency"), "cryptocurrency"),
  amount: moneyAmount("Minimum deposit amount is $300"),
  currency: v.picklist(coins, "Please select a cryptocurrency"),
  network: optionalNetwork,
  walletUsed: optionalAddress,
  notes: optionalText(500),
  ...payment,
});

export const createDeposit = endpoint("POST /api/deposits", { once: true, body: depositBody, answer: answer<Deposit>(), status: 201 });
export const listDeposits = endpoint("GET /api/deposits", { query: listQuery, answer: answer<Deposit[]>() });
export const createDepositRequest = endpoint("POST /api/deposit-requests", { once: true, body: depositRequestBody, answer: answer<Deposit>(), status: 201 });
/** The same records as `listDeposits`. */
export const listDepositRequests = endpoint("GET /api/deposit-requests", { query: listQuery, answer: answer<Deposit[]>() });
export const cancelDeposit = endpoint("POST /api/deposits/:id/cancel", { once: true, params: idParams, answer: answer<Deposit>() });
/** The body is the file itself (PNG, JPEG, WebP or PDF, at most 5 MB), not JSON: `fetch(path, { method: "POST", body: file })`. */
export const uploadProof = endpoint("POST /api/deposits/:id/proof", { params: idParams, answer: answer<Deposit>() });
/** Answers the file as an attachment; the owner and administrators only. */
export const readProof = endpoint("GET /api/deposits/:id/proof", { params: idParams });

// --- Withdrawals ----------------------------------------------------------------------------------------------------

const withdrawalEntries = {
  id: v.string(),
  userId: v.string(),
  amount: v.string(),
  currency: v.picklist(withdrawalCurrencies),
  method: v.picklist(methods),
  network: v.nullable(v.picklist(networks)),
  walletAddress: v.string(),
  /** There is none: always "0.00". */
  fee: v.literal("0.00"),
  /** In words. */
  estimatedProcessingTime: v.string(),
  /** From when on it may be paid out; null or left out where it need not wait. */
  notBefore: v.optional(nullableText),
  status: v.picklist(requestStatuses),
  rejectionReason: nullableText,
  transactionHash: nullableText,
  approvedAt: nullableText,
  rejectedAt: nullableText,
  /** When it stopped waiting, by whomever. */
  processedAt: nullableText,
  createdAt: v.string(),
};
export const withdrawalRow = v.strictObject(withdrawalEntries);
/** The entity's other names: withdrawals leave the wallet, never an account; where a bank pays, and when it stopped waiting. Left out in the answer of a command. */
type WithdrawalNames = { accountId?: null; bankDetails?: string | null; completedAt?: string | null };
export type Withdrawal = v.InferOutput<typeof withdrawalRow> & WithdrawalNames;
export const staffWithdrawalRow = v.strictObject({ ...withdrawalEntries, ...ownerEntries, ...decisionEntries });
export type StaffWithdrawal = v.InferOutput<typeof staffWithdrawalRow> & WithdrawalNames & Deciders & { processedBy?: string | null };

/**
 * The method follows from the currency: USD by bank unless `method` says card, a coin by crypto. Answers 403
 * `password_required` for a new address with no recent password: `POST /api/auth/confirm`, then send it again.
 */
export const withdrawalBody = v.object({
  amount: moneyAmount("Amount is required"),
  currency: oneOf(withdrawalCurrencies, "Currency is required"),
  walletAddress: address("Wallet address is required"),
  method: v.optional(v.nullable(depositMethod), null),
  network: optionalNetwork,
});
export const createWithdrawal = endpoint("POST /api/withdrawals", { once: true, body: withdrawalBody, answer: answer<Withdrawal>(), status: 201 });
export const listWithdrawals = endpoint("GET /api/withdrawals", { query: listQuery, answer: answer<Withdrawal[]>() });
export const cancelWithdrawal = endpoint("POST /api/withdrawals/:id/cancel", { once: true, params: idParams, answer: answer<Withdrawal>() });

// --- Staff decisions ------------------------------------------------------------------------------------------------

const searched = { ...listQuery.entries, q: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200, "At most 200 characters.")), "") };
/** What a queue can be sorted by. */
export const requestSorts = ["created", "name", "amount", "status", "wait", "decided"] as const;
export type RequestOrder = SortOf<typeof requestSorts>;
/** How the decided ones stand where those that wait stand in that order: what was decided last first, unless both go by something else than time. */
export const decidedOrder = (sort: RequestOrder): RequestOrder => (/wait|created/.test(sort) ? "-decided" : sort);
const queueQuery = v.object({
  ...searched,
  ...sortedBy(requestSorts, "-created"),
  ...asFile,
  ...days,
  /** `decided`: whatever waits no more. */
  status: v.optional(v.picklist(["all", "decided", ...requestStatuses], "status must be all, decided, pending, approved, rejected or cancelled"), "all"),
});
const pendingQuery = v.object(searched);
/** `confirmAmount`: the amount as somebody typed it, needed above the panel's threshold (else 400); where it is not the request's, 422 `amount_mismatch`. */
const approval = v.object({ notes: optionalText(500), confirmAmount: v.optional(v.nullable(moneyAmount("Type the amount")), null) });
const rejection = v.object({ reason: text(500, "A reason is required") });

export const staffDeposits = endpoint("GET /api/admin/deposits", { query: queueQuery, answer: answer<StaffDeposit[]>() });
export const pendingDeposits = endpoint("GET /api/admin/deposits/pending", { query: pendingQuery, answer: answer<StaffDeposit[]>() });
export const approveDeposit = endpoint("POST /api/admin/deposits/:id/approve", {
  once: true,
  params: idParams,
  body: approval,
  answer: answer<StaffDeposit | WaitingSignature>(),
});
export const rejectDeposit = endpoint("POST /api/admin/deposits/:id/reject", { once: true, params: idParams, body: rejection, answer: answer<StaffDeposit>() });
export const staffWithdrawals = endpoint("GET /api/admin/withdrawals", { query: queueQuery, answer: answer<StaffWithdrawal[]>() });
export const pendingWithdrawals = endpoint("GET /api/admin/withdrawals/pending", { query: pendingQuery, answer: answer<StaffWithdrawal[]>() });
/** `transactionHash`: the payout's, where it is known. */
export const approveWithdrawal = endpoint("POST /api/admin/withdrawals/:id/approve", {
  once: true,
  params: idParams,
  body: v.object({ ...approval.entries, transactionHash: payment.transactionHash }),
  answer: answer<StaffWithdrawal | WaitingSignature>(),
});
export const rejectWithdrawal = endpoint("POST /api/admin/withdrawals/:id/reject", {
  once: true,
  params: idParams,
  body: rejection,
  answer: answer<StaffWithdrawal>(),
});

export * from "./schema_history";
export * from "./schema_payments";
export * from "./schema_transfers";
export * from "./schema_wallets";
export {
  type Coin,
  coins,
  type DepositCurrency,
  methods,
  type Network,
  networks,
  type PaymentMethod,
  type RequestStatus,
  type WithdrawalCurrency,
} from "./schema_terms";
