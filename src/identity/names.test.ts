import { afterAll, beforeAll, expect, test } from "bun:test";
import { type TestApp, testApp } from "../testing/app";

/** Each administrator has a name of one's own. */

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

type Admin = Awaited<ReturnType<TestApp["admin"]>>;
const name = (by: Admin, firstName: string, lastName: string) =>
  by.post<{ user: { firstName: string }; fields: Record<string, string> }>("/api/admin/name", { firstName, lastName });
const isAsked = async (by: Admin) => (await by.get("/admin?tab=users")).text.includes('"nameShared":true');

test("who shares a name is asked for another; one that a colleague has is refused, in whatever case; the book says what it was", async () => {
  const [ann, bea] = [await app.admin(), await app.admin()];
  expect([await isAsked(ann), await isAsked(bea)]).toEqual([true, true]);
  expect((await name(ann, "Ann", "Archer")).body.user.firstName).toBe("Ann");
  expect([await isAsked(ann), await isAsked(bea)]).toEqual([false, false]);
  const refused = await name(bea, "ANN", "archer");
  expect([refused.status, refused.body.fields.lastName]).toEqual([409, expect.stringContaining("Another administrator has this name.")]);
  const [row] = await app.sql<{ before: object; after: object }[]>`
    select previous_state as before, new_state as after from admin_actions where target_user_id = ${ann.id} and action = 'user.name'
  `;
  expect(row).toEqual({ before: { firstName: "Site", lastName: "Administrator" }, after: { firstName: "Ann", lastName: "Archer" } });
});

test("of many that take one name at once, one has it", async () => {
  const staff = await Promise.all(Array.from({ length: 6 }, () => app.admin()));
  const answers = await Promise.all(staff.map((each) => name(each, "Cleo", "Chandler")));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409, 409]);
});
