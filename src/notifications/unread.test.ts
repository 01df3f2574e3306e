import { afterAll, beforeAll, expect, test } from "bun:test";
import { type TestApp, testApp } from "../testing/app";
import { rowsRead, sentBy } from "../testing/statements";
import type { Unread } from "./schema";

/** What of the news somebody of the staff has not read, among much that was there before. */

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

test("who begins today reads none of what was told before, and counts what is told since", async () => {
  const admin = await app.admin();
  const path = "/api/admin/notifications/unread";
  const unread = async () => (await admin.get<Unread>(path)).body.count;
  const rows = async () => {
    const sent = await sentBy(app.sql, () => admin.get(path));
    let sum = 0;
    for (const each of sent.filter(({ text }) => text.includes("admin_notifications"))) sum += await rowsRead(app.sql, each);
    return sum;
  };
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
