import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect } from "node:net";
import { type TestApp, testApp } from "../../testing/app";
import { tamper, until } from "../../testing/scenarios";

/** How a long file travels to somebody who stops reading it. */

const LINES = 60_000;

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
  app.router.listen({ port: 0, hostname: "127.0.0.1" });
});
afterAll(async () => {
  await app.router.server?.stop(true);
  await app.end();
});

/** Lines of the audit book that were read so far, as PostgreSQL counts them. It tells late, and never too many. */
async function linesRead(): Promise<number> {
  const [row] = await app.sql<{ lines: number }[]>`
    select (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::integer as lines from pg_stat_user_tables where relname = 'admin_actions'
  `;
  return row?.lines ?? 0;
}
/** PostgreSQL's processes tell what they read once a second at most, in ms. */
const TOLD_MS = 2500;

test("whoever does not read on has no more read for him, holds no transaction, and gets every line once he does", async () => {
  const admin = await app.admin();
  await tamper(
    app.sql,
    (tx) => tx`
      insert into admin_actions (id, admin_user_id, target_user_id, action, details, previous_state, new_state, reason, ip_address, user_agent, created_at, previous_hash, hash) overriding system value
      select 1000 + n, ${admin.id}, ${admin.id}, 'test', '{}', '{}', '{}', repeat('Because ', 50), '', repeat('x', 500), now(), '', '' from generate_series(1, ${LINES}) n
    `,
  );
  const before = await linesRead();
  const socket = connect({ port: app.router.server?.port ?? 0, host: "127.0.0.1" });
  socket.pause();
  socket.write(`GET /api/admin/audit-trail?format=csv HTTP/1.1\r\nHost: halyard.test\r\nCookie: ${admin.cookie}\r\nConnection: close\r\n\r\n`);
  // It stands still once the buffers between the two are full.
  let read = -1;
  await until("the file stands still", async () => {
    const now = (await linesRead()) - before;
    const still = now > 0 && now === read;
    read = now;
    if (!still) await Bun.sleep(TOLD_MS);
    return still;
  });
  expect(read).toBeLessThan(LINES / 2);
  // Those of the program's own rounds are over in a moment.
  const idle = () => app.sql`
    select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state like 'idle in transaction%'`;
  await until("no transaction is held", async () => (await idle()).length === 0);
  let lines = 0;
  for await (const chunk of socket) lines += (chunk as Buffer).toString("latin1").split("\r\n").length - 1;
  // The lines of the head, of chunks and of the heading are among them.
  expect(lines).toBeGreaterThan(LINES);
  await until("the last lines are told to be read", async () => (await linesRead()) - before >= LINES);
});
