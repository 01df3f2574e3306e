import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { readSchema } from "../src/platform/files";
import { hashOf, stampIn } from "../src/platform/database/sql_functions";
import { testDatabase } from "../src/testing/database";
import { schemaText } from "./schema_sql";

const { migrations, functions } = readSchema();
const db = await testDatabase();
afterAll(() => db.drop());
const written = functions.map(({ text }) => text).join("\n");
const RUN = "After a change below sql/ run: node_modules/.bin/bun scripts/stamp.ts";

test("the newest stamped migration names the functions that stand in sql/functions", () => {
  const stamps = migrations.flatMap(({ text }) => stampIn(text) ?? []);
  expect(stamps.at(-1) === hashOf(functions), RUN).toBe(true);
});

test("sql/schema.sql tells of the database as it is", async () => {
  const kept = await Bun.file(join(import.meta.dir, "..", "sql", "schema.sql")).text();
  expect(kept, RUN).toBe(await schemaText(db.sql));
});

test("sql/functions holds each function and view of the database once", async () => {
  const there = await db.sql<{ name: string }[]>`
    select proname as name from pg_proc where pronamespace = 'public'::regnamespace
    union all
    select viewname from pg_views where schemaname = 'public'`;
  const here = [...written.matchAll(/^create or replace (?:function|view) (\w+)/gm)].map(([, name]) => name ?? "");
  expect(here.toSorted()).toEqual(there.map(({ name }) => name).toSorted());
});

test("it writes each trigger as PostgreSQL tells it, so that one that did not change is left alone", async () => {
  const there = await db.sql<{ text: string }[]>`
    select lower(replace(pg_get_triggerdef(t.oid, true), 'CREATE TRIGGER', 'create or replace trigger')) || ';' as text
    from pg_trigger t
    where not t.tgisinternal and t.tgconstraint = 0`;
  const here = [...written.matchAll(/^create or replace trigger [^;]*;/gm)].map(([text]) => text.toLowerCase());
  expect(here.toSorted()).toEqual(there.map(({ text }) => text).toSorted());
});
