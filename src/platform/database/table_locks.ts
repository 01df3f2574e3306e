import * as v from "valibot";
import { hasYielded } from "./again";
import { many, type Tx } from "./db";
import { LOCK_PATIENCE_S } from "./sql_functions";

/** Ms that one table is waited for while others are held: less than PostgreSQL's second, after which somebody's work is rolled back for a deadlock. */
const HELD_WAIT_MS = 250;

type Mode = "access exclusive" | "share row exclusive";
const tableRow = v.strictObject({ name: v.string() });

/**
 * Takes the tables that these statements change or refer to, all before anything is changed. A change that took them one by one would meet, in
 * a deadlock, each deal that takes them in another order, and on a busy market it would lose every time. So what waits too long lets go of all and
 * begins with the table that it waited for; by that it comes to the order that deals have. After some seconds it takes none, and the statements
 * themselves wait and say which table is in use.
 */
export async function takeTables(tx: Tx, texts: readonly string[]): Promise<void> {
  const there = await many(
    tableRow,
    tx`select relname::text as name from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') order by oid limit 10000`,
  );
  const modes = modesOf(
    texts,
    there.map(({ name }) => name),
  );
  const end = performance.now() + LOCK_PATIENCE_S * 1000;
  let order = [...modes.keys()];
  while (order.length > 0 && performance.now() < end) {
    const met = await takeInOrder(tx, order, modes);
    if (met === null) return;
    order = [met, ...order.filter((name) => name !== met)];
  }
}

/** The tables among `there` that the statements name, each with the lock that the strongest of them needs. */
export function modesOf(texts: readonly string[], there: readonly string[]): Map<string, Mode> {
  const modes = new Map<string, Mode>();
  const known = new Set(there);
  for (const statement of texts.flatMap((text) => text.replace(/--.*$/gm, "").split(";"))) {
    const alters = /^\s*(?:alter|drop|truncate)\b/i.test(statement);
    for (const name of statement.match(/\w+/g) ?? [])
      if (known.has(name) && modes.get(name) !== "access exclusive") modes.set(name, alters ? "access exclusive" : "share row exclusive");
  }
  return modes;
}

/** Takes all and returns null, or takes none and returns the table that was not to be had. */
async function takeInOrder(tx: Tx, order: readonly string[], modes: ReadonlyMap<string, Mode>): Promise<string | null> {
  let at = "";
  try {
    await tx.savepoint(async (part) => {
      await part.unsafe(`set local lock_timeout = ${HELD_WAIT_MS}`);
      for (at of order) await part.unsafe(`lock table "${at}" in ${modes.get(at)} mode`);
      await part.unsafe(`set local lock_timeout = '${LOCK_PATIENCE_S}s'`);
    });
    return null;
  } catch (error) {
    if (!hasYielded(error) && (error as { code?: string }).code !== "55P03") throw error;
    return at;
  }
}
