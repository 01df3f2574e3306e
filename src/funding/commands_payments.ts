import type { BodyOf } from "../lib/endpoint";
import { cents, priceUnits } from "../lib/money";
import { found, invalidField, Refusal } from "../lib/refusal";
import type { Act } from "../platform/app_context";
import { type Sql, within } from "../platform/database/db";
import { currentMid, type Quoted, usdRates } from "./commands";
import { allPayments, paymentSeen } from "./queries_payments";
import type { changePayment, Coin, CoinQuote, PaymentDetails, StaffPayment } from "./schema";

/** Staff's commands on the payment details that clients see, and an amount's worth in a coin. */

/** Refuses (invalid) half an account. */
export function refuseHalf({ method, ...details }: PaymentDetails): void {
  if (details.accountNumber && !details.accountName) throw invalidField("accountName", "Say whose account it is.");
  if (method === "bank" && !details.accountNumber && Object.values(details).some((each) => each !== ""))
    throw invalidField("accountNumber", "Give the IBAN or account number.");
}

/**
 * Writes where people pay by this method, with its line in the audit book. Refuses (invalid) half an account, and (conflict) a version that does not
 * stand any more.
 */
export const changePaymentDetails = (
  sql: Sql,
  act: Act,
  method: PaymentDetails["method"],
  { version, ...said }: BodyOf<typeof changePayment>,
): Promise<StaffPayment> =>
  within(sql, async (tx) => {
    const after: PaymentDetails = { method, ...said };
    refuseHalf(after);
    await tx`lock table payment_details in share row exclusive mode`;
    await tx`select refuse_own(${act.admin.id}, null)`;
    const before = await paymentSeen(tx, method, version);
    await tx`
      insert into payment_details (method, account_name, bank_name, account_number, bic, link, instructions)
      values (${method}, ${after.accountName}, ${after.bankName}, ${after.accountNumber}, ${after.bic}, ${after.link}, ${after.instructions})
      on conflict (method) do update
      set account_name = excluded.account_name, bank_name = excluded.bank_name, account_number = excluded.account_number, bic = excluded.bic,
        link = excluded.link, instructions = excluded.instructions, updated_at = now()
    `;
    await tx`
      select audit_append(
        ${act.admin.id}, null, 'payment.change', ${JSON.stringify({ method })}::text::json, ${JSON.stringify(before)}::text::json,
        ${JSON.stringify(after)}::text::json, '', ${act.ip}, ${act.userAgent}
      )
    `;
    return found((await allPayments(tx)).find((each) => each.method === method) ?? null);
  });

/** For how long a quote is shown before it is asked for anew. */
const QUOTED_MS = 60_000;
const USDT_USD = "1.00000000";

/**
 * How much of the coin the amount is: the amount in USD, for euros and pounds by their mid price, divided by the coin's mid price, to eight
 * decimals, half up. A tether counts as a dollar. Refuses stale_price where a price is missing.
 */
export function coinQuote(market: Quoted, asked: { coin: Coin; amount: string; currency: "USD" | "EUR" | "GBP" }): CoinQuote {
  const { coin, amount, currency } = asked;
  const rate = coin === "USDT" ? USDT_USD : currentMid(market, `${coin}/USD`);
  const dollars = currency === "USD" ? "1" : usdRates(market)[currency];
  if (rate === null || dollars === null) throw new Refusal("stale_price", `There is no current price for ${coin}/USD. Please try again later.`, undefined, 5);
  const divisor = BigInt(priceUnits(rate));
  // Both prices are in units of 10⁻⁸, which cancel out.
  const units = (cents(amount) * 1_000_000n * BigInt(priceUnits(dollars)) * 2n + divisor) / (divisor * 2n);
  const digits = units.toString().padStart(9, "0");
  return { coin, coinAmount: `${digits.slice(0, -8)}.${digits.slice(-8)}`, rate, until: new Date(market.clock() + QUOTED_MS).toISOString() };
}
