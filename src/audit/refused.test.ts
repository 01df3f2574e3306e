import { afterAll, beforeAll, expect, test } from "bun:test";
import { type TestApp, testApp } from "../testing/app";
import { forgetAttempts, keepAttempt } from "./commands";
import type { RefusedAttempt } from "./schema";

/** What the log tells of rights, and which refusals are kept for staff to read. */

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ TRUSTED_PROXY: "127.0.0.1" });
});
afterAll(() => app.end());

type Line = Record<string, unknown>;
const linesSince = (from: number): Line[] => app.lines.slice(from).map((line) => JSON.parse(line) as Line);
/** The line of this message that was written since. */
async function told(msg: string, command: () => Promise<unknown>): Promise<Line> {
  const from = app.lines.length;
  await command();
  const found = linesSince(from).filter((line) => line.msg === msg);
  expect(found).toHaveLength(1);
  return found[0] as Line;
}
const of = (person: string | null, more: Line = {}) => ({
  person,
  requestId: expect.stringMatching(/^\w+-\w+$/) as string,
  network: expect.any(String) as string,
  ...more,
});

test("who comes, goes, proves or changes something is a line each, with nothing secret in it", async () => {
  const tess = app.stranger();
  const form = { firstName: "Tess", lastName: "Trader", email: "tess@t.test", password: "Corr3ct-horse", referralCode: "" };
  let id = "";
  const registered = await told("registered", async () => {
    id = (await tess.post<{ user: { id: string } }>("/api/auth/register", form)).body.user.id;
  });
  expect(registered).toMatchObject({ level: "info", ...of(id) });
  expect(await told("signed out", () => tess.post("/api/auth/logout"))).toMatchObject({ level: "info", ...of(id) });
  const signedIn = await told("signed in", () => tess.post("/api/auth/login", { email: form.email, password: form.password }));
  expect(signedIn).toMatchObject({ level: "info", ...of(id, { secondFactor: false }) });
  expect(await told("proved again", () => tess.post("/api/auth/confirm", { password: form.password }))).toMatchObject(of(id));
  const next = { currentPassword: form.password, newPassword: "An0ther-horse" };
  expect(await told("password changed", () => tess.post("/api/auth/password", next))).toMatchObject(of(id));
  for (const secret of ["Corr3ct-horse", "An0ther-horse", tess.cookie.split("=")[1] as string])
    for (const line of app.lines) expect(line).not.toContain(secret);
});

test("a refused right is a line with its reason, by a call and by a form, and a wait too", async () => {
  const tess = await app.trader();
  const stranger = app.stranger();
  const wrong = { email: tess.email, password: "not-Her-password" };
  expect(await told("refused", () => stranger.get("/api/auth/user"))).toMatchObject({ level: "info", ...of(null), status: 401, path: "/api/auth/user" });
  const refused = { level: "warn", status: 401, code: "invalid_credentials", reason: "Invalid email or password" };
  expect(await told("refused", () => stranger.post("/api/auth/login", wrong))).toMatchObject({ ...refused, ...of(tess.id), path: "/api/auth/login" });
  const byForm = () =>
    stranger.call("POST", "/login", { raw: new URLSearchParams(wrong).toString(), headers: { "content-type": "application/x-www-form-urlencoded" } });
  expect(await told("refused", byForm)).toMatchObject({ ...refused, ...of(tess.id), path: "/login" });
  const right = await told("refused", () => tess.post("/api/admin/users/01890000-0000-7000-8000-000000000000/ban", { reason: "x" }));
  expect(right).toMatchObject({ level: "warn", ...of(tess.id), status: 403, code: "forbidden", method: "POST" });
  let wait: Line | undefined;
  for (let n = 0; n < 20 && !wait; n++) {
    const from = app.lines.length;
    await stranger.post("/api/auth/login", wrong);
    wait = linesSince(from).find(({ status }) => status === 429);
  }
  expect(wait).toMatchObject({ level: "warn", msg: "refused", code: "too_many_requests", ...of(null) });
  for (const line of app.lines) expect(line).not.toContain("not-Her-password");
  await app.sql`delete from throttles`;
});

test("what staff were refused, and others at their routes, is kept and listed page by page, for staff alone", async () => {
  const [admin, tess] = [await app.admin(), await app.trader()];
  await app.sql`delete from refused_attempts`;
  const list = async (query = "") => (await admin.get<RefusedAttempt[]>(`/api/admin/refused-attempts${query}`)).body;
  const until = async (count: number) => {
    while ((await list()).length < count) await Bun.sleep(5);
  };
  const own = `/api/admin/users/${admin.id}/ban`;
  const self = await admin.post(own, { reason: "just to see" });
  expect(self.status).toBe(409);
  await until(1);
  expect((await tess.get("/api/admin/refused-attempts")).status).toBe(403);
  await until(2);
  expect((await app.stranger().get("/api/admin/refused-attempts")).status).toBe(401);
  expect((await app.stranger().post("/api/auth/login", { email: admin.email, password: "a-wrong-Passw0rd" })).status).toBe(401);
  await until(3);
  expect(await list()).toMatchObject([
    { userId: admin.id, path: "/api/auth/login", code: "invalid_credentials" },
    {
      userId: tess.id,
      person: tess.email,
      role: "user",
      method: "GET",
      path: "/api/admin/refused-attempts",
      code: "forbidden",
      reason: "Administrators only.",
    },
    { userId: admin.id, person: admin.email, role: "admin", method: "POST", code: "conflict", requestId: expect.stringMatching(/^\w+-\w+$/) as string },
  ]);

  const first = await admin.get<RefusedAttempt[]>("/api/admin/refused-attempts?limit=2");
  const rest = await list(`?limit=2&cursor=${first.headers.get("x-next-cursor")}`);
  expect([...first.body, ...rest].map(({ code }) => code)).toEqual(["invalid_credentials", "forbidden", "conflict"]);
  const page = (await admin.get("/admin?tab=system")).text;
  for (const shown of ["Refused attempts", tess.email, "GET /api/admin/refused-attempts", "Administrators only."]) expect(page).toContain(shown);
});

test("who goes on and on fills no disk, and what is old is thrown out", async () => {
  const tess = await app.trader();
  await app.sql`delete from refused_attempts`;
  await app.sql`
    insert into refused_attempts (user_id, method, path, code, reason, ip_address, request_id, created_at)
    select ${tess.id}::uuid, 'GET', '/api/admin/users', 'forbidden', 'Administrators only.', '', n::text, now() - (case when n <= 100 then '1 minute' else '91 days' end)::interval
    from generate_series(1, 103) n
  `;
  const one = { userId: tess.id, method: "GET", code: "forbidden", reason: "one more", ipAddress: "", requestId: "" };
  await keepAttempt(app.sql, { ...one, path: "/api/admin/users" });
  expect(await app.sql`select from refused_attempts where reason = 'one more'`).toHaveLength(0);
  await keepAttempt(app.sql, { ...one, path: "/api/admin/settings" });
  expect(await app.sql`select from refused_attempts where reason = 'one more'`).toHaveLength(1);
  await forgetAttempts(app.sql);
  expect(await app.sql`select from refused_attempts`).toHaveLength(101);
});
