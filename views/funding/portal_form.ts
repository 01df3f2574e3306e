import * as v from "valibot";
import { isBelow, MINIMUM_PORTAL_DEPOSIT } from "../../src/funding/rules";
import { type ActiveWallet, depositRequestBody, networks } from "../../src/funding/schema";
import { moneyAmount } from "../../src/lib/shapes";

/** The crypto portal's form: its shape, and the words for its faults, with scripts and without. */

const MINIMUM = "Minimum deposit amount is $300";

export const portalForm = v.object({
  amount: v.pipe(
    moneyAmount(MINIMUM),
    v.check((amount) => !isBelow(amount, MINIMUM_PORTAL_DEPOSIT), MINIMUM),
  ),
  currency: depositRequestBody.entries.currency,
  network: v.picklist(networks, "Please select a network"),
  notes: depositRequestBody.entries.notes,
  transactionHash: depositRequestBody.entries.transactionHash,
});
export const PORTAL_NAMES = ["amount", "currency", "network", "notes", "transactionHash"] as const;

const TITLES: Record<string, string> = { amount: "Invalid Amount", currency: "Please Select Currency", network: "Please Select Network" };

/** The first fault in the order of the form, as a title and a sentence. */
export function portalFault(fields: Record<string, string>): { title: string; description: string } {
  const name = PORTAL_NAMES.find((each) => fields[each]) ?? "";
  return { title: TITLES[name] ?? "Submission Failed", description: fields[name] ?? "Failed to submit deposit request" };
}

/** Where to send that coin by that network; the default one comes first. */
export const walletFor = (wallets: readonly ActiveWallet[], currency: string, network?: string): ActiveWallet | undefined => {
  const fitting = wallets.filter((wallet) => wallet.currency === currency && (network === undefined || wallet.network === network));
  return fitting.find(({ isDefault }) => isDefault) ?? fitting[0];
};
