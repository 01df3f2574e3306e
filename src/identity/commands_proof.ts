import { Refusal } from "../lib/refusal";
import type { Db } from "../platform/database/db";
import type { Me } from "../platform/app_context";
import { verifyPassword } from "../platform/password";
import { asksCode, proveCode, wrongCode } from "./commands_codes";
import { judged } from "./commands_throttle";
import { type Credentials, credentialsById } from "./queries";
import { FREE_TRIES } from "./rules";

/** Proofs by somebody who is signed in. Wrong ones count for the session alone: no stranger's guess at the entrance touches them. */

export type Proof = { password: string; code: string };

const NOT_YOURS = "This is not your current password.";

/** The caller's own password. Refuses (forbidden) a wrong one, on the field. */
export async function refuseWrongPassword(sql: Db, me: Me, password: string, field: string): Promise<Credentials> {
  const verdict = await judged(sql, [{ key: `session:${me.sessionId}`, free: FREE_TRIES, own: true }], async () => {
    const person = await credentialsById(sql, me.id);
    const right = await verifyPassword(password, person?.password ?? null);
    return right && person ? person : new Refusal("forbidden", NOT_YOURS, { [field]: NOT_YOURS });
  });
  if (verdict instanceof Refusal) throw verdict;
  return verdict;
}

/** The caller's code. Refuses (forbidden) a wrong one. */
export async function refuseWrongCode(sql: Db, me: Me, code: string) {
  if (!(await proveCode(sql, me.id, code, me.sessionId))) throw wrongCode("forbidden");
}

/** Password, and the code of who has a second factor. Refuses (forbidden) wrong ones, and (code_required) where the code is missing. */
export async function proveSelf(sql: Db, me: Me, { password, code }: Proof, field: string) {
  const { hasCodes } = await refuseWrongPassword(sql, me, password, field);
  // Who has a passkey and no codes proves by the password, or by the passkey alone (`confirmByPasskey`).
  if (!hasCodes) return;
  if (!code) throw asksCode("code_required");
  await refuseWrongCode(sql, me, code);
}

/** Proves again who is there before something delicate; good for fifteen minutes (`isProven`). */
export async function confirmSelf(sql: Db, me: Me, proof: Proof) {
  await proveSelf(sql, me, proof, "password");
  await sql`update sessions set confirmed_at = now() where id = ${me.sessionId}`;
}
