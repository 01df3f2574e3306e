import type { InferOutput } from "valibot";
import { isProven } from "../identity/queries";
import { conflict, found, notFound, Refusal } from "../lib/refusal";
import { post } from "../mail/commands";
import { many, one, type Fragment, type Sql } from "../platform/database/db";
import type { AppContext, Me } from "../platform/app_context";
import { networksOf } from "./addresses";
import { fieldRefusal } from "./requests";
import { isCoin } from "./rules";
import { type addressBody, type PayoutAddress, payoutAddressRow } from "./schema_addresses";

/** The address book of withdrawals. */

const MOST = 50;
const columns = (sql: Sql): Fragment => sql`id, name, currency, address, created_at as "createdAt"`;

export const addressesOf = (sql: Sql, userId: string): Promise<PayoutAddress[]> =>
  many(payoutAddressRow, sql`select ${columns(sql)} from payout_addresses where user_id = ${userId} order by created_at desc, id desc limit ${MOST}`);

/**
 * Notes an address, which a withdrawal may go to once it has been noted for a while. Its owner is told by letter, or a thief could note one and
 * wait. Refuses (password_required) without a fresh proof, (account_frozen), and (conflict) one that is noted already, or beyond fifty.
 */
export async function addAddress({ sql }: AppContext, me: Me, { name, currency, address }: InferOutput<typeof addressBody>): Promise<PayoutAddress> {
  if (isCoin(currency) && networksOf(currency, address).length === 0)
    throw fieldRefusal("invalid", "address", `This is not a valid ${currency} address. Please check each character.`);
  if (!(await isProven(sql, me))) throw new Refusal("password_required", "Please confirm your password, and send this again.");
  return sql.begin(async (tx) => {
    await tx`select from users where id = ${me.id} for no key update`;
    await tx`select refuse_frozen(${me.id})`;
    if ((await addressesOf(tx, me.id)).length >= MOST) throw conflict("Your address book is full. Remove an address first.");
    const made = await one(
      payoutAddressRow,
      tx`
        insert into payout_addresses (user_id, name, currency, address) values (${me.id}, ${name}, ${currency}, ${address})
        on conflict (user_id, currency, address) do nothing
        returning ${columns(tx)}
      `,
    );
    if (!made) throw conflict("This address is in your book already.");
    await post(tx, me.id, "payout_address", { name, currency, address });
    return made;
  });
}

export const renameAddress = async (sql: Sql, me: Me, id: string, name: string | undefined): Promise<PayoutAddress> =>
  found(
    await one(
      payoutAddressRow,
      sql`update payout_addresses set name = coalesce(${name ?? null}, name) where id = ${id} and user_id = ${me.id} returning ${columns(sql)}`,
    ),
  );

/** Forgets an address. It is a new one again then, unless money went there. */
export async function removeAddress(sql: Sql, me: Me, id: string): Promise<void> {
  const gone = await sql`delete from payout_addresses where id = ${id} and user_id = ${me.id} returning id`;
  if (gone.length === 0) throw notFound();
}
