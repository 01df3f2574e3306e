import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { LiveStream } from "../testing/live_stream";
import { type TestApp, testApp } from "../testing/app";
import { raise } from "./commands";
import type { Notification, Unread } from "./schema";

let app: TestApp;
let twin: TestApp;
let admin: Awaited<ReturnType<TestApp["admin"]>>;
let base: string;
let twinBase: string;

/** Two programs on one database. */
beforeAll(async () => {
  app = await testApp();
  twin = await testApp({}, app.db);
  await app.retake();
  for (const each of [app, twin]) each.router.listen({ port: 0, hostname: "127.0.0.1", reusePort: false, idleTimeout: 30 });
  base = `http://127.0.0.1:${app.router.server?.port}`;
  twinBase = `http://127.0.0.1:${twin.router.server?.port}`;
  admin = await app.admin();
  await app.quote("EUR/USD", "1.10000", "1.10002");
});
afterAll(async () => {
  void app.router.server?.stop(true);
  void twin.router.server?.stop(true);
  await twin.close();
  await app.end();
});

const STREAM = "/api/admin/notifications/stream";
const open = (at = base, headers: Record<string, string> = {}, path = STREAM) => LiveStream.open(at + path, { Cookie: admin.cookie, ...headers });
type Told = Notification & { missed?: true };
/** What a stream was told, with the ids of the events. */
const toldBy = ({ text }: LiveStream): (Told & { eventId: string })[] =>
  [...text.matchAll(/id: (\S+)\nevent: notification\ndata: (.*)\n/g)].map((found) => ({ ...(JSON.parse(found[2] ?? "{}") as Told), eventId: found[1] ?? "" }));
const lastPlace = async () => (await admin.get<Unread>("/api/admin/notifications/unread")).body.last;
const newsOf = (relatedId: string, title = "Something") => ({ type: "ticket" as const, title, message: "It happened.", userId: null, relatedId });

describe("each command is told with who and what", () => {
  const told = async (type: string, relatedId: string) => {
    const stream = await open();
    await stream.has("event: place");
    const { body } = await admin.get<Notification[]>(`/api/admin/notifications?type=${type}`);
    stream.close();
    return body.find((each) => each.relatedId === relatedId);
  };

  test("a registration, a deposit, a withdrawal, trades, a correction and an objection to it", async () => {
    const stream = await open();
    await stream.has("event: unread");
    const trader = await app.trader({ firstName: "Vera", lastName: "Ventriloquist" });
    await admin.post(`/api/admin/approve-registration/${trader.id}`);
    const { body: deposit } = await trader.post<{ id: string }>("/api/deposits", { amount: 250, currency: "EUR", method: "bank", notes: "" });
    const { body: coin } = await trader.post<{ id: string }>("/api/deposits", { amount: 5000, currency: "BTC", method: "crypto", notes: "" });
    await admin.post(`/api/admin/deposits/${coin.id}/approve`, {});
    const { body: withdrawal } = await trader.post<{ id: string }>("/api/withdrawals", { amount: 60, currency: "USD", walletAddress: "DE89 1234" });
    const { body: position } = await trader.post<{ id: string }>("/api/trading/positions", { symbol: "EUR/USD", type: "buy", amount: 1000 });
    await admin.post(`/api/admin/trades/${position.id}/force-win`, { reason: "A quote was wrong", profit: "5" });
    await trader.post(`/api/trading/positions/${position.id}/dispute`, { message: "I object." });
    const { body: contact } = await app
      .stranger()
      .post<{ id: string }>("/api/contact", { name: "Ann", email: "a@b.test", subject: "", message: "Hello there" });
    for (const id of [trader.id, deposit.id, withdrawal.id, contact.id]) await stream.has(`"relatedId":"${id}"`);
    await stream.has("Objection to a correction");
    stream.close();

    expect(await told("registration", trader.id)).toMatchObject({
      title: "New registration",
      message: expect.stringContaining("Vera Ventriloquist registered"),
    });
    expect(await told("deposit", deposit.id)).toMatchObject({
      title: "New deposit request",
      message: "Vera Ventriloquist wants to deposit 250.00 EUR by bank.",
      userId: trader.id,
      priority: "high",
      isRead: false,
      readAt: null,
    });
    expect(await told("deposit", coin.id)).toMatchObject({ message: "Vera Ventriloquist wants to deposit $5,000.00 in BTC." });
    expect(await told("contact", contact.id)).toMatchObject({ message: "Ann: Hello there" });
    expect(await told("withdrawal", withdrawal.id)).toMatchObject({ message: "Vera Ventriloquist wants to withdraw $60.00 by bank." });
    expect(await told("trade", position.id)).toMatchObject({
      title: "New demo trade",
      message: "Vera Ventriloquist: BUY EUR/USD for $1,000.00 on a demo account.",
      priority: "low",
    });
    expect(await told("correction", position.id)).toMatchObject({ title: "Position settled by administrator", priority: "high" });
    expect(toldBy(stream).filter(({ type }) => type === "correction")).toHaveLength(2);
  });

  test("part of a position that is closed is no new trade", async () => {
    const trader = await app.trader();
    const { body: position } = await trader.post<{ id: string }>("/api/trading/positions", { symbol: "EUR/USD", type: "buy", amount: 1000 });
    await trader.post(`/api/trading/positions/${position.id}/close`, { amount: "400" });
    await app.sql`select from notifications_take()`;
    const { body } = await admin.get<Notification[]>("/api/admin/notifications?type=trade");
    expect(body.filter(({ userId }) => userId === trader.id)).toHaveLength(1);
  });

  test("books that do not balance are a warning", async () => {
    const stream = await open();
    await stream.has("event: unread");
    await app.sql`update ledger_state set halted = true, reason = 'live is off by 1.00'`;
    await app.sql`update ledger_state set halted = false, reason = null`;
    await stream.has('"type":"warning"');
    expect(toldBy(stream).at(-1)).toMatchObject({ priority: "urgent", message: expect.stringContaining("live is off by 1.00") });
    stream.close();
  });
});

describe("nothing is lost and nothing doubled", () => {
  test("a command that is rolled back is not told, one raised twice is told once", async () => {
    const [never, twice] = [crypto.randomUUID(), crypto.randomUUID()];
    await app.sql
      .begin(async (tx) => {
        await raise(tx, newsOf(never));
        throw new Error("changed my mind");
      })
      .catch(() => {});
    await raise(app.sql, newsOf(twice));
    await app.sql`select from notifications_take()`;
    await raise(app.sql, newsOf(twice));
    await app.sql`select from notifications_take()`;
    const { body } = await admin.get<Notification[]>("/api/admin/notifications?type=ticket");
    expect(body.filter(({ relatedId }) => relatedId === never)).toHaveLength(0);
    expect(body.filter(({ relatedId }) => relatedId === twice)).toHaveLength(1);
  });

  test("two programs number a hundred commands at once: each reader of either is told each once, in order", async () => {
    const streams = await Promise.all([open(), open(twinBase), open(base, {}, "/api/stream"), open(twinBase, {}, "/api/stream")]);
    await Promise.all(streams.map((stream) => stream.has("event: unread")));
    const ids = Array.from({ length: 100 }, () => crypto.randomUUID());
    await Promise.all(
      ids.map(async (id, n) => {
        const at = n % 2 ? app : twin;
        await at.sql.begin(async (tx) => {
          await raise(tx, newsOf(id));
          await tx`select pg_sleep(${(n % 7) / 200})`;
        });
        at.context.bus.publish("raised", {});
      }),
    );
    for (const stream of streams) {
      for (const id of ids) await stream.has(id);
      stream.close();
      const numbers = toldBy(stream).map(({ number }) => number);
      expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
    }
  });

  test("a command that commits late is still above what was seen before", async () => {
    const [slow, fast] = [crypto.randomUUID(), crypto.randomUUID()];
    const first = await open();
    await first.has("event: unread");
    let commit = () => {};
    const held = new Promise<void>((go) => (commit = go));
    let raised = () => {};
    const began = new Promise<void>((go) => (raised = go));
    const late = app.sql.begin(async (tx) => {
      await raise(tx, newsOf(slow));
      raised();
      await held;
    });
    await began;
    await raise(app.sql, newsOf(fast));
    app.context.bus.publish("raised", {});
    await first.has(fast);
    const seen = toldBy(first).at(-1)?.eventId ?? "";
    first.close();
    commit();
    await late;
    const second = await open(base, { "Last-Event-ID": seen });
    await second.has(slow);
    expect(second.text).not.toContain(fast);
    second.close();
  });

  test("numbers are seen in their order, though who gave the first one commits last", async () => {
    const [slow, fast] = [crypto.randomUUID(), crypto.randomUUID()];
    const stream = await open(twinBase);
    await stream.has("event: unread");
    await app.sql.begin(async (tx) => {
      await raise(tx, newsOf(slow));
      await tx`select from notifications_take()`;
      await raise(twin.sql, newsOf(fast));
      twin.context.bus.publish("raised", {});
      // What would go wrong is that the second is numbered, committed and told now.
      await Bun.sleep(300);
      expect(stream.text).not.toContain(fast);
    });
    await stream.has(slow);
    await stream.has(fast);
    const order = toldBy(stream).map(({ relatedId }) => relatedId);
    expect(order.indexOf(slow)).toBeLessThan(order.indexOf(fast));
    stream.close();
  });

  test("another program's command is told without a word from it", async () => {
    const id = crypto.randomUUID();
    const stream = await open();
    await stream.has("event: unread");
    await raise(app.sql, newsOf(id));
    await stream.has(id);
    stream.close();
  });
});

describe("who comes back", () => {
  test("is told what was missed, marked as missed, once and in order; who is new is told nothing old", async () => {
    const witness = await open();
    await witness.has("event: unread");
    const from = await lastPlace();
    const ids = Array.from({ length: 250 }, () => crypto.randomUUID());
    for (const id of ids) await raise(app.sql, newsOf(id));
    await witness.has(ids.at(-1) ?? "");
    witness.close();
    const [back, fresh, shared] = await Promise.all([
      open(base, { "Last-Event-ID": String(from) }),
      open(),
      open(base, { "Last-Event-ID": `n${from}` }, "/api/stream"),
    ]);
    const next = crypto.randomUUID();
    await Promise.all([back, fresh, shared].map((stream) => stream.has("event: unread")));
    await raise(app.sql, newsOf(next));
    for (const stream of [back, fresh, shared]) {
      await stream.has(next);
      stream.close();
    }
    for (const stream of [back, shared]) {
      expect(toldBy(stream).map(({ relatedId }) => relatedId)).toEqual([...ids, next]);
      expect(toldBy(stream).map(({ missed }) => missed)).toEqual([...ids.map(() => true as const), undefined]);
    }
    expect(toldBy(fresh).map(({ relatedId }) => relatedId)).toEqual([next]);
    const { body } = await admin.get<Notification[]>(`/api/admin/notifications?after=${from}&limit=100`);
    expect(body.map(({ relatedId }) => relatedId)).toEqual(ids.slice(0, 100));
  });

  test("from a program that was told sooner hears nothing twice", async () => {
    const first = await open(twinBase);
    await first.has("event: unread");
    const id = crypto.randomUUID();
    await raise(app.sql, newsOf(id));
    await first.has(id);
    first.close();
    const second = await open(base, { "Last-Event-ID": toldBy(first).at(-1)?.eventId ?? "" });
    const next = crypto.randomUUID();
    await second.has("event: unread");
    await raise(app.sql, newsOf(next));
    await second.has(next);
    expect(second.text).not.toContain(id);
    second.close();
  });

  for (const id of ["-1", "99999999999999999999", "abc", "1; drop table x", "", "1,2", "999999999999999"])
    test(`with no place of ours (${id || "none"}) is new`, async () => {
      const stream = await open(base, { "Last-Event-ID": id });
      await stream.has("event: unread");
      expect(toldBy(stream)).toEqual([]);
      stream.close();
    });
});

describe("what is read", () => {
  const unread = async (who = admin) => (await who.get<Unread>("/api/admin/notifications/unread")).body;

  test("is told to the reader's other tabs, on other programs too, and to no one else", async () => {
    const colleague = await app.admin();
    await raise(app.sql, newsOf(crypto.randomUUID()));
    await raise(app.sql, newsOf(crypto.randomUUID()));
    await app.sql`select from notifications_take()`;
    const before = await unread();
    const tab = await open();
    await tab.has(`event: unread\ndata: {"count":${before.count}`);
    const { body: list } = await admin.get<Notification[]>("/api/admin/notifications?status=unread&limit=1");
    const { body: read } = await admin.post<Notification>(`/api/admin/notifications/${list[0]?.id}/read`);
    expect(read).toMatchObject({ isRead: true, readAt: expect.any(String) });
    await tab.has(`data: {"count":${before.count - 1},`);
    expect((await unread(colleague)).count).toBe(2);
    await admin.post("/api/admin/notifications/read-all", {});
    await tab.has('data: {"count":0,');
    expect((await admin.get<Notification[]>("/api/admin/notifications?status=unread")).body).toEqual([]);
    expect((await unread(colleague)).count).toBe(2);
    tab.close();
  });

  test("reaches up to what was seen, and never back", async () => {
    await raise(app.sql, newsOf(crypto.randomUUID()));
    await app.sql`select from notifications_take()`;
    const { last } = await unread();
    await raise(app.sql, newsOf(crypto.randomUUID()));
    await app.sql`select from notifications_take()`;
    expect((await admin.post<Unread>("/api/admin/notifications/read-all", { through: last })).body.count).toBe(1);
    expect((await admin.post<Unread>("/api/admin/notifications/read-all", { through: 0 })).body.count).toBe(1);
    expect((await admin.post<Unread>("/api/admin/notifications/read-all", { through: last + 1_000_000 })).body.count).toBe(0);
    await raise(app.sql, newsOf(crypto.randomUUID()));
    await app.sql`select from notifications_take()`;
    expect((await unread()).count).toBe(1);
  });

  test("what is of low priority counts nowhere; an unknown one is not found", async () => {
    const before = await unread();
    await raise(app.sql, { ...newsOf(crypto.randomUUID()), priority: "low" });
    await app.sql`select from notifications_take()`;
    expect((await unread()).count).toBe(before.count);
    expect((await admin.post(`/api/admin/notifications/${crypto.randomUUID()}/read`)).status).toBe(404);
  });
});

test("the list is paged without a gap", async () => {
  const seen: number[] = [];
  let cursor: string | null = null;
  do {
    const { body, headers }: { body: Notification[]; headers: Headers } = await admin.get(
      `/api/admin/notifications?limit=40${cursor ? `&cursor=${cursor}` : ""}`,
    );
    seen.push(...body.map(({ number }) => number));
    cursor = headers.get("x-next-cursor");
  } while (cursor);
  const [row] = await app.sql<{ count: number }[]>`select count(*) as count from admin_notifications`;
  expect(seen.length).toBe(row?.count ?? 0);
  expect(seen).toEqual([...new Set(seen)].sort((a, b) => b - a));
});
