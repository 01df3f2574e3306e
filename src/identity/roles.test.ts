import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type TestHouse, testHouse } from "../testing/house";
import type { Member, Session } from "./schema";

/** Who may be an administrator, and how one ceases to be. */

let house: TestHouse;
type Admin = Awaited<ReturnType<TestHouse["admin"]>>;
beforeAll(async () => {
  house = await testHouse();
});
afterAll(async () => {
  expect(await house.faults()).toEqual([]);
  await house.end();
});

const LONG = "Corr3ct-horse-battery";
const setRole = (by: Admin, id: string, role: string, reason = "Joins the desk") => by.post(`/api/admin/users/${id}/role`, { role, reason });
const admins = async () => (await house.sql`select id from users where role = 'admin' and account_status = 'active'`).length;

describe("a role", () => {
  let admin: Admin;
  beforeEach(async () => {
    admin = await house.admin();
  });

  test("is given to an approved person with a password fit for staff, who signs in anew", async () => {
    const tess = await house.trader({ password: LONG });
    expect(await setRole(admin, tess.id, "admin")).toMatchObject({ status: 409 });
    await admin.post(`/api/admin/approve-registration/${tess.id}`);
    const { status, body } = await setRole(admin, tess.id, "admin");
    expect([status, (body.user as { role: string }).role]).toEqual([200, "admin"]);
    expect((await tess.get("/api/admin/users")).status).toBe(401);
    await tess.post("/api/auth/login", { email: tess.email, password: LONG });
    expect((await tess.get("/api/admin/users")).status).toBe(200);
    const [entry] =
      await house.sql`select action, reason, previous_state as before, new_state as after from admin_actions where target_user_id = ${tess.id} order by id desc limit 1`;
    expect(entry).toEqual({ action: "user.role", reason: "Joins the desk", before: { role: "user" }, after: { role: "admin" } } as never);
    expect(await setRole(admin, tess.id, "user", "Left")).toMatchObject({ status: 200 });
    expect((await tess.get("/api/auth/user")).status).toBe(401);
  });

  test("is refused with a short password until a longer one is chosen", async () => {
    const tess = await house.trader({ password: "short-one" });
    await admin.post(`/api/admin/approve-registration/${tess.id}`);
    expect(await setRole(admin, tess.id, "admin")).toMatchObject({ status: 409, body: { message: expect.stringContaining("12 characters") } });
    await tess.post("/api/auth/password", { currentPassword: "short-one", newPassword: LONG });
    expect(await setRole(admin, tess.id, "admin")).toMatchObject({ status: 200 });
  });

  test("is never one's own to change, needs a reason, and exists", async () => {
    expect(await setRole(admin, admin.id, "user")).toMatchObject({ status: 409 });
    const tess = await house.trader();
    expect(await setRole(admin, tess.id, "admin", " ")).toMatchObject({ status: 400 });
    expect(await setRole(admin, tess.id, "owner")).toMatchObject({ status: 400 });
    expect(await setRole(admin, tess.id, "user")).toMatchObject({ status: 409 });
    expect((await tess.post(`/api/admin/users/${tess.id}/role`, { role: "admin", reason: "Me" })).status).toBe(403);
  });
});

describe("the last administrator stays", () => {
  test.each([
    ["demote", (by: Admin, id: string) => setRole(by, id, "user")],
    ["suspend", (by: Admin, id: string) => by.post(`/api/admin/users/${id}/suspend`, { reason: "Out" })],
    ["ban", (by: Admin, id: string) => by.post(`/api/admin/users/${id}/ban`, { reason: "Out" })],
  ] as const)("where two administrators %s each other at once", async (_name, deed) => {
    for (let round = 0; round < 5; round++) {
      await house.sql`update users set account_status = 'banned' where role = 'admin'`;
      const [ann, bob] = await Promise.all([house.admin(), house.admin()]);
      const answers = await Promise.all([deed(ann, bob.id), deed(bob, ann.id)]);
      expect(await admins()).toBe(1);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      // The other was no administrator any more when its turn came.
      for (const { status } of answers) expect(status).toBeOneOf([200, 401, 403, 409]);
    }
  });
});

describe("sessions of others", () => {
  test("are listed and ended by staff, with a line in the book; the person's stream closes", async () => {
    const [admin, tess] = [await house.admin(), await house.trader()];
    const { body: sessions } = await admin.get<Session[]>(`/api/admin/users/${tess.id}/sessions`);
    expect(sessions).toHaveLength(1);
    const stream = await tess.fetch("GET", "/api/stream");
    const id = sessions[0]?.id ?? "";
    expect((await admin.call("DELETE", `/api/admin/sessions/${id}`)).status).toBe(204);
    await stream.text();
    expect((await tess.get("/api/auth/user")).status).toBe(401);
    expect((await admin.call("DELETE", `/api/admin/sessions/${id}`)).status).toBe(404);
    const [entry] = await house.sql`select action from admin_actions where target_user_id = ${tess.id} order by id desc limit 1`;
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
    const admin = await house.admin();
    const all: Member[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const page: { body: Member[]; headers: Headers } = await admin.get<Member[]>(`/api/admin/users?limit=4&sort=${sort}${cursor ? `&cursor=${cursor}` : ""}`);
      all.push(...page.body);
      cursor = page.headers.get("x-next-cursor");
    }
    const [{ count } = { count: 0 }] = await house.sql<{ count: number }[]>`select count(*) as count from users`;
    expect([all.length, new Set(all.map(({ id }) => id)).size]).toEqual([count, count]);
    const keys = all.map((user) => KEY[sort.replace("-", "")]?.(user) ?? "");
    const sorted = [...keys].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    expect(keys).toEqual(sort.startsWith("-") ? sorted.reverse() : sorted);
  });

  test("finds any part of a name, an address or an id, whatever its case", async () => {
    const admin = await house.admin();
    const wanda = await house.trader({ firstName: "Wanda 100%", lastName: "O'Fin_der" });
    for (const q of ["wanda", "ANDA 1", "fin_d", "O'F", wanda.email.slice(3, 14), wanda.id, wanda.id.slice(4, 20), "0%"]) {
      const { body } = await admin.get<Member[]>(`/api/admin/users?q=${encodeURIComponent(q)}`);
      expect([q, body.map(({ id }) => id)]).toEqual([q, expect.arrayContaining([wanda.id])]);
    }
    // One letter finds the words that begin with it, two letters wherever they stand.
    const found = async (q: string) => (await admin.get<Member[]>(`/api/admin/users?q=${q}`)).body.map(({ email }) => email);
    const odd = await house.trader({ firstName: "Quyxv", lastName: "Moss" });
    expect(await found("q")).toEqual([odd.email]);
    expect(await found("yx")).toEqual([odd.email]);
    expect(await found("xq")).toEqual([]);
    for (const q of ["finxd", "wanda1", "zzzz"]) expect((await admin.get<Member[]>(`/api/admin/users?q=${q}`)).body).toEqual([]);
  });

  test("comes as a file without formulas", async () => {
    const admin = await house.admin();
    const eve = await house.trader({ firstName: "=1+1", lastName: "@cmd" });
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
