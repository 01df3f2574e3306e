import { many, type Sql } from "../platform/database/db";
import { isPayable } from "./rules";
import { type PaymentDetails, paymentDetailsRow } from "./schema";

/** What is known of both methods; empty where the operator gave nothing. */
export const allPayments = (sql: Sql): Promise<PaymentDetails[]> =>
  many(
    paymentDetailsRow,
    sql`
      select m.method, coalesce(p.account_name, '') as "accountName", coalesce(p.bank_name, '') as "bankName",
        coalesce(p.account_number, '') as "accountNumber", coalesce(p.bic, '') as bic, coalesce(p.link, '') as link,
        coalesce(p.instructions, '') as instructions
      from unnest('{bank,card}'::text[]) as m (method)
      left join payment_details p on p.method = m.method
      order by m.method
      limit 2
    `,
  );

/** The methods that are offered. */
export const offeredPayments = async (sql: Sql): Promise<PaymentDetails[]> => (await allPayments(sql)).filter(isPayable);
