import * as v from "valibot";

/** One movement of a person's live money, with the balance after it. Money in USD as decimal strings; `accountNumber` null for the wallet. */
export const ledgerLineRow = v.strictObject({
  id: v.string(),
  type: v.string(),
  amount: v.string(),
  currency: v.literal("USD"),
  status: v.literal("completed"),
  description: v.string(),
  accountNumber: v.nullable(v.string()),
  createdAt: v.string(),
  balanceAfter: v.string(),
});
export type LedgerLine = v.InferOutput<typeof ledgerLineRow>;
