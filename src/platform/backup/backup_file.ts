import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import * as v from "valibot";
import { Applied } from "../database/migrate";
import { StartError } from "../start_error";

/**
 * The form of a backup: gzip over lines of JSON, so that `zcat` shows all of it.
 *
 *   {"halyard":"backup","format":1,…}          what it is and which migrations it stands on
 *   {"table":"users","columns":["id",…]}       a table, then each of its rows: the columns' values as PostgreSQL's text
 *   ["0193…","ada@example.test",…]
 *   {"sequences":{"ledger_entries_id_seq":42}}
 *   {"end":true,"rows":12345,"sha256":"…"}     the checksum of every byte before this line
 */
export const Header = v.object({
  halyard: v.literal("backup"),
  format: v.literal(1),
  program: v.string(),
  madeAt: v.string(),
  migrations: v.array(Applied),
  /** The newest entry of the staff's book: what a copy of this line, kept elsewhere, proves the book against. */
  auditHead: v.object({ id: v.number(), hash: v.string() }),
  /** The private key of the public log, as hexadecimal digits, where it was asked for. */
  logKey: v.optional(v.string()),
});
export type Header = v.InferOutput<typeof Header>;

const Table = v.object({ table: v.pipe(v.string(), v.regex(/^[a-z_][a-z0-9_]*$/)), columns: v.array(v.string()) });
const Row = v.array(v.nullable(v.string()));
const Sequences = v.object({ sequences: v.record(v.string(), v.nullable(v.number())) });
const End = v.object({ end: v.literal(true), rows: v.number(), sha256: v.string() });

export type Section = { table: string; columns: string[] };
export type Part = { kind: "table"; section: Section } | { kind: "row"; line: string } | { kind: "sequences"; values: Record<string, number | null> };

/** Every header's first characters. */
const BEGINNING = '{"halyard":"backup"';
const foreign = (path: string) => new StartError(`${path} is not a backup that this version of Halyard can read.`);
const damaged = (path: string) => new StartError(`${path} is damaged or incomplete. Nothing was changed.`);

/** Reads a backup from its first byte to its last without using it. Throws StartError where it is foreign, cut off or changed. */
export async function inspectBackup(path: string): Promise<{ header: Header; tables: number; rows: number }> {
  let header: Header | null = null;
  let tables = 0;
  let rows = 0;
  for await (const part of readBackup(path)) {
    if (part.kind === "header") header = part.header;
    else if (part.kind === "table") tables++;
    else if (part.kind === "row") rows++;
  }
  if (!header) throw foreign(path);
  return { header, tables, rows };
}

/** The parts of a backup in their order; what is wrong with it may show only at the end. Throws StartError. */
export async function* readBackup(path: string): AsyncGenerator<Part | { kind: "header"; header: Header }> {
  const hash = new Bun.CryptoHasher("sha256");
  let columns = 0;
  let rows = 0;
  let first = true;
  let end: v.InferOutput<typeof End> | null = null;
  for await (const line of linesOf(path, (rest) => (first && !rest.startsWith(BEGINNING) ? foreign(path) : damaged(path)))) {
    if (end) throw damaged(path);
    if (first) {
      const header = v.safeParse(Header, parsed(line));
      if (!header.success) throw foreign(path);
      yield { kind: "header", header: header.output };
      first = false;
    } else {
      const value = parsed(line);
      if (v.is(Row, value)) {
        if (value.length !== columns) throw damaged(path);
        rows++;
        yield { kind: "row", line };
      } else if (v.is(Table, value)) {
        columns = value.columns.length;
        yield { kind: "table", section: value };
      } else if (v.is(Sequences, value)) yield { kind: "sequences", values: value.sequences };
      else if (v.is(End, value)) end = value;
      else throw damaged(path);
    }
    if (!end) hash.update(line).update("\n");
  }
  if (first) throw foreign(path);
  if (!end || end.rows !== rows || end.sha256 !== hash.digest("hex")) throw damaged(path);
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null; // No line of ours; the caller says what that means.
  }
}

/** The decompressed lines; `fault` says what a broken stream means at that point, after so much of an unfinished line. */
async function* linesOf(path: string, fault: (rest: string) => StartError): AsyncGenerator<string> {
  const file = createReadStream(path);
  const plain = createGunzip();
  file.on("error", (error) => plain.destroy(error));
  file.pipe(plain);
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let rest = "";
  try {
    for await (const chunk of plain) {
      const lines = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      yield* lines;
    }
  } catch (error) {
    if (error instanceof StartError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "EACCES" || code === "EISDIR") throw new StartError(`${path} can't be read (${code}).`);
    throw fault(rest);
  } finally {
    file.destroy();
  }
  if (rest) throw fault(rest);
}
