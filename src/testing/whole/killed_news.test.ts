import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pricedDatabase, type TestDatabase } from "../database";
import { LiveStream } from "../live_stream";
import { buildProgram, launch, type Running } from "../program";
import { handHeld, order, until, waiting } from "../scenarios";

/**
 * A program is killed between an order's commit and the telling of staff: before the news has a number, in the middle of its numbering, and when it
 * has one and nobody has heard of it. After the next start each order is told of once, and whoever comes back hears each once, in its order.
 */

const ADMIN = { ADMIN_EMAIL: "admin@t.test", ADMIN_PASSWORD: "Corr3ct-horse-battery" };
const ORDERS = 6;
/** What `notifications_take` numbers under. */
const NUMBERING = 7215204;

const home = mkdtempSync(join(tmpdir(), "halyard-news-"));
let db: TestDatabase;
beforeAll(async () => {
  buildProgram();
  db = await pricedDatabase();
});
afterAll(async () => {
  await db.drop();
  rmSync(home, { recursive: true, force: true });
});

type Program = Running & { base: string };
async function start(): Promise<Program> {
  const running = launch(home, { ...db.env, ...ADMIN, PORT: "0", HOST: "127.0.0.1", COMMANDS_PER_SECOND: "1000" });
  return { ...running, base: String((await running.logged("listening")).url) };
}

async function send(base: string, cookie: string, path: string, body: object) {
  const response = await fetch(base + path, { method: "POST", headers: { "Content-Type": "application/json", cookie }, body: JSON.stringify(body) });
  return { status: response.status, cookie: response.headers.getSetCookie()[0]?.split(";")[0] ?? cookie, body: (await response.json()) as { id: string } };
}

/** Places orders one after another. Answers with their ids: each was acknowledged, so committed. */
async function place({ base }: Program, cookie: string): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < ORDERS) {
    const { status, body } = await send(base, cookie, "/api/trading/positions", order);
    if (status === 201) ids.push(body.id);
  }
  return ids;
}

const left = async () => (await db.sql<{ id: string }[]>`select position_id as id from order_news order by place`).map(({ id }) => id);
const numbered = async () =>
  (await db.sql<{ id: string }[]>`select related_id as id from admin_notifications where type = 'trade' order by number`).map(({ id }) => id);
/** Kills the program while its database waits for a lock in the middle of numbering, and that statement with it. */
async function killWhileNumbering(program: Program): Promise<void> {
  await until("numbering waits", async () => (await waiting(db.sql)) > 0);
  program.signal("SIGKILL");
  await program.ended;
  await db.sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await until("what it had under way is rolled back", async () => (await waiting(db.sql)) === 0);
}

/** The orders that this reader is told of who had heard all up to a number, in their order. */
async function heard({ base }: Program, staff: string, after: string, last: string): Promise<(string | undefined)[]> {
  const stream = await LiveStream.open(`${base}/api/admin/notifications/stream`, { Cookie: staff, "Last-Event-ID": after });
  await stream.has(`"relatedId":"${last}"`);
  // Told after all that was missed.
  await stream.has("event: unread");
  stream.close();
  return [...stream.text.matchAll(/event: notification\ndata: .*"type":"trade".*"relatedId":"([^"]+)"/g)].map(([, id]) => id);
}

test("staff are told once of each order that was placed before a kill -9, whenever it comes", async () => {
  const first = await start();
  const trader = { firstName: "Tess", lastName: "Trader", email: "tess@t.test", password: "Corr3ct-horse" };
  const { cookie } = await send(first.base, "", "/api/auth/register", trader);
  const staff = (await send(first.base, "", "/api/auth/login", { email: ADMIN.ADMIN_EMAIL, password: ADMIN.ADMIN_PASSWORD })).cookie;
  await until("the registration is told", async () => (await db.sql`select from admin_notifications where type = 'registration'`).length === 1);
  const [before] = await db.sql<{ number: string }[]>`select max(number)::text as number from admin_notifications`;

  const numbering = await handHeld(db);
  await numbering.sql`select pg_advisory_xact_lock(${NUMBERING})`;
  const early = await place(first, cookie);
  expect(await left()).toEqual(early);
  await killWhileNumbering(first);
  await numbering.end();
  expect([await left(), await numbered()]).toEqual([early, []]);

  // Somebody else is about to tell of one of them, so that numbering waits when all of them are out of the outbox.
  const middle = await handHeld(db);
  await middle.sql`
    insert into admin_notifications (type, title, message, user_id, related_id, priority, metadata, created_at)
    values ('trade', 'Held', 'Held', null, ${early[0] ?? ""}, 'low', '{}', now())`;
  const second = await start();
  await killWhileNumbering(second);
  await middle.end();
  expect([await left(), await numbered()]).toEqual([early, []]);

  const third = await start();
  const late = await place(third, cookie);
  const all = [...early, ...late];
  await until("all have numbers", async () => (await numbered()).length >= all.length);
  third.signal("SIGKILL");
  await third.ended;
  expect([await left(), await numbered()]).toEqual([[], all]);

  const fourth = await start();
  expect(await heard(fourth, staff, before?.number ?? "", all.at(-1) ?? "")).toEqual(all);
  expect([await left(), await numbered()]).toEqual([[], all]);
  fourth.signal("SIGTERM");
  expect((await fourth.ended).status).toBe(0);
});
