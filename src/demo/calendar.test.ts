import { afterEach, beforeEach, expect, test } from "bun:test";
import { keepNewest, raise } from "../notifications/commands";
import { connect, type Db } from "../platform/database/db";
import { type TestDatabase, testDatabase } from "../testing/database";
import { Calendar } from "./calendar";

/** The end of a demo beside a server that works on the same database. */

let db: TestDatabase;
let server: Db;
beforeEach(async () => {
  db = await testDatabase();
  server = connect(db.url, { max: 1 });
  for (const title of ["First", "Second"]) await raise(db.sql, { type: "ticket", title, message: "It happened.", userId: null, relatedId: null });
});
afterEach(async () => {
  await server.end();
  await db.drop();
});

/** Resolves when somebody waits for a lock, or after a while in which nobody did. */
async function whenWaiting() {
  for (let look = 0; look < 50; look++) {
    const [row] = await db.sql<{ some: boolean }[]>`
      select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock') as some
    `;
    if (row?.some) return;
    await Bun.sleep(10);
  }
}

test("moving the stamps waits for what a server has begun, and neither ends the other", async () => {
  const calendar = new Calendar(db.sql);
  await calendar.turnTo(Date.parse("2026-01-01T00:00:00Z"));
  let settled: Promise<void> | null = null;
  await server.begin(async (tx) => {
    await tx`delete from notification_outbox`;
    settled = calendar.settle();
    settled.catch(() => {});
    await whenWaiting();
    await tx`insert into admin_notifications (type, title, message, priority, metadata, created_at) values ('ticket', 'First', 'It happened.', 'low', '{}', now())`;
  });
  await settled;
  expect(await db.sql`select title from admin_notifications`).toHaveLength(1);
});

test("news are not forgotten while a server gives them their numbers", async () => {
  const places = (await db.sql<{ place: number }[]>`select place from notification_outbox order by place`).map(({ place }) => place);
  let kept: Promise<void> | null = null;
  await server.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(7215204)`;
    await tx`delete from notification_outbox where place = ${places[1] ?? 0}`;
    kept = keepNewest(db.sql, 0);
    kept.catch(() => {});
    await whenWaiting();
    await tx`delete from notification_outbox where place = ${places[0] ?? 0}`;
  });
  await kept;
  expect(await db.sql`select place from notification_outbox`).toHaveLength(0);
});
