import * as v from "valibot";
import { type Db, many, one, type Sql, type Tx } from "./db";
import type { SchemaFiles, TextFile } from "../files";
import { applyFunctions, LOCK_PATIENCE_S, runText, stampIn } from "./sql_functions";
import { takeTables } from "./table_locks";
import { StartError } from "../start_error";

const LOCK = 7_215_201;
const OLDEST_POSTGRES = 140_000;

export type Migration = { version: number; name: string; text: string; checksum: string };
export const Applied = v.strictObject({ version: v.number(), name: v.string(), checksum: v.string() });
export type Applied = v.InferOutput<typeof Applied>;

/**
 * Brings the schema up to this program, one program at a time: the missing files of sql/migrations and sql/functions in one transaction. So
 * the release before, which may be serving, never meets tables of this program with functions of its own. An older program does not start on
 * it, and so can't put its own functions back. The roles of programs keep their rights throughout. Returns the names of the migrations applied now.
 * Throws StartError where the server is too old, the schema is newer than this program, or an applied file was changed.
 */
export async function migrate(sql: Db, { migrations: files, functions }: SchemaFiles): Promise<string[]> {
  await requireVersion(sql);
  const migrations = files.map(parseName);
  // The lock ends with the transaction, so a pooler can't leave it behind.
  return sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${LOCK})`;
    await makeRegister(tx);
    const missing = stillToApply(migrations, await appliedTo(tx));
    if (missing.length === 0) return [];
    // A table that a running program holds must not make everybody queue behind us.
    await tx.unsafe(`set local lock_timeout = '${LOCK_PATIENCE_S}s'`);
    await takeTables(
      tx,
      missing.map(({ text }) => text),
    );
    for (const migration of missing) await run(tx, migration);
    await putInPlace(tx, functions);
    for (const { version, checksum } of migrations.filter(({ text }) => stampIn(text) !== null))
      await tx`update schema_migrations set checksum = ${checksum} where version = ${version}`;
    return missing.map(({ name }) => name);
  });
}

/** The functions, with the rights that programs have by them: one that works at this moment finds them as they were before or as they are after. */
export async function putInPlace(tx: Tx, functions: readonly TextFile[]): Promise<void> {
  await applyFunctions(tx, functions);
  if (await hasRights(tx)) await tx`select rights_give(role) from rights_holders() as role`;
}

/** Whether the schema says what a program's role may do. */
const hasRights = async (sql: Sql): Promise<boolean> => {
  const [found] = await sql<{ there: boolean }[]>`select to_regproc('rights_give') is not null as there`;
  return found?.there === true;
};

/** Gives a program's role the rights of sql/functions/platform_rights.sql, no more and no less; where it has them, nothing is done. Called as the owner. */
export const giveRights = (owner: Db, role: string): Promise<void> =>
  owner.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${LOCK})`;
    await tx`select rights_give(${role})`;
  });

/** For commands that only read: throws StartError unless the schema is exactly this program's. */
export async function requireCurrent(sql: Db, { migrations }: SchemaFiles, advice = "Run 'halyard migrate' first."): Promise<void> {
  const [found] = await sql`select to_regclass('schema_migrations') as name`;
  const applied = found?.name ? await appliedTo(sql) : [];
  const missing = stillToApply(migrations.map(parseName), applied);
  if (missing.length > 0) throw new StartError(`The database's schema is behind this program. ${advice}`);
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

/** Makes the schema of these migrations in an empty database, within the caller's transaction, with the functions that the migrations themselves hold. */
export async function makeSchema(tx: Tx, migrations: readonly Migration[]): Promise<void> {
  await makeRegister(tx);
  for (const migration of migrations) await run(tx, migration);
}

/**
 * The migrations that are not in the database yet; refuses a history that is not the beginning of this program's own. Of builds between two
 * releases each has its own stamp under one name: where more is missing this program is the newer one, and puts its functions in place anyway.
 */
export function stillToApply(migrations: Migration[], applied: Applied[]): Migration[] {
  const known = new Map(migrations.map((migration) => [migration.version, migration]));
  const last = applied.at(-1)?.version ?? 0;
  const isNewer = migrations.some(({ version }) => version > last);
  const unknown = applied.find(({ version }) => !known.has(version));
  if (unknown) throw new StartError(`The database's schema is newer than this program: it holds migration ${unknown.name}. Run the newer version of Halyard.`);
  for (const row of applied) {
    const own = known.get(row.version);
    if (own?.checksum !== row.checksum && !(isNewer && own && stampIn(own.text) !== null))
      throw new StartError(`Migration ${row.name} was changed after it had been applied to this database. Restore the file; write changes as a new migration.`);
  }
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

async function run(tx: Tx, { version, name, text, checksum }: Migration): Promise<void> {
  await runText(tx, `Migration ${name}`, text);
  await tx`insert into schema_migrations (version, name, checksum) values (${version}, ${name}, ${checksum})`;
}

async function requireVersion(sql: Db): Promise<void> {
  const row = await one(
    v.strictObject({ number: v.number(), version: v.string() }),
    sql`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as version`,
  );
  if (row && row.number < OLDEST_POSTGRES) throw new StartError(`The database server is PostgreSQL ${row.version}; Halyard needs 14 or newer.`);
}
