import * as v from "valibot";
import { type Db, many, one, type Sql, type Tx } from "./db";
import type { TextFile } from "./files";
import { StartError } from "./start_error";

const LOCK = 7_215_201;
const OLDEST_POSTGRES = 140_000;
const LOCK_PATIENCE_S = 5;

export type Migration = { version: number; name: string; text: string; checksum: string };
export const Applied = v.strictObject({ version: v.number(), name: v.string(), checksum: v.string() });
export type Applied = v.InferOutput<typeof Applied>;

/**
 * Brings the schema up to this program: each file of sql/migrations once, in its own transaction, one program at a
 * time. Returns the names of what was applied now.
 * Throws StartError where the server is too old, the schema is newer than this program, or an applied file was changed.
 */
export async function migrate(sql: Db, files: TextFile[]): Promise<string[]> {
  await requireVersion(sql);
  const migrations = files.map(parseName);
  const applied: string[] = [];
  for (let name = await applyNext(sql, migrations); name !== null; name = await applyNext(sql, migrations)) applied.push(name);
  return applied;
}

/** The first one missing, and its name; null: there is none. The lock ends with the transaction, so a pooler can't leave it behind. */
const applyNext = (sql: Db, migrations: Migration[]): Promise<string | null> =>
  sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${LOCK})`;
    await makeRegister(tx);
    const [next] = stillToApply(migrations, await appliedTo(tx));
    if (!next) return null;
    // A table that a running program holds must not make everybody queue behind us.
    await tx.unsafe(`set local lock_timeout = '${LOCK_PATIENCE_S}s'`);
    await run(tx, next);
    return next.name;
  });

/** For commands that only read: throws StartError unless the schema is exactly this program's. */
export async function requireCurrent(sql: Db, files: TextFile[]): Promise<void> {
  const [found] = await sql`select to_regclass('schema_migrations') as name`;
  const applied = found?.name ? await appliedTo(sql) : [];
  const missing = stillToApply(files.map(parseName), applied);
  if (missing.length > 0) throw new StartError(`The database's schema is behind this program. Run 'halyard migrate' first.`);
}

const makeRegister = (sql: Sql) => sql`
  create table if not exists schema_migrations (
    version int primary key,
    name text not null,
    checksum text not null,
    applied_at timestamptz not null default now()
  )`;

/** The migrations that a database holds, in their order. */
export const appliedTo = (sql: Sql): Promise<Applied[]> =>
  many(Applied, sql`select version, name, checksum from schema_migrations order by version limit 10000`);

/** Makes the schema of these migrations in an empty database, within the caller's transaction. */
export async function makeSchema(tx: Tx, migrations: readonly Migration[]): Promise<void> {
  await makeRegister(tx);
  for (const migration of migrations) await run(tx, migration);
}

/** The migrations that are not in the database yet; refuses a history that is not the beginning of this program's own. */
export function stillToApply(migrations: Migration[], applied: Applied[]): Migration[] {
  const known = new Map(migrations.map((migration) => [migration.version, migration]));
  for (const row of applied) {
    const own = known.get(row.version);
    if (!own) throw new StartError(`The database's schema is newer than this program: it holds migration ${row.name}. Run the newer version of Halyard.`);
    if (own.checksum !== row.checksum)
      throw new StartError(`Migration ${row.name} was changed after it had been applied to this database. Restore the file; write changes as a new migration.`);
  }
  const last = applied.at(-1)?.version ?? 0;
  const missing = migrations.filter(({ version }) => !applied.some((row) => row.version === version));
  const late = missing.find(({ version }) => version < last);
  if (late) throw new StartError(`Migration ${late.name} is older than what the database already holds. Give it a higher number.`);
  return missing;
}

/** `003_market.sql` as version 3, with a checksum of its text. Throws StartError for a name that does not fit. */
export function parseName({ name, text }: TextFile): Migration {
  const version = Number(/^(\d{3})_[a-z0-9_]+\.sql$/.exec(name)?.[1]);
  if (!(version > 0)) throw new StartError(`sql/migrations/${name} is not named NNN_name.sql.`);
  return { version, name, text, checksum: new Bun.CryptoHasher("sha256").update(text).digest("hex") };
}

async function run(sql: Sql, { version, name, text, checksum }: Migration): Promise<void> {
  try {
    await sql.unsafe(text);
    await sql`insert into schema_migrations (version, name, checksum) values (${version}, ${name}, ${checksum})`;
  } catch (error) {
    const { message, position, code } = error as { message: string; position?: string; code?: string };
    if (code === "55P03")
      throw new StartError(
        `Migration ${name} waited ${LOCK_PATIENCE_S} s for a table that is in use, and changed nothing. Try again when the database is quieter.`,
      );
    const line = position ? ` at line ${text.slice(0, Number(position)).split("\n").length}` : "";
    throw new Error(`Migration ${name} failed${line}: ${message}`, { cause: error });
  }
}

async function requireVersion(sql: Db): Promise<void> {
  const row = await one(
    v.strictObject({ number: v.number(), version: v.string() }),
    sql`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as version`,
  );
  if (row && row.number < OLDEST_POSTGRES) throw new StartError(`The database server is PostgreSQL ${row.version}; Halyard needs 14 or newer.`);
}
