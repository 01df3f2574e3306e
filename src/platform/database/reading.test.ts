import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import * as v from "valibot";
import { testDatabase, type TestDatabase } from "../../testing/database";
import { sentBy } from "../../testing/statements";
import { many, one, type Sql } from "./db";
import { type Reading, together } from "./reading";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.drop());

const anything = v.record(v.string(), v.unknown());
/** A value of each type that we store, and none. */
const values = (sql: Sql, n: number): Reading<unknown[]> =>
  many(
    anything,
    sql`
      select g.n as "someNumber", 10000.00::numeric(15, 2) as money, 123456789012345678.90::numeric as much, (g.n % 2 = 0) as even, null::numeric as nothing,
        timestamptz '2026-02-03 04:05:06.789012+00' as at, date '2026-02-03' as day, 'It''s "so" \\ é 😀' as words, array['a', 'b,c'] as list, array[1.50, 2] as figures,
        '{"a": [1, "2.50"], "b": null}'::jsonb as jsonb, '{ "a" : 1.0 }'::json as json, 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid as id, 9007199254740991::bigint as big,
        0.1::float8 as float, '\\x00ff'::bytea as bytes
      from generate_series(1, ${n}) g (n)
      order by g.n desc
    `,
  );
const none = (sql: Sql) => one(anything, sql`select 1 as one where false`).map((row) => row ?? "none");

describe("readings together", () => {
  const reading = (sql: Sql) =>
    together(sql, { values: values(sql, 3), more: together(sql, { none: none(sql), one: values(sql, 1) }) }).map((read) => ({ read }));

  test("say what each says by itself, and are one statement once each was asked", async () => {
    let first: unknown;
    let second: unknown;
    const apart = await sentBy(db.sql, async () => (first = await reading(db.sql)));
    const sent = await sentBy(db.sql, async () => (second = await reading(db.sql)));
    const [several, few, no] = [await values(db.sql, 3), await values(db.sql, 1), await none(db.sql)];
    expect(several).toHaveLength(3);
    const expected = { read: { values: several, more: { none: no, one: few } } };
    expect(first).toEqual(expected);
    expect(second).toEqual(expected);
    expect(apart).toHaveLength(3);
    expect(sent).toHaveLength(1);
  });

  test("ask once, however many wait, and nothing before", async () => {
    const asked = reading(db.sql);
    expect(await sentBy(db.sql, async () => Promise.all([asked, asked, asked.untold()]))).toHaveLength(1 + 1);
  });

  test("fail as one", async () => {
    const bad = () => one(anything, db.sql`select 1 / ${0}::integer as bad`);
    for (let time = 0; time < 2; time++) {
      const failed = await together(db.sql, { values: values(db.sql, 1), bad: bad() }).catch((error: unknown) => (error as { code: string }).code);
      expect(failed).toBe("22012");
    }
  });

  test("of a read that is not wanted nothing is heard", async () => {
    const refused = none(db.sql).map(() => {
      throw new Error("not found");
    });
    const { late } = await together(db.sql, { late: refused.untold() });
    expect(late).toThrow("not found");
  });
});
