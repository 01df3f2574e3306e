import { readConfig } from "../config";
import { openMarket } from "../market/market";
import { localBus } from "../platform/cluster/bus";
import { type Db, connect } from "../platform/database/db";
import { readSchema } from "../platform/files";
import { createLog } from "../platform/log";
import { giveRights, migrate } from "../platform/database/migrate";
import { asRole, PROGRAM } from "../platform/database/roles";
import { startTestServer } from "./server";

export type TestDatabase = {
  /** The test's own, as the owner, who may do anything. */
  sql: Db;
  /** For a second pool of the owner's. */
  url: string;
  /** For a pool that may do what the program may. */
  programUrl: string;
  /** For a program of its own, with its own role. */
  env: { DATABASE_URL: string; DATABASE_OWNER_URL: string; DOCUMENT_KEY: string; LOG_KEY: string };
  drop(): Promise<void>;
};

/** All programs of the tests keep documents under this one. */
export const DOCUMENT_KEY = "0123456789abcdef".repeat(4);
/** And sign the public log with this one. */
export const LOG_KEY = "fedcba9876543210".repeat(4);

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

/** The same with a day of simulated prices, as a program leaves them that ran before. */
export const pricedDatabase = async (): Promise<TestDatabase> => create(await ensurePricedTemplate());

/** A database without a schema, for tests of the migrations themselves. */
export const emptyDatabase = () => create("template1");

async function create(template: string): Promise<TestDatabase> {
  const base = await serverUrl();
  const name = `test_${crypto.randomUUID().replaceAll("-", "").slice(0, 12)}`;
  await asOwner((owner) => owner.unsafe(`create database ${name} template ${template}`));
  const url = withDatabase(base, name);
  const sql = connect(url, { name });
  const programUrl = asRole(url, PROGRAM);
  return {
    sql,
    url,
    programUrl,
    env: { DATABASE_URL: programUrl, DATABASE_OWNER_URL: url, DOCUMENT_KEY, LOG_KEY },
    drop: async () => {
      await sql.end({ timeout: 2 });
      await asOwner((owner) => owner.unsafe(`drop database if exists ${name} with (force)`));
    },
  };
}

/** The template's name carries a checksum of the schema's files, so it is made once per version of them, by whoever comes first. */
async function ensureTemplate(): Promise<string> {
  const schema = readSchema();
  const checksum = new Bun.CryptoHasher("sha256").update(JSON.stringify(schema)).digest("hex").slice(0, 16);
  return ensureMade(`template_${checksum}`, "template1", async (sql) => {
    await migrate(sql, schema);
    await giveRights(sql, PROGRAM);
  });
}

/** One with a day of prices, so that a program need not make them at its start. */
async function ensurePricedTemplate(): Promise<string> {
  const plain = await ensureTemplate();
  return ensureMade(`priced_${plain}`, plain, async (sql) => {
    const log = createLog("error", console.error);
    const bus = localBus((error) => log.error("a listener failed", { error }));
    const market = await openMarket({ sql, config: readConfig({ FEED_SEED: "1" }), log, bus });
    await market.start();
    await market.stop();
  });
}

async function ensureMade(name: string, from: string, fill: (sql: Db) => Promise<void>): Promise<string> {
  await asOwner(async (owner) => {
    await owner`select pg_advisory_lock(${TEMPLATE_LOCK})`;
    const found = await owner`select 1 from pg_database where datname = ${name}`;
    if (found.length > 0) return;
    await owner.unsafe(`drop database if exists ${name}_half with (force)`);
    await owner.unsafe(`create database ${name}_half template ${from}`);
    const sql = connect(withDatabase(await serverUrl(), `${name}_half`), { max: 2 });
    try {
      await fill(sql);
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
