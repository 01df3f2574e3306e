/** Proving the books by sql/checks: the whole of them, or what came since they were last found right. */
import * as v from "valibot";
import { one, type Sql, type Tx } from "../platform/database/db";
import { folders, readTexts } from "../platform/files";

/** `rows`: how many a check returned; `first`: the first of them. */
export type Proof = { check: string; rows: number; first: string | null };

const seal = v.strictObject({ entry: v.string(), fill: v.string(), action: v.string(), day: v.string() });
/** The newest ledger entry, fill and line of the audit book up to which the books are right, and the day of it. */
export type Seal = v.InferOutput<typeof seal>;

const nameOf = (file: string) => file.replace(/\.sql$/, "");
const proofOf = (check: string, rows: readonly unknown[]): Proof => ({ check, rows: rows.length, first: rows.length > 0 ? JSON.stringify(rows[0]) : null });

/** Runs each of sql/checks, which must return no row, `atOnce` of them at a time: as many connections of `sql` are taken. */
export async function proveBooks(sql: Sql, atOnce = 1): Promise<Proof[]> {
  const checks = readTexts(folders.checks, ".sql");
  const proofs: Proof[] = [];
  let next = 0;
  const work = async () => {
    for (let at = next++; at < checks.length; at = next++) {
      const { name, text } = checks[at] as (typeof checks)[number];
      proofs[at] = proofOf(nameOf(name), await sql.unsafe(text));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return proofs;
}

/** What a check's text says between `/*new` and its end is a comment for the whole, and narrows it to what is new; one without any is for the whole alone. */
const NEW = /\/\*new(.*?)\*\//gs;

/** The text of a check for what came after a seal; null where it can only be asked of the whole. It reads the tables that `listNew` makes. */
function newOf(text: string, since: Seal): string | null {
  if (text.search(NEW) === -1) return null;
  return text
    .replace(NEW, "$1")
    .replace(/:(entry|fill|action)\b/g, (_, key: "entry" | "fill" | "action") => BigInt(since[key]).toString())
    .replace(/:day\b/g, `'${since.day}'::date`);
}

/** Lists what is new in tables of the transaction's own: what entries name, the accounts that they moved, and positions with their wholes and parts. */
async function listNew(tx: Tx, { entry, fill }: Seal): Promise<void> {
  await tx`create temp table new_objects on commit drop as select distinct object_id as id from ledger_entries where id > ${entry}::bigint`;
  await tx`create temp table new_accounts on commit drop as select distinct account_id as id from ledger_postings where entry_id > ${entry}::bigint`;
  await tx`analyze new_objects, new_accounts`;
  await tx`
    create temp table new_positions on commit drop as
    with
      touched as materialized (
        select position_id as id from fills where id > ${fill}::bigint
        union select position_id from swaps where id in (select id from new_objects)
        union select position_id from commissions where id in (select id from new_objects)
        union select id from new_objects
      ),
      root as materialized (select distinct coalesce(parent_id, id) as id from positions where id in (select id from touched))
    select id from root
    union
    select p.id from root join positions p on p.parent_id = root.id
  `;
  await tx`analyze new_positions`;
}

/**
 * The same of what came after a seal, in a transaction for it; it reads no more than that and what stands beside it. `left`: the checks that can
 * only be asked of the whole.
 */
export async function proveNew(tx: Tx, since: Seal): Promise<{ proofs: Proof[]; left: string[] }> {
  await listNew(tx, since);
  const [proofs, left]: [Proof[], string[]] = [[], []];
  for (const { name, text } of readTexts(folders.checks, ".sql")) {
    const asked = newOf(text, since);
    if (asked === null) left.push(nameOf(name));
    else proofs.push(proofOf(nameOf(name), await tx.unsafe(asked)));
  }
  return { proofs, left };
}

/** The last seal; null where the books were never found right. */
export const lastSeal = (sql: Sql): Promise<Seal | null> =>
  one(
    seal,
    sql`
      select entry::text, fill::text, action::text, ((at at time zone 'UTC')::date - 1)::text as day
      from book_seals where number = (select max(number) from book_seals)`,
  );

const PATIENCE = 10_000;
/**
 * How far the books are written: what has a number up to here is there or never will be. What comes behind it may be under way. Null where
 * somebody wrote for ten seconds without an end.
 */
export async function settledEnd(sql: Sql, patience = PATIENCE): Promise<Seal | null> {
  const end = await one(
    seal,
    sql`
      select coalesce((select max(id) from ledger_entries), 0)::text as entry, coalesce((select max(id) from fills), 0)::text as fill,
        coalesce((select max(id) from admin_actions), 0)::text as action, (now() at time zone 'UTC')::date::text as day`,
  );
  // A number of its own, taken after that, is higher than that of anybody who has one of these ids.
  const [own] = await sql<{ number: string }[]>`select pg_current_xact_id()::text as number`;
  if (!own) return null;
  for (const until = performance.now() + patience; performance.now() < until; await Bun.sleep(20)) {
    const [row] = await sql<{ over: boolean }[]>`select pg_snapshot_xmin(pg_current_snapshot()) > ${own.number}::xid8 as over`;
    if (row?.over) return end;
  }
  return null;
}

/** Keeps that the books are right up to here, as a check of the whole or of what was new found them. */
export const sealBooks = async (sql: Sql, { entry, fill, action }: Seal, isWhole: boolean): Promise<void> =>
  void (await sql`insert into book_seals (entry, fill, action, is_whole) values (${entry}::bigint, ${fill}::bigint, ${action}::bigint, ${isWhole})`);
