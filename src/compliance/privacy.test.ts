import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestApp, testApp } from "../testing/app";
import { png } from "../testing/files";
import { approvedWithMoney } from "../testing/letters";
import { counted, type Signed, times, withdrawal } from "../testing/money";
import type { DataExport } from "./schema_privacy";

/** What is kept about a person: handed out whole, and taken away when the person leaves. */

let app: TestApp;
let ann: Awaited<ReturnType<TestApp["admin"]>>;
beforeAll(async () => {
  app = await testApp();
  ann = await app.admin();
  await app.quote("EUR/USD", "1.10000", "1.10002");
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

const get = (person: { cookie: string }, path: string) => app.router.handle(new Request(`http://halyard.test${path}`, { headers: { Cookie: person.cookie } }));
async function document(person: Signed): Promise<string> {
  const form = new FormData();
  form.set("kind", "identity");
  form.set("file", new File([png() as BlobPart], "a.png"));
  const answer = await app.router.handle(
    new Request("http://halyard.test/api/kyc/documents", { method: "POST", body: form, headers: { Cookie: person.cookie } }),
  );
  return ((await answer.json()) as { id: string }).id;
}
const close = (person: Signed) => person.post<{ keptUntil: string; code: string }>("/api/user/close", { confirm: "CLOSE" });

test("a person's data comes as one file with the documents, for its owner alone, for a week, and tells by letter", async () => {
  const [tess, vera] = [await app.trader({ firstName: "Ottilie", lastName: "Öther" }), await app.trader()];
  const id = await document(tess);
  await tess.post("/api/support/tickets", { subject: "Help", message: "A word of mine", category: "general" });
  await tess.post("/api/trading/positions", { symbol: "EUR/USD", type: "buy", amount: 123.45 });
  const { status, body } = await tess.post<DataExport>("/api/user/exports");
  expect([status, body.status]).toEqual([201, "waiting"]);
  expect((await tess.post("/api/user/exports")).status).toBe(409);
  expect((await get(tess, `/api/user/exports/${body.id}`)).status).toBe(404);
  await app.reminders.wake();
  const [ready] = (await tess.get<DataExport[]>("/api/user/exports")).body;
  expect(ready).toMatchObject({ id: body.id, status: "ready" });
  expect(await app.sql`select from letters where user_id = ${tess.id} and kind = 'export_ready'`).toHaveLength(1);
  const answer = await get(tess, `/api/user/exports/${body.id}`);
  expect([answer.headers.get("content-type"), answer.headers.get("x-content-type-options")]).toEqual(["application/zip", "nosniff"]);
  const folder = mkdtempSync(join(tmpdir(), "halyard-export-"));
  writeFileSync(join(folder, "data.zip"), new Uint8Array(await answer.arrayBuffer()));
  const unpacked = Bun.spawnSync(["python3", "-m", "zipfile", "-e", "data.zip", "."], { cwd: folder });
  expect(unpacked.stderr.toString()).toBe("");
  const data = JSON.parse(readFileSync(join(folder, "data.json"), "utf8"));
  expect(data.person).toMatchObject({ first_name: "Ottilie", last_name: "Öther", email: tess.email });
  expect([data.positions[0].amount, data.tickets[0].message, data.documents[0].id]).toEqual([123.45, "A word of mine", id]);
  expect(new Uint8Array(readFileSync(join(folder, `documents/identity-${id}.png`)))).toEqual(png());
  const text = JSON.stringify(data);
  for (const secret of ["$argon2", "password", tess.cookie.slice(4), ann.email, vera.email]) expect(text).not.toContain(secret);
  rmSync(folder, { recursive: true });
  for (const [person, expected] of [
    [vera, 404],
    [ann, 404],
    [{ cookie: "" }, 401],
  ] as const)
    expect((await get(person, `/api/user/exports/${body.id}`)).status).toBe(expected);
  const [kept] = await app.sql<{ content: Uint8Array }[]>`select content from data_exports where id = ${body.id}`;
  expect(Buffer.from(kept?.content ?? []).includes("data.json")).toBe(false);
  await app.sql`update data_exports set expires_at = now() - interval '1 second' where id = ${body.id}`;
  expect((await get(tess, `/api/user/exports/${body.id}`)).status).toBe(404);
});

test("of many wishes at once one waits, and three a day are granted", async () => {
  const tess = await app.trader();
  for (let day = 0; day < 3; day++) {
    expect(counted(await times(6, () => tess.post("/api/user/exports")))).toEqual({ 201: 1, 409: 5 });
    await Promise.all([app.reminders.wake(), app.reminders.wake()]);
  }
  expect((await tess.post("/api/user/exports")).status).toBe(429);
});

test("who leaves is erased: names, contacts, ways in, documents; what was booked and dealt stays, and nobody signs in", async () => {
  const tess = await app.trader({ firstName: "Philomena", lastName: "Leaver", country: "DE" });
  const id = await document(tess);
  await tess.post("/api/trading/positions", { symbol: "EUR/USD", type: "buy", amount: 100 });
  expect((await close(tess)).body.code).toBe("money_left");
  const [position] = (await tess.get<{ id: string }[]>("/api/trading/positions/open")).body;
  await app.quote("EUR/USD", "1.10000", "1.10002");
  expect((await tess.post(`/api/trading/positions/${position?.id}/close`)).status).toBe(200);
  await approvedWithMoney(app, tess, "100.00");
  await app.sql`insert into payout_addresses (user_id, name, currency, address) values (${tess.id}, 'Home', 'USD', 'AT61 1904 3002 3457 3201')`;
  expect((await close(tess)).body.code).toBe("money_left");
  const { body: paid } = await withdrawal(tess, { amount: "100.00" });
  expect((await close(tess)).body.code).toBe("money_left");
  expect((await ann.post(`/api/admin/withdrawals/${paid.id}/approve`, { confirmAmount: "100.00" })).status).toBe(200);
  await app.sql`update sessions set confirmed_at = now() - interval '1 hour' where user_id = ${tess.id}`;
  expect((await close(tess)).body.code).toBe("password_required");
  await tess.post("/api/auth/confirm", { password: "Corr3ct-horse" });
  expect((await tess.post("/api/user/close", { confirm: "close" })).status).toBe(400);
  const entries = async () => (await app.sql`select from ledger_postings p join ledger_accounts a on a.id = p.account_id where a.owner_id = ${tess.id}`).length;
  const before = await entries();
  const answers = await times(4, () => close(tess));
  // Who was let in before the first one left has no session any more that could be proven.
  expect(answers.map(({ status, body }) => (status === 403 && body.code === "password_required" ? 401 : status)).sort()).toEqual([200, 401, 401, 401]);
  const years = new Date().getUTCFullYear() + 7;
  expect(answers.find(({ status }) => status === 200)?.body.keptUntil).toStartWith(`${years}-`);

  expect((await tess.get("/api/auth/user")).status).toBe(401);
  expect((await get(ann, `/api/admin/kyc/documents/${id}`)).status).toBe(404);
  expect(await entries()).toBe(before);
  // Wherever a name or an address could stand.
  const columns = await app.sql<{ name: string; column: string }[]>`
    select table_name as name, column_name as column from information_schema.columns
    where table_schema = current_schema() and data_type in ('text', 'json', 'jsonb') and table_name not in ('letters')
  `;
  const found: string[] = [];
  for (const { name, column } of columns)
    if ((await app.sql`select from ${app.sql(name)} where lower(${app.sql(column)}::text) like any (${["%philomena%", `%${tess.email}%`]}) limit 1`).length > 0)
      found.push(`${name}.${column}`);
  expect(found).toEqual([]);
  // The last letter goes to the address that was given up, and goes with it.
  const letters = await app.sql<{ kind: string }[]>`select kind from letters where user_id = ${tess.id}`;
  expect(letters.map(({ kind }) => kind)).toEqual(["account_closed"]);
  expect((await app.stranger().post("/api/auth/login", { email: tess.email, password: "Corr3ct-horse" })).status).toBe(401);
  // The address is free again.
  expect((await app.stranger().post("/api/auth/register", { firstName: "P", lastName: "L", email: tess.email, password: "Corr3ct-horse" })).status).toBe(201);
});

test("the page asks, shows and closes without scripts", async () => {
  const tess = await app.trader();
  const send = (form: Record<string, string>) =>
    tess.fetch("POST", "/my-data", { raw: new URLSearchParams(form).toString(), headers: { "content-type": "application/x-www-form-urlencoded" } });
  expect((await send({ step: "export" })).status).toBe(303);
  await app.reminders.wake();
  const html = await (await get(tess, "/my-data")).text();
  expect(html).toContain("/api/user/exports/");
  expect(html).toContain("are kept without your name for 7 years");
  expect((await send({ step: "close", confirm: "CLOSE", password: "Wr0ng-horse" })).status).toBe(403);
  expect((await send({ step: "close", confirm: "no", password: "Corr3ct-horse" })).status).toBe(400);
  const closed = await send({ step: "close", confirm: "CLOSE", password: "Corr3ct-horse" });
  expect([closed.status, (await closed.text()).includes("Your account is closed")]).toEqual([200, true]);
  expect((await get(tess, "/my-data")).headers.get("location")).toContain("/login");
});
