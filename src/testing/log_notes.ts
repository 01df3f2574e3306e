import type { Db } from "../platform/database/db";
import { type Appending, appendRound, type State } from "../proof/commands";
import type { Source, Sources } from "../proof/sources";
import { LOG_KEY } from "./database";

/** A log of made-up records, for tests of the log by itself. */

const counted: Source = {
  note: "audit",
  read: async (_, told) => new Map(told.map(({ ref }) => [ref, { kind: "audit", fields: { last: Number(ref), hash: `head ${ref}` } }])),
};
export const madeUp: Sources = {
  records: [counted],
  tables: [],
  readTerms: async () => ({ accountTypes: "{}", instruments: "{}", countries: "{}" }),
  readTicks: async () => [],
};

export const seedOf = (hex: string) => Uint8Array.from(Buffer.from(hex, "hex"));

/** How a program that leads in this epoch would append. */
export const appending = (sql: Db, epoch: number, over: Partial<Appending> = {}): Appending => ({
  sql,
  epoch,
  key: { seed: seedOf(LOG_KEY), before: null },
  sources: madeUp,
  origin: () => "made.example/log",
  now: Date.now,
  ...over,
});

/** Leaves notes from one number to another, whose entries say these numbers. */
export const leaveNotes = (sql: Db, from: number, to: number) =>
  sql`insert into proof_outbox (kind, ref) select 'audit', n::text from generate_series(${from}::integer, ${to}::integer) n`;

/** Appends until nothing waits. */
export async function drain(given: Appending, known: State | null = null): Promise<State> {
  for (let state = known; ;) {
    const round = await appendRound(given, state);
    state = round.state;
    if (!round.more) return state;
  }
}
