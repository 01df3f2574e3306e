import { afterAll, describe, expect, test } from "bun:test";
import { emptyDatabase } from "../../testing/database";
import { connect, type Db } from "./db";
import { migrate } from "./migrate";

const table = { name: "001_first.sql", text: "create table first (id int);\ncreate function answer() returns int language sql as $$ select 1; $$;" };
const stamp = (n: number, of: string) => ({ name: `00${n}_functions.sql`, text: `-- functions: ${of}` });
const answering = (n: number) => ({ name: "answers.sql", text: `create or replace function answer() returns int language sql as $$ select ${n}; $$;\n` });
const older = { migrations: [table, stamp(2, "a")], functions: [answering(2)] };
const newer = { migrations: [table, stamp(2, "a"), stamp(3, "b")], functions: [answering(3)] };

const databases: Awaited<ReturnType<typeof emptyDatabase>>[] = [];
const fresh = async () => {
  const database = await emptyDatabase();
  databases.push(database);
  return database;
};
afterAll(() => Promise.all(databases.map((database) => database.drop())));
const answerOf = async (sql: Db) => (await sql<{ answer: number }[]>`select answer()`)[0]?.answer;

describe("functions", () => {
  test("come with the last migration, in place of what earlier ones said", async () => {
    const { sql } = await fresh();
    await migrate(sql, { migrations: [table], functions: [] });
    expect(await answerOf(sql)).toBe(1);
    expect(await migrate(sql, newer)).toEqual(["002_functions.sql", "003_functions.sql"]);
    expect(await answerOf(sql)).toBe(3);
  });

  test("of an older program never replace those of a newer one, in whatever order they start", async () => {
    const { sql, url } = await fresh();
    const pools = Array.from({ length: 6 }, () => connect(url, { max: 1 }));
    const ends = await Promise.allSettled(pools.map((pool, n) => migrate(pool, n % 2 ? newer : older)));
    await Promise.all(pools.map((pool) => pool.end()));
    for (const [n, end] of ends.entries()) {
      if (n % 2) expect(end.status).toBe("fulfilled");
      if (end.status === "rejected") expect(String(end.reason)).toContain("newer than this program");
    }
    expect((await sql<{ name: string }[]>`select name from schema_migrations order by version`).map(({ name }) => name)).toEqual([
      "001_first.sql",
      "002_functions.sql",
      "003_functions.sql",
    ]);
    await expect(migrate(sql, older)).rejects.toThrow("newer than this program: it holds migration 003_functions.sql");
    expect(await answerOf(sql)).toBe(3);
  });

  test("may stand in any order: what they name comes later, in the same file or another", async () => {
    const { sql } = await fresh();
    const early = `create or replace trigger first_counts after insert on first for each row execute function count_first();
create or replace view tenfold as select id, answer() * 10 as answer from first;
create or replace function count_first() returns trigger language plpgsql as $$ begin perform later(); return null; end $$;
create or replace function reads() returns int language sql as $$ select later(); $$;`;
    const late = "create or replace function later() returns int language sql as $$ select 7; $$;";
    const functions = [{ name: "a.sql", text: early }, answering(2), { name: "z.sql", text: late }];
    await migrate(sql, { migrations: [table, stamp(2, "a")], functions });
    await sql`insert into first values (1)`;
    expect(await sql`select answer, reads() from tenfold`).toEqual([{ answer: 20, reads: 7 }] as never);
  });

  test("that fail say in which file and line, and take the migration back that they came with", async () => {
    const { sql } = await fresh();
    await migrate(sql, { migrations: [table], functions: [] });
    const broken = { name: "broken.sql", text: "-- Fine so far.\n\ncreate or replace function wrong() returning int language sql as $$ select 1; $$;" };
    const lost = { name: "lost.sql", text: "create or replace trigger lost after insert on first for each row execute function nowhere();" };
    const withFile = (file: typeof broken) => migrate(sql, { migrations: [table, stamp(2, "a")], functions: [answering(2), file] });
    await expect(withFile(broken)).rejects.toThrow('sql/functions/broken.sql failed at line 3: syntax error at or near "returning"');
    await expect(withFile(lost)).rejects.toThrow("sql/functions/lost.sql failed: function nowhere() does not exist");
    expect(await sql`select name from schema_migrations`).toEqual([{ name: "001_first.sql" }] as never);
    expect(await answerOf(sql)).toBe(1);
  });

  test("and triggers that are there already wait for nobody who works on their table; a changed trigger does, and gives up", async () => {
    const { sql, url } = await fresh();
    const trigger = (event: string) => ({
      name: "counts.sql",
      text: `create or replace function counts() returns trigger language plpgsql as $$ begin return null; end $$;
create or replace trigger first_counts after ${event} on first for each row when (new.id > 0) execute function counts();`,
    });
    const base = [table, stamp(2, "a")];
    await migrate(sql, { migrations: base, functions: [trigger("insert")] });
    const busy = connect(url, { max: 1 });
    await busy.begin(async (tx) => {
      await tx`insert into first values (1)`;
      await migrate(sql, { migrations: [...base, stamp(3, "b")], functions: [trigger("insert")] });
      const changed = migrate(sql, { migrations: [...base, stamp(3, "b"), stamp(4, "c")], functions: [trigger("insert or update")] });
      await expect(changed).rejects.toThrow("sql/functions/counts.sql waited 5 s for a table that is in use, and changed nothing");
    });
    await busy.end();
    expect(await migrate(sql, { migrations: [...base, stamp(3, "b"), stamp(4, "c")], functions: [trigger("insert or update")] })).toEqual([
      "004_functions.sql",
    ]);
    const [made] = await sql<{ definition: string }[]>`select pg_get_triggerdef(oid) as definition from pg_trigger where tgname = 'first_counts'`;
    expect(made?.definition).toContain("AFTER INSERT OR UPDATE");
  });
});
