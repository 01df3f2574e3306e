import * as v from "valibot";
import { notFound } from "../lib/refusal";
import { many, type Sql } from "../platform/database/db";
import { neverLogged, readProofs } from "../proof/queries";
import { headOf, notYet, ownSigned, proofsBy } from "../proof/queries_files";
import type { StatementFile } from "../proof/rules_files";
import type { Proof } from "../proof/schema";
import type { ProvenStatement, Statement, Transaction } from "./schema";

/** What of a statement the public log holds: the closing behind a line, and the closings of the month's days. */

const fillRow = v.strictObject({ entry: v.number(), fill: v.string() });
const entryOf = ({ id }: Transaction) => Number(id.split("-")[0]);

/** The fill behind each line that a closing brought, by the line's entry. */
async function fillsBehind(sql: Sql, lines: readonly Transaction[]): Promise<Map<number, string>> {
  const entries = lines.filter(({ type }) => type === "trade" || type === "correction").map(entryOf);
  if (entries.length === 0) return new Map();
  const rows = await many(
    fillRow,
    sql`
      select e.id as entry, f.id::text as fill
      from ledger_entries e join fills f on f.position_id = e.object_id and f.kind = 'close'
      where e.id = any(${entries}::bigint[]) and e.kind = 'trade_close'
      limit ${entries.length}
    `,
  );
  return new Map(rows.map(({ entry, fill }) => [entry, fill]));
}

const dayRow = v.strictObject({ day: v.string() });
/** The closings of a month's days, as far as the log has them. */
async function dayProofs(sql: Sql, month: string): Promise<Proof[]> {
  const days = await many(dayRow, sql`select day::text from closed_days where to_char(day, 'YYYY-MM') = ${month} order by closed_days.day limit 31`);
  const found = await proofsBy(
    sql,
    "day",
    days.map(({ day }) => day),
  );
  return found.filter((proof) => proof !== null);
}

/** The statement with the proof of each line's fill; null for lines that no deal brought, and in the first second. */
export async function withProofs(sql: Sql, statement: Statement): Promise<ProvenStatement> {
  const behind = await fillsBehind(sql, statement.lines);
  const [proofs, days] = await Promise.all([readProofs(sql, "fill", [...behind.values()]), dayProofs(sql, statement.month)]);
  return { ...statement, days, lines: statement.lines.map((line) => ({ ...line, proof: proofs.get(behind.get(entryOf(line)) ?? "") ?? null })) };
}

/** The same as a file. Lines that no deal brought, or one before the log began, are not in it: the log holds nothing of them. Refuses (unavailable) until the log has the rest. */
export async function statementFile(sql: Sql, statement: Statement, since: number | null): Promise<StatementFile> {
  const behind = await fillsBehind(sql, statement.lines);
  const { lines, days } = await withProofs(sql, statement);
  const dealt = lines.filter((line) => behind.has(entryOf(line)));
  const found = dealt.flatMap(({ amount, proof }) => (proof ? [{ amount, proof }] : []));
  const missing = dealt.flatMap((line) => (line.proof ? [] : Number(behind.get(entryOf(line)))));
  if ((await neverLogged(sql, "fill", missing)).size < missing.length) throw notYet();
  if (found.length + days.length === 0) throw notFound();
  const head = await headOf(sql, [...found.map(({ proof }) => proof), ...days], since);
  return {
    ...head,
    kind: "statement",
    account: found.length > 0 ? (statement.accountId ?? "") : "",
    month: statement.month,
    lines: found.map(({ amount, proof }) => ({ amount, proof: ownSigned(proof, head.keys) })),
    days: days.map((proof) => ownSigned(proof, head.keys)),
  };
}
