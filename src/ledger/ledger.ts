import * as v from "valibot";
import { MINUTE } from "../lib/time";
import { type Db, many, type Sql } from "../platform/db";
import { folders, readTexts } from "../platform/files";
import type { House } from "../platform/house";

const finding = v.strictObject({ subject: v.string(), offBy: v.string() });
/** What is wrong with the books: a book, an account or an entry, and by how many dollars. */
type Finding = v.InferOutput<typeof finding>;

const findingsOf = (sql: Sql): Promise<Finding[]> => many(finding, sql`select subject, off_by as "offBy" from ledger_check order by subject limit 20`);

/**
 * Looks at the books once. On a finding all money deeds stop (503 until released) and the log says what is wrong, each
 * time anew. Books that look right again release nothing: an operator does, once the cause is known, by
 * `update ledger_state set halted = false, reason = null`.
 */
export async function checkBooks({ sql, log }: Pick<House, "sql" | "log">): Promise<Finding[]> {
  const findings = await findingsOf(sql);
  const [first] = findings;
  if (!first) return findings;
  await sql`update ledger_state set halted = true, reason = ${`${first.subject} is off by ${first.offBy}`} where not halted`;
  log.error("the books do not balance: money deeds are halted until an operator releases them", { findings });
  return findings;
}

export type Proof = { check: string; rows: number; first: string | null };

/** Runs each of sql/checks, which must return no row: for each its name, how many rows it returned, and the first of them. */
export async function proveBooks(sql: Db): Promise<Proof[]> {
  const proofs: Proof[] = [];
  for (const { name, text } of readTexts(folders.checks, ".sql")) {
    const rows: readonly unknown[] = await sql.unsafe(text);
    proofs.push({ check: name.replace(/\.sql$/, ""), rows: rows.length, first: rows.length > 0 ? JSON.stringify(rows[0]) : null });
  }
  return proofs;
}

/** Checks the books at once and then every minute. Returns the way to stop, which waits for a check under way. */
export function watchBooks(house: Pick<House, "sql" | "log">, every = MINUTE): () => Promise<void> {
  const look = () =>
    checkBooks(house).then(
      () => {},
      (error: unknown) => house.log.warn("the books could not be checked, will try again", { error }),
    );
  let turn = look();
  const timer = setInterval(() => (turn = turn.then(look)), every);
  return () => {
    clearInterval(timer);
    return turn;
  };
}
