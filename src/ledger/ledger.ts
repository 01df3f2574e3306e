import * as v from "valibot";
import { conflict } from "../lib/refusal";
import { MINUTE } from "../lib/time";
import { type Db, many, type Sql } from "../platform/database/db";
import type { AppContext } from "../platform/app_context";

const finding = v.strictObject({ subject: v.string(), offBy: v.string() });
/** What is wrong with the books: a book, an account or an entry, and by how many dollars. */
type Finding = v.InferOutput<typeof finding>;

/** So many accounts are read at each look at the books, beside those that moved: whoever has no more has all of them read every minute. */
const ACCOUNTS_A_LOOK = 5000;

const findingsOf = (sql: Sql): Promise<Finding[]> => many(finding, sql`select subject, off_by as "offBy" from ledger_check order by subject limit 20`);

/**
 * Looks at the books once: at what was written since the look before, and at the next `accounts` of them in turn. On a finding all money commands stop (503 until released) and the log says what is wrong, each
 * time anew. Books that look right again release nothing: an operator does, once the cause is known, by `releaseBooks`.
 */
export async function checkBooks({ sql, log }: Pick<AppContext, "sql" | "log">, accounts = ACCOUNTS_A_LOOK): Promise<Finding[]> {
  const findings = await many(finding, sql`select subject, off_by as "offBy" from books_look(${accounts}) order by subject limit 20`);
  const [first] = findings;
  if (!first) return findings;
  await sql`select books_halt(${`${first.subject} is off by ${first.offBy}`})`;
  log.error("the books do not balance: payments and deals are halted until an operator releases them", { findings });
  return findings;
}

/**
 * Lets money move again, with the operator's reason in the audit book. Returns why the books were halted.
 * Refuses (conflict) books that are not halted, or still off.
 */
export async function releaseBooks(sql: Db, why: string): Promise<string> {
  return sql.begin(async (tx) => {
    const [state] = await tx<{ halted: boolean; reason: string | null }[]>`select halted, reason from ledger_state for update`;
    if (!state?.halted) throw conflict("The books are not halted.");
    const [first] = await findingsOf(tx);
    if (first) throw conflict(`The books are still off: ${first.subject} by ${first.offBy}. They would be halted again within a minute.`);
    const told = state.reason ?? "no reason given";
    await tx`update ledger_state set halted = false, reason = null`;
    await tx`
      select audit_append(
        null, null, 'books.release', '{"by":"operator"}', ${JSON.stringify({ halted: true, reason: told })}::text::json, '{"halted":false}', ${why}, '', ''
      )
    `;
    return told;
  });
}

/** Checks the books at once and then every minute. Returns the way to stop, which waits for a check under way. */
export function watchBooks(app: Pick<AppContext, "sql" | "log" | "booksChecked">, every = MINUTE): () => Promise<void> {
  const check = () =>
    checkBooks(app).then(
      (findings) => void (app.booksChecked = { at: new Date().toISOString(), off: findings.length }),
      (error: unknown) => app.log.warn("the books could not be checked, will try again", { error }),
    );
  let turn = check();
  const timer = setInterval(() => (turn = turn.then(check)), every);
  return () => {
    clearInterval(timer);
    return turn;
  };
}
