import { conflict, found } from "../lib/refusal";
import { many, type Sql } from "../platform/database/db";
import { isPayable } from "./rules";
import { type PaymentDetails, type StaffPayment, staffPaymentRow } from "./schema";

/** What is known of both methods; empty where the operator gave nothing. */
export const allPayments = (sql: Sql): Promise<StaffPayment[]> =>
  many(
    staffPaymentRow,
    sql`
      select d.method, d."accountName", d."bankName", d."accountNumber", d.bic, d.link, d.instructions, version_of(to_jsonb(d)) as version
      from (
        select m.method, coalesce(p.account_name, '') as "accountName", coalesce(p.bank_name, '') as "bankName",
          coalesce(p.account_number, '') as "accountNumber", coalesce(p.bic, '') as bic, coalesce(p.link, '') as link,
          coalesce(p.instructions, '') as instructions
        from unnest('{bank,card}'::text[]) as m (method)
        left join payment_details p on p.method = m.method
      ) d
      order by d.method
      limit 2
    `,
  );

/** Of a method. Refuses (conflict) where not the version stands that was looked at; undefined: whatever stands. */
export async function paymentSeen(sql: Sql, method: PaymentDetails["method"], seen: string | undefined): Promise<PaymentDetails> {
  const { version, ...details } = found((await allPayments(sql)).find((each) => each.method === method) ?? null);
  if (seen !== undefined && seen !== version) throw conflict("These payment details were changed meanwhile. Look at them again before you change them.");
  return details;
}

/** The methods that are offered. */
export const offeredPayments = async (sql: Sql): Promise<PaymentDetails[]> =>
  (await allPayments(sql)).filter(isPayable).map((each) => {
    const { version: _, ...details } = each;
    return details;
  });
