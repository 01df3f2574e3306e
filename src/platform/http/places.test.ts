import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { LiveStream } from "../../testing/live_stream";
import { type TestApp, testApp } from "../../testing/app";
import { until } from "../../testing/scenarios";

let app: TestApp;
let site: string;
beforeAll(async () => {
  app = await testApp({ TRUSTED_PROXY: "127.0.0.0/8", STREAMS_PER_NETWORK: "8" });
  app.router.listen({ port: 0, hostname: "127.0.0.1" });
  site = `http://127.0.0.1:${app.router.server?.port}`;
});
afterAll(async () => {
  await app.router.server?.stop(true);
  await app.end();
});

const open: LiveStream[] = [];
afterEach(async () => {
  for (const stream of open.splice(0)) stream.close();
  await until("all are closed", () => app.context.streams.count === 0);
});

const headers = (network: string, cookie = "") => ({ "x-forwarded-for": network, ...(cookie ? { cookie } : {}) });
const own = async (network: string, cookie: string) => open.push(await LiveStream.open(`${site}/api/stream`, headers(network, cookie)));
const prices = async (network: string) => open.push(await LiveStream.open(`${site}/api/market/stream`, headers(network)));
const asked = async (path: string, network: string, cookie = "", method = "GET") => {
  const answer = await fetch(site + path, { method, headers: headers(network, cookie) });
  return { status: answer.status, retryAfter: answer.headers.get("retry-after"), text: answer.status === 200 ? "" : await answer.text() };
};
const refusals = (limit: string) => app.lines.filter((line) => line.includes("a limit is met") && line.includes(`"limit":"${limit}"`));

test("one person has six streams, and another one as soon as one of them is closed", async () => {
  const [tess, ann] = [await app.trader(), await app.trader()];
  for (let n = 0; n < 6; n++) await own(`203.0.113.${n}`, tess.cookie);
  const refused = await asked("/api/stream", "203.0.113.99", tess.cookie);
  expect([refused.status, refused.retryAfter]).toEqual([429, "30"]);
  expect(refused.text).toContain('"code":"too_many_requests"');
  expect(refused.text).toContain("Close this site on another device or browser.");
  // Islands ask for the head to hear why.
  expect(await asked("/api/stream", "203.0.113.99", tess.cookie, "HEAD")).toMatchObject({ status: 429, retryAfter: "30" });
  await own("203.0.113.1", ann.cookie);
  open.shift()?.close();
  await until("its place is free", async () => (await asked("/api/stream", "203.0.113.99", tess.cookie, "HEAD")).status === 200);
  await own("203.0.113.99", tess.cookie);
  expect(refusals("person")).toHaveLength(1);
});

test("a network's streams are counted together, of visitors and of the signed-in, and another's apart", async () => {
  const tess = await app.trader();
  for (let n = 0; n < 6; n++) await own("2001:db8:0:1::1", tess.cookie);
  for (let n = 0; n < 2; n++) await prices(`2001:db8:0:1::${n + 2}`);
  const refused = await asked("/api/market/stream", "2001:db8:0:1:ffff::1");
  expect([refused.status, refused.retryAfter]).toEqual([429, "30"]);
  expect(refused.text).toContain("Too many live connections from your network.");
  await prices("2001:db8:0:2::1");
  expect(app.context.streams.count).toBe(9);
  expect(Number(/^halyard_streams_refused_total (\d+)$/m.exec(await app.context.metrics.text())?.[1])).toBeGreaterThan(0);
});
