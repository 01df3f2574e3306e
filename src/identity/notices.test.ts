import { afterAll, beforeAll, expect, test } from "bun:test";
import { wantsNotice } from "./queries_notices";
import { noticeTopics } from "./schema_notices";
import { LiveStream } from "../testing/live_stream";
import { type TestApp, testApp } from "../testing/app";

/** What a person chose to be told is what the stream tells. */

let app: TestApp;
let base: string;
beforeAll(async () => {
  app = await testApp();
  app.router.listen({ port: 0, hostname: "127.0.0.1", reusePort: false, idleTimeout: 30 });
  base = `http://127.0.0.1:${app.router.server?.port}`;
});
afterAll(async () => {
  void app.router.server?.stop(true);
  await app.end();
});

const LETTERS = { trades: true, margin: true, money: true, support: true, statements: true };
const ALL = { trades: true, margin: true, money: true, support: true, email: LETTERS };

test("all are on until something else is chosen; what is left out stays", async () => {
  const tess = await app.trader();
  expect(await tess.get("/api/user/notices")).toMatchObject({ status: 200, body: ALL });
  expect((await tess.patch("/api/user/notices", { trades: false })).body).toEqual({ ...ALL, trades: false });
  expect((await tess.patch("/api/user/notices", { money: false, security: false })).body).toEqual({ ...ALL, trades: false, money: false });
  expect((await tess.patch("/api/user/notices", { trades: true })).body).toEqual({ ...ALL, money: false });
  expect((await tess.patch("/api/user/notices", { trades: "no" })).status).toBe(400);
  expect((await app.stranger().get("/api/user/notices")).status).toBe(401);
});

test("what comes by letter is chosen apart", async () => {
  const tess = await app.trader();
  expect((await tess.patch("/api/user/notices", { email: { money: false } })).body).toEqual({ ...ALL, email: { ...LETTERS, money: false } });
  expect((await tess.patch("/api/user/notices", { money: false, email: { statements: false } })).body).toEqual({
    ...ALL,
    money: false,
    email: { ...LETTERS, money: false, statements: false },
  });
  for (const email of [true, { money: "no" }]) expect((await tess.patch("/api/user/notices", { email })).status).toBe(400);
});

test("what is switched off is not told, the rest is, and security always", async () => {
  const tess = await app.trader();
  await tess.patch("/api/user/notices", { trades: false, margin: false, money: false, support: false });
  const stream = await LiveStream.open(`${base}/api/stream`, { Cookie: tess.cookie });
  await stream.has("event: snapshot");
  const say = (topic: "trades" | "margin" | "money" | "support" | "security", title: string) =>
    app.context.bus.publish("notice", { userId: tess.id, title, message: "", kind: "info", topic });
  for (const topic of noticeTopics) expect(await wantsNotice(app.sql, tess.id, topic)).toBe(false);
  // Not of money: its look-up could come after the change below.
  for (const topic of ["trades", "margin", "support"] as const) say(topic, `hidden ${topic}`);
  say("security", "shown security");
  await stream.has("shown security");
  await tess.patch("/api/user/notices", { money: true });
  say("trades", "hidden again");
  say("money", "shown money");
  await stream.has("shown money");
  expect(stream.text).not.toContain("hidden");
  stream.close();
});

test("a sign-in elsewhere is told to who is signed in already", async () => {
  const tess = await app.trader();
  const stream = await LiveStream.open(`${base}/api/stream`, { Cookie: tess.cookie });
  await stream.has("event: snapshot");
  expect((await app.stranger().post("/api/auth/login", { email: tess.email, password: "Corr3ct-horse" })).status).toBe(200);
  await stream.has("New sign-in");
  stream.close();
});
