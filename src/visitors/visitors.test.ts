import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Notification } from "../notifications/schema";
import type { Stream } from "../platform/http/stream";
import { LiveStream } from "../testing/live_stream";
import { type TestApp, testApp } from "../testing/app";
import { until } from "../testing/scenarios";
import { forgetVisitors } from "./commands";
import { VisitorBroadcaster } from "./broadcaster";
import { deviceOf } from "./rules";
import type { Visitor } from "./schema";
import { Throttle, Tracker } from "./tracker";
import { countryOfZone } from "./zones";

let app: TestApp;
let twin: TestApp;
let admin: Awaited<ReturnType<TestApp["admin"]>>;
let base: string;
let twinBase: string;

/** Two programs on one database, behind a proxy that they trust. */
beforeAll(async () => {
  const behind = { TRUSTED_PROXY: "127.0.0.1" };
  app = await testApp(behind);
  twin = await testApp(behind, app.db);
  for (const each of [app, twin]) each.router.listen({ port: 0, hostname: "127.0.0.1", reusePort: false, idleTimeout: 30 });
  base = `http://127.0.0.1:${app.router.server?.port}`;
  twinBase = `http://127.0.0.1:${twin.router.server?.port}`;
  admin = await app.admin();
});
afterAll(async () => {
  void app.router.server?.stop(true);
  void twin.router.server?.stop(true);
  await twin.close();
  await app.end();
});

const TRACK = "/api/admin/visitors/track";
let addresses = 0;
const newAddress = () => `10.${++addresses >> 8}.${addresses & 255}.7`;
const BODY = { userAgent: "x", page: "/", timestamp: "2026-01-01T00:00:00Z", device: "desktop", screenResolution: "1x1", timezone: "Europe/Vienna" };
const track = (body: object, { ip = newAddress(), at = base, headers = {} }: { ip?: string; at?: string; headers?: Record<string, string> } = {}) =>
  fetch(at + TRACK, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Forwarded-For": ip, "User-Agent": "Test", ...headers },
    body: JSON.stringify({ ...BODY, ...body }),
  });
const open = (at = base, path = "/api/admin/visitors/stream") => LiveStream.open(at + path, { Cookie: admin.cookie });
const recent = async (limit = 100) => (await admin.get<Visitor[]>(`/api/admin/visitors?limit=${limit}`)).body;
/** Waits until a page's visit is written, and returns it. */
async function written(page: string): Promise<Visitor> {
  for (;;) {
    const found = (await recent()).find((visit) => visit.page === page);
    if (found) return found;
    await Bun.sleep(20);
  }
}

describe("a visit", () => {
  test("answers nothing and sets nothing, and is there with what is known of it", async () => {
    const answer = await track({ page: "/pricing" }, { ip: "203.0.113.9" });
    expect([answer.status, answer.headers.get("set-cookie"), await answer.text()]).toEqual([204, null, ""]);
    expect(await written("/pricing")).toEqual({
      id: expect.any(String),
      ip: "203.0.113.9",
      country: "AT",
      page: "/pricing",
      device: "desktop",
      isNewVisitor: true,
      timestamp: expect.any(String),
    });
  });

  test("is new once a day for each address and browser", async () => {
    const ip = newAddress();
    for (const [page, agent] of [
      ["/first", "One"],
      ["/second", "One"],
      ["/third", "Another"],
    ] as const) {
      await track({ page }, { ip, headers: { "User-Agent": agent } });
      await written(page);
    }
    const news = Object.fromEntries((await recent()).map(({ page, isNewVisitor }) => [page, isNewVisitor]));
    expect(news).toMatchObject({ "/first": true, "/second": false, "/third": true });
  });

  test("has the country of the trusted proxy before that of the clock, and none that is made up", async () => {
    await track({ page: "/cf" }, { headers: { "CF-IPCountry": "pt" } });
    await track({ page: "/tor" }, { headers: { "CF-IPCountry": "T1" } });
    await track({ page: "/forged", timezone: "Mars/<script>" });
    expect((await written("/cf")).country).toBe("PT");
    expect((await written("/tor")).country).toBe("AT");
    expect((await written("/forged")).country).toBeNull();
  });

  test("is cut to size, and its text stays text", async () => {
    const page = `/long/${"<script>alert(1)</script>".repeat(100)}`;
    expect((await track({ page, device: "<b>", screenResolution: "9".repeat(5_000), userAgent: "x".repeat(9_000) })).status).toBe(204);
    expect((await written(page.slice(0, 512))).device).toBe("desktop");
  });

  for (const body of [{ page: undefined }, { page: "" }, { page: 5 }, { page: "a\u0000b" }, { page: "/", timestamp: [] }, { page: "/", still: "yes" }])
    test(`that makes no sense is refused: ${JSON.stringify(body)}`, async () => {
      expect((await track(body)).status).toBe(400);
    });

  test("sent as anything but JSON, or by another site, is refused", async () => {
    expect((await track({}, { headers: { "Content-Type": "text/plain; json" } })).status).toBe(415);
    expect((await track({}, { headers: { "Sec-Fetch-Site": "cross-site" } })).status).toBe(403);
  });

  test("of one network too often is refused, and says when to come back", async () => {
    let now = 0;
    const throttle = new Throttle(() => now);
    for (let n = 0; n < 120; n++) throttle.take(`2001:db8::${n.toString(16)}`);
    expect(() => throttle.take("2001:db8::ffff")).toThrow("Too many requests");
    expect(() => throttle.take("2001:db9::1")).not.toThrow();
    now += 1_000;
    expect(() => throttle.take("2001:db8::1")).not.toThrow();
    const ip = newAddress();
    // A slow machine is let through once more for each second that it takes.
    let refused: Response | undefined;
    while (!refused) {
      const answers = await Promise.all(Array.from({ length: 140 }, () => track({ page: "/often" }, { ip })));
      refused = answers.find(({ status }) => status === 429);
    }
    expect(refused.headers.get("retry-after")).toBe("10");
  });
});

describe("the stream", () => {
  test("shows first who is there, then each visit to either program, on both streams", async () => {
    const streams = await Promise.all([open(), open(twinBase), open(base, "/api/stream")]);
    await Promise.all(streams.map((stream) => stream.has("event: visitors")));
    await track({ page: "/live-one" });
    await track({ page: "/live-two" }, { at: twinBase });
    for (const stream of streams) {
      await stream.has('"page":"/live-one"');
      await stream.has('"page":"/live-two"');
      expect(stream.text.match(/event: visitor\ndata: .*"page":"\/live-one"/g)).toHaveLength(1);
      stream.close();
    }
  });

  test("tells a reader that was behind where things stand, once it has caught up", async () => {
    const broadcaster = new VisitorBroadcaster(app.context);
    broadcaster.start();
    const told: string[] = [];
    let drained: (() => void) | undefined;
    const reader = {
      ready: true,
      write: (bytes: Uint8Array) => void told.push(new TextDecoder().decode(bytes)),
      whenDrained: (callback: () => void) => void (drained = callback),
    };
    broadcaster.join(reader as unknown as Stream);
    await until("it is told who is there", () => told.length === 1);
    reader.ready = false;
    await track({ page: "/missed" });
    await until("it is behind", () => drained !== undefined);
    // It may be so for an earlier test's visit that is told only now.
    await written("/missed");
    reader.ready = true;
    drained?.();
    await until("it is told again", () => told.length > 1);
    expect(told[1]).toStartWith("event: visitors\n");
    expect(told[1]).toContain('"/missed"');
    await broadcaster.stop();
  });
  test("can't be made to say what a visitor wrote", async () => {
    const stream = await open();
    await stream.has("event: visitors");
    const page = '/a\n\nevent: notification\ndata: {"message":"forged"}\n\n';
    await track({ page });
    await track({ page: "/after-it" });
    await stream.has("/after-it");
    expect(stream.text).toContain('/a\\n\\nevent: notification\\ndata: {\\"message\\":\\"forged\\"}');
    expect(stream.text).not.toMatch(/^event: notification$/m);
    stream.close();
  });

  test("counts who is online in all programs, also who only stays", async () => {
    const count = async () => (await admin.get<{ count: number }>("/api/admin/visitors/online-count")).body.count;
    const before = await count();
    const visitor = { ip: newAddress() };
    await track({ page: "/stays" }, { ...visitor, at: twinBase });
    await written("/stays");
    expect(await count()).toBe(before + 1);
    await app.sql`update visitors set last_seen = now() - interval '6 minutes'`;
    expect(await count()).toBe(0);
    await track({ page: "/stays", still: true }, visitor);
    while ((await count()) === 0) await Bun.sleep(20);
    expect(await count()).toBe(1);
    expect((await recent()).filter(({ page }) => page === "/stays")).toHaveLength(1);
  });
});

test("staff are told of new visitors, of many at once as a number", async () => {
  const tracker = new Tracker(app.context);
  for (let n = 0; n < 5; n++) tracker.note({ ip: newAddress(), userAgent: "T", country: "JP", page: "/news", device: "mobile", still: false });
  await tracker.stop();
  const newest = async () => (await admin.get<Notification[]>("/api/admin/notifications?type=visitor&limit=1")).body[0];
  let news: Notification | undefined;
  await until("staff were told", async () => (news = await newest())?.message.startsWith("From Japan") ?? false);
  expect(news).toMatchObject({ title: "New visitor", message: "From Japan, on /news, and 4 more since the last time.", priority: "low" });
});

test("addresses are erased after thirty days, hashes and salts after two, visits after ninety", async () => {
  await track({ page: "/old" });
  const { id } = await written("/old");
  await app.sql`update visits set created_at = now() - interval '31 days' where id = ${id}`;
  await app.sql`insert into visits (ip, page, device, is_new, created_at) values ('1.2.3.4', '/ancient', 'desktop', true, now() - interval '91 days')`;
  await app.sql`insert into visitor_salts (day, salt) values (current_date - 3, ${new Uint8Array(32)})`;
  await app.sql`insert into visitors (day, visitor) values (current_date - 3, ${new Uint8Array(16)})`;
  await forgetVisitors(app.sql);
  expect(await app.sql`select ip from visits where id = ${id}`).toMatchObject([{ ip: null }]);
  expect(await app.sql`select from visits where page = '/ancient'`).toHaveLength(0);
  expect(await app.sql`select from visitor_salts where day < current_date - 1`).toHaveLength(0);
  expect(await app.sql`select from visitors where day < current_date - 1`).toHaveLength(0);
});

test("thousands of visits neither lose nor hold up an approval, and none of them is lost", async () => {
  const trader = await app.trader();
  await admin.post(`/api/admin/approve-registration/${trader.id}`);
  const [start] = await app.sql<{ count: number }[]>`select count(*) as count from visits`;
  let tracked = 0;
  let over = false;
  const visiting = Promise.all(
    Array.from({ length: 20 }, async () => {
      // Never more than the queue holds, however slowly the approvals go.
      while (!over && tracked < 15_000) {
        const { status } = await track({ page: `/rush/${tracked}` });
        if (status === 204) tracked++;
      }
    }),
  );
  const approve = async (n: number) => {
    const { body } = await trader.post<{ id: string }>("/api/deposits", { amount: 10 + n, currency: "USD", method: "bank", notes: "" });
    expect((await admin.post(`/api/admin/deposits/${body.id}/approve`, {})).status).toBe(200);
  };
  for (let n = 0; n < 30; n++) await approve(n);
  // Nor does one wait for visits that can't be written now.
  await app.sql.begin(async (tx) => {
    await tx`lock table visits in access exclusive mode`;
    for (let n = 30; n < 40; n++) await approve(n);
  });
  over = true;
  await visiting;
  for (;;) {
    const [now] = await app.sql<{ count: number }[]>`select count(*) as count from visits`;
    if ((now?.count ?? 0) - (start?.count ?? 0) >= tracked) break;
    await Bun.sleep(50);
  }
  expect(tracked).toBeGreaterThan(500);
  expect((await trader.get<{ accountBalance: string }>("/api/user/financials")).body.accountBalance).toBe("1180.00");
});

test("beyond its queue visits are left out, and the log says how many", async () => {
  const tracker = new Tracker(app.context);
  for (let n = 0; n < 20_500; n++) tracker.note({ ip: "10.9.9.9", userAgent: "T", country: null, page: "/full", device: "mobile", still: true });
  await tracker.stop();
  expect(app.lines.some((line) => line.includes("visits were left out of the statistics") && line.includes('"count":500'))).toBe(true);
});

test("time zones and browsers say where and on what", () => {
  const zones = ["Europe/Berlin", "Asia/Calcutta", "Asia/Kolkata", "Europe/Kiev", "Europe/Kyiv", "America/New_York", "UTC", "Etc/GMT+5", "constructor", ""];
  expect(zones.map(countryOfZone)).toEqual(["DE", "IN", "IN", "UA", "UA", "US", null, null, null, null]);
  expect(deviceOf("", "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Mobile/15E148")).toBe("mobile");
  expect(deviceOf("", "Mozilla/5.0 (Linux; Android 14; SM-X910) Safari/537.36")).toBe("tablet");
  expect(deviceOf("", "Mozilla/5.0 (Linux; Android 14; Pixel 8) Mobile Safari/537.36")).toBe("mobile");
  expect(deviceOf("", "Mozilla/5.0 (X11; Linux x86_64) Chrome/140")).toBe("desktop");
  expect(deviceOf("tablet", "anything")).toBe("tablet");
});
