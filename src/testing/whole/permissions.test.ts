import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { allPermissions, builtInRoles, type BuiltInRole, mayNot, permissionsOf } from "../../lib/permissions";
import type { Route } from "../../platform/http/routes";
import { type Person, type TestApp, testApp } from "../app";

/** Every role of staff at every door of the staff, over HTTP. */

/** Who beside the owner may do what: whoever changes a role's permissions says so here, too. */
const WHO: Record<string, string> = {
  "panel.read": "support finance dealing compliance auditor",
  "panel.own": "support finance dealing compliance",
  "queues.work": "support finance dealing compliance",
  "overview.read": "finance dealing auditor",
  "days.close": "finance",
  "visitors.read": "support auditor",
  "people.read": "support finance dealing compliance auditor",
  "people.note": "support finance dealing compliance",
  "people.standing": "compliance",
  "people.secure": "compliance",
  "people.erase": "compliance",
  "registrations.decide": "compliance",
  "kyc.read": "compliance auditor",
  "kyc.decide": "compliance",
  "compliance.change": "compliance",
  "deposits.read": "finance compliance auditor",
  "deposits.decide": "finance",
  "withdrawals.read": "finance compliance auditor",
  "withdrawals.decide": "finance",
  "wallets.read": "finance auditor",
  "wallets.change": "finance",
  "holdings.change": "finance",
  "texts.read": "support compliance auditor",
  "texts.change": "compliance",
  "promotions.read": "finance auditor",
  "promotions.change": "finance",
  "groups.read": "auditor",
  "groups.change": "",
  "groups.move": "",
  "trades.read": "dealing auditor",
  "trades.correct": "dealing",
  "trades.review": "dealing",
  "instruments.read": "dealing auditor",
  "instruments.change": "dealing",
  "limits.change": "dealing",
  "support.read": "support auditor",
  "support.answer": "support",
  "answers.change": "support",
  "letters.read": "support compliance auditor",
  "letters.send": "",
  "audit.read": "compliance auditor",
  "system.read": "auditor",
  "signatures.read": "finance dealing compliance auditor",
  "signatures.sign": "finance dealing compliance",
  "signatures.rules": "",
  "roles.read": "auditor",
  "roles.give": "",
  "roles.change": "",
  "settings.change": "",
};
const has = (role: BuiltInRole, permission: string) => role === "owner" || (WHO[permission] ?? "").split(" ").includes(role);

/** What is asked is too long for an address; nothing is changed. */
const ASKS_BY_BODY = ["POST /api/admin/deposits/forecast"];

let app: TestApp;
const people = new Map<BuiltInRole, Person>();
const OBJECT = "00000000-0000-4000-8000-00000000abcd";
const pathOf = ({ path }: Route) =>
  path
    .replace(/:day/, "today")
    .replace(/:method/, "bank")
    .replace(/:kind/, "deposit")
    .replace(/:\w+/g, OBJECT);

beforeAll(async () => {
  app = await testApp();
  for (const role of builtInRoles) {
    const person = await app.admin();
    await app.sql`update users set staff_role = ${role} where id = ${person.id}`;
    people.set(role, person);
  }
});
afterAll(() => app.end());

test("the table here is that of the program", () => {
  expect(Object.keys(WHO).sort()).toEqual([...allPermissions].sort());
  for (const role of builtInRoles) expect([role, [...permissionsOf(role, null)]]).toEqual([role, allPermissions.filter((each) => has(role, each))]);
});

test("an auditor changes nothing", () => {
  const doors = app.list.filter(({ permission }) => permission && has("auditor", permission));
  const posts = doors.filter(({ method }) => method !== "GET").map(({ method, path }) => `${method} ${path}`);
  expect(posts.filter((name) => !ASKS_BY_BODY.includes(name))).toEqual([]);
  const reading = app.list.filter(({ permission, method }) => permission && method === "GET" && !has("auditor", permission));
  expect(reading.map(({ path }) => path)).toEqual([]);
});

describe.each([...builtInRoles])("%s", (role) => {
  test("gets through the doors of its permissions, and at each other one reads what is missing", async () => {
    const doors = app.list.filter(({ lock }) => lock === "admin");
    expect(doors.length).toBeGreaterThan(120);
    const person = people.get(role) as Person;
    const wrong: string[] = [];
    for (const route of doors) {
      const { permission, method } = route;
      if (!permission) throw new Error(`${method} ${route.path} names no permission`);
      const response = await person.fetch(method, pathOf(route), method === "GET" ? {} : { body: {} });
      const isStream = (response.headers.get("content-type") ?? "").startsWith("text/event-stream");
      const text = isStream ? "" : await response.text();
      if (isStream) await response.body?.cancel();
      const { message } = response.status === 403 ? (JSON.parse(text) as { message: string }) : { message: "" };
      const isRefused = response.status === 403 && message === mayNot(permission);
      if (isRefused === has(role, permission) || response.status >= 500) wrong.push(`${method} ${route.path}: ${response.status} ${message}`);
    }
    expect(wrong).toEqual([]);
  });
});

test("what a role of the house's own lets do counts from the next request on, and words that mean nothing open nothing", async () => {
  const { sql } = app;
  const person = await app.admin();
  await sql`insert into staff_roles (id, name, permissions) values ('desk', 'Desk', '{deposits.read,nothing.real}')`;
  await sql`update users set staff_role = 'desk' where id = ${person.id}`;
  expect((await person.get("/api/admin/deposits")).status).toBe(200);
  expect((await person.get("/api/admin/waiting")).status).toBe(200);
  expect((await person.get("/api/admin/withdrawals")).status).toBe(403);
  await sql`update staff_roles set permissions = '{withdrawals.read}' where id = 'desk'`;
  const { status, body } = await person.get("/api/admin/deposits");
  expect([status, body]).toEqual([403, { message: "You may not see deposits. Ask an owner.", code: "forbidden" }]);
  expect((await person.get("/api/admin/withdrawals")).status).toBe(200);
});
