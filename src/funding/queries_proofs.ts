import * as v from "valibot";
import { notFound } from "../lib/refusal";
import { many, type Sql } from "../platform/database/db";
import { neverLogged, readProofs } from "../proof/queries";
import { atOneMoment, headOf, isProof, lostForGood, notYet, type Part, partsBy } from "../proof/queries_files";
import { lostOf } from "../proof/queries_lost";
import type { StatementFile } from "../proof/rules_files";
import type { Proof } from "../proof/schema";
import type { ProvenStatement, Statement, Transaction } from "./schema";

/** What of a statement the public log holds: the deal or the night behind a line, and the closings of the month's days. */

/** What the log knows behind a line: a receipt or a night, by its number. */
type Behind = { kind: "fill" | "swap"; number: number };
const behindRow = v.strictObject({ entry: v.number(), kind: v.picklist(["fill", "swap"]), number: v.number() });
const entryOf = ({ id }: Transaction) => Number(id.split("-")[0]);
const LOGGED = new Set(["trade", "correction", "swap", "commission"]);

/** What is behind each line that a closing, a commission or a night brought, by the line's entry. */
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
      union all
      select e.id, 'fill', f.id
      from ledger_entries e join commissions c on c.id = e.object_id join fills f on f.position_id = c.position_id and f.kind = c.side
      where e.id = any(${entries}::bigint[]) and e.kind = 'commission'
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
/** What the log holds of the closings of a month's days. */
async function dayProofs(sql: Sql, month: string): Promise<Part[]> {
  const days = await many(dayRow, sql`select day::text from closed_days where to_char(day, 'YYYY-MM') = ${month} order by closed_days.day limit 31`);
  return partsBy(
    sql,
    "day",
    days.map(({ day }) => day),
  );
}

/** A receipt says what was taken of commission since its later versions alone. */
const tellsOf = ({ type }: Transaction, { record }: Proof): boolean => type !== "commission" || "commission" in record;

/** A statement's lines and days with their proofs, and what is behind lines that the log does not have yet, never will, or lost. */
async function proven(sql: Sql, { month, lines }: Statement) {
  const behind = await behindOf(sql, lines);
  const [proofs, days] = await Promise.all([proofsBehind(sql, behind.values()), dayProofs(sql, month)]);
  const proofOf = (line: Transaction) => {
    const brought = behind.get(entryOf(line));
    const proof = brought && proofs.get(nameOf(brought));
    return proof && tellsOf(line, proof) ? proof : null;
  };
  return {
    days: days.filter(isProof),
    areDaysLost: days.includes("lost"),
    lines: lines.map((line) => ({ ...line, proof: proofOf(line) })),
    missing: [...behind.values()].filter((each) => !proofs.has(nameOf(each))),
  };
}

/** The statement with the proof of what brought each line; null for lines that the log knows nothing of, in the first second, and where a tile is lost. */
export async function withProofs(sql: Sql, statement: Statement): Promise<ProvenStatement> {
  const { days, lines } = await proven(sql, statement);
  return { ...statement, days, lines };
}

/**
 * The same as a file. Lines that no deal and no night brought, or one before the log began, are not in it: the log holds nothing of them. Of what it lost
 * with a tile the file says that it lacks it. Refuses (unavailable) until the log has the rest, and (conflict) where nothing is left.
 */
export const statementFile = (sql: Sql, statement: Statement, since: number | null): Promise<StatementFile> =>
  atOneMoment(sql, (moment) => fileOf(moment, statement, since));

async function fileOf(sql: Sql, statement: Statement, since: number | null): Promise<StatementFile> {
  const { lines, days, areDaysLost, missing } = await proven(sql, statement);
  const found = lines.flatMap(({ amount, proof }) => (proof ? [{ amount, proof }] : []));
  let areLinesLost = false;
  for (const kind of ["fill", "swap"] as const) {
    const numbers = [...new Set(numbersOf(missing, kind))];
    const [never, gone] = [await neverLogged(sql, kind, numbers), await lostOf(sql, kind, numbers.map(String))];
    if (never.size + gone.size < numbers.length) throw notYet();
    areLinesLost ||= gone.size > 0;
  }
  const lost = [...(areLinesLost ? (["lines"] as const) : []), ...(areDaysLost ? (["days"] as const) : [])];
  if (found.length + days.length === 0) throw lost.length > 0 ? lostForGood() : notFound();
  const head = await headOf(sql, [...found.map(({ proof }) => proof), ...days], since);
  const account = found.length > 0 ? (statement.accountId ?? "") : "";
  return { ...head, kind: "statement", account, month: statement.month, lines: found, days, ...(lost.length > 0 && { lost }) };
}
