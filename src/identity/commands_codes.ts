import { Refusal } from "../lib/refusal";
import type { Db, Sql } from "../platform/database/db";
import { type Count, judged } from "./commands_throttle";
import { factorOf } from "./queries_two_factor";
import { FREE_TRIES } from "./rules";
import { base32, stepsOf } from "./totp";

const RECOVERY_CODES = 10;
/** 80 bits: sixteen letters. */
const RECOVERY_BYTES = 10;

const hashOf = (code: string) => new Bun.CryptoHasher("sha256").update(code).digest("hex");

/** Uses a code of the app, or a recovery code, up. False where it is wrong, or was used before: of any number at once, one has it. */
export async function spendCode(sql: Sql, userId: string, code: string): Promise<boolean> {
  const factor = await factorOf(sql, userId);
  if (!factor?.on) return false;
  if (code.length !== 6) return spendRecoveryCode(sql, userId, code);
  for (const step of stepsOf(factor.secret, code, Date.now())) {
    const spent = await sql`
      update two_factors set last_step = ${step}
      where user_id = ${userId} and secret = ${factor.secret} and confirmed_at is not null and last_step < ${step}
      returning user_id
    `;
    if (spent.length) return true;
  }
  return false;
}

async function spendRecoveryCode(sql: Sql, userId: string, code: string): Promise<boolean> {
  const spent = await sql`
    update recovery_codes set used_at = now() where user_id = ${userId} and code_hash = ${hashOf(code)} and used_at is null returning user_id
  `;
  return spent.length > 0;
}

const WRONG_CODE = "This code is not right, or was used already. Wait for the next one.";
/** Refuses a wrong code, on its field. */
export const wrongCode = (code: "forbidden" | "invalid_credentials") => new Refusal(code, WRONG_CODE, { code: WRONG_CODE });

const ASKS_CODE = "Enter the code from your authenticator app.";
/** What is missing is the second factor: of a sign-in, or of a proof by somebody who is signed in. */
export const asksCode = (code: "two_factor_required" | "code_required") => new Refusal(code, ASKS_CODE, { code: ASKS_CODE });

/**
 * Uses a code up, with no more tries than a password has. They are counted apart from wrong passwords: a guesser who knows the password could
 * otherwise clear the count by signing in. `by` is a device or session known before, which others' guesses must not lock out; null for none.
 */
export async function proveCode(sql: Db, userId: string, code: string, by: string | null): Promise<boolean> {
  const count: Count = { key: `code:${by ?? userId}`, free: FREE_TRIES, own: true };
  return (await judged(sql, [count], async () => (await spendCode(sql, userId, code)) || wrongCode("forbidden"))) === true;
}

/** Puts new recovery codes in the place of the old ones, in the caller's transaction. They are readable in this answer alone. */
export async function makeRecoveryCodes(sql: Sql, userId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => base32(crypto.getRandomValues(new Uint8Array(RECOVERY_BYTES))));
  await forgetRecoveryCodes(sql, userId);
  await sql`insert into recovery_codes (user_id, code_hash) select ${userId}, unnest(${codes.map(hashOf)}::text[])`;
  return codes.map((code) => (code.match(/.{4}/g) ?? []).join("-"));
}

export const forgetRecoveryCodes = async (sql: Sql, userId: string) => {
  await sql`delete from recovery_codes where user_id = ${userId}`;
};
