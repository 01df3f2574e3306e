import { afterAll, expect, test } from "bun:test";
import { testDatabase } from "./database";
import { rowsRead, sentBy } from "./statements";

const { sql, drop } = await testDatabase();
afterAll(drop);

const asked = {
  "a true": () => sql`select count(*) from account_types where ${true}`,
  "a text that says t": () => sql`select count(*) from account_types where ${"t"}::text = 't'`,
  "an object": () => sql`select count(*) from account_types where (${sql.json({ all: "yes" })}::jsonb ->> 'all') = 'yes'`,
  "a list of words": () => sql`select count(*) from account_types where ${["a", "b,c"]}::text[] = array['a', 'b,c']`,
  bytes: () => sql`select count(*) from account_types where ${Buffer.from([0, 255])}::bytea = '\\x00ff'`,
  "a moment": () => sql`select count(*) from account_types where ${new Date("2026-03-01T12:00:00.123Z")}::timestamptz = '2026-03-01T12:00:00.123Z'`,
  "a number": () => sql`select count(*) from account_types where ${5}::integer = 5`,
  nothing: () => sql`select count(*) from account_types where ${null}::text is null`,
};

test.each(Object.entries(asked))("a statement with %s is read as it was sent", async (_, ask) => {
  const [{ count: all } = { count: 0 }] = await sql<{ count: number }[]>`select count(*) from account_types`;
  expect(all).toBeGreaterThan(1);
  const [sent] = await sentBy(sql, async () => expect((await ask()) as unknown).toEqual([{ count: all }]));
  if (!sent) throw new Error("nothing was sent");
  expect(await rowsRead(sql, sent)).toBe(all);
});

test("a statement with a false is read as it was sent", async () => {
  const [sent] = await sentBy(sql, async () => sql`select count(*) from account_types where ${false}`);
  if (!sent) throw new Error("nothing was sent");
  expect(await rowsRead(sql, sent)).toBe(0);
});
