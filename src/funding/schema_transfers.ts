import * as v from "valibot";
import type { Financials } from "../accounts/schema";
import { answer, endpoint } from "../lib/endpoint";
import { id, moneyAmount } from "../lib/shapes";

/** Money moved between one's own wallet and accounts. */

/** Null is the wallet. */
export type Transfer = { id: string; fromAccountId: string | null; toAccountId: string | null; amount: string; createdAt: string };
const accountOrWallet = v.optional(
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
export const transferBody = v.object({ fromAccountId: accountOrWallet, toAccountId: accountOrWallet, amount: moneyAmount("Amount is required") });
export const createTransfer = endpoint("POST /api/transfers", { once: true, body: transferBody, answer: answer<Transfer>(), status: 201 });

const BALANCE = "Enter an amount in dollars and cents, such as 250.00.";
const balance = v.pipe(v.union([v.string(), v.pipe(v.number(), v.transform(String))], BALANCE), v.regex(/^-?\d{1,13}(\.\d{1,2})?$/, BALANCE));
export const balanceBody = v.object({ accountBalance: balance, tradingBalance: balance, totalProfit: balance });
/** Moves money between the wallet and the oldest live account; other sums than today's are 403 `balance_mismatch`. */
export const changeBalance = endpoint("PATCH /api/user/balance", { body: balanceBody, answer: answer<Financials>() });
