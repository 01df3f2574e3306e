import { once } from "node:events";
import { createWriteStream, existsSync, openSync, fsyncSync, closeSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { finished } from "node:stream/promises";
import { createGzip } from "node:zlib";
import * as v from "valibot";
import type { Header } from "./backup_file";
import { type Account, asAccount } from "../database/account";
import { type Db, many, one, type Sql, type Tx } from "../database/db";
import { appliedTo } from "../database/migrate";
import { StartError } from "../start_error";

/** Recorded ticks are kept seven days for looking back and nothing refers to them; the migrations' register is in the header. */
const LEFT_OUT = ["schema_migrations", "ticks"];
/** Rows asked for at once: many small ones, few of tables that hold files. */
const AT_ONCE = 2000;
const FILES_AT_ONCE = 4;

export type BackupDone = { path: string; bytes: number; tables: number; rows: number; auditHead: Header["auditHead"] };
type Options = {
  program: string;
  /** Told before each table, for a person who waits. */
  onTable?: (table: string, at: number, of: number) => void;
  /** The private key of the public log, where the file shall hold it. */
  logKey?: string;
  /** With whose rights the file is written, where it is not the program's own folder. */
  account?: Account;
};

/**
 * Writes all of the database as it is at one moment into one file, while others go on working. The file appears under its
 * name only when it is whole and on disk. Throws StartError where the file exists already or can't be written.
 */
export async function writeBackup(sql: Db, path: string, { program, onTable, logKey, account = null }: Options): Promise<BackupDone> {
  if (existsSync(path)) throw new StartError(`${path} exists already. Name another file, or remove it first.`);
  const half = `${path}.part`;
  const out = new Writer(half, openNew(half, account));
  try {
    const done = await sql.begin("isolation level repeatable read read only", async (tx) => {
      const auditHead = await auditHeadOf(tx);
      const header: Header = {
        halyard: "backup",
        format: 1,
        program,
        madeAt: new Date().toISOString(),
        migrations: await appliedTo(tx),
        auditHead,
        ...(logKey && { logKey }),
      };
      await out.line(JSON.stringify(header));
      const tables = await tablesOf(tx);
      for (const [at, table] of tables.entries()) {
        onTable?.(table.name, at + 1, tables.length);
        await out.line(JSON.stringify({ table: table.name, columns: table.columns }));
        for await (const lines of rowsOf(tx, table)) await out.rows(lines);
      }
      await out.line(JSON.stringify({ sequences: await sequencesOf(tx) }));
      return { tables: tables.length, auditHead };
    });
    await out.end();
    asAccount(account, () => renameSync(half, path));
    sync(dirname(path));
    return { path, bytes: Bun.file(path).size, rows: out.rowCount, ...done };
  } catch (error) {
    out.abandon();
    asAccount(account, () => rmSync(half, { force: true }));
    throw unwritable(path, error);
  }
}

/** A file that nobody else made, whatever lay there under its name, with the account's own rights. */
function openNew(path: string, account: Account): number {
  try {
    return asAccount(account, () => {
      rmSync(path, { force: true });
      return openSync(path, "wx", 0o600);
    });
  } catch (error) {
    throw unwritable(path, error);
  }
}

function unwritable(path: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  return code && /^E[A-Z]+$/.test(code) ? new StartError(`${path.replace(/\.part$/, "")} can't be written (${code}).`) : error;
}

/** Lines into a compressed file, with the checksum that its last line holds. */
class Writer {
  rowCount = 0;
  private readonly gzip = createGzip({ level: 6 });
  private readonly file;
  private readonly hash = new Bun.CryptoHasher("sha256");
  private readonly written: Promise<unknown>;

  constructor(
    private readonly path: string,
    fd: number,
  ) {
    this.file = createWriteStream(path, { fd });
    this.written = finished(this.gzip.pipe(this.file));
    // A fault of the file is told by `written`; it also ends the compression, whose own echo of it is not news.
    this.file.on("error", (error) => this.gzip.destroy(error));
    this.gzip.on("error", () => {});
    this.written.catch(() => {});
  }

  async rows(lines: readonly string[]): Promise<void> {
    this.rowCount += lines.length;
    await this.line(lines.join("\n"));
  }
  async line(text: string): Promise<void> {
    const bytes = `${text}\n`;
    this.hash.update(bytes);
    await this.write(bytes);
  }
  async end(): Promise<void> {
    await this.write(`${JSON.stringify({ end: true, rows: this.rowCount, sha256: this.hash.digest("hex") })}\n`);
    this.gzip.end();
    await this.written;
    sync(this.path);
  }
  abandon(): void {
    this.gzip.destroy();
    this.file.destroy();
  }

  /** Waits while the disk is slower than the database. */
  private async write(text: string): Promise<void> {
    if (this.gzip.destroyed) await this.written;
    if (!this.gzip.write(text)) await Promise.race([once(this.gzip, "drain"), this.written]);
  }
}

/** Until the bytes, or a folder's new name, would survive a power cut. */
function sync(path: string): void {
  const handle = openSync(path, "r");
  fsyncSync(handle);
  closeSync(handle);
}

const headRow = v.strictObject({ id: v.number(), hash: v.string() });
async function auditHeadOf(sql: Sql): Promise<Header["auditHead"]> {
  const head = await one(headRow, sql`select last_id as id, hash from audit_head`);
  if (!head) throw new StartError("The database holds no audit head: it is not Halyard's, or it is broken.");
  return head;
}

const tableRow = v.strictObject({ name: v.string(), columns: v.array(v.string()), files: v.boolean() });
type Table = v.InferOutput<typeof tableRow>;

/** Every table of the schema with the columns that hold something of their own, not what is generated from others. */
const tablesOf = (sql: Sql): Promise<Table[]> =>
  many(
    tableRow,
    sql`
      select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns, bool_or(a.atttypid = 'bytea'::regtype) as files
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> all(${LEFT_OUT})
      group by c.relname
      order by c.relname
      limit 10000`,
  );

async function* rowsOf(tx: Tx, { name, columns, files }: Table): AsyncGenerator<string[]> {
  const values = columns.map((column) => `"${column}"::text`).join(", ");
  await tx.unsafe(`declare backup no scroll cursor for select json_build_array(${values})::text as line from "${name}"`);
  for (;;) {
    const rows = await tx.unsafe<{ line: string }[]>(`fetch ${files ? FILES_AT_ONCE : AT_ONCE} from backup`);
    if (rows.length === 0) break;
    yield rows.map(({ line }) => line);
  }
  await tx.unsafe("close backup");
}

const sequenceRow = v.strictObject({ name: v.string(), value: v.nullable(v.number()) });
async function sequencesOf(sql: Sql): Promise<Record<string, number | null>> {
  const rows = await many(
    sequenceRow,
    sql`select sequencename::text as name, last_value as value from pg_sequences where schemaname = current_schema() order by sequencename limit 10000`,
  );
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}
