import { afterAll, beforeAll, expect, test } from "bun:test";
import { type TestApp, testApp } from "../testing/app";
import { counted, deposit, fresh, type Signed, times } from "../testing/money";
import type { StaffDeposit } from "./schema";

/** Who names a payment that another deposit names already: refused, kept, and told to staff. */

let app: TestApp;
let admin: Awaited<ReturnType<TestApp["admin"]>>;
beforeAll(async () => {
  app = await testApp();
  admin = await app.admin();
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

const claim = (person: Signed, transactionHash: string, headers = {}) =>
  person.post<{ id: string }>("/api/deposits", { amount: 300, currency: "ETH", method: "crypto", notes: "", transactionHash }, headers);
const queued = async (id: string) => (await admin.get<StaffDeposit[]>("/api/admin/deposits?status=pending")).body.find((each) => each.id === id)?.claims;
const told = () => app.sql<{ message: string; related: string }[]>`
  select message, metadata ->> 'depositId' as related from notification_outbox where title = 'A payment claimed twice'
  union all
  select message, metadata ->> 'depositId' from admin_notifications where title = 'A payment claimed twice'
`;

test("a second claim is refused once for each person, and staff see it beside the first", async () => {
  const [eve, payer] = [await app.trader({ firstName: "Eve" }), await app.trader({ firstName: "Paul", lastName: "Payer" })];
  const hash = crypto.randomUUID().replaceAll("-", "").repeat(2);
  const first = await claim(eve, hash);
  expect([first.status, await queued(first.body.id)]).toEqual([201, []]);

  const heard: unknown[] = [];
  const stop = app.context.bus.subscribe("request", (request) => heard.push(request));
  const headers = fresh();
  const answers = await times(4, () => claim(payer, hash, headers));
  stop();
  expect(counted(answers)).toEqual({ 409: 4 });
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(answers[0]?.body as unknown).toEqual({
    code: "conflict",
    message: "This transaction is already claimed by another deposit.",
    fields: { transactionHash: "This transaction is already claimed by another deposit." },
  });
  expect(heard).toContainEqual({ kind: "deposit", id: first.body.id, status: "pending" });

  // Asked again, in another form of the same hash, and by its own owner: nothing new.
  expect((await claim(payer, `0x${hash}`)).status).toBe(409);
  expect((await claim(eve, hash)).status).toBe(409);
  expect(await queued(first.body.id)).toEqual([
    { userId: payer.id, firstName: "Paul", lastName: "Payer", email: payer.email, createdAt: expect.any(String) as string },
  ]);
  expect([...(await told())]).toEqual([
    { message: "Paul Payer names the transaction that Eve Trader claimed for a deposit of $300.00.", related: first.body.id },
  ]);
  for (const path of ["/admin?tab=deposits", "/admin-app?tab=deposits"]) expect((await admin.get(path)).text).toContain("This payment is also claimed by");
});

test("a claim without a rival leaves none, and a refused one no deposit", async () => {
  const ann = await app.trader();
  const hash = crypto.randomUUID().replaceAll("-", "");
  const { body } = await claim(ann, hash);
  const bob = await app.trader();
  await claim(bob, hash);
  expect((await deposit(bob, { amount: 10 })).status).toBe(201);
  expect((await bob.get<unknown[]>("/api/deposits")).body).toHaveLength(1);
  expect(await queued(body.id)).toHaveLength(1);
});
