import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Person, type TestApp, testApp } from "../testing/app";
import type { Session } from "./schema";

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.end());

const PASSWORD = "Corr3ct-horse";
const tokenOf = ({ cookie }: Person) => cookie.slice(cookie.indexOf("=") + 1);
const isIn = async (person: Person) => (await person.get("/api/auth/user")).status === 200;
const another = async (email: string) => {
  const person = app.stranger();
  expect((await person.post("/api/auth/login", { email, password: PASSWORD })).status).toBe(200);
  return person;
};
const secondsLeft = async (userId: string) =>
  Number((await app.sql<{ left: number }[]>`select extract(epoch from expire - now())::float8 as left from sessions where user_id = ${userId}`)[0]?.left);

test("only the hash of a session's token is stored", async () => {
  const tess = await app.trader();
  const [row] = await app.sql<{ sid: string; whole: string }[]>`select sid, to_jsonb(s)::text as whole from sessions s where user_id = ${tess.id}`;
  expect(row?.sid).toBe(new Bun.CryptoHasher("sha256").update(tokenOf(tess)).digest("hex"));
  expect(row?.whole).not.toContain(tokenOf(tess));
  const thief = Object.assign(app.stranger(), { cookie: `sid=${row?.sid}` });
  expect(await isIn(thief)).toBe(false);
});

test("each sign-in has an id of its own, whatever id came along", async () => {
  const tess = await app.trader();
  const planted = "A".repeat(43);
  const person = Object.assign(app.stranger(), { cookie: `sid=${planted}` });
  expect((await person.post("/api/auth/login", { email: tess.email, password: PASSWORD })).status).toBe(200);
  expect(new Set([tokenOf(person), tokenOf(tess), planted]).size).toBe(3);
  expect(await isIn(Object.assign(app.stranger(), { cookie: `sid=${planted}` }))).toBe(false);
});

describe("lifetimes", () => {
  test("an idle session ends: a trader's after 7 days, an administrator's after an hour", async () => {
    const [tess, admin] = [await app.trader(), await app.admin()];
    expect(Math.round((await secondsLeft(tess.id)) / 3600)).toBe(168);
    expect(Math.round((await secondsLeft(admin.id)) / 60)).toBe(60);
    for (const person of [tess, admin]) {
      await app.sql`update sessions set expire = now() where user_id = ${person.id}`;
      expect(await isIn(person)).toBe(false);
    }
  });

  test("use prolongs it, but never beyond 30 days or 12 hours in all", async () => {
    const [tess, admin] = [await app.trader(), await app.admin()];
    const age = (id: string, by: string) =>
      app.sql`update sessions set created_at = now() - ${by}::interval, seen_at = now() - interval '2 minutes', expire = now() + interval '1 minute' where user_id = ${id}`;
    await age(tess.id, "1 day");
    expect(await isIn(tess)).toBe(true);
    expect(Math.round((await secondsLeft(tess.id)) / 3600)).toBe(168);
    await age(tess.id, "29 days 23 hours");
    expect(await isIn(tess)).toBe(true);
    expect(Math.round((await secondsLeft(tess.id)) / 60)).toBe(60);
    await age(admin.id, "11 hours 30 minutes");
    expect(await isIn(admin)).toBe(true);
    expect(Math.round((await secondsLeft(admin.id)) / 60)).toBe(30);
    await age(tess.id, "30 days");
    expect(await isIn(tess)).toBe(true);
    expect(await isIn(tess)).toBe(false);
  });
});

test("the owner sees all sessions and may end any of them; nobody else may", async () => {
  const [tess, una] = [await app.trader(), await app.trader()];
  const phone = await another(tess.email);
  const list = (await tess.get<Session[]>("/api/auth/sessions")).body;
  expect(list.map(({ current }) => current).toSorted()).toEqual([false, true]);
  expect(JSON.stringify(list)).not.toContain(tokenOf(phone));
  const other = list.find(({ current }) => !current)?.id;
  for (const id of [other, crypto.randomUUID(), "1", "null"]) expect((await una.call("DELETE", `/api/auth/sessions/${id}`)).status).toBe(404);
  expect(await isIn(phone)).toBe(true);
  expect((await tess.call("DELETE", `/api/auth/sessions/${other}`)).status).toBe(204);
  expect([await isIn(phone), await isIn(tess)]).toEqual([false, true]);
  expect((await tess.call("DELETE", `/api/auth/sessions/${other}`)).status).toBe(404);
});

describe("signing out", () => {
  test("ends the session, answers 204 always and clears the cookie", async () => {
    const tess = await app.trader();
    const { cookie } = tess;
    const out = await tess.post("/api/auth/logout");
    expect([out.status, out.headers.getSetCookie()]).toEqual([204, ["sid=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0"]]);
    expect(await isIn(Object.assign(app.stranger(), { cookie }))).toBe(false);
    expect((await tess.post("/api/auth/logout")).status).toBe(204);
    expect((await app.stranger().post("/api/auth/logout")).status).toBe(204);
  });

  test("by link leads home; by another site's link it asks first", async () => {
    const tess = await app.trader();
    const asked = await tess.get("/api/auth/logout", { headers: { "sec-fetch-site": "cross-site" } });
    expect(asked.status).toBe(200);
    expect(asked.text).toContain("<form");
    expect(await isIn(tess)).toBe(true);
    const out = await tess.get("/api/auth/logout", { headers: { "sec-fetch-site": "same-origin" } });
    expect([out.status, out.headers.get("location")]).toEqual([302, "/"]);
    expect(await isIn(tess)).toBe(false);
  });

  test("ends the open stream of that session alone", async () => {
    const tess = await app.trader();
    const phone = await another(tess.email);
    const [here, there] = [await tess.fetch("GET", "/api/stream"), await phone.fetch("GET", "/api/stream")];
    await phone.post("/api/auth/logout");
    // Resolves, because the server ends it.
    await there.text();
    const reader = (here.body as ReadableStream<Uint8Array>).getReader();
    expect((await reader.read()).done).toBe(false);
    await reader.cancel();
  });
});

test.each([
  ...['sid={"a":1}', "sid=[1]", "sid=%7B%22a%22%3A1%7D", "sid=%zz", "sid=null", "sid=true", "sid=1", "sid=", "sid", "=", "sid=j:{}", `sid=${"A".repeat(44)}`],
  ...[
    `sid=${"A".repeat(42)}'`,
    `sid="${"A".repeat(43)}"`,
    `sid=${"A".repeat(8_000)}`,
    `sid=${"A".repeat(43)}; sid=${"B".repeat(43)}`,
    "__Host-sid={}",
    "__proto__=x; sid={}",
  ],
])("the cookie %s is nobody, and no fault", async (cookie) => {
  const person = Object.assign(app.stranger(), { cookie });
  expect((await person.get("/api/auth/user")).status).toBe(401);
  expect((await person.get("/dashboard")).status).toBe(302);
});

test("role and standing are those of this moment, not of the sign-in", async () => {
  const admin = await app.admin();
  expect((await admin.get("/api/admin/users")).status).toBe(200);
  await app.sql`update users set role = 'user' where id = ${admin.id}`;
  expect((await admin.get("/api/admin/users")).status).toBe(403);
  await app.sql`update users set account_status = 'banned' where id = ${admin.id}`;
  expect((await admin.get("/api/auth/user")).status).toBe(401);
});

describe("another site's page", () => {
  const write = (person: Person, headers: Record<string, string>, raw = "{}") => person.call("POST", "/api/auth/logout", { raw, headers });
  test("can write nothing", async () => {
    const tess = await app.trader();
    for (const site of ["cross-site", "same-site", "nonsense"]) expect((await write(tess, { "sec-fetch-site": site })).status).toBe(403);
    for (const origin of ["https://evil.example", "http://halyard.test:8080", "https://halyard.test", "null"])
      expect((await write(tess, { origin })).status).toBe(403);
    // Told before the body is looked at.
    expect((await write(tess, { "sec-fetch-site": "cross-site" }, "{not json")).status).toBe(403);
    expect(await isIn(tess)).toBe(true);
    expect((await write(tess, { origin: "http://halyard.test" })).status).toBe(204);
  });

  test("can't smuggle JSON in as another type", async () => {
    const tess = await app.trader();
    for (const type of ["text/plain", "text/plain; json", "application/jsonp", "text/json", "application/x-www-form-urlencoded"])
      expect((await write(tess, { "content-type": type })).status).toBe(415);
    expect((await write(tess, { "content-type": "application/json; charset=utf-8" })).status).toBe(204);
  });
});

describe("the way back after signing in", () => {
  test.each(["//evil.example", "/\\evil.example", "https://evil.example", "/a\r\nSet-Cookie: x=y", "/api/auth/logout", "javascript:alert(1)"])(
    "never leads to %p",
    async (target) => {
      const tess = await app.trader();
      const asked = await app.stranger().get(`/api/login?returnTo=${encodeURIComponent(target)}`);
      expect([asked.status, asked.headers.get("location")]).toEqual([302, "/login?returnTo=%2Fdashboard"]);
      expect((await tess.get(`/login?returnTo=${encodeURIComponent(target)}`)).headers.get("location")).toBe("/dashboard");
      const form = new URLSearchParams({ email: tess.email, password: PASSWORD, returnTo: target });
      const sent = await app.stranger().call("POST", "/login", { raw: form.toString(), headers: { "content-type": "application/x-www-form-urlencoded" } });
      expect([sent.status, sent.headers.get("location")]).toEqual([303, "/dashboard"]);
    },
  );

  test("leads to the page that was asked for", async () => {
    expect((await app.stranger().get("/api/login?returnTo=/x")).headers.get("location")).toBe("/login?returnTo=%2Fx");
  });
});
