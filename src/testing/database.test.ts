import { afterAll, expect, test } from "bun:test";
import { testDatabase } from "./database";

const one = await testDatabase();
const two = await testDatabase();
afterAll(() => Promise.all([one.drop(), two.drop()]));

test("each test file has a migrated database of its own", async () => {
  await one.sql`create table only_here (id int)`;
  const versions = await two.sql<{ version: number }[]>`select version from schema_migrations order by version`;
  expect(versions.length).toBeGreaterThan(0);
  const found = await two.sql`select 1 from pg_tables where tablename = 'only_here'`;
  expect(found).toHaveLength(0);
});

test("the server runs on a Unix socket alone", async () => {
  const [row] = await one.sql`select current_setting('listen_addresses') as addresses, current_setting('data_checksums') as checksums`;
  expect(row).toEqual({ addresses: "", checksums: "on" });
});
