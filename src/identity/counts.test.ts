import { afterAll, beforeAll, expect, test } from "bun:test";
import { type TestApp, testApp } from "../testing/app";
import { listUsers } from "./queries";
import { rowsCounted, tamper } from "../testing/scenarios";

/** How many people there are is told without counting them. */

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

const counts = async () =>
  (
    await app.sql<{ role: string; told: number; there: number }[]>`
      select r.role, people_of(r.role)::integer as told, (select count(*)::integer from users u where u.role = r.role) as there
      from unnest('{admin,user}'::text[]) as r (role) order by role`
  ).map(({ told, there }) => ({ told, there }));

test("people who register at once and people who change their role are all counted", async () => {
  const people = await Promise.all(Array.from({ length: 30 }, () => app.trader()));
  expect(await counts()).toEqual([
    { told: 0, there: 0 },
    { told: 30, there: 30 },
  ]);
  const [boss] = [await app.admin()];
  await Promise.all(people.slice(0, 10).map(({ id }) => app.sql`update users set role = 'admin' where id = ${id}`));
  expect(await counts()).toEqual([
    { told: 11, there: 11 },
    { told: 20, there: 20 },
  ]);
  await Promise.all(people.slice(0, 10).map(({ id }) => app.sql`update users set role = 'user' where id = ${id}`));
  const stats = await boss.get<{ totalUsers: number }>("/api/admin/stats");
  expect(stats.body.totalUsers).toBe(30);
});

test("who is rolled back is not counted", async () => {
  const before = await counts();
  await expect(
    app.sql`insert into users (email, password, first_name, last_name, referral_code) select 'twice@example.test', 'none', 'T', 'W', 'TWICE' from generate_series(1, 2)`,
  ).rejects.toThrow();
  expect(await counts()).toEqual(before);
});

test("their number, and those of a standing that few have, are told by reading a few rows of many", async () => {
  const boss = await app.admin();
  // Not those of the test before: what is refused rolls nothing of these back.
  await app.sql`
    insert into users (email, password, first_name, last_name, referral_code, registration_status, created_at)
    select 'many' || n || '@example.test', 'none', 'Many', 'Number' || n, 'MANY' || n, 'approved', now() - n * interval '1 minute' from generate_series(1, 3000) n
  `;
  await tamper(app.sql, (tx) => tx`update users set account_status = 'banned' where last_name in ('Number2800', 'Number2900')`);
  await app.sql`vacuum (analyze) users`;
  const [told] = await counts();
  expect(told?.told).toBe(told?.there);
  const read = await app.sql.begin(async (tx) => {
    const before = await rowsCounted(tx);
    await tx`select people_of('user')`;
    return (await rowsCounted(tx)) - before;
  });
  expect(read).toBeLessThanOrEqual(32);
  const plan = await app.sql.begin(async (tx) => {
    const before = await rowsCounted(tx, "users");
    const rows = await listUsers(tx, { q: "", status: "banned", sort: "-created", limit: 50 });
    expect(rows.map(({ lastName }) => lastName)).toEqual(["Number2800", "Number2900"]);
    return (await rowsCounted(tx, "users")) - before;
  });
  expect(plan).toBeLessThan(50);
  expect((await boss.get<unknown[]>("/api/admin/users?status=active&limit=50")).body).toHaveLength(50);
});
