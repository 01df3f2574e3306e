import { afterAll, beforeAll, expect, test } from "bun:test";
import { Elysia } from "elysia";
import type { Channel } from "../platform/app_context";
import { type TestApp, testApp } from "../testing/app";
import { LiveStream } from "../testing/live_stream";
import { until } from "../testing/scenarios";
import { streamRoutes } from "./routes_stream";

let app: TestApp;
let base: string;
beforeAll(async () => {
  app = await testApp();
  await app.quote("EUR/USD", "1.08420", "1.08425");
  app.router.listen({ port: 0, hostname: "127.0.0.1", reusePort: false });
  base = `http://127.0.0.1:${app.router.server?.port}/api/stream`;
});
afterAll(async () => {
  void app.router.server?.stop(true);
  await app.end();
});

const events = ({ text }: LiveStream) => [...text.matchAll(/^event: (.*)$/gm)].map(([, name]) => name as string);

test("a page that was made for somebody else is told so, and hears nothing", async () => {
  const [tess, other] = [await app.trader(), await app.trader()];
  const own = await LiveStream.open(`${base}?as=${tess.id}`, { cookie: tess.cookie });
  await own.has("event: snapshot");
  own.close();
  const wrong = await LiveStream.open(`${base}?as=${tess.id}`, { cookie: other.cookie });
  await wrong.ended;
  expect(events(wrong)).toEqual(["other-session"]);
});

test("what can't be asked of it is refused", async () => {
  const tess = await app.trader();
  for (const query of ["as=me", "quotes=never", "since=a%20b", `since=${"x".repeat(101)}`])
    expect((await fetch(`${base}?${query}`, { headers: { cookie: tess.cookie } })).status).toBe(400);
  expect((await fetch(base)).status).toBe(401);
});

test("every request for money and each decision on it is told with the balances, whatever notices were chosen", async () => {
  const [tess, admin] = [await app.trader(), await app.admin()];
  await tess.patch("/api/user/notices", { money: false });
  const stream = await LiveStream.open(base, { cookie: tess.cookie });
  await stream.has("event: snapshot");
  const told = async (count: number) => until(`${count} tellings`, () => events(stream).filter((event) => event === "purse").length === count);
  const { body } = await tess.post<{ id: string }>("/api/deposits", { amount: 250, currency: "USD", method: "bank" });
  await told(1);
  expect(stream.text).toContain('"accountBalance":"0.00"');
  await admin.post(`/api/admin/deposits/${body.id}/approve`);
  await told(2);
  expect(stream.text).toContain('"accountBalance":"250.00"');
  const second = await tess.post<{ id: string }>("/api/deposits", { amount: 100, currency: "USD", method: "bank" });
  await admin.post(`/api/admin/deposits/${second.body.id}/reject`, { reason: "No payment came" });
  await told(4);
  expect(events(stream)).not.toContain("notice");
  stream.close();
});

test("a browser that saves data is told the newest quote of each symbol, seldom", async () => {
  const tess = await app.trader();
  const [slow, live] = await Promise.all(["?quotes=slow", ""].map((query) => LiveStream.open(base + query, { cookie: tess.cookie })));
  if (!slow || !live) throw new Error("no streams");
  await Promise.all([slow.has("event: snapshot"), live.has("event: snapshot")]);
  // Of a symbol that the market itself says nothing of here.
  const quote = { symbol: "GBP/USD", time: new Date().toISOString(), seq: 1, stale: false, open: true };
  for (const bid of ["1.08430000", "1.08440000", "1.08450000"]) app.context.bus.publish("quotes", [{ ...quote, bid, ask: "1.09000000" }]);
  await live.has("1.08450000");
  expect(events(live).filter((event) => event === "quotes")).toHaveLength(3);
  expect(slow.text).not.toContain("1.0843");
  await slow.has("1.08450000");
  expect(slow.text).not.toContain("1.08440000");
  slow.close();
  live.close();
});

test("each channel gets what the browser heard last; where one fails, the others stop listening", async () => {
  const tess = await app.trader();
  const wishes: (string | null)[] = [];
  let listening = 0;
  const heard: Channel = (stream, _, { since }) => {
    wishes.push(since);
    listening += 1;
    stream.send("notice", { hello: true });
    return () => void (listening -= 1);
  };
  const failing: Channel = () => {
    throw new Error("a fault of ours");
  };
  const serve = (channels: Channel[]) => {
    const router = new Elysia().use(streamRoutes(app.context, channels).router);
    return { router, ask: (path: string, headers: Record<string, string>) => router.handle(new Request(`http://halyard.test${path}`, { headers })) };
  };
  const headers = { cookie: tess.cookie };
  const { ask } = serve([heard]);
  for (const [path, given] of [
    ["/api/stream?since=7", {}],
    ["/api/stream?since=7", { "last-event-id": "9" }],
    ["/api/stream", { "last-event-id": "not an id" }],
  ] as const)
    await (await ask(path, { ...headers, ...given })).body?.cancel();
  expect(wishes).toEqual(["7", "9", null]);
  await until("all have stopped", () => listening === 0);
  expect((await serve([heard, failing]).ask("/api/stream", headers)).status).toBe(500);
  expect(listening).toBe(0);
});
