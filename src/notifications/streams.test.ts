import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { LiveStream } from "../testing/live_stream";
import { type TestApp, testApp } from "../testing/app";
import { until } from "../testing/scenarios";
import { raise } from "./commands";

let app: TestApp;
let admin: Awaited<ReturnType<TestApp["admin"]>>;
let base: string;
beforeAll(async () => {
  app = await testApp({ STREAMS_PER_PERSON: "500", STREAMS_PER_NETWORK: "500" });
  app.router.listen({ port: 0, hostname: "127.0.0.1", reusePort: false, idleTimeout: 30 });
  base = `http://127.0.0.1:${app.router.server?.port}`;
  admin = await app.admin();
});
afterAll(async () => {
  void app.router.server?.stop(true);
  await app.end();
});

const STREAM = "/api/admin/notifications/stream";
const newsOf = (relatedId: string) => ({ type: "ticket" as const, title: "Something", message: "It happened.", userId: null, relatedId });

describe("a stream ends", () => {
  const ways: Record<string, (own: Awaited<ReturnType<TestApp["admin"]>>) => Promise<unknown>> = {
    "with a ban": (own) => admin.post(`/api/admin/users/${own.id}/ban`, { reason: "Left the firm" }),
    "with sign-out": (own) => own.post("/api/auth/logout"),
    "with the role": (own) => app.sql`update users set role = 'user' where id = ${own.id}`,
    "with the session in the database": (own) => app.sql`delete from sessions where user_id = ${own.id}`,
  };
  for (const [way, end] of Object.entries(ways))
    test(`${way}, by the next heartbeat`, async () => {
      const own = await app.admin();
      const streams = await Promise.all([STREAM, "/api/stream"].map((path) => LiveStream.open(base + path, { Cookie: own.cookie })));
      await Promise.all(streams.map((stream) => stream.has("event: unread")));
      await end(own);
      await Promise.all(streams.map((stream) => stream.ended));
    });

  test("for no trader it begins", async () => {
    const trader = await app.trader();
    expect((await trader.get(STREAM)).status).toBe(403);
    const stream = await LiveStream.open(`${base}/api/stream`, { Cookie: trader.cookie });
    await raise(app.sql, newsOf(crypto.randomUUID()));
    app.context.bus.publish("raised", {});
    await trader.post("/api/deposits", { amount: 5, currency: "USD", method: "card", notes: "" });
    await app.sql`select from notifications_take()`;
    const other = await LiveStream.open(base + STREAM, { Cookie: admin.cookie });
    await other.has("event: unread");
    for (const event of ["notification", "unread", "place"]) expect(stream.text).not.toContain(`event: ${event}`);
    stream.close();
    other.close();
  });
});

test("five hundred readers that vanish leave nothing behind", async () => {
  const { port } = new URL(base);
  const listening = () => app.notifications.size;
  // Those of the tests before are on their way out.
  while (app.context.streams.count > 0) await Bun.sleep(20);
  const before = { open: app.context.streams.count, listening: listening() };
  const vanish = async (count: number) => {
    const sockets = await Promise.all(
      Array.from({ length: count }, async (_, n) => {
        const began = Promise.withResolvers<void>();
        const path = n % 2 ? STREAM : "/api/stream";
        const socket = await Bun.connect({ hostname: "127.0.0.1", port: Number(port), socket: { data: () => began.resolve() } });
        socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nCookie: ${admin.cookie}\r\n\r\n`);
        await began.promise;
        return socket;
      }),
    );
    expect(listening()).toBe(before.listening + count);
    // Without a goodbye: the connection is reset.
    for (const socket of sockets) socket.terminate();
    while (app.context.streams.count > before.open) await Bun.sleep(20);
  };
  const heap = () => {
    Bun.gc(true);
    return process.memoryUsage().heapUsed;
  };
  await vanish(100);
  const base1 = heap();
  for (let round = 0; round < 5; round++) await vanish(100);
  expect({ open: app.context.streams.count, listening: listening() }).toEqual(before);
  await until("what they took is given back", () => heap() - base1 < 6_000_000);
});
