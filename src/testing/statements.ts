import { AsyncLocalStorage } from "node:async_hooks";
import type { Db, Tx } from "../platform/database/db";

/** A statement as it was sent: its text with the places of its values, these as they travelled (text or null), and their types by number. */
export type Sent = { text: string; values: unknown[]; types: number[] };
type Statement = { string: string; types: number[] };
/** The driver's own: a statement is handled each time that somebody waits for it, and sent the first time. */
type Query = PromiseLike<unknown> & { executed: boolean; statement: Statement; parameters: unknown[]; handle(): Promise<void> };

const noting = new AsyncLocalStorage<Query[]>();
let watches = false;

/** Notes from here on what is sent; told by what sends it, so that what goes on beside it counts for nothing. */
function watch(sql: Db) {
  if (watches) return;
  watches = true;
  const driver = Object.getPrototypeOf(sql`select`) as Query;
  const { handle } = driver;
  driver.handle = function noted(this: Query) {
    if (!this.executed) noting.getStore()?.push(this);
    return handle.call(this);
  };
}

/** A new connection asks the driver's own question for the types of arrays. */
const ASKED_BY_CONNECTIONS = "from pg_catalog.pg_type";

/** The statements that `run` sent to the database, in order. */
export async function sentBy(sql: Db, run: () => Promise<unknown>): Promise<Sent[]> {
  watch(sql);
  const queries: Query[] = [];
  await noting.run(queries, run);
  const sent = queries.map(({ statement, parameters }) => ({ text: statement.string, values: parameters, types: statement.types }));
  return sent.filter(({ text }) => !text.includes(ASKED_BY_CONNECTIONS));
}

const BOOLEAN = 16;
const JSONS = [114, 3802];
const BYTES = 17;
/** What the driver would write otherwise a second time: a true, which is `t` by then, as false, and the text of an object as a text in quotes. */
const unwritten = (value: unknown, type: number): unknown => {
  if (typeof value !== "string") return value;
  if (type === BOOLEAN) return value === "t";
  if (JSONS.includes(type)) return JSON.parse(value);
  return type === BYTES ? Buffer.from(value.slice(2), "hex") : value;
};

/** Sends the same statement with the same values, each of its own type. */
const again = (sql: Db, tx: Tx, { text, values, types }: Sent) =>
  tx.unsafe(
    text,
    values.map((value, n) => sql.typed(unwritten(value, types[n] ?? 0), types[n] ?? 0) as never),
  );

/** How many rows PostgreSQL reads from tables for a statement, those of the functions that it calls among them; with the settings (`set local`) it was sent under. */
export async function rowsRead(sql: Db, sent: Sent, settings: readonly Sent[] = []): Promise<number> {
  return sql.begin(async (tx) => {
    for (const each of settings) await again(sql, tx, each);
    const read = async () => {
      const [row] = await tx<{ rows: number }[]>`select coalesce(sum(seq_tup_read + idx_tup_fetch), 0)::integer as rows from pg_stat_xact_user_tables`;
      return row?.rows ?? 0;
    };
    const before = await read();
    await again(sql, tx, sent);
    return (await read()) - before;
  });
}
