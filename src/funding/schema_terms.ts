import * as v from "valibot";
import { text } from "../lib/shapes";

/** What all shapes of this domain speak of: coins, networks, ways of payment, states of a request. */

export const coins = ["BTC", "ETH", "USDT", "LTC"] as const;
export type Coin = (typeof coins)[number];
export const networks = ["Mainnet", "ERC-20", "BEP-20", "TRC-20"] as const;
export type Network = (typeof networks)[number];
export const methods = ["card", "bank", "crypto"] as const;
export type PaymentMethod = (typeof methods)[number];
export const promotionIds = ["deposit_bonus", "bitcoin_bonus", "referral_bonus"] as const;
export const requestStatuses = ["pending", "approved", "rejected", "cancelled"] as const;
export type RequestStatus = (typeof requestStatuses)[number];

export const depositCurrencies = ["USD", "EUR", "GBP", ...coins] as const;
export const withdrawalCurrencies = ["USD", ...coins] as const;
export type DepositCurrency = (typeof depositCurrencies)[number];
export type WithdrawalCurrency = (typeof withdrawalCurrencies)[number];

/** A missing or empty value is refused as required, any other that is not on the list as unknown. */
export const oneOf = <const T extends readonly string[]>(list: T, required: string) =>
  v.picklist(list, ({ input }) => (input === undefined || input === null || input === "" ? required : "Please choose from the list."));

export const nullableText = v.nullable(v.string());

/** Where coins are sent, or what names a bank account. */
export const address = (required: string) => v.pipe(text(200, required), v.regex(/^\S/, required));
