import type { Db, Sql } from "../platform/db";
import { claimTry, forgetTries } from "./commands_throttle";
import { factorOf } from "./queries_two_factor";
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

/**
 * Uses a code up, with no more tries than a password has. They are counted apart from the password's: whoever knows that could
 * wipe its count between two guesses.
 */
export async function proveCode(sql: Db, userId: string, code: string): Promise<boolean> {
  const key = `code:${userId}`;
  await claimTry(sql, key);
  if (!(await spendCode(sql, userId, code))) return false;
  await forgetTries(sql, key);
  return true;
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
