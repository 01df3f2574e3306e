import type { Fragment, Sql } from "../platform/database/db";
import type { Hash } from "./rules_merkle";
import type { Fields, Kind, LogRecord, Tick } from "./schema";

/** What was left in the outbox: what it tells of, by a name of the domain's, and when it was left; and the version of the record, where it was logged. */
export type Told = { ref: string; at: string; v?: number };
/** The names, as one statement asks for all of them. */
export const refsOf = (told: readonly Told[]): string[] => told.map(({ ref }) => ref);

/** A tick as its batch has it: its canonical JSON, and that one's leaf. */
export type TickLeaf = { seq: number; text: string; leaf: Hash };

/** A record as a domain gives it; without `v` of version 1. `leaves`: a batch's ticks, in their order, from which the paths of those that are dealt on are made while they are at hand. */
export type NewRecord =
  | { [K in Kind]: { kind: K; v?: never; fields: Fields<K>; leaves?: K extends "ticks" ? readonly TickLeaf[] : never } }[Kind]
  | { kind: "instrument"; v: 2; fields: WholeTerms };
type WholeTerms = Omit<Extract<LogRecord<"instrument">, { v: 2 }>, "kind" | "v">;

/** What a domain knows while a record is made. */
export type Circumstances = { terms: number };

/** Where records of one kind of note come from. */
export type Source = {
  /** As the outbox names it. */
  note: string;
  /** Of several notes at a time only the last is told: what it says covers the others. */
  newestOnly?: true;
  /** Each log tells all of them, since what a later log holds names what an earlier one told, and of that a tile may be lost. */
  inEachLog?: true;
  /** The records by ref, of what is still there. */
  read(sql: Sql, told: readonly Told[], circumstances: Circumstances): Promise<ReadonlyMap<string, NewRecord>>;
};

/** What a log that is not the first tells anew: a ref stands once in all logs. */
export const refIn = (ref: string, log: number): string => (log === 1 ? ref : `${ref}@${log}`);
/** The ref as its domain knows it. */
export const plainRef = (ref: string): string => ref.replace(/@\d+$/, "");

/** How far a table was read whose rows are their own notes, as a note beside each would cost what writes them more: rows above `high`, and of the numbers below it those that were not to be seen then. */
export type Reach = { high: number; among: readonly number[] };

/**
 * A table whose numbers grow and whose rows never change. Whoever writes a row has written something else before in the same transaction: then
 * the transaction is known to others before it takes the row's number.
 */
export type Table = {
  note: string;
  waits(sql: Sql, reach: Reach): Promise<boolean>;
  /** Its rows by number, at most so many, as a query of `id`, `at`, `text`, the canonical record, and `tick`, a bigint that may be null. */
  rows(sql: Sql, reach: Reach, limit: number, circumstances: Circumstances): Fragment;
};

/** The terms of all accounts as they stand, each as JSON. */
export type Terms = Pick<Fields<"terms">, "accountTypes" | "instruments" | "countries">;

/** What the log needs of the domains above it. */
export type Sources = {
  records: readonly Source[];
  tables: readonly Table[];
  readTerms(sql: Sql): Promise<Terms>;
  /** The recorded ticks of a batch, in their order. */
  readTicks(sql: Sql, first: number, last: number): Promise<Tick[]>;
};
