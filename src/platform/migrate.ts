import * as v from "valibot";
import { type Db, many, one } from "./db";
import type { TextFile } from "./files";
import { StartError } from "./start_error";

const LOCK = 7_215_201;
const OLDEST_POSTGRES = 140_000;

type Migration = { version: number; name: string; text: string; checksum: string };
const Applied = v.strictObject({ version: v.number(), name: v.string(), checksum: v.string() });

/**
 * Brings the schema up to this program: each file of sql/migrations once, in its own transaction, one program at a
 * time. Returns the names of what was applied now.
 * Throws StartError where the server is too old, the schema is newer than this program, or an applied file was changed.
 */
export async function migrate(sql: Db, files: TextFile[]): Promise<string[]> {
  await requireVersion(sql);
  const migrations = files.map(parseName);
  const reserved = await sql.reserve();
  try {
    await reserved`select pg_advisory_lock(${LOCK})`;
    await reserved`
      create table if not exists schema_migrations (
        version int primary key,
        name text not null,
        checksum text not null,
        applied_at timestamptz not null default now()
      )`;
    const applied = await many(Applied, reserved`select version, name, checksum from schema_migrations order by version limit 10000`);
    const missing = stillToApply(migrations, applied);
    for (const migration of missing) await apply(reserved as unknown as Db, migration);
    return missing.map(({ name }) => name);
  } finally {
    await reserved`select pg_advisory_unlock(${LOCK})`.catch(() => {});
    reserved.release();
  }
}

/** For commands that only read: throws StartError unless the schema is exactly this program's. */
export async function requireCurrent(sql: Db, files: TextFile[]): Promise<void> {
  const [found] = await sql`select to_regclass('schema_migrations') as name`;
  const applied = found?.name ? await many(Applied, sql`select version, name, checksum from schema_migrations order by version limit 10000`) : [];
  const missing = stillToApply(files.map(parseName), applied);
  if (missing.length > 0) throw new StartError(`The database's schema is behind this program. Run 'halyard migrate' first.`);
}

/** The migrations that are not in the database yet; refuses a history that is not the beginning of this program's own. */
export function stillToApply(migrations: Migration[], applied: v.InferOutput<typeof Applied>[]): Migration[] {
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

async function apply(sql: Db, { version, name, text, checksum }: Migration): Promise<void> {
  await sql`begin`;
  try {
    await sql.unsafe(text);
    await sql`insert into schema_migrations (version, name, checksum) values (${version}, ${name}, ${checksum})`;
    await sql`commit`;
  } catch (error) {
    await sql`rollback`;
    const { message, position } = error as { message: string; position?: string };
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
