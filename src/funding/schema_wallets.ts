import * as v from "valibot";
import type { WaitingSignature } from "../identity/schema_signatures";
import { answer, endpoint } from "../lib/endpoint";
import { id, idParams, moneyAmount, text, versionSeen } from "../lib/shapes";
import { address, coins, networks, nullableText, oneOf } from "./schema_terms";

/** The operator's own wallets, which depositors send coins to. */

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
  /** Of what staff set, whatever was used meanwhile. */
  version: v.string(),
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
const walletChange = v.object({
  currency: v.optional(walletShape.currency),
  network: v.optional(walletShape.network),
  walletAddress: v.optional(walletShape.walletAddress),
  ...walletOptions,
  version: versionSeen,
});

export const activeWallets = endpoint("GET /api/wallets/active", { answer: answer<ActiveWallet[]>() });
export const listWallets = endpoint("GET /api/admin/wallets", { answer: answer<Wallet[]>() });
export const createWallet = endpoint("POST /api/admin/wallets", { body: walletBody, answer: answer<Wallet | WaitingSignature>(), status: 201 });
export const changeWallet = endpoint("PATCH /api/admin/wallets/:id", { params: idParams, body: walletChange, answer: answer<Wallet | WaitingSignature>() });
/** The same with the id in the body. */
export const changeNamedWallet = endpoint("PATCH /api/admin/wallets", {
  body: v.object({ id, ...walletChange.entries }),
  answer: answer<Wallet | WaitingSignature>(),
});
export const deactivateWallet = endpoint("POST /api/admin/wallets/:id/deactivate", {
  params: idParams,
  query: v.object({ version: versionSeen }),
  answer: answer<Wallet>(),
});
