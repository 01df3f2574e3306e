import { AsyncLocalStorage } from "node:async_hooks";
import type { Db } from "../platform/database/db";

/** A statement as it was sent: its text with the places of its values, and these. */
export type Sent = { text: string; values: unknown[] };
/** The driver's own: a statement is handled each time that somebody waits for it, and sent the first time. */
type Query = PromiseLike<unknown> & { executed: boolean; statement: { string: string }; parameters: unknown[]; handle(): Promise<void> };

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
  const sent = queries.map(({ statement, parameters }) => ({ text: statement.string, values: parameters }));
  return sent.filter(({ text }) => !text.includes(ASKED_BY_CONNECTIONS));
}

/** How many rows PostgreSQL reads from tables for a statement, those of the functions that it calls among them; with the settings (`set local`) it was sent under. */
export async function rowsRead(sql: Db, { text, values }: Sent, settings: readonly Sent[] = []): Promise<number> {
  return sql.begin(async (tx) => {
    for (const each of settings) await tx.unsafe(each.text);
    const read = async () => {
      const [row] = await tx<{ rows: number }[]>`select coalesce(sum(seq_tup_read + idx_tup_fetch), 0)::integer as rows from pg_stat_xact_user_tables`;
      return row?.rows ?? 0;
    };
    const before = await read();
    await tx.unsafe(text, values as string[]);
    return (await read()) - before;
  });
}
