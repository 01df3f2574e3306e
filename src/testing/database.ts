import { type Db, connect } from "../platform/db";
import { folders, readTexts } from "../platform/files";
import { migrate } from "../platform/migrate";
import { startTestServer } from "./server";

export type TestDatabase = {
  sql: Db;
  /** For a second pool, or for a program of its own (`DATABASE_URL`). */
  url: string;
  drop(): Promise<void>;
};

const TEMPLATE_LOCK = 7_215_202;

/** One server for the whole run: the one that `npm test` started, or one of this process's own. */
let server: Promise<string> | null = null;
const serverUrl = () => (server ??= startServer());
async function startServer(): Promise<string> {
  return process.env.HALYARD_TEST_DATABASE ?? (await startTestServer()).url;
}

/** A migrated database of one's own on real PostgreSQL, cloned from a template. One for each test file; `drop` it in `afterAll`. */
export async function testDatabase(): Promise<TestDatabase> {
  return create(await ensureTemplate());
}

/** A database without a schema, for tests of the migrations themselves. */
export const emptyDatabase = () => create("template1");

async function create(template: string): Promise<TestDatabase> {
  const base = await serverUrl();
  const name = `test_${crypto.randomUUID().replaceAll("-", "").slice(0, 12)}`;
  await asOwner((owner) => owner.unsafe(`create database ${name} template ${template}`));
  const url = withDatabase(base, name);
  const sql = connect(url, { name });
  return {
    sql,
    url,
    drop: async () => {
      await sql.end({ timeout: 2 });
      await asOwner((owner) => owner.unsafe(`drop database if exists ${name} with (force)`));
    },
  };
}

/** The template's name carries a checksum of the migrations, so it is made once per version of them, by whoever comes first. */
async function ensureTemplate(): Promise<string> {
  const migrations = readTexts(folders.migrations, ".sql");
  const checksum = new Bun.CryptoHasher("sha256").update(JSON.stringify(migrations)).digest("hex").slice(0, 16);
  const name = `template_${checksum}`;
  await asOwner(async (owner) => {
    await owner`select pg_advisory_lock(${TEMPLATE_LOCK})`;
    const found = await owner`select 1 from pg_database where datname = ${name}`;
    if (found.length > 0) return;
    await owner.unsafe(`drop database if exists ${name}_half with (force)`);
    await owner.unsafe(`create database ${name}_half`);
    const sql = connect(withDatabase(await serverUrl(), `${name}_half`), { max: 2 });
    try {
      await migrate(sql, migrations);
    } finally {
      await sql.end();
    }
    await owner.unsafe(`alter database ${name}_half rename to ${name}`);
  });
  return name;
}

/** One connection to the server's own database; closing it frees its lock. */
async function asOwner<T>(work: (owner: Db) => Promise<T>): Promise<T> {
  const owner = connect(await serverUrl(), { max: 1 });
  try {
    return await work(owner);
  } finally {
    await owner.end();
  }
}

function withDatabase(base: string, name: string): string {
  const url = new URL(base);
  url.pathname = `/${name}`;
  return url.href;
}
