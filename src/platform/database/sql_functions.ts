import * as v from "valibot";
import { hasYielded } from "./again";
import { many, type Tx } from "./db";
import type { TextFile } from "../files";
import { StartError } from "../start_error";

/** So long, in seconds, a schema's change waits for a table that others use. */
export const LOCK_PATIENCE_S = 5;

/**
 * Puts the SQL that runs now in place: sql/functions holds each function, trigger and view once. The order within and across its files does
 * not matter: what a function names is looked up when it runs, and triggers and views come after all functions.
 * Throws an Error that names file and line.
 */
export async function applyFunctions(tx: Tx, files: readonly TextFile[]): Promise<void> {
  await tx.unsafe("set local check_function_bodies = off");
  for (const { name, text } of files) await runText(tx, `sql/functions/${name}`, text.replace(LAST, emptied));
  const there = await triggersOf(tx);
  for (const { name, text } of files)
    await runText(
      tx,
      `sql/functions/${name}`,
      keeping(text, (statement) => !there.has(statement.toLowerCase())),
    );
}

/** One hash of all names and texts. */
export const hashOf = (files: readonly TextFile[]): string => new Bun.CryptoHasher("sha256").update(JSON.stringify(files)).digest("hex");

/** The hash of sql/functions that a migration names; null for one that names none. */
export const stampIn = (text: string): string | null => /^-- functions: ([0-9a-f]{64})$/m.exec(text)?.[1] ?? null;

/** What needs a function to be there. */
const LAST = /^create or replace (?:trigger|view) [^;]*;/gm;

/** Nothing but its line breaks, so that an error's line is the file's. */
const emptied = (text: string) => text.replace(/[^\n]+/g, "");

/** Of the statements that come last those wanted, each on its line. */
function keeping(text: string, wanted: (statement: string) => boolean): string {
  let kept = "";
  let at = 0;
  for (const { 0: statement, index } of text.matchAll(LAST)) {
    kept += emptied(text.slice(at, index)) + (wanted(statement) ? statement : emptied(statement));
    at = index + statement.length;
  }
  return kept;
}

const triggerRow = v.strictObject({ text: v.string() });
/**
 * The triggers that are there already, in lower case, as sql/functions writes them. They are left alone: to make one anew would lock a table
 * on which the release before works at that moment.
 */
async function triggersOf(tx: Tx): Promise<Set<string>> {
  const rows = await many(
    triggerRow,
    tx`
      select lower(replace(pg_get_triggerdef(t.oid, true), 'CREATE TRIGGER', 'create or replace trigger')) || ';' as text
      from pg_trigger t
      join pg_class c on c.oid = t.tgrelid
      where c.relnamespace = current_schema()::regnamespace and not t.tgisinternal and t.tgconstraint = 0
      limit 10000`,
  );
  return new Set(rows.map(({ text }) => text));
}

/** Runs a file's statements. Throws StartError where a table stayed in use, else an Error that names the file and, where it is known, the line. */
export async function runText(tx: Tx, name: string, text: string): Promise<void> {
  try {
    await tx.unsafe(text);
  } catch (error) {
    // The transaction is tried again as a whole.
    if (hasYielded(error)) throw error;
    const { message, position, code } = error as { message: string; position?: string; code?: string };
    if (code === "55P03")
      throw new StartError(`${name} waited ${LOCK_PATIENCE_S} s for a table that is in use, and changed nothing. Try again when the database is quieter.`);
    const line = position ? ` at line ${text.slice(0, Number(position)).split("\n").length}` : "";
    throw new Error(`${name} failed${line}: ${message}`, { cause: error });
  }
}
