import * as v from "valibot";
import type { Financials } from "../accounts/schema";
import { answer, endpoint } from "../lib/endpoint";
import { id, idParams, listQuery, moneyAmount, optionalText, text } from "../lib/shapes";

/** Money in and out, as server and screens name it. Money is USD in decimal strings, unless a currency stands beside it. */

export const coins = ["BTC", "ETH", "USDT", "LTC"] as const;
export type Coin = (typeof coins)[number];
export const networks = ["Mainnet", "ERC-20", "BEP-20", "TRC-20"] as const;
export type Network = (typeof networks)[number];
export const methods = ["card", "bank", "crypto"] as const;
export type PaymentMethod = (typeof methods)[number];
export const requestStatuses = ["pending", "approved", "rejected", "cancelled"] as const;
export type RequestStatus = (typeof requestStatuses)[number];

const depositCurrencies = ["USD", "EUR", "GBP", ...coins] as const;
const withdrawalCurrencies = ["USD", ...coins] as const;
export type DepositCurrency = (typeof depositCurrencies)[number];
export type WithdrawalCurrency = (typeof withdrawalCurrencies)[number];

/** Missing and empty say what is required; anything else that is not on the list says so. */
const oneOf = <const T extends readonly string[]>(list: T, required: string) =>
  v.picklist(list, ({ input }) => (input === undefined || input === null || input === "" ? required : "Please choose from the list."));

const nullableText = v.nullable(v.string());

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
const decisionEntries = { adminNotes: nullableText, /** The administrator's e-mail address. */ decidedBy: nullableText };

export const staffDepositRow = v.strictObject({ ...depositEntries, ...ownerEntries, ...decisionEntries });
/** `creditsUsd`: what approval would credit now; null while EUR or GBP has no current price, and once it is decided. */
export type StaffDeposit = v.InferOutput<typeof staffDepositRow> & { creditsUsd: string | null };

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

const address = (required: string) => v.pipe(text(200, required), v.regex(/^\S/, required));
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

export const createDeposit = endpoint("POST /api/deposits", { body: depositBody, answer: answer<Deposit>(), status: 201 });
export const listDeposits = endpoint("GET /api/deposits", { query: listQuery, answer: answer<Deposit[]>() });
export const createDepositRequest = endpoint("POST /api/deposit-requests", { body: depositRequestBody, answer: answer<Deposit>(), status: 201 });
/** The same records as `listDeposits`. */
export const listDepositRequests = endpoint("GET /api/deposit-requests", { query: listQuery, answer: answer<Deposit[]>() });
export const cancelDeposit = endpoint("POST /api/deposits/:id/cancel", { params: idParams, answer: answer<Deposit>() });
/** The body is the file itself (PNG, JPEG, WebP or PDF, at most 5 MB), not JSON: `fetch(path, { method: "POST", body: file })`. */
export const uploadProof = endpoint("POST /api/deposits/:id/proof", { params: idParams, answer: answer<Deposit>() });
/** Answers the file as an attachment; the owner and administrators only. */
export const readProof = endpoint("GET /api/deposits/:id/proof", { params: idParams });

// --- Deposit wallets ------------------------------------------------------------------------------------------------

/** A wallet as traders see it: only those that may take a deposit now. */
export const activeWalletRow = v.strictObject({
  id: v.string(),
  currency: v.picklist(coins),
  network: v.picklist(networks),
  walletAddress: v.string(),
  description: v.string(),
  isActive: v.literal(true),
  isDefault: v.boolean(),
});
export type ActiveWallet = v.InferOutput<typeof activeWalletRow>;

/** A wallet as staff see it. Limits and usage (by approved deposits, per UTC day and month) in USD. */
export const walletRow = v.strictObject({
  ...activeWalletRow.entries,
  isActive: v.boolean(),
  walletType: v.string(),
  dailyLimit: nullableText,
  monthlyLimit: nullableText,
  currentDailyUsage: v.string(),
  currentMonthlyUsage: v.string(),
  createdAt: v.string(),
  updatedAt: v.string(),
});
export type Wallet = v.InferOutput<typeof walletRow>;

const limit = v.nullable(
  v.union(
    [
      v.pipe(
        v.literal(""),
        v.transform(() => null),
      ),
      moneyAmount("Enter a limit", 9_999_999_999_999),
    ],
    "Enter an amount in dollars and cents, such as 250.00.",
  ),
);
const flag = (name: string) => v.boolean(`${name} must be true or false`);
const walletShape = {
  currency: oneOf(coins, "Currency is required"),
  network: oneOf(networks, "Please select a network"),
  walletAddress: address("Wallet address is required"),
};
const walletOptions = {
  walletType: v.optional(text(40, "Wallet type is required")),
  description: v.optional(v.pipe(v.string("This must be text."), v.trim(), v.maxLength(500, "At most 500 characters."))),
  dailyLimit: v.optional(limit),
  monthlyLimit: v.optional(limit),
  isDefault: v.optional(flag("isDefault")),
  isActive: v.optional(flag("isActive")),
};
export const walletBody = v.object({ ...walletShape, ...walletOptions });
/** What is left out stays as it is; a limit of null lifts it. */
export const walletChange = v.object({
  currency: v.optional(walletShape.currency),
  network: v.optional(walletShape.network),
  walletAddress: v.optional(walletShape.walletAddress),
  ...walletOptions,
});

export const activeWallets = endpoint("GET /api/wallets/active", { answer: answer<ActiveWallet[]>() });
export const listWallets = endpoint("GET /api/admin/wallets", { answer: answer<Wallet[]>() });
export const createWallet = endpoint("POST /api/admin/wallets", { body: walletBody, answer: answer<Wallet>(), status: 201 });
export const changeWallet = endpoint("PATCH /api/admin/wallets/:id", { params: idParams, body: walletChange, answer: answer<Wallet>() });
/** The same with the id in the body. */
export const changeNamedWallet = endpoint("PATCH /api/admin/wallets", { body: v.object({ id, ...walletChange.entries }), answer: answer<Wallet>() });
export const deactivateWallet = endpoint("POST /api/admin/wallets/:id/deactivate", { params: idParams, answer: answer<Wallet>() });

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
export type Withdrawal = v.InferOutput<typeof withdrawalRow>;
export const staffWithdrawalRow = v.strictObject({ ...withdrawalEntries, ...ownerEntries, ...decisionEntries });
export type StaffWithdrawal = v.InferOutput<typeof staffWithdrawalRow>;

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
export const createWithdrawal = endpoint("POST /api/withdrawals", { body: withdrawalBody, answer: answer<Withdrawal>(), status: 201 });
export const listWithdrawals = endpoint("GET /api/withdrawals", { query: listQuery, answer: answer<Withdrawal[]>() });
export const cancelWithdrawal = endpoint("POST /api/withdrawals/:id/cancel", { params: idParams, answer: answer<Withdrawal>() });

// --- Staff decisions ------------------------------------------------------------------------------------------------

const searched = { ...listQuery.entries, q: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200, "At most 200 characters.")), "") };
const queueQuery = v.object({
  ...searched,
  /** `decided`: whatever waits no more. */
  status: v.optional(v.picklist(["all", "decided", ...requestStatuses], "status must be all, decided, pending, approved, rejected or cancelled"), "all"),
});
const pendingQuery = v.object(searched);
const approval = v.object({ notes: optionalText(500) });
const rejection = v.object({ reason: text(500, "A reason is required") });

export const staffDeposits = endpoint("GET /api/admin/deposits", { query: queueQuery, answer: answer<StaffDeposit[]>() });
export const pendingDeposits = endpoint("GET /api/admin/deposits/pending", { query: pendingQuery, answer: answer<StaffDeposit[]>() });
export const approveDeposit = endpoint("POST /api/admin/deposits/:id/approve", { params: idParams, body: approval, answer: answer<StaffDeposit>() });
export const rejectDeposit = endpoint("POST /api/admin/deposits/:id/reject", { params: idParams, body: rejection, answer: answer<StaffDeposit>() });
export const staffWithdrawals = endpoint("GET /api/admin/withdrawals", { query: queueQuery, answer: answer<StaffWithdrawal[]>() });
export const pendingWithdrawals = endpoint("GET /api/admin/withdrawals/pending", { query: pendingQuery, answer: answer<StaffWithdrawal[]>() });
/** `transactionHash`: the payout's, where it is known. */
export const approveWithdrawal = endpoint("POST /api/admin/withdrawals/:id/approve", {
  params: idParams,
  body: v.object({ ...approval.entries, transactionHash: payment.transactionHash }),
  answer: answer<StaffWithdrawal>(),
});
export const rejectWithdrawal = endpoint("POST /api/admin/withdrawals/:id/reject", { params: idParams, body: rejection, answer: answer<StaffWithdrawal>() });

// --- Between one's own accounts -------------------------------------------------------------------------------------

/** Null is the wallet. */
export type Transfer = { id: string; fromAccountId: string | null; toAccountId: string | null; amount: string; createdAt: string };
const purse = v.optional(
  v.nullable(
    v.union(
      [
        v.pipe(
          v.literal(""),
          v.transform(() => null),
        ),
        id,
      ],
      "Not found.",
    ),
  ),
  null,
);
export const transferBody = v.object({ fromAccountId: purse, toAccountId: purse, amount: moneyAmount("Amount is required") });
export const createTransfer = endpoint("POST /api/transfers", { body: transferBody, answer: answer<Transfer>(), status: 201 });

const BALANCE = "Enter an amount in dollars and cents, such as 250.00.";
const balance = v.pipe(v.union([v.string(), v.pipe(v.number(), v.transform(String))], BALANCE), v.regex(/^-?\d{1,13}(\.\d{1,2})?$/, BALANCE));
export const balanceBody = v.object({ accountBalance: balance, tradingBalance: balance, totalProfit: balance });
/** Moves money between the wallet and the oldest live account; other sums than today's are 403 `balance_mismatch`. */
export const changeBalance = endpoint("PATCH /api/user/balance", { body: balanceBody, answer: answer<Financials>() });

export * from "./schema_history";
