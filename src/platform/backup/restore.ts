import * as v from "valibot";
import { type Header, inspectBackup, readBackup, type Section } from "./backup_file";
import { type Db, many, type Sql, type Tx } from "../database/db";
import { readSchema } from "../files";
import { makeSchema, type Migration, migrate, parseName, putInPlace } from "../database/migrate";
import { StartError } from "../start_error";

/** One statement's rows: so many at most, and about so many bytes. */
const ROWS_AT_ONCE = 2000;
const BYTES_AT_ONCE = 4 * 2 ** 20;

type Restored = { header: Header; tables: number; rows: number; applied: string[] };
type Options = {
  onTable?: (table: string, at: number, of: number) => void;
  /** What else belongs to the restored state, in the same transaction. */
  finish?: (tx: Tx) => Promise<unknown>;
};

/**
 * Checks that the file is whole and that this program can read it, before any database is opened.
 * Throws StartError where it is foreign, damaged, or made by a newer program.
 */
export async function openBackup(path: string): Promise<{ header: Header; tables: number; rows: number; migrations: Migration[] }> {
  const found = await inspectBackup(path);
  const own = readSchema().migrations.map(parseName);
  const migrations = found.header.migrations.map(({ version, checksum, name }) => {
    const same = own.find((each) => each.version === version);
    if (same?.checksum !== checksum)
      throw new StartError(`${path} was made by another version of Halyard (${found.header.program}): it holds migration ${name}.`);
    return same;
  });
  return { ...found, migrations };
}

/**
 * Fills an empty database with a backup, in one transaction: all of it or nothing. Then brings the schema up to this
 * program. Throws StartError where the database is not empty or the file changed since it was opened.
 */
export async function restoreBackup(
  sql: Db,
  path: string,
  backup: Awaited<ReturnType<typeof openBackup>>,
  { onTable, finish }: Options = {},
): Promise<Restored> {
  await refuseFilled(sql);
  const own = readSchema();
  await sql.begin(async (tx) => {
    await makeSchema(tx, backup.migrations);
    const tables = await tablesOf(tx);
    const parts = await relax(tx, tables);
    await fill(tx, path, (table, at) => onTable?.(table, at, backup.tables));
    await tighten(tx, tables, parts);
    await finish?.(tx);
    // One that lacks migrations gets the functions with the last of them.
    if (backup.migrations.length === own.migrations.length) await putInPlace(tx, own.functions);
  });
  const applied = await migrate(sql, own);
  // Else whatever reads it next, the look at its books first of all, would guess how large it is.
  await sql.unsafe("analyze");
  return { header: backup.header, tables: backup.tables, rows: backup.rows, applied };
}

async function refuseFilled(sql: Sql): Promise<void> {
  const [found] = await sql`select relname from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm') limit 1`;
  if (found) throw new StartError("The database is not empty. Restore into an empty one: another DATA_DIR, or a new database. Nothing was changed.");
}

const nameRow = v.strictObject({ name: v.string() });
const tablesOf = async (sql: Sql): Promise<string[]> =>
  (
    await many(
      nameRow,
      sql`
        select relname as name from pg_class
        where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition and relname <> 'schema_migrations'
        order by relname limit 10000`,
    )
  ).map(({ name }) => name);

/** What a restore puts together again: the statement that takes it away, and the one that makes it. */
const partRow = v.strictObject({ drop: v.string(), make: v.string() });
type Part = v.InferOutput<typeof partRow>;
/** Foreign keys, looked at over whole tables in place of for each row; so tables can come in any order. */
const foreignKeysOf = (sql: Sql): Promise<Part[]> =>
  many(
    partRow,
    sql`
      select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
        format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as make
      from pg_constraint
      where connamespace = current_schema()::regnamespace and contype = 'f' and conparentid = 0
      order by conrelid::regclass::text, conname limit 10000`,
  );
/** Indexes, made over whole tables; those that a constraint stands on stay, so that a row that is in the file twice is refused at once. */
const indexesOf = (sql: Sql): Promise<Part[]> =>
  many(
    partRow,
    sql`
      select format('drop index %s', i.indexrelid::regclass) as drop, pg_get_indexdef(i.indexrelid) as make
      from pg_index i
      join pg_class c on c.oid = i.indrelid
      where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and not c.relispartition
        and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))
      order by i.indexrelid::regclass::text limit 10000`,
  );

/** Our own triggers would refuse or repeat what the backup holds already. Answers what was taken away, in the order in which it is to be made again. */
async function relax(tx: Tx, tables: readonly string[]): Promise<Part[]> {
  for (const table of tables) await tx.unsafe(`alter table "${table}" disable trigger user`);
  await tx.unsafe(`truncate ${tables.map((table) => `"${table}"`).join(", ")}`);
  const [keys, indexes] = [await foreignKeysOf(tx), await indexesOf(tx)];
  for (const { drop } of [...keys, ...indexes]) await tx.unsafe(drop);
  return [...indexes, ...keys];
}

async function tighten(tx: Tx, tables: readonly string[], parts: readonly Part[]): Promise<void> {
  for (const { make } of parts) await tx.unsafe(make);
  for (const table of tables) await tx.unsafe(`alter table "${table}" enable trigger user`);
}

async function fill(tx: Tx, path: string, onTable: (table: string, at: number) => void): Promise<void> {
  let at = 0;
  let load: Load | null = null;
  for await (const part of readBackup(path)) {
    if (part.kind === "row") await load?.add(part.line);
    if (part.kind === "table") {
      await load?.flush();
      load = new Load(tx, part.section, await typesOf(tx, part.section));
      onTable(part.section.table, ++at);
    }
    if (part.kind === "sequences") {
      await load?.flush();
      for (const [name, value] of Object.entries(part.values)) if (value !== null) await tx`select setval(${name}::regclass, ${value}, true)`;
    }
  }
}

const typeRow = v.strictObject({ name: v.string(), type: v.string() });
/** Each column's type as SQL writes it. Throws StartError for a column that this schema does not have. */
async function typesOf(tx: Tx, { table, columns }: Section): Promise<string[]> {
  const rows = await many(
    typeRow,
    tx`
      select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
      where attrelid = to_regclass(${table}) and attnum > 0 and not attisdropped limit 2000`,
  );
  const types = new Map(rows.map(({ name, type }) => [name, type]));
  return columns.map((column) => {
    const type = types.get(column);
    if (type === undefined) throw new StartError(`The backup holds ${table}.${column}, which its schema does not have. Nothing was changed.`);
    return type;
  });
}

/** The rows of one table, a few thousand a statement. */
class Load {
  private lines: string[] = [];
  private bytes = 0;
  private readonly statement: string;

  constructor(
    private readonly tx: Tx,
    { table, columns }: Section,
    types: readonly string[],
  ) {
    const names = columns.map((column) => `"${column}"`).join(", ");
    const values = types.map((type, n) => `(r.row ->> ${n})::${type}`).join(", ");
    this.statement = `insert into "${table}" (${names}) overriding system value select ${values} from jsonb_array_elements($1::text::jsonb) as r(row)`;
  }

  async add(line: string): Promise<void> {
    this.lines.push(line);
    this.bytes += line.length;
    if (this.lines.length >= ROWS_AT_ONCE || this.bytes >= BYTES_AT_ONCE) await this.flush();
  }
  async flush(): Promise<void> {
    if (this.lines.length === 0) return;
    const list = `[${this.lines.join(",")}]`;
    this.lines = [];
    this.bytes = 0;
    await this.tx.unsafe(this.statement, [list]);
  }
}
