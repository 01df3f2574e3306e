import { afterAll, beforeAll, expect, test } from "bun:test";
import { allPermissions } from "../lib/permissions";
import { type TestApp, testApp } from "../testing/app";
import { rowsRead, sentBy } from "../testing/statements";
import type { Notification, Unread } from "./schema";

/** What of the news somebody of the staff has not read, among much that was there before and much that others are told. */

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

/** So much news, a minute apart, the newest `minutes` ago. */
const tell = async (count: number, minutes: number) => {
  await app.sql`
    insert into admin_notifications (type, title, message, priority, metadata, created_at)
    select 'ticket', 'Something', 'It happened.', 'medium', '{}', now() - (${minutes + count}::integer - n) * interval '1 minute' from generate_series(1, ${count}::integer) n
  `;
  await app.sql`vacuum (analyze) admin_notifications`;
};

/** The rows that are read to answer what asks for news. */
async function newsRead(ask: () => Promise<unknown>): Promise<number> {
  const sent = await sentBy(app.sql, ask);
  let sum = 0;
  for (const each of sent.filter(({ text }) => text.includes("admin_notifications"))) sum += await rowsRead(app.sql, each);
  return sum;
}

test("who begins today reads none of what was told before, and counts what is told since", async () => {
  const admin = await app.admin();
  const path = "/api/admin/notifications/unread";
  const unread = async () => (await admin.get<Unread>(path)).body.count;
  const rows = () => newsRead(() => admin.get(path));
  await tell(5000, 60);
  expect(await unread()).toBe(0);
  expect(await rows()).toBeLessThan(100);
  // The one that was told first gets its number last.
  await app.sql`update users set created_at = now() - interval '30 minutes' where id = ${admin.id}`;
  await tell(9, 1);
  await tell(1, 10);
  expect(await unread()).toBe(10);
  expect(await rows()).toBeLessThan(150);
  await app.sql`update users set created_at = now() - interval '1 year' where id = ${admin.id}`;
  expect(await unread()).toBe(1000);
});

test("who may see little reads the same of five times as much that others are told, and is told all that is his", async () => {
  const [boss, admin] = [await app.admin(), await app.admin()];
  await app.notifications.wake();
  await app.sql`delete from admin_notifications`;
  await app.sql`update users set created_at = now() - interval '1 year' where id in ${app.sql([boss.id, admin.id])}`;
  await app.sql`update users set staff_role = 'finance' where id = ${admin.id}`;
  const own = (title: string) => app.sql`
    insert into admin_notifications (type, title, message, priority, metadata, created_at)
    select type, ${title}::text || ' ' || type, 'It happened.', 'medium', metadata::jsonb, now()
    from (values ('deposit', '{}'), ('registration', '{}'), ('ticket', '{"permission": "withdrawals.read"}')) as n (type, metadata)
  `;
  const others = async (count: number) => {
    await app.sql`
      insert into admin_notifications (type, title, message, priority, metadata, created_at)
      select (array['ticket', 'chat', 'visitor', 'trade', 'registration'])[1 + n % 5], 'For others', 'It happened.', case when n % 5 = 2 then 'low' else 'medium' end,
        case when n % 5 = 4 then '{"documentId": "1"}'::jsonb else '{}'::jsonb end, now()
      from generate_series(1, ${count}::integer) n
    `;
    await app.sql`vacuum (analyze) admin_notifications`;
  };
  const titles = async (path: string) => (await admin.get<Notification[]>(path)).body.map(({ title }) => title);
  const paths = ["/api/admin/stats", "/api/admin/notifications?limit=50", "/api/admin/notifications?status=unread&limit=50", "/api/admin/realtime-data"];
  const read = async () => {
    const rows: number[] = [];
    for (const path of paths) rows.push(await newsRead(() => admin.get(path)));
    return rows;
  };
  await own("First");
  await others(2000);
  await own("Second");
  const small = await read();
  await others(8000);
  const large = await read();
  for (const [place, rows] of large.entries()) expect(rows).toBeLessThanOrEqual((small[place] ?? 0) + 20);
  for (const rows of [...small, ...large]) expect(rows).toBeLessThan(300);

  const told = ["Second ticket", "Second registration", "Second deposit", "First ticket", "First registration", "First deposit"];
  expect(await titles("/api/admin/notifications")).toEqual(told);
  expect(await titles("/api/admin/notifications?status=unread")).toEqual(told);
  expect(await titles("/api/admin/notifications?type=deposit")).toEqual(["Second deposit", "First deposit"]);
  expect(await titles("/api/admin/notifications?limit=2")).toEqual(told.slice(0, 2));
  expect((await admin.get<Unread>("/api/admin/notifications/unread")).body.count).toBe(6);
  const { body } = await admin.get<{ recentActivity: { action: string }[] }>("/api/admin/stats");
  expect(body.recentActivity.map(({ action }) => action)).toEqual(told);
  // Whoever may see all sees the newest of all, in their order.
  await own("Third");
  const all = (await boss.get<Notification[]>("/api/admin/notifications?limit=50")).body;
  const newest = await app.sql<{ number: number }[]>`select number::integer as number from admin_notifications order by number desc limit 50`;
  expect(all.map(({ number }) => number)).toEqual(newest.map(({ number }) => number));
  const { body: seen } = await boss.get<{ recentActivity: { action: string }[] }>("/api/admin/stats");
  expect(seen.recentActivity.map(({ action }) => action)).toEqual([
    "Third ticket",
    "Third registration",
    "Third deposit",
    ...Array<string>(7).fill("For others"),
  ]);
  expect((await boss.get<Unread>("/api/admin/notifications/unread")).body.count).toBe(1000);
});

test("who may know of nearly all is told the newest by a look at these alone", async () => {
  await app.sql`
    insert into admin_notifications (type, title, message, priority, metadata, created_at)
    select (array['ticket', 'deposit', 'trade', 'registration', 'withdrawal'])[1 + n % 5], 'Something', 'It happened.', 'medium', '{}', now() from generate_series(1, 200) n
  `;
  await app.sql`vacuum (analyze) admin_notifications`;
  const [sent] = await sentBy(app.sql, () => app.sql`select number from news_numbers(${allPermissions}::text[], null, null, null, 10) as l (number)`.execute());
  if (!sent) throw new Error("nothing was asked");
  expect(await rowsRead(app.sql, sent)).toBeLessThan(25);
  const newest = await app.sql`select number from admin_notifications order by number desc limit 10`;
  expect([...(await app.sql`select number from news_numbers(${allPermissions}::text[], null, null, null, 10) as l (number)`)]).toEqual([...newest]);
});
