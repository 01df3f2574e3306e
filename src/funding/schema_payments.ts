import * as v from "valibot";
import type { WaitingSignature } from "../identity/schema_signatures";
import { answer, endpoint } from "../lib/endpoint";
import { moneyAmount, optionalText, versionSeen } from "../lib/shapes";
import { coins, oneOf } from "./schema_terms";

/** Where people pay by bank or card, and what an amount is in a coin. */

const paidBy = ["bank", "card"] as const;
export const paymentDetailsRow = v.strictObject({
  method: v.picklist(paidBy),
  accountName: v.string(),
  bankName: v.string(),
  /** An IBAN, or the number as the bank writes it. */
  accountNumber: v.string(),
  bic: v.string(),
  /** A page of the operator's where one pays; empty for none. */
  link: v.string(),
  instructions: v.string(),
});
/** Empty texts are details that the operator did not give. */
export type PaymentDetails = v.InferOutput<typeof paymentDetailsRow>;
export const staffPaymentRow = v.strictObject({ ...paymentDetailsRow.entries, version: v.string() });
export type StaffPayment = v.InferOutput<typeof staffPaymentRow>;

/** What is left out is empty from then on. */
export const paymentDetailsBody = v.object({
  accountName: optionalText(200),
  bankName: optionalText(200),
  accountNumber: optionalText(200),
  bic: optionalText(200),
  link: v.pipe(
    optionalText(500),
    v.check((link) => !link || (/^https:\/\/[^\s/]/.test(link) && URL.canParse(link)), "Use an address that begins with https://."),
  ),
  instructions: optionalText(500),
  version: versionSeen,
});

/** The methods that are offered now, with their details. */
export const listPayments = endpoint("GET /api/payment-details", { answer: answer<PaymentDetails[]>() });
/** Both methods, whether offered or not. */
export const staffPayments = endpoint("GET /api/admin/payment-details", { answer: answer<StaffPayment[]>() });
export const changePayment = endpoint("POST /api/admin/payment-details/:method", {
  params: v.object({ method: v.picklist(paidBy, "Not found.") }),
  body: paymentDetailsBody,
  answer: answer<StaffPayment | WaitingSignature>(),
});

const quoteMoney = ["USD", "EUR", "GBP"] as const;
/** How much of a coin an amount is now; binds nobody. `coinAmount` has eight decimals, `rate` is USD for one coin, `until` when to ask anew. */
export type CoinQuote = { coin: (typeof coins)[number]; coinAmount: string; rate: string; until: string };
export const quoteCoin = endpoint("GET /api/deposits/quote", {
  query: v.object({
    coin: oneOf(coins, "Please select a cryptocurrency"),
    amount: moneyAmount("Amount is required"),
    currency: v.optional(v.picklist(quoteMoney, "Please choose from the list."), "USD"),
  }),
  answer: answer<CoinQuote>(),
});
