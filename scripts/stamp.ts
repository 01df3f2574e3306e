/**
 * Run it after a change below sql/: writes which functions belong to this schema into the newest unreleased NNN_functions.sql, or into a
 * new one, and writes sql/schema.sql anew. After a conflict in either file take any side and run it again.
 */
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inspectBackup } from "../src/platform/backup/backup_file";
import { folders, readSchema, type TextFile } from "../src/platform/files";
import { hashOf } from "../src/platform/database/sql_functions";
import { testDatabase } from "../src/testing/database";
import { schemaText } from "./schema_sql";

const ROOT = join(import.meta.dir, "..");
const RELEASES = join(ROOT, "src", "testing", "releases");
const number = (name: string) => Number(name.slice(0, 3));

/** The newest migration that a release holds: what people's databases have never changes. */
async function lastReleased(): Promise<number> {
  const backups = readdirSync(RELEASES).filter((name) => name.endsWith(".backup"));
  const headers = await Promise.all(backups.map(async (name) => (await inspectBackup(join(RELEASES, name))).header));
  return Math.max(0, ...headers.flatMap(({ migrations }) => migrations.map(({ version }) => version)));
}

const textFor = (
  hash: string,
) => `-- The functions of sql/functions come with this migration: a program that does not know it can't put older ones in their place.
-- Written by scripts/stamp.ts.
-- functions: ${hash}
`;

/** The migration that holds the stamp: the newest one while it is not released, else one to come. */
async function placeOf(migrations: readonly TextFile[]): Promise<string> {
  const newest = migrations.findLast(({ name }) => name.endsWith("_functions.sql"));
  if (newest && number(newest.name) > (await lastReleased())) return newest.name;
  const next = Math.max(...migrations.map(({ name }) => number(name))) + 1;
  return `${String(next).padStart(3, "0")}_functions.sql`;
}

const { migrations, functions } = readSchema();
const text = textFor(hashOf(functions));
if (migrations.findLast(({ name }) => name.endsWith("_functions.sql"))?.text === text) console.log("the functions are named already");
else {
  const name = await placeOf(migrations);
  writeFileSync(join(folders.migrations, name), text);
  console.log(`sql/migrations/${name} names the functions`);
}

const db = await testDatabase();
try {
  writeFileSync(join(ROOT, "sql", "schema.sql"), await schemaText(db.sql));
} finally {
  await db.drop();
}
console.log("sql/schema.sql written");
process.exit();
