import * as v from "valibot";
import { many, one, type Fragment, type Sql } from "../platform/database/db";
import { passkeyRow } from "./schema_passkeys";

/** Whether a person of the table `people` has a passkey. */
export const hasPasskey = (sql: Sql, people: Fragment): Fragment => sql`exists (select from passkeys k where k.user_id = ${people}.id)`;

export const passkeyColumns = (sql: Sql): Fragment => sql`id, name, created_at as "createdAt", used_at as "usedAt"`;

export const passkeysOf = (sql: Sql, userId: string) =>
  many(passkeyRow, sql`select ${passkeyColumns(sql)} from passkeys where user_id = ${userId} order by created_at, id limit 20`);

const heldRow = v.strictObject({
  id: v.string(),
  userId: v.string(),
  credential: v.string(),
  publicKey: v.instance(Uint8Array),
  counter: v.number(),
  transports: v.array(v.string()),
});
export type HeldPasskey = v.InferOutput<typeof heldRow>;

/** The passkey that a device names, with what proves its signature. */
export const passkeyByCredential = (sql: Sql, credential: string) =>
  one(heldRow, sql`select id, user_id as "userId", credential, public_key as "publicKey", counter, transports from passkeys where credential = ${credential}`);

/** The credentials of a person, for a device to know its own by. */
export const credentialsOf = async (sql: Sql, userId: string): Promise<string[]> =>
  (await many(v.strictObject({ credential: v.string() }), sql`select credential from passkeys where user_id = ${userId} limit 20`)).map(
    ({ credential }) => credential,
  );
