import { compare } from "../lib/money";
import { PROMISED_HOURS } from "../lib/promises";
import type { Coin, DepositCurrency, Network, PaymentDetails, PaymentMethod, WithdrawalCurrency } from "./schema";

/** What both server and screens know of money in and out. Amounts in USD. */

export const MINIMUM_PORTAL_DEPOSIT = "300.00";
export const MINIMUM_WITHDRAWAL: Readonly<Record<PaymentMethod, string>> = { bank: "50.00", card: "25.00", crypto: "10.00" };
/** As the payment policy states them. */
export const PROCESSING_TIME: Readonly<Record<PaymentMethod, string>> = {
  bank: `Reviewed within ${PROMISED_HOURS.withdrawal} hours, then 3–7 business days by bank wire`,
  card: `Reviewed within ${PROMISED_HOURS.withdrawal} hours, then 3–5 business days to the card`,
  crypto: `Within ${PROMISED_HOURS.withdrawal} hours`,
};

/** The networks that carry a coin; the first is meant where none is named. */
export const NETWORKS_OF: Readonly<Record<Coin, readonly [Network, ...Network[]]>> = {
  BTC: ["Mainnet"],
  LTC: ["Mainnet"],
  ETH: ["ERC-20", "Mainnet", "BEP-20"],
  USDT: ["TRC-20", "ERC-20", "BEP-20"],
};

export const isCoin = (currency: DepositCurrency | WithdrawalCurrency): currency is Coin => Object.hasOwn(NETWORKS_OF, currency);

/** USD goes by bank unless a card was asked for; a coin by its chain. */
export const withdrawalMethod = (currency: WithdrawalCurrency, asked: PaymentMethod | null): PaymentMethod =>
  isCoin(currency) ? "crypto" : asked === "card" ? "card" : "bank";

export const isBelow = (amount: string, minimum: string) => compare(amount, minimum) < 0;

/** Whether these details tell how to pay: an account for the bank, a page or words for the card. */
export const isPayable = ({ method, accountNumber, link, instructions }: PaymentDetails): boolean =>
  method === "bank" ? accountNumber !== "" : link !== "" || instructions !== "";

/** What a payer writes beside the payment, so that it is found: "DEP-3FA85F6457", from the deposit's id. Staff search by it. */
export const referenceOf = (depositId: string): string => `DEP-${depositId.replaceAll("-", "").slice(0, 10).toUpperCase()}`;

/** What is said of a coin that nothing can be sent in now. */
export const walletMissing = (crypto: string) => `${crypto} wallet is not available. Please contact support.`;

/** The note of a portal deposit whose sender wrote none. */
export const defaultNote = (currency: Coin, amount: string, network: Network) => `${currency} deposit of $${amount.replace(/\.00$/, "")} via ${network}`;
