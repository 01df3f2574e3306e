import { afterAll, describe, expect, test } from "bun:test";
import { emptyDatabase } from "../../testing/database";
import { migrate, parseName, stillToApply } from "./migrate";
import { connect } from "./db";
import { until, waiting } from "../../testing/scenarios";

const one = { name: "001_first.sql", text: "create table first (id int);\ninsert into first values (1);" };
const two = { name: "002_second.sql", text: "alter table first add column name text;" };
const databases: Awaited<ReturnType<typeof emptyDatabase>>[] = [];
const fresh = async () => {
  const database = await emptyDatabase();
  databases.push(database);
  return database;
};
afterAll(() => Promise.all(databases.map((database) => database.drop())));

describe("migrate", () => {
  test("applies each file once, in order", async () => {
    const { sql } = await fresh();
    expect(await migrate(sql, { migrations: [one], functions: [] })).toEqual(["001_first.sql"]);
    expect(await migrate(sql, { migrations: [one, two], functions: [] })).toEqual(["002_second.sql"]);
    expect(await migrate(sql, { migrations: [one, two], functions: [] })).toEqual([]);
    expect(await sql`select id, name from first`).toHaveLength(1);
  });

  test("two programs starting at once apply it once", async () => {
    const { sql, url } = await fresh();
    const other = connect(url);
    const applied = await Promise.all([migrate(sql, { migrations: [one, two], functions: [] }), migrate(other, { migrations: [one, two], functions: [] })]);
    await other.end();
    expect(applied.flat().sort()).toEqual(["001_first.sql", "002_second.sql"]);
  });

  test("does not queue for ever behind a table in use, and changes nothing", async () => {
    const { sql, url } = await fresh();
    await migrate(sql, { migrations: [one], functions: [] });
    const busy = connect(url, { max: 1 });
    await busy.begin(async (tx) => {
      await tx`select id from first`;
      await expect(migrate(sql, { migrations: [one, two], functions: [] })).rejects.toThrow(
        "Migration 002_second.sql waited 5 s for a table that is in use, and changed nothing",
      );
    });
    await busy.end();
    expect(await migrate(sql, { migrations: [one, two], functions: [] })).toEqual(["002_second.sql"]);
  });

  test("a file that fails leaves nothing of itself and says where it broke", async () => {
    const { sql } = await fresh();
    const broken = { name: "002_broken.sql", text: "create table half (id int);\nselect nonsense;" };
    await expect(migrate(sql, { migrations: [one, broken], functions: [] })).rejects.toThrow(
      'Migration 002_broken.sql failed at line 2: column "nonsense" does not exist',
    );
    await migrate(sql, { migrations: [one], functions: [] }).catch(() => {});
    expect(await sql`select 1 from pg_tables where tablename = 'half'`).toHaveLength(0);
  });

  test("all that is missing comes at once: where the last one fails, nothing of those before it is there", async () => {
    const { sql } = await fresh();
    await migrate(sql, { migrations: [one], functions: [] });
    const broken = { name: "003_broken.sql", text: "select nonsense;" };
    await expect(migrate(sql, { migrations: [one, two, broken], functions: [] })).rejects.toThrow("Migration 003_broken.sql failed");
    expect(await sql`select 1 from information_schema.columns where table_name = 'first' and column_name = 'name'`).toHaveLength(0);
    expect(await sql`select 1 from schema_migrations`).toHaveLength(1);
  });

  test("is tried again where it and a running program wait for each other", async () => {
    const { sql, url } = await fresh();
    const second = { name: "002_second.sql", text: "create table second (id int);" };
    const both = { name: "003_both.sql", text: "alter table second add column name text;\nalter table first add column name text;" };
    await migrate(sql, { migrations: [one, second], functions: [] });
    const busy = connect(url, { max: 1 });
    const migrated = busy.begin(async (tx) => {
      await tx`select id from first`;
      const coming = migrate(sql, { migrations: [one, second, both], functions: [] });
      await until("it waits for the first table", async () => (await waiting(sql)) > 0);
      await tx`select id from second`;
      return { coming };
    });
    expect(await (await migrated).coming).toEqual(["003_both.sql"]);
    await busy.end();
  });
});

describe("stillToApply", () => {
  const known = [one, two].map(parseName);
  const row = ({ version, name, checksum }: (typeof known)[number]) => ({ version, name, checksum });
  const applied = known.map(row);

  test("refuses a schema newer than the program", () => {
    expect(() => stillToApply(known.slice(0, 1), applied)).toThrow("newer than this program: it holds migration 002_second.sql");
  });
  test("refuses a file changed after it was applied", () => {
    const changed = { ...one, text: `${one.text} -- touched` };
    expect(() => stillToApply([parseName(changed)], applied.slice(0, 1))).toThrow("001_first.sql was changed");
  });
  test("of builds between two releases the one with more is the newer, whose stamp counts; of two with the same nobody knows", async () => {
    const stamped = (letter: string) => ({ name: "002_functions.sql", text: `-- functions: ${letter.repeat(64)}\n` });
    const three = { name: "003_third.sql", text: "create table third (id int);" };
    const { sql } = await fresh();
    const functions = [{ name: "first.sql", text: "create or replace function said() returns integer language sql as 'select 1';" }];
    await migrate(sql, { migrations: [one, stamped("a")], functions });
    await expect(migrate(sql, { migrations: [one, stamped("b")], functions })).rejects.toThrow("002_functions.sql was changed");
    const newer = { migrations: [one, stamped("b"), three], functions: [{ name: "first.sql", text: functions[0]?.text.replace("1", "2") ?? "" }] };
    expect(await migrate(sql, newer)).toEqual(["003_third.sql"]);
    expect([...(await sql`select said()`)]).toEqual([{ said: 2 }]);
    expect(await migrate(sql, newer)).toEqual([]);
    await expect(migrate(sql, { migrations: [one, stamped("a")], functions })).rejects.toThrow("newer than this program");
  });
  test("refuses a file slipped in below what was applied", () => {
    expect(() => stillToApply(known, applied.slice(1))).toThrow("001_first.sql is older");
  });
  test("refuses a name that does not fit", () => {
    expect(() => parseName({ name: "1_x.sql", text: "" })).toThrow("not named NNN_name.sql");
  });
});
