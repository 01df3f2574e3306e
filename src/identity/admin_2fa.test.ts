import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { LiveStream } from "../testing/live_stream";
import { testApp } from "../testing/app";
import { codeIn, holdHalfMinute } from "../testing/codes";

/** With ADMIN_2FA=required an administrator without a second factor stands outside, at every route of staff's. */

const PASSWORD = "Corr3ct-horse-battery";
const app = await testApp({ ADMIN_2FA: "required" });
app.router.listen({ port: 0, hostname: "127.0.0.1", reusePort: false });
const base = `http://127.0.0.1:${app.router.server?.port}`;
afterAll(async () => {
  void app.router.server?.stop(true);
  await app.end();
});
afterAll(holdHalfMinute());

const calls = app.list.filter(({ lock }) => lock === "admin");
const PAGES = [
  "/admin",
  "/enhanced-admin",
  "/admin-comprehensive",
  "/admin-portal",
  "/admin-registrations",
  "/admin-app",
  "/admin-app?tab=users",
  "/admin?tab=system",
];
type Admin = Awaited<ReturnType<typeof app.admin>>;
let admin: Admin;
let vera: Awaited<ReturnType<typeof app.trader>>;
beforeAll(async () => {
  [admin, vera] = await Promise.all([app.admin(), app.trader({ firstName: "Vera", lastName: "Ventriloquist" })]);
});

async function setUp(person: Admin) {
  const { body } = await person.post<{ secret: string }>("/api/auth/two-factor", { password: PASSWORD });
  return person.post<{ recoveryCodes: string[] }>("/api/auth/two-factor/confirm", { code: codeIn(body.secret) });
}
const streamOf = (person: Admin) => LiveStream.open(`${base}/api/stream`, { cookie: person.cookie });
const STAFF_EVENTS = ["unread", "visitors", "realtime", "desk"].map((name) => `event: ${name}`);

describe("without it", () => {
  test("the list of routes is not empty", () => {
    expect(calls.length).toBeGreaterThan(30);
  });

  test.each(calls.map(({ method, path }) => [`${method} ${path}`, method, path] as const))("%s is refused", async (_, method, path) => {
    const at = path.replace(/:\w+/g, vera.id);
    const { status, body } = await admin.call(method, at, method === "GET" ? {} : { body: { reason: "Because", role: "admin" } });
    expect([status, body]).toEqual([
      403,
      { code: "two_factor_required", message: "Administrators need two-factor sign-in here. Set it up at /two-factor first." },
    ]);
  });

  test.each([...PAGES, "/admin/users/"])("the page %s is a gate that leads to setting it up", async (path) => {
    const { status, text } = await admin.get(path.endsWith("/") ? path + vera.id : path);
    expect(status).toBe(200);
    expect(text).toContain("Two-Factor Sign-In Required");
    expect(text).toContain('href="/two-factor"');
    for (const secret of [vera.email, "Ventriloquist", vera.id]) expect(text).not.toContain(secret);
  });

  test("figures for machines are refused", async () => {
    expect((await admin.get("/metrics")).status).toBe(403);
  });

  test("streams carry nothing of what another administrator's carries", async () => {
    const other = await app.admin();
    await setUp(other);
    const [ours, theirs] = await Promise.all([streamOf(admin), streamOf(other)]);
    app.context.bus.publish("staff", { about: "person" });
    for (const event of STAFF_EVENTS) await theirs.has(event);
    app.context.bus.publish("notice", { userId: admin.id, kind: "info", title: "The last word", message: "" });
    await ours.has("The last word");
    for (const event of STAFF_EVENTS) expect(ours.text).not.toContain(event);
    ours.close();
    theirs.close();
  });

  test("a new password is held to staff's length", async () => {
    expect((await admin.post("/api/auth/password", { currentPassword: PASSWORD, newPassword: "elevenchars" })).status).toBe(400);
  });

  test("the person is told that it is needed, and keeps the own pages", async () => {
    expect((await admin.get("/two-factor")).text).toContain("Administrators need it here");
    expect((await admin.get("/api/auth/user")).body).toMatchObject({ role: "admin" });
    expect((await admin.get("/dashboard")).status).toBe(200);
  });

  test("traders are not asked", async () => {
    expect((await vera.get("/two-factor")).text).not.toContain("Administrators need it here");
    expect((await vera.get("/api/admin/users")).body).toEqual({ code: "forbidden", message: "Administrators only." });
  });
});

test("with it everything opens, and shuts again when it is switched off", async () => {
  const person = await app.admin();
  const { status, body } = await setUp(person);
  expect(status).toBe(200);
  expect((await person.get("/api/admin/users")).status).toBe(200);
  expect((await person.get("/admin?tab=users")).text).toContain("Ventriloquist");
  const proof = { password: PASSWORD, code: body.recoveryCodes[0] };
  expect((await person.post("/api/auth/two-factor/off", proof)).status).toBe(204);
  expect((await person.get("/api/admin/users")).status).toBe(403);
});

test("the stream of an administrator whose second factor is reset ends", async () => {
  const [one, other] = await Promise.all([app.admin(), app.admin()]);
  await Promise.all([setUp(one), setUp(other)]);
  const stream = await streamOf(one);
  expect((await other.post(`/api/admin/users/${one.id}/two-factor/reset`, { reason: "Lost phone" })).status).toBe(200);
  await stream.ended;
});
