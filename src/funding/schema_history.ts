import * as v from "valibot";
import { answer, endpoint } from "../lib/endpoint";
import { id, listQuery } from "../lib/shapes";
import type { Proof } from "../proof/schema";
import { sinceQuery } from "../proof/schema_since";
import { promotionIds } from "./schema_terms";

/** What became of one's money, as server and screens name it: history, statements, promotions, referrals. In USD, as decimal strings. */

const nullableText = v.nullable(v.string());

// --- History and statements -----------------------------------------------------------------------------------------

export const transactionTypes = [
  "deposit",
  "bonus",
  "referral",
  "withdrawal",
  "withdrawal_returned",
  "transfer",
  "trade",
  "commission",
  "swap",
  "correction",
  "other",
] as const;
export type TransactionType = (typeof transactionTypes)[number];

/** A line of the caller's wallet or of a live trading account, newest first. `status` is the request's for a withdrawal, else `completed`. */
export const transactionRow = v.strictObject({
  id: v.string(),
  type: v.picklist(transactionTypes),
  amount: v.string(),
  currency: v.literal("USD"),
  status: v.picklist(["completed", "pending", "returned"]),
  description: v.string(),
  createdAt: v.string(),
  balanceAfter: v.string(),
  /** Null is the wallet. */
  accountId: nullableText,
  /** 'Wallet', or the account's number. */
  account: v.string(),
});
export type Transaction = v.InferOutput<typeof transactionRow>;

const day = v.pipe(
  v.string(),
  v.isoDate("Use a date such as 2026-11-30."),
  v.check((text) => !Number.isNaN(Date.parse(text)), "Use a date such as 2026-11-30."),
);
const transactionQuery = v.object({
  ...listQuery.entries,
  type: v.optional(v.picklist(["all", ...transactionTypes], "This type does not exist."), "all"),
  /** `wallet`, or a trading account's id. */
  accountId: v.optional(v.union([v.literal("wallet"), id], "Not found.")),
  /** Days in UTC, both included. */
  from: v.optional(day),
  to: v.optional(day),
  /** `csv`: the same lines as a file, at most 10,000; limit and cursor are not for it. */
  format: v.optional(v.picklist(["json", "csv"], "format must be json or csv"), "json"),
});
export const listTransactions = endpoint("GET /api/transactions", { query: transactionQuery, answer: answer<Transaction[]>() });

/** A calendar month (UTC) of one account: opening + the lines' sum = closing, each as the ledger has it. Lines oldest first. */
export type Statement = {
  /** Null is the wallet. */
  accountId: string | null;
  account: string;
  accountType: string | null;
  month: string;
  /** The first instant of the month, and of the next one. */
  from: string;
  to: string;
  opening: string;
  moneyIn: string;
  moneyOut: string;
  closing: string;
  lines: Transaction[];
};
/** `proof`: that the public log holds the closing or the night that brought a line; null for other lines, and until it does. `days`: the closings of the month's days. */
export type ProvenStatement = Omit<Statement, "lines"> & { lines: (Transaction & { proof: Proof | null })[]; days: Proof[] };
const statementQuery = {
  month: v.pipe(v.string("Use a month such as 2026-11."), v.regex(/^20\d\d-(0[1-9]|1[0-2])$/, "Use a month such as 2026-11.")),
  accountId: v.optional(v.union([v.literal("wallet"), id], "Not found."), "wallet"),
};
export const readStatement = endpoint("GET /api/statements", { query: v.object(statementQuery), answer: answer<ProvenStatement>() });
/** The proofs as a file, which a verifier checks. Answers 404 where the month has nothing that the log holds, and 503 until it holds all of it. */
export const statementProof = endpoint("GET /api/statements/proof", { query: v.object({ ...statementQuery, ...sinceQuery.entries }) });

// --- Promotions and referrals ---------------------------------------------------------------------------------------

/** What the site promises and what approval pays: the same rows. */
export const promotionRow = v.strictObject({
  id: v.picklist(promotionIds),
  title: v.string(),
  amount: v.string(),
  minimumDeposit: v.string(),
  /** How many times its amount is traded on live accounts before it can be withdrawn. */
  turnover: v.number(),
  /** Until when it is offered; null: until it is taken back. */
  endsAt: v.nullable(v.string()),
  /** To people of which countries; null: of all. */
  countries: v.nullable(v.array(v.string())),
});
export type Promotion = v.InferOutput<typeof promotionRow>;
/** Bonus money that can't be withdrawn yet, and the turnover on live accounts that frees all of it. */
export const bonusRow = v.strictObject({ locked: v.string(), turnover: v.string() });
export type BonusState = v.InferOutput<typeof bonusRow>;
export const readBonus = endpoint("GET /api/user/bonus", { answer: answer<BonusState>() });

export const listPromotions = endpoint("GET /api/promotions", { answer: answer<Promotion[]>() });

export const referralRow = v.strictObject({
  /** First name and initial. */
  name: v.string(),
  status: v.picklist(["pending", "paid"]),
  /** What was paid, "0.00" until then. */
  bonusAmount: v.string(),
  createdAt: v.string(),
  paidAt: nullableText,
});
export type Referral = v.InferOutput<typeof referralRow>;
/** `link` is a path of this site; `bonus` what one referral pays now, null where the promotion is off. */
/** `bonus`, and the terms it comes under, are null where there is none at the moment. */
export type Referrals = {
  code: string;
  link: string;
  bonus: string | null;
  /** Of the referred person's first deposit, in USD. */
  minimumDeposit: string | null;
  turnover: number | null;
  earned: string;
  referrals: Referral[];
};
export const listReferrals = endpoint("GET /api/referrals", { query: listQuery, answer: answer<Referrals>() });
