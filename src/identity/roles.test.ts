import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type Answer, type Person, type TestApp, testApp } from "../testing/app";
import { setRole as giveRole } from "../testing/scenarios";
import type { Member, Session } from "./schema";
import type { RoleRequest, WaitingRole } from "./schema_roles";

/** Who may be an administrator, and how one ceases to be. */

let app: TestApp;
type Admin = Awaited<ReturnType<TestApp["admin"]>>;
beforeAll(async () => {
  app = await testApp();
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

const LONG = "Corr3ct-horse-battery";
const setRole = (by: Admin, id: string, role: string, reason = "Joins the desk") => by.post(`/api/admin/users/${id}/role`, { role, reason });
const admins = async () => (await app.sql`select id from users where role = 'admin' and account_status = 'active'`).length;

describe("a role", () => {
  let admin: Admin;
  beforeEach(async () => {
    await app.sql`update users set account_status = 'banned' where role = 'admin'`;
    admin = await app.admin();
  });

  test("is given to an approved person with a password fit for staff, who signs in anew", async () => {
    const tess = await app.trader({ password: LONG });
    expect(await setRole(admin, tess.id, "admin")).toMatchObject({ status: 409 });
    await admin.post(`/api/admin/approve-registration/${tess.id}`);
    const { status, body } = await setRole(admin, tess.id, "admin");
    expect([status, (body.user as { role: string }).role]).toEqual([200, "admin"]);
    expect((await tess.get("/api/admin/users")).status).toBe(401);
    await tess.post("/api/auth/login", { email: tess.email, password: LONG });
    expect((await tess.get("/api/admin/users")).status).toBe(200);
    const [entry] =
      await app.sql`select action, reason, previous_state as before, new_state as after from admin_actions where target_user_id = ${tess.id} order by id desc limit 1`;
    expect(entry).toEqual({ action: "user.role", reason: "Joins the desk", before: { role: "user" }, after: { role: "admin" } } as never);
    expect(await setRole(admin, tess.id, "user", "Left")).toMatchObject({ status: 200 });
    expect((await tess.get("/api/auth/user")).status).toBe(401);
  });

  test("is refused with a short password until a longer one is chosen", async () => {
    const tess = await app.trader({ password: "short-one" });
    await admin.post(`/api/admin/approve-registration/${tess.id}`);
    expect(await setRole(admin, tess.id, "admin")).toMatchObject({ status: 409, body: { message: expect.stringContaining("12 characters") } });
    await tess.post("/api/auth/password", { currentPassword: "short-one", newPassword: LONG });
    expect(await setRole(admin, tess.id, "admin")).toMatchObject({ status: 200 });
  });

  test("is never one's own to change, needs a reason, and exists", async () => {
    expect(await setRole(admin, admin.id, "user")).toMatchObject({ status: 409 });
    const tess = await app.trader();
    expect(await setRole(admin, tess.id, "admin", " ")).toMatchObject({ status: 400 });
    expect(await setRole(admin, tess.id, "owner")).toMatchObject({ status: 400 });
    expect(await setRole(admin, tess.id, "user")).toMatchObject({ status: 409 });
    expect((await tess.post(`/api/admin/users/${tess.id}/role`, { role: "admin", reason: "Me" })).status).toBe(403);
  });
});

describe("with two administrators a third takes both", () => {
  let ann: Admin, bob: Admin;
  let tess: Awaited<ReturnType<TestApp["trader"]>>;
  beforeEach(async () => {
    [ann, bob, tess] = await Promise.all([app.admin(), app.admin(), app.trader({ password: LONG })]);
    await ann.post(`/api/admin/approve-registration/${tess.id}`);
  });
  const ask = () => setRole(ann, tess.id, "admin") as Promise<Answer<WaitingRole>>;
  const decide = (by: Person, id: string, word: "confirm" | "decline") => by.post<{ message: string }>(`/api/admin/role-requests/${id}/${word}`);
  const roleOf = async () => (await app.sql<{ role: string }[]>`select role from users where id = ${tess.id}`)[0]?.role;

  test("the first asks, and another confirms: nobody else, and once", async () => {
    const { status, body } = await ask();
    expect([status, body]).toMatchObject([202, { status: "pending_second_approval", userId: tess.id, reason: "Joins the desk" }]);
    expect((await ask()).status).toBe(409);
    expect(await roleOf()).toBe("user");
    const listed = await bob.get<RoleRequest[]>(`/api/admin/role-requests?userId=${tess.id}`);
    expect(listed.body).toMatchObject([{ id: body.id, status: "pending", adminUserId: ann.id, email: tess.email, decidedBy: null }]);
    for (const path of [`/admin/users/${tess.id}`, "/admin?tab=users"]) expect((await bob.get(path)).text).toContain("Tess Trader");
    expect((await bob.get(`/admin/users/${tess.id}`)).text).toContain("Takes a second administrator");
    const own = await decide(ann, body.id, "confirm");
    expect([own.status, own.body.message]).toEqual([403, "You asked for this. Another administrator decides it."]);
    expect((await decide(tess, body.id, "confirm")).status).toBe(403);
    expect((await decide(bob, body.id, "confirm")).status).toBe(200);
    expect([await roleOf(), (await tess.get("/api/auth/user")).status]).toEqual(["admin", 401]);
    for (const word of ["confirm", "decline"] as const) expect((await decide(bob, body.id, word)).status).toBe(409);
    const entries = await app.sql`select action, admin_user_id as by, details from admin_actions where target_user_id = ${tess.id} order by id desc limit 2`;
    expect(entries).toEqual([
      { action: "user.role", by: bob.id, details: { requestId: body.id, askedBy: ann.id } },
      { action: "user.role_ask", by: ann.id, details: { requestId: body.id } },
    ] as never);
    expect(
      await app.sql`select from notification_outbox where related_id = ${body.id} union all select from admin_notifications where related_id = ${body.id}`,
    ).toHaveLength(1);
  });

  test("declined, the person stays a trader, and it may be asked for again", async () => {
    const { body } = await ask();
    expect(await decide(bob, body.id, "decline")).toMatchObject({ status: 200, body: { status: "declined", userId: tess.id } });
    expect([await roleOf(), (await ask()).status]).toEqual(["user", 202]);
  });

  test("a puppet that was made an administrator today confirms none, and none of its own is confirmed", async () => {
    const [puppet, friend] = await Promise.all([app.trader({ password: LONG }), app.trader({ password: LONG })]);
    await giveRole(app.sql, puppet.id, "admin");
    await app.sql`update users set registration_status = 'approved' where id in (${puppet.id}, ${friend.id})`;
    const { body } = await ask();
    const refused = await decide(puppet, body.id, "confirm");
    expect([refused.status, refused.body.message]).toEqual([403, expect.stringContaining("less than 24 hours ago")]);
    const { body: own } = (await setRole(puppet as Admin, friend.id, "admin")) as Answer<WaitingRole>;
    expect((await decide(bob, own.id, "confirm")).status).toBe(403);
    expect(await roleOf()).toBe("user");
  });

  test("what was asked for by somebody who is no administrator any more, or of an unfit person, is not confirmed", async () => {
    const { body } = await ask();
    await app.sql`update users set account_status = 'banned' where id = ${ann.id}`;
    expect((await decide(bob, body.id, "confirm")).status).toBe(409);
    await app.sql`update users set account_status = 'active' where id = ${ann.id}`;
    await app.sql`update users set account_status = 'banned' where id = ${tess.id}`;
    expect((await decide(bob, body.id, "confirm")).status).toBe(409);
  });

  test("asked for twelve times at once it waits once; decided twelve times at once it is decided once", async () => {
    const carl = await app.admin();
    const asked = await Promise.all(Array.from({ length: 12 }, (_, n) => setRole(n % 2 ? ann : bob, tess.id, "admin")));
    expect(asked.map(({ status }) => status).toSorted()).toEqual([202, ...Array.from({ length: 11 }, () => 409)]);
    const { id } = (asked.find(({ status }) => status === 202) as Answer<WaitingRole>).body;
    const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => decide(carl, id, n % 3 ? "confirm" : "decline")));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 11 }, () => 409)]);
    const [row] = await app.sql<{ decision: string }[]>`select decision from role_decisions where request_id = ${id}`;
    expect(await roleOf()).toBe(row?.decision === "confirmed" ? "admin" : "user");
  });
});

describe("the last administrator stays", () => {
  test.each([
    ["demote", (by: Admin, id: string) => setRole(by, id, "user")],
    ["suspend", (by: Admin, id: string) => by.post(`/api/admin/users/${id}/suspend`, { reason: "Out" })],
    ["ban", (by: Admin, id: string) => by.post(`/api/admin/users/${id}/ban`, { reason: "Out" })],
  ] as const)("where two administrators %s each other at once", async (_name, command) => {
    for (let round = 0; round < 5; round++) {
      await app.sql`update users set account_status = 'banned' where role = 'admin'`;
      const [ann, bob] = await Promise.all([app.admin(), app.admin()]);
      const answers = await Promise.all([command(ann, bob.id), command(bob, ann.id)]);
      expect(await admins()).toBe(1);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      // The other was no administrator any more when its turn came.
      for (const { status } of answers) expect(status).toBeOneOf([200, 401, 403, 409]);
    }
  });
});

describe("sessions of others", () => {
  test("are listed and ended by staff, with a line in the book; the person's stream closes", async () => {
    const [admin, tess] = [await app.admin(), await app.trader()];
    const { body: sessions } = await admin.get<Session[]>(`/api/admin/users/${tess.id}/sessions`);
    expect(sessions).toHaveLength(1);
    const stream = await tess.fetch("GET", "/api/stream");
    const id = sessions[0]?.id ?? "";
    expect((await admin.call("DELETE", `/api/admin/sessions/${id}`)).status).toBe(204);
    await stream.text();
    expect((await tess.get("/api/auth/user")).status).toBe(401);
    expect((await admin.call("DELETE", `/api/admin/sessions/${id}`)).status).toBe(404);
    const [entry] = await app.sql`select action from admin_actions where target_user_id = ${tess.id} order by id desc limit 1`;
    expect(entry).toEqual({ action: "user.end_session" } as never);
    const [own] = (await admin.get<Session[]>("/api/auth/sessions")).body;
    expect((await admin.call("DELETE", `/api/admin/sessions/${own?.id}`)).status).toBe(409);
  });
});

describe("the list of people", () => {
  const SORTS = ["created", "name", "email", "status", "kyc", "role", "balance"];
  const KEY: Record<string, (user: Member) => string | number> = {
    created: ({ createdAt }) => createdAt,
    name: ({ firstName, lastName }) => `${firstName} ${lastName}`.toLowerCase(),
    email: ({ email }) => email.toLowerCase(),
    status: ({ accountStatus }) => accountStatus,
    kyc: ({ kycStatus }) => kycStatus,
    role: ({ role }) => role,
    balance: ({ accountBalance }) => Number(accountBalance),
  };

  test.each(SORTS.flatMap((sort) => [sort, `-${sort}`]))("sorted by %s comes whole, page by page, in order", async (sort) => {
    const admin = await app.admin();
    const all: Member[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const page: { body: Member[]; headers: Headers } = await admin.get<Member[]>(`/api/admin/users?limit=4&sort=${sort}${cursor ? `&cursor=${cursor}` : ""}`);
      all.push(...page.body);
      cursor = page.headers.get("x-next-cursor");
    }
    const [{ count } = { count: 0 }] = await app.sql<{ count: number }[]>`select count(*) as count from users`;
    expect([all.length, new Set(all.map(({ id }) => id)).size]).toEqual([count, count]);
    const keys = all.map((user) => KEY[sort.replace("-", "")]?.(user) ?? "");
    const sorted = [...keys].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    expect(keys).toEqual(sort.startsWith("-") ? sorted.reverse() : sorted);
  });

  test("finds any part of a name, an address or an id, whatever its case", async () => {
    const admin = await app.admin();
    const wanda = await app.trader({ firstName: "Wanda 100%", lastName: "O'Fin_der" });
    for (const q of ["wanda", "ANDA 1", "fin_d", "O'F", wanda.email.slice(3, 14), wanda.id, wanda.id.slice(4, 20), "0%"]) {
      const { body } = await admin.get<Member[]>(`/api/admin/users?q=${encodeURIComponent(q)}`);
      expect([q, body.map(({ id }) => id)]).toEqual([q, expect.arrayContaining([wanda.id])]);
    }
    // One letter finds the words that begin with it, two letters wherever they stand.
    const found = async (q: string) => (await admin.get<Member[]>(`/api/admin/users?q=${q}`)).body.map(({ email }) => email);
    const odd = await app.trader({ firstName: "Quyxv", lastName: "Moss" });
    expect(await found("q")).toEqual([odd.email]);
    expect(await found("yx")).toEqual([odd.email]);
    expect(await found("xq")).toEqual([]);
    for (const q of ["finxd", "wanda1", "zzzz"]) expect((await admin.get<Member[]>(`/api/admin/users?q=${q}`)).body).toEqual([]);
  });

  test("comes as a file without formulas", async () => {
    const admin = await app.admin();
    const eve = await app.trader({ firstName: "=1+1", lastName: "@cmd" });
    const { status, text, headers } = await admin.get(`/api/admin/users?format=csv&q=${eve.email}`);
    expect([status, headers.get("content-type"), headers.get("content-disposition")]).toEqual([
      200,
      "text/csv; charset=utf-8",
      'attachment; filename="users.csv"',
    ]);
    const lines = text.trim().split("\r\n");
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(`"'=1+1","'@cmd","${eve.email}"`);
    expect((await eve.get("/api/admin/users?format=csv")).status).toBe(403);
  });
});
