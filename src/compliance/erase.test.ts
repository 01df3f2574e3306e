import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Signature, WaitingSignature } from "../identity/schema_signatures";
import { type Answer, type TestApp, testApp } from "../testing/app";
import { approvedWithMoney } from "../testing/letters";
import type { Signed } from "../testing/money";

/** A client whom staff erase: by two, unless the house says otherwise; nothing that is left says who it was. */

let app: TestApp;
type Admin = Awaited<ReturnType<TestApp["admin"]>>;
let ann: Admin, bob: Admin;
beforeAll(async () => {
  app = await testApp();
  [ann, bob] = [await app.admin(), await app.admin()];
  await app.quote("EUR/USD", "1.10000", "1.10002");
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

type Said = Answer<WaitingSignature & { keptUntil: string; code: string; message: string; fields: Record<string, string> }>;
const erase = (by: Admin, id: string, body: object = {}) =>
  by.post(`/api/admin/users/${id}/erase`, { confirm: "ERASE", reason: "Asked for by letter", ...body }) as unknown as Promise<Said>;
const sign = (by: Admin, id: string) => by.post<{ keptUntil: string; code: string }>(`/api/admin/signatures/${id}/sign`);
const isHere = async ({ id }: Signed) => (await app.sql`select from users where id = ${id} and closed_at is null`).length === 1;
/** Every column of the database in which this stands. */
async function placesOf(words: string[]): Promise<string[]> {
  const columns = await app.sql<{ name: string; column: string }[]>`
    select table_name as name, column_name as column from information_schema.columns
    where table_schema = current_schema() and data_type in ('text', 'json', 'jsonb') and table_name <> 'letters'
  `;
  const found: string[] = [];
  for (const { name, column } of columns)
    if ((await app.sql`select from ${app.sql(name)} where lower(${app.sql(column)}::text) like any (${words.map((word) => `%${word}%`)}) limit 1`).length > 0)
      found.push(`${name}.${column}`);
  return found;
}

test("asked for by one and signed by another, once, it is done; what was asked for names nobody", async () => {
  const tess = await app.trader({ firstName: "Philomena", lastName: "Leaver" });
  expect(await placesOf(["philomena"])).not.toEqual([]);
  const asked = await erase(ann, tess.id);
  expect([asked.status, asked.body]).toMatchObject([202, { status: "pending_second_approval", deed: "erase" }]);
  expect([(await erase(ann, tess.id)).status, await isHere(tess)]).toEqual([409, true]);
  const [row] = (await bob.get<Signature[]>("/api/admin/signatures")).body;
  expect(row).toMatchObject({ deed: "erase", userId: tess.id, before: { closed: false }, after: { closed: true }, reason: "Asked for by letter" });
  expect((await sign(ann, asked.body.id)).status).toBe(403);
  const eve = await app.admin();
  await app.sql`update users set admin_since = null where id = ${eve.id}`;
  const signed = await Promise.all(Array.from({ length: 12 }, (_, n) => sign(n % 2 ? bob : eve, asked.body.id)));
  expect(signed.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(11).fill(409)]);
  expect([(await tess.get("/api/auth/user")).status, await isHere(tess)]).toEqual([401, false]);
  expect(await placesOf(["philomena", tess.email])).toEqual([]);
  const book = await app.sql<{ action: string; admin: string }[]>`
    select action, admin_user_id as admin from admin_actions where target_user_id = ${tess.id} order by id
  `;
  expect(book.map(({ action }) => action)).toEqual(["signature.ask", "user.erase", "signature.sign"]);
  expect(book[0]?.admin).toBe(ann.id);
});

test("what the client still has stops it, when it is asked for and when it is signed", async () => {
  const tess = await app.trader();
  const open = (await tess.post<{ id: string }>("/api/trading/positions", { symbol: "EUR/USD", type: "buy", amount: 100 })).body.id;
  const refused = await erase(ann, tess.id);
  expect([refused.status, refused.body.code, refused.body.message]).toEqual([422, "money_left", "This client has open positions or waiting orders."]);
  await tess.post(`/api/trading/positions/${open}/close`);
  const { id } = (await erase(ann, tess.id)).body;
  await approvedWithMoney(app, tess, "100.00");
  const late = await sign(bob, id);
  expect([late.status, late.body.code, await isHere(tess)]).toEqual([422, "money_left", true]);
  expect((await bob.get<Signature[]>("/api/admin/signatures")).body.map((each) => each.id)).toContain(id);
});

test("where the house says that one is enough, of many at once one does it", async () => {
  await app.sql`update signature_rules set is_on = false where deed = 'erase'`;
  const tess = await app.trader();
  const answers = await Promise.all([...Array.from({ length: 6 }, () => erase(ann, tess.id)), ...Array.from({ length: 6 }, () => erase(bob, tess.id))]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(11).fill(409)]);
  expect(answers.find(({ status }) => status === 200)?.body).toEqual({ keptUntil: expect.stringMatching(/^20\d\d-/) } as never);
  expect((await app.sql`select from admin_actions where target_user_id = ${tess.id} and action = 'user.erase'`).length).toBe(1);
});

test("is refused of oneself, of colleagues and of nobody, unwritten, and to whoever may not", async () => {
  const tess = await app.trader();
  const help = await app.admin();
  await app.sql`update users set staff_role = 'support' where id = ${help.id}`;
  expect([
    (await erase(ann, ann.id)).status,
    (await erase(ann, bob.id)).status,
    (await erase(ann, crypto.randomUUID())).status,
    (await erase(help, tess.id)).status,
    (await erase(ann, tess.id, { confirm: "erase" })).body.fields,
    (await erase(ann, tess.id, { reason: " " })).body.fields,
  ]).toEqual([409, 409, 404, 403, { confirm: "Write ERASE to confirm." }, { reason: "A reason is required" }] as never);
  expect(await isHere(tess)).toBe(true);
});
