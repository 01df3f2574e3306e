import type { StaffDeposit, StaffWithdrawal } from "../../src/funding/schema";
import { depositCurrencies } from "../../src/funding/schema_terms";
import { displayMoney, sum } from "../../src/lib/money";
import { amountText } from "../ui/staff/amounts";

export type MoneyRequest = StaffDeposit | StaffWithdrawal;

export const isDeposit = (request: MoneyRequest): request is StaffDeposit => "creditsUsd" in request;

const METHODS = { card: "Card", bank: "Bank transfer", crypto: "Crypto" } as const;
const COINS: Record<string, string> = { BTC: "Bitcoin", ETH: "Ethereum", USDT: "Tether", LTC: "Litecoin" };

export const personOf = ({ firstName, lastName }: { firstName: string; lastName: string }) => `${firstName} ${lastName}`;
const coinOf = (currency: string) => COINS[currency] ?? null;

/** "Bitcoin, Mainnet", "Bank transfer". */
export function wayOf(request: MoneyRequest): string {
  const coin = coinOf("cryptoType" in request ? (request.cryptoType ?? "") : request.currency);
  const way = request.method === "crypto" && coin ? coin : METHODS[request.method];
  return request.network ? `${way}, ${request.network}` : way;
}

/** The amount as asked for: "€1,000.00", "$5,000.00". */
export const askedText = ({ amount, currency }: MoneyRequest) => amountText(amount, currency);

/**
 * What is asked for in each money, added up: "$300.00, €200.00, $50.00 in BTC" (coins are counted in dollars); null where all of it is plain dollars.
 */
export function sumsText(requests: readonly MoneyRequest[]): string | null {
  const asked = Map.groupBy(requests, ({ currency }): string => currency);
  if ([...asked.keys()].every((currency) => currency === "USD")) return null;
  const text = (currency: string) => {
    const total = amountText(sum((asked.get(currency) ?? []).map(({ amount }) => amount)), currency);
    return coinOf(currency) ? `${total} in ${currency}` : total;
  };
  return depositCurrencies
    .filter((currency) => asked.has(currency))
    .map(text)
    .join(", ");
}

/** "Ada Bell, $5,000.00". */
export const namedOf = (request: MoneyRequest) => `${personOf(request)}, ${askedText(request)}`;

/** For foreign money what approval would credit at this moment; null for dollars and where it is decided. */
export function creditText({ currency, status, creditsUsd, credited }: StaffDeposit): string | null {
  if (currency !== "EUR" && currency !== "GBP") return null;
  if (status === "approved" && credited) return `credited ${displayMoney(credited)}`;
  if (status !== "pending") return null;
  return creditsUsd ? `credits ${displayMoney(creditsUsd)} now` : `no current ${currency}/USD price`;
}

/** The decision on a deposit and what follows, in one line. `bonus` and `referral` in USD. */
export function approvalLine(deposit: StaffDeposit, forecast: { creditsUsd: string; bonus: string; referral: string | null }): string {
  const bonuses = forecast.bonus === "0.00" ? "" : `; bonuses ${displayMoney(forecast.bonus)}`;
  const referral = forecast.referral ? `; ${displayMoney(forecast.referral)} to who referred them` : "";
  return `Credits ${displayMoney(forecast.creditsUsd)} to ${personOf(deposit)}${bonuses}${referral}`;
}

/** "Pays $500.00 to Ada Bell (Bitcoin, Mainnet)". */
export const payoutLine = (withdrawal: StaffWithdrawal) => `Pays ${askedText(withdrawal)} to ${personOf(withdrawal)} (${wayOf(withdrawal)})`;
