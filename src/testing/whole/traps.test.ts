import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { type Socket, connect } from "node:net";
import { join } from "node:path";
import { Elysia } from "elysia";
import type { Bus } from "../../platform/cluster/bus";
import { refusalOf } from "../../platform/database/db";
import type { AppContext } from "../../platform/app_context";
import { createLog } from "../../platform/log";
import { Streams } from "../../platform/http/stream";
import { LiveStream } from "../live_stream";
import { type TestApp, testApp } from "../app";
import { workedMs } from "../work";
import { streamRoutes } from "../../portal/routes_stream";
import { personChannel } from "../../portal/channel";
import { tradingChannel } from "../../trading/channel";

/**
 * Faults of exactly this stack that were seen happening. A port or a data folder in use: main.test.ts. Cookies and ids
 * that look like something else: bad_inputs.test.ts. Readers that don't read: platform/http/stream.test.ts.
 */

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.end());

const eurusd = { symbol: "EUR/USD", type: "buy", amount: 1000 };
const until = async (condition: () => boolean | Promise<boolean>) => {
  while (!(await condition())) await Bun.sleep(5);
};

describe("a write from elsewhere is refused before its body is read", () => {
  const raw = "{ this is no JSON";
  test.each<[number, Record<string, string>]>([
    [415, { "content-type": "text/plain; json" }],
    [415, { "content-type": "text/plain" }],
    [415, { "content-type": "application/jsonx" }],
    [415, { "content-type": "application/x-www-form-urlencoded" }],
    [403, { "sec-fetch-site": "cross-site" }],
    [403, { "sec-fetch-site": "same-site" }],
    [403, { "sec-fetch-site": "same-origin, cross-site" }],
    [403, { origin: "https://evil.example" }],
    [403, { origin: "http://halyard.test.evil.example" }],
    [403, { origin: "http://halyard.test:8080" }],
    [403, { origin: "null" }],
    [403, { "sec-fetch-site": "cross-site", origin: "http://halyard.test" }],
    [400, { "sec-fetch-site": "same-origin" }],
    [400, { origin: "http://halyard.test" }],
    [400, { "content-type": "application/json; charset=utf-8" }],
  ])("%i %p", async (status, headers) => {
    const request = new Request("http://halyard.test/api/auth/login", {
      method: "POST",
      body: raw,
      headers: { "content-type": "application/json", ...headers },
    });
    const response = await app.router.handle(request);
    expect(response.status).toBe(status);
    expect(request.bodyUsed).toBe(status === 400);
  });

  test("forms too", async () => {
    const form = (headers: Record<string, string>) => app.stranger().fetch("POST", "/login", { raw: "email=a@b.co&password=abcdef", headers });
    const type = { "content-type": "application/x-www-form-urlencoded" };
    expect((await form({ ...type, origin: "https://evil.example" })).status).toBe(403);
    expect((await form({ ...type, "sec-fetch-site": "same-site" })).status).toBe(403);
    expect((await form({ "content-type": "text/plain; application/x-www-form-urlencoded" })).status).toBe(415);
    expect((await form({ ...type, "sec-fetch-site": "same-origin" })).status).toBe(401);
  });
});

describe("production", () => {
  const root = join(import.meta.dir, "../../..");
  test("is chosen before anything else is loaded", () => {
    expect(/^import .*$/m.exec(readFileSync(join(root, "src/main.ts"), "utf8"))?.[0]).toBe('import "./production";');
  });

  test("holds for Elysia in an environment that does not say so", async () => {
    const program = 'import "./src/production"; const { isProduction } = await import("elysia/error"); console.log(isProduction);';
    const child = Bun.spawn([process.execPath, "-e", program], { cwd: root, env: {}, stdout: "pipe", stderr: "inherit" });
    expect((await new Response(child.stdout).text()).trim()).toBe("true");
  });

  test("a deeply nested body is answered at once and without a schema", async () => {
    const body = `${'{"email":'.repeat(6_500)}1${"}".repeat(6_500)}`;
    expect(body.length).toBeGreaterThan(60_000);
    const before = workedMs();
    const answer = await app.stranger().call("POST", "/api/auth/login", { raw: body });
    expect(workedMs() - before).toBeLessThan(1000);
    expect(answer).toMatchObject({ status: 400, body: { message: "The request is nested too deeply.", code: "invalid" } });
  });

  test("a misfit is told by field, without what was sent", async () => {
    const { status, text } = await app.stranger().post("/api/auth/login", { email: "secret-word", password: ["secret-word"] });
    expect(status).toBe(400);
    expect(text).not.toContain("secret-word");
    expect(Object.keys(JSON.parse(text) as object).sort()).toEqual(["code", "fields", "message"]);
  });
});

describe("an id has one spelling", () => {
  test("an administrator can't decide about himself by another", async () => {
    const [admin, second] = [await app.admin(), await app.admin()];
    for (const id of [admin.id.toUpperCase(), `{${admin.id}}`, `%20${admin.id}`, admin.id.replaceAll("-", "")])
      expect((await admin.post(`/api/admin/users/${id}/suspend`, { reason: "x" })).status).toBe(404);
    expect((await admin.post(`/api/admin/users/${admin.id}/suspend`, { reason: "x" })).status).toBe(409);
    expect((await second.get("/api/auth/user")).status).toBe(200);
    expect((await admin.get("/api/auth/user")).status).toBe(200);
  });

  test("numbers in other spellings are nobody's", async () => {
    const tess = await app.trader();
    for (const id of ["0x10", "1e3", "%205", "05", "%2B5"]) expect((await tess.post(`/api/trading/positions/${id}/close`)).status).toBe(404);
  });
});

describe("a redirect stays here", () => {
  test.each([
    "//evil.example",
    "/\\evil.example",
    "/a\r\nSet-Cookie: sid=1",
    "/\t/evil.example",
    "/.//evil.example",
    "https://evil.example",
    "/api/auth/logout",
  ])("%p", async (target) => {
    const way = await app.stranger().get(`/api/login?returnTo=${encodeURIComponent(target)}`);
    expect([way.status, way.headers.get("location"), way.headers.get("set-cookie")]).toEqual([302, "/login?returnTo=%2Fdashboard", null]);
    const tess = await app.trader();
    const there = await tess.fetch("GET", `/login?returnTo=${encodeURIComponent(target)}`);
    expect([there.status, there.headers.get("location")]).toEqual([302, "/dashboard"]);
    const form = new URLSearchParams({ email: tess.email, password: "Corr3ct-horse", returnTo: target }).toString();
    const posted = await app.stranger().fetch("POST", "/login", { raw: form, headers: { "content-type": "application/x-www-form-urlencoded" } });
    expect([posted.status, posted.headers.get("location")]).toEqual([303, "/dashboard"]);
  });
});

describe("what PostgreSQL can't read is the caller's fault", () => {
  test.each([
    "select ${0}::uuid",
    "select 'abc'::uuid",
    "select '0x1g'::numeric",
    "select 'x'::timestamptz",
    "select 99999999999::integer",
    "select 1 limit -1",
  ])("%s", async (query) => {
    const error: unknown = await app.sql.unsafe(query.replace("${0}", "'{}'")).catch((thrown: unknown) => thrown);
    expect(refusalOf(error)).toMatchObject({ code: "invalid" });
  });

  test("in lists and texts", async () => {
    const admin = await app.admin();
    const tess = await app.trader();
    for (const query of ["q=%00", "cursor=x_y", "cursor=2026-01-01T00:00:00Z_y", "cursor=99999-01-01_x", "limit=0", "limit=101", "limit=1e2"])
      expect([query, (await admin.get(`/api/admin/users?${query}`)).status]).toEqual([query, 400]);
    for (const query of ["cursor=x_y", "limit=-1", "accountId=1"])
      expect([query, (await tess.get(`/api/trading/positions/history?${query}`)).status]).toEqual([query, 400]);
    expect(app.lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });
});

test("text from people can't leave the script that carries it", async () => {
  const name = "</script><script>document.title=1337</script><!--&\u2028\u2029.";
  const tess = await app.trader({ firstName: name });
  const form = new URLSearchParams({ firstName: name, lastName: "Bell", email: "none", password: "Corr3ct-horse" }).toString();
  expect((await tess.post("/api/support/tickets", { subject: name, message: name, category: "general" })).status).toBe(201);
  const pages = await Promise.all([
    tess.call("GET", "/dashboard"),
    tess.call("GET", "/support"),
    app.stranger().call("POST", "/register", { raw: form, headers: { "content-type": "application/x-www-form-urlencoded" } }),
  ]);
  const carried = pages.flatMap(({ text }) => [...text.matchAll(/<script type="application\/json">(.*?)<\/script>/gs)].map(([, props = ""]) => props));
  for (const props of carried) expect(props).not.toMatch(/[<>&\u2028\u2029]/);
  const tickets = carried.flatMap((props) => (JSON.parse(props) as { tickets?: { subject: string }[] | null }).tickets ?? []);
  expect(tickets.map(({ subject }) => subject)).toContain(name);
  for (const { text } of pages) {
    expect(text).toContain("document.title=1337");
    expect(text).not.toContain("<script>document.title");
    expect(text).not.toContain("Corr3ct-horse");
  }
});

// Streams over a real connection ----------------------------------------------------------------------------------------

describe("a live stream", () => {
  const closers: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });

  /** The stream's route on a port, with streams of their own and a count of who listens to the bus. */
  function serve({ heartbeat, idleTimeout = 30 }: { heartbeat: number; idleTimeout?: number }) {
    let listeners = 0;
    const { bus } = app.context;
    const counted: Bus = {
      publish: (topic, message) => bus.publish(topic, message),
      subscribe(topic, listener) {
        const stop = bus.subscribe(topic, listener);
        listeners++;
        return () => {
          listeners--;
          stop();
        };
      },
    };
    const streams = new Streams({ log: createLog("error", () => {}), heartbeat, most: { perPerson: 500, perNetwork: 500 } });
    const own: AppContext = { ...app.context, bus: counted, streams };
    const router = new Elysia().use(streamRoutes(own, [tradingChannel(own, app.market, app.trading), personChannel(own)]).router);
    router.listen({ port: 0, hostname: "127.0.0.1", reusePort: false, idleTimeout });
    closers.push(() => router.server?.stop(true));
    const port = router.server?.port ?? 0;
    return { port, streams, listeners: () => listeners, open: (cookie: string) => LiveStream.open(`http://127.0.0.1:${port}/api/stream`, { cookie }) };
  }

  test("can't be made to say what nobody said", async () => {
    const tess = await app.trader();
    const stream = await serve({ heartbeat: 5_000 }).open(tess.cookie);
    // The last two are read side by side.
    const begins = ["snapshot", "instruments", "groups", "leverage"].map((event) => `event: ${event}`);
    for (const event of begins) await stream.has(event);
    const forged = "Hello\n\nevent: account\ndata: {}\r\revent: notice\n\n";
    app.context.bus.publish("notice", { userId: tess.id, title: forged, message: forged, kind: "info" });
    await stream.has("event: notice");
    await stream.has('"kind":"info"}\n\n');
    expect(stream.text.match(/^event: .*$/gm)?.toSorted()).toEqual([...begins, "event: notice"].toSorted());
    expect(stream.text).not.toContain("\r");
    stream.close();
  });

  test("that is quiet outlives the idle limit that cuts others", async () => {
    const tess = await app.trader();
    const other = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      idleTimeout: 1,
      fetch: () => new Response(new ReadableStream({ start: (controller) => controller.enqueue(": open\n\n") })),
    });
    closers.push(() => other.stop(true));
    const stream = await serve({ heartbeat: 600_000, idleTimeout: 1 }).open(tess.cookie);
    await stream.has("event: snapshot");
    await (
      await LiveStream.open(other.url.href)
    ).ended;
    app.context.bus.publish("notice", { userId: tess.id, title: "Still", message: "here", kind: "info" });
    await stream.has("Still");
    stream.close();
  });

  describe("ends with its session", () => {
    type Tess = Awaited<ReturnType<TestApp["trader"]>>;
    const ends: [string, number, (tess: Tess) => PromiseLike<unknown>][] = [
      ["sign-out, at once", 600_000, (tess) => tess.post("/api/auth/logout")],
      ["a ban, at once", 600_000, async (tess) => (await app.admin()).post(`/api/admin/users/${tess.id}/ban`, { reason: "x" })],
      ["a suspension, at once", 600_000, async (tess) => (await app.admin()).post(`/api/admin/users/${tess.id}/suspend`, { reason: "x" })],
      ["a rejection, at once", 600_000, async (tess) => (await app.admin()).post(`/api/admin/reject-registration/${tess.id}`, {})],
      ["a new password, at once", 600_000, (tess) => tess.post("/api/auth/password", { currentPassword: "Corr3ct-horse", newPassword: "An0ther-horse" })],
      ["a session deleted in the database", 20, (tess) => app.sql`delete from sessions where user_id = ${tess.id}`],
      ["a session that expired", 20, (tess) => app.sql`update sessions set expire = now() where user_id = ${tess.id}`],
      ["a ban in the database", 20, (tess) => app.sql`update users set account_status = 'banned' where id = ${tess.id}`],
      ["a change of role in the database", 20, (tess) => app.sql`update users set role = 'admin' where id = ${tess.id}`],
    ];
    test.each(ends)("%s", async (_, heartbeat, end) => {
      const [tess, bystander] = await Promise.all([app.trader(), app.trader()]);
      const served = serve({ heartbeat });
      const [stream, other] = await Promise.all([served.open(tess.cookie), served.open(bystander.cookie)]);
      await Promise.all([stream.has("event: snapshot"), other.has("event: snapshot")]);
      await end(tess);
      await stream.ended;
      expect(served.streams.count).toBe(1);
      app.context.bus.publish("notice", { userId: bystander.id, title: "Untouched", message: "", kind: "info" });
      await other.has("Untouched");
      other.close();
    });

    test("one session's end leaves the person's others open", async () => {
      const tess = await app.trader();
      const second = app.stranger();
      await second.post("/api/auth/login", { email: tess.email, password: "Corr3ct-horse" });
      const served = serve({ heartbeat: 20 });
      const [first, other] = await Promise.all([served.open(tess.cookie), served.open(second.cookie)]);
      await Promise.all([first.has("event: snapshot"), other.has("event: snapshot")]);
      await tess.post("/api/auth/logout");
      await first.ended;
      app.context.bus.publish("notice", { userId: tess.id, title: "Untouched", message: "", kind: "info" });
      await other.has("Untouched");
      other.close();
    });
  });

  test("500 readers that vanish leave no listener behind", async () => {
    const tess = await app.trader();
    const served = serve({ heartbeat: 5_000 });
    const base = served.listeners();
    const sockets = await Promise.all(Array.from({ length: 500 }, () => ask(served.port, tess.cookie)));
    await until(() => served.streams.count === 500);
    expect(served.listeners()).toBeGreaterThan(base + 500);
    for (const socket of sockets) socket.resetAndDestroy();
    await until(() => served.streams.count === 0);
    expect(served.listeners()).toBe(base);
  });

  test("tells of an order that was filled", async () => {
    const tess = await app.trader();
    await app.quote("EUR/USD", "1.10000", "1.10002");
    app.router.listen({ port: 0, hostname: "127.0.0.1", reusePort: false });
    closers.push(() => app.router.server?.stop(true));
    const stream = await LiveStream.open(`http://127.0.0.1:${app.router.server?.port}/api/stream`, { cookie: tess.cookie });
    await stream.has("event: snapshot");
    const { body } = await tess.post("/api/trading/positions", eurusd);
    await stream.has("event: position");
    await stream.has("event: account");
    expect(stream.text).toContain(String(body.id));
    stream.close();
  });
});

function ask(port: number, cookie: string): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  return new Promise((resolve) =>
    socket.once("connect", () => {
      socket.write(`GET /api/stream HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\n\r\n`);
      resolve(socket);
    }),
  );
}

test("a program that shuts down tells its streams to come back, takes no more, and lets the server stop", async () => {
  const closing = await testApp();
  const tess = await closing.trader();
  closing.router.listen({ port: 0, hostname: "127.0.0.1", reusePort: false });
  const base = `http://127.0.0.1:${closing.router.server?.port}`;
  const streams = await Promise.all([LiveStream.open(`${base}/api/market/stream`), LiveStream.open(`${base}/api/stream`, { cookie: tess.cookie })]);
  for (const stream of streams) await stream.has("event: snapshot");
  const stopped = Promise.all([closing.close(), closing.router.server?.stop()]);
  for (const stream of streams) {
    await stream.ended;
    expect(stream.text).toMatch(/retry: \d+\nevent: reconnect\ndata: \{\}\n\n$/);
  }
  await stopped;
  expect((await closing.stranger().get("/api/market/stream")).status).toBe(503);
  await closing.db.drop();
});
