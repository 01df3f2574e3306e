import { displayMoney } from "../../src/lib/money";
import type { Deposit, DepositCurrency, PaymentMethod, RequestStatus, TransactionType } from "../../src/funding/schema";
import type { Tone } from "../ui/Badge";

/** Money in and out in the words of the screens. */

export const STATUS_WORDS: Record<RequestStatus, string> = { pending: "Pending", approved: "Approved", rejected: "Rejected", cancelled: "Cancelled" };
export const STATUS_TONES: Record<RequestStatus, Tone> = { pending: "secondary", approved: "default", rejected: "destructive", cancelled: "secondary" };
/** What the place is called that money goes to or comes from, by its way: a bank has no wallets. */
export const PLACE_WORDS: Record<PaymentMethod, string> = { card: "Card", bank: "IBAN or account number", crypto: "Wallet address" };
export const METHOD_WORDS: Record<PaymentMethod, string> = { card: "Card", bank: "Bank transfer", crypto: "Cryptocurrency" };

export const TYPE_WORDS: Record<TransactionType, string> = {
  deposit: "Deposit",
  bonus: "Bonus",
  referral: "Referral bonus",
  withdrawal: "Withdrawal",
  withdrawal_returned: "Withdrawal returned",
  transfer: "Transfer",
  trade: "Trade result",
  commission: "Commission",
  swap: "Swap",
  correction: "Correction by administrator",
  other: "Other",
};

/** A deposit's amount: its own currency for euros and pounds, dollars for all others (for a coin: their value in it). */
export function depositText(amount: string, currency: DepositCurrency): string {
  if (currency === "EUR" || currency === "GBP") return `${displayMoney(amount).slice(1)} ${currency}`;
  return currency === "USD" ? displayMoney(amount) : `${displayMoney(amount)} in ${currency}`;
}
export const withdrawalText = (amount: string, currency: string): string =>
  currency === "USD" ? displayMoney(amount) : `${displayMoney(amount)} in ${currency}`;

/** What became of a deposit, in a sentence. */
export function outcomeOf({ status, rejectionReason, credited, bonusApplied }: Deposit): string | null {
  if (status === "rejected") return `Reason: ${rejectionReason ?? "none given"}`;
  if (status !== "approved" || !credited) return null;
  return `${displayMoney(credited)} credited${/[1-9]/.test(bonusApplied) ? `, and ${displayMoney(bonusApplied)} bonus` : ""}`;
}
