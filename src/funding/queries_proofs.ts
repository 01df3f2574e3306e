import * as v from "valibot";
import { notFound } from "../lib/refusal";
import { many, type Sql } from "../platform/database/db";
import { neverLogged, readProofs } from "../proof/queries";
import { headOf, notYet, proofsBy } from "../proof/queries_files";
import type { StatementFile } from "../proof/rules_files";
import type { Proof } from "../proof/schema";
import type { ProvenStatement, Statement, Transaction } from "./schema";

/** What of a statement the public log holds: the closing or the night behind a line, and the closings of the month's days. */

/** What the log knows behind a line: a receipt or a night, by its number. */
type Behind = { kind: "fill" | "swap"; number: number };
const behindRow = v.strictObject({ entry: v.number(), kind: v.picklist(["fill", "swap"]), number: v.number() });
const entryOf = ({ id }: Transaction) => Number(id.split("-")[0]);
const LOGGED = new Set(["trade", "correction", "swap"]);

/** What is behind each line that a closing or a night brought, by the line's entry. */
async function behindOf(sql: Sql, lines: readonly Transaction[]): Promise<Map<number, Behind>> {
  const entries = lines.filter(({ type }) => LOGGED.has(type)).map(entryOf);
  if (entries.length === 0) return new Map();
  const rows = await many(
    behindRow,
    sql`
      select e.id as entry, 'fill' as kind, f.id as number
      from ledger_entries e join fills f on f.position_id = e.object_id and f.kind = 'close'
      where e.id = any(${entries}::bigint[]) and e.kind = 'trade_close'
      union all
      select e.id, 'swap', s.number
      from ledger_entries e join swaps s on s.id = e.object_id
      where e.id = any(${entries}::bigint[]) and e.kind = 'swap'
      limit ${entries.length}
    `,
  );
  return new Map(rows.map(({ entry, ...behind }) => [entry, behind]));
}

const numbersOf = (all: Iterable<Behind>, kind: Behind["kind"]): number[] => [...all].flatMap((each) => (each.kind === kind ? [each.number] : []));
const nameOf = ({ kind, number }: Behind) => `${kind} ${number}`;

/** The proofs of what is behind lines, by name; what the log does not have yet, or never will, is missing. */
async function proofsBehind(sql: Sql, behind: Iterable<Behind>): Promise<Map<string, Proof>> {
  const all = [...behind];
  const of = async (kind: Behind["kind"]) => {
    const found = await readProofs(sql, kind, numbersOf(all, kind).map(String));
    return [...found].map(([ref, proof]) => [nameOf({ kind, number: Number(ref) }), proof] as const);
  };
  return new Map((await Promise.all([of("fill"), of("swap")])).flat());
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

/** The statement with the proof of what brought each line; null for lines that the log knows nothing of, and in the first second. */
export async function withProofs(sql: Sql, statement: Statement): Promise<ProvenStatement> {
  const behind = await behindOf(sql, statement.lines);
  const [proofs, days] = await Promise.all([proofsBehind(sql, behind.values()), dayProofs(sql, statement.month)]);
  const proofOf = (line: Transaction) => {
    const brought = behind.get(entryOf(line));
    return brought ? (proofs.get(nameOf(brought)) ?? null) : null;
  };
  return { ...statement, days, lines: statement.lines.map((line) => ({ ...line, proof: proofOf(line) })) };
}

/** The same as a file. Lines that neither a closing nor a night brought, or one before the log began, are not in it: the log holds nothing of them. Refuses (unavailable) until the log has the rest. */
export async function statementFile(sql: Sql, statement: Statement, since: number | null): Promise<StatementFile> {
  const behind = await behindOf(sql, statement.lines);
  const { lines, days } = await withProofs(sql, statement);
  const found = lines.flatMap(({ amount, proof }) => (proof ? [{ amount, proof }] : []));
  const missing = lines.flatMap((line) => (line.proof ? [] : (behind.get(entryOf(line)) ?? [])));
  for (const kind of ["fill", "swap"] as const) {
    const numbers = numbersOf(missing, kind);
    if ((await neverLogged(sql, kind, numbers)).size < numbers.length) throw notYet();
  }
  if (found.length + days.length === 0) throw notFound();
  const head = await headOf(sql, [...found.map(({ proof }) => proof), ...days], since);
  return { ...head, kind: "statement", account: found.length > 0 ? (statement.accountId ?? "") : "", month: statement.month, lines: found, days };
}
