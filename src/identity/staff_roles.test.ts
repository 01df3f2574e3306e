import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { allPermissions, type Permission } from "../lib/permissions";
import { LiveStream } from "../testing/live_stream";
import { type Answer, type TestApp, testApp } from "../testing/app";
import type { User } from "./schema";
import type { WaitingRole } from "./schema_roles";
import type { StaffRole } from "./schema_staff";

/** Roles of staff: who gives them, the house's own, and what a change does at once. */

let app: TestApp;
let base: string;
type Admin = Awaited<ReturnType<TestApp["admin"]>>;
type Trader = Awaited<ReturnType<TestApp["trader"]>>;
let owner: Admin;
const LONG = "Corr3ct-horse-battery";
const give = (by: Admin | Trader, id: string, staffRole: string | undefined, role = "admin") =>
  by.post<{ user: User } & WaitingRole & { message: string }>(`/api/admin/users/${id}/role`, { role, staffRole, reason: "Joins the desk" });
const makeRole = (by: Admin | Trader, permissions: Permission[], name = `Desk ${crypto.randomUUID().slice(0, 8)}`) =>
  by.post<StaffRole & { message: string }>("/api/admin/roles", { name, permissions, reason: "A new desk" });
const patchRole = (by: Admin | Trader, body: object) =>
  by.call<StaffRole & { message: string }>("PATCH", "/api/admin/roles", { body: { reason: "It changed", ...body } });
const inRole = async (role: string): Promise<Admin> => {
  const person = await app.admin();
  await app.sql`update users set staff_role = ${role} where id = ${person.id}`;
  await app.sql`update users set admin_since = null where id = ${person.id}`;
  return person;
};
const ready = async (): Promise<Trader> => {
  const tess = await app.trader({ password: LONG });
  await app.sql`update users set registration_status = 'approved' where id = ${tess.id}`;
  return tess;
};
const roleOf = async ({ id }: { id: string }) => (await app.sql<{ role: string | null }[]>`select staff_role as role from users where id = ${id}`)[0]?.role;

beforeAll(async () => {
  app = await testApp();
  app.router.listen({ port: 0, hostname: "127.0.0.1", reusePort: false, idleTimeout: 30 });
  base = `http://127.0.0.1:${app.router.server?.port}`;
});
beforeEach(async () => {
  await app.sql`update users set account_status = 'banned' where role = 'admin'`;
  owner = await app.admin();
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  void app.router.server?.stop(true);
  await app.end();
});

describe("a role of staff", () => {
  test("is given with the role of an administrator, which is an owner's where none is named, and told by answers and lists", async () => {
    const [fin, own] = [await ready(), await ready()];
    const { status, body } = await give(owner, fin.id, "finance");
    expect([status, body.user.role, body.user.staffRole]).toEqual([200, "admin", "finance"]);
    expect((await give(owner, own.id, undefined)).body.user.staffRole).toBe("owner");
    await fin.post("/api/auth/login", { email: fin.email, password: LONG });
    expect((await fin.get<User>("/api/auth/user")).body.staffRole).toBe("finance");
    expect([(await fin.get("/api/admin/deposits")).status, (await fin.get("/api/admin/support-tickets")).status]).toEqual([200, 403]);
    const { body: list } = await owner.get<User[]>(`/api/admin/users?q=${fin.email}`);
    expect(list.map(({ staffRole }) => staffRole)).toEqual(["finance"]);
    expect((await fin.get<User>("/api/auth/user")).body.staffRole).toBe("finance");
    const [entry] = await app.sql`select new_state as after from admin_actions where target_user_id = ${fin.id} order by id desc limit 1`;
    expect(entry).toEqual({ after: { role: "admin", staff_role: "finance" } } as never);
  });

  test("that there is not, or for a trader, is refused with its field", async () => {
    const tess = await ready();
    for (const [staffRole, role] of [
      ["nobody", "admin"],
      ["Not an id", "admin"],
      ["support", "user"],
    ] as const) {
      const answer = await give(owner, tess.id, staffRole, role);
      expect([answer.status, Object.keys((answer.body as unknown as { fields: object }).fields)]).toEqual([400, ["staffRole"]]);
    }
  });

  test("that becomes another ends the streams, keeps the session, and counts at the next request", async () => {
    const fin = await inRole("finance");
    const stream = await LiveStream.open(`${base}/api/stream`, { Cookie: fin.cookie });
    const news = await LiveStream.open(`${base}/api/admin/notifications/stream`, { Cookie: fin.cookie });
    expect((await fin.get("/api/admin/deposits")).status).toBe(200);
    expect((await give(owner, fin.id, "support")).status).toBe(200);
    await Promise.all([stream.ended, news.ended]);
    const { status, body } = await fin.get("/api/admin/deposits");
    expect([status, body.message]).toEqual([403, "You may not see deposits. Ask an owner."]);
    expect((await fin.get("/api/admin/support-tickets")).status).toBe(200);
  });

  test("nobody gives what he has not, not even by the back door of a role of the house's own", async () => {
    const made = await makeRole(owner, ["roles.read", "roles.give", "roles.change", "people.read", "support.read"]);
    expect(made.status).toBe(201);
    const [giver, tess, ben] = [await inRole(made.body.id), await ready(), await ready()];
    for (const staffRole of [undefined, "support", "auditor"]) expect((await give(giver, tess.id, staffRole)).status).toBe(403);
    expect(await makeRole(giver, ["deposits.decide"])).toMatchObject({ status: 403, body: { message: "You may not decide deposits. Ask an owner." } });
    expect((await patchRole(giver, { id: made.body.id, permissions: ["roles.change", "wallets.change"] })).status).toBe(403);
    const more = await makeRole(owner, ["wallets.change", "people.read"]);
    expect((await patchRole(giver, { id: more.body.id, permissions: ["people.read"] })).status).toBe(403);
    const less = await makeRole(giver, ["people.read", "support.read"]);
    expect(less.status).toBe(201);
    // The owner gives roles, too, so there are two for it.
    const asked = await give(giver, ben.id, less.body.id);
    expect([asked.status, asked.body.staffRole]).toEqual([202, less.body.id]);
    expect((await owner.post(`/api/admin/role-requests/${asked.body.id}/confirm`)).status).toBe(200);
    expect(await roleOf(ben)).toBe(less.body.id);
  });

  test("of a colleague who may do more is beyond everybody's reach", async () => {
    const [compliance, auditor] = [await inRole("compliance"), await inRole("auditor")];
    const body = { reason: "Out" };
    for (const path of ["suspend", "ban", "two-factor/reset", "release"]) {
      const { status, body: answer } = await compliance.post(`/api/admin/users/${owner.id}/${path}`, body);
      expect([path, status, answer.message]).toEqual([path, 403, "Site Administrator may do what you may not. Ask an owner."]);
    }
    expect((await compliance.post(`/api/admin/users/${auditor.id}/ban`, body)).status).toBe(403);
    expect((await owner.post(`/api/admin/users/${compliance.id}/ban`, body)).status).toBe(200);
  });

  test("takes two where it lets do more and two give roles; what lets do less counts at once", async () => {
    const [other, fin] = [await app.admin(), await inRole("finance")];
    const asked = await give(owner, fin.id, "owner");
    expect([asked.status, await roleOf(fin)]).toEqual([202, "finance"]);
    expect((await fin.post(`/api/admin/role-requests/${asked.body.id}/confirm`)).status).toBe(403);
    expect((await other.post(`/api/admin/role-requests/${asked.body.id}/confirm`)).status).toBe(200);
    expect(await roleOf(fin)).toBe("owner");
    // One who became more today confirms nothing today.
    const tess = await ready();
    const next = await give(other, tess.id, "support");
    expect((await fin.post(`/api/admin/role-requests/${next.body.id}/confirm`)).status).toBe(403);
    expect((await give(other, fin.id, "finance")).status).toBe(200);
    expect(await roleOf(fin)).toBe("finance");
  });

  test("an owner remains, whoever else there is", async () => {
    await inRole("finance");
    for (let round = 0; round < 5; round++) {
      const other = await app.admin();
      const answers = await Promise.all([give(owner, other.id, "support"), give(other, owner.id, "support")]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const owners = await app.sql<{ id: string }[]>`select id from users where staff_role = 'owner' and account_status = 'active'`;
      expect(owners).toHaveLength(1);
      if (owners[0]?.id === other.id) owner = other;
      await app.sql`update users set account_status = 'banned' where staff_role = 'support'`;
    }
    const compliance = await inRole("owner");
    expect((await give(compliance, owner.id, "auditor")).status).toBe(200);
    const [all] = [await makeRole(compliance, ["people.standing", "people.read"])];
    expect(all?.status).toBe(201);
    expect((await compliance.post(`/api/admin/users/${compliance.id}/role`, { role: "user", reason: "Leaves" })).status).toBe(409);
  });
});

test("whoever may do all by a role of the house's own takes the last owner nothing", async () => {
  const made = await makeRole(owner, [...allPermissions], "All hands");
  const deputy = await inRole(made.body.id);
  for (const [staffRole, role] of [
    ["support", "admin"],
    [undefined, "user"],
  ] as const)
    expect(await give(deputy, owner.id, staffRole, role)).toMatchObject({ status: 409, body: { message: "This is the last active owner." } });
  expect((await deputy.post(`/api/admin/users/${owner.id}/ban`, { reason: "Out" })).status).toBe(409);
});

describe("the house's own roles", () => {
  test("are made, listed with who has them, and changed for everybody who has them at the next request", async () => {
    const made = await makeRole(owner, ["deposits.read", "deposits.decide"], "Night Desk");
    expect([made.status, made.body]).toMatchObject([
      201,
      { id: "night-desk", builtIn: false, permissions: ["panel.read", "deposits.read", "deposits.decide"], holders: [] },
    ]);
    const clerk = await inRole("night-desk");
    const stream = await LiveStream.open(`${base}/api/admin/notifications/stream`, { Cookie: clerk.cookie });
    const { body: list } = await owner.get<StaffRole[]>("/api/admin/roles");
    expect(list.slice(0, 6).map(({ id }) => id)).toEqual(["owner", "support", "finance", "dealing", "compliance", "auditor"]);
    expect(list.find(({ id }) => id === "night-desk")?.holders.map(({ email }) => email)).toEqual([clerk.email]);
    const changed = await patchRole(owner, { id: "night-desk", permissions: ["withdrawals.read"] });
    expect([changed.status, changed.body.name, changed.body.permissions]).toEqual([200, "Night Desk", ["panel.read", "withdrawals.read"]]);
    await stream.ended;
    expect([(await clerk.get("/api/admin/deposits")).status, (await clerk.get("/api/admin/withdrawals")).status]).toEqual([403, 200]);
    const entries = await app.sql`select action, reason from admin_actions where action like 'role.%' and new_state ->> 'id' = 'night-desk' order by id`;
    expect(entries).toEqual([
      { action: "role.create", reason: "A new desk" },
      { action: "role.change", reason: "It changed" },
    ] as never);
  });

  test("are changed by one of many who looked at the same version, and always by who names none", async () => {
    const { id, version } = (await makeRole(owner, ["people.read"], "Day desk")).body;
    const now = async () => (await owner.get<StaffRole[]>("/api/admin/roles")).body.find((each) => each.id === id);
    const tries = (seen: object) => Promise.all(allPermissions.slice(1, 9).map((each) => patchRole(owner, { id, permissions: [each], ...seen })));
    const answers = await tries({ version });
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 409)]);
    const won = answers.find(({ status }) => status === 200)?.body;
    expect(await now()).toEqual(won as never);
    expect(answers.find(({ status }) => status === 409)?.body.message).toBe("This role was changed meanwhile. Look at it again before you change it.");
    // Who has it is no part of it.
    await inRole(id);
    expect((await patchRole(owner, { id, name: "Dawn desk", version: won?.version })).status).toBe(200);
    expect((await patchRole(owner, { id, permissions: ["people.read"], version: won?.version })).status).toBe(409);
    expect((await tries({})).map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect((await patchRole(owner, { id, version: 1 })).status).toBe(400);
  });

  test("are no built-in ones, and have a name that no other has, however many ask at once", async () => {
    for (const id of ["owner", "auditor"]) expect((await patchRole(owner, { id, name: "Mine" })).status).toBe(409);
    expect((await patchRole(owner, { id: "nowhere", name: "Mine" })).status).toBe(404);
    expect((await makeRole(owner, ["people.read"], "owner")).status).toBe(409);
    const raced = await Promise.all(Array.from({ length: 12 }, () => makeRole(owner, ["people.read"], "Front desk")));
    expect(raced.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 11 }, () => 409)]);
    const refused: Answer = await owner.post("/api/admin/roles", { name: "", permissions: [], reason: "" });
    expect([refused.status, Object.keys(refused.body.fields as object).sort()]).toEqual([400, ["name", "permissions", "reason"]]);
  });
});
