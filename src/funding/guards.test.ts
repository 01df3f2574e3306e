import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { type TestApp, testApp } from "../testing/app";
import { counted, deposit, fundedTrader, times, wallet, withdrawal } from "../testing/money";
import { withoutGuard } from "../testing/scenarios";

/** Each guard of the money commands, taken out: the races that the other tests run then do go wrong, so they do reach it. */

let app: TestApp;
let admin: Awaited<ReturnType<TestApp["admin"]>>;
beforeAll(async () => {
  app = await testApp();
  admin = await app.admin();
});
afterAll(() => app.end());

let putBack: (() => Promise<void>)[] = [];
const without = async (name: string, guard: string, instead = "") => void putBack.push(await withoutGuard(app.sql, name, guard, instead));
afterEach(async () => {
  for (const back of putBack) await back();
  putBack = [];
});
const broken = async () => (await app.faults()).map((fault) => fault.split(":")[0]);

test("without the state's condition twenty approvals are stopped by the ledger alone", async () => {
  const ann = await app.trader();
  const { body } = await deposit(ann);
  await without("deposit_end", "and status = 'pending'");
  const answers = counted(await times(20, () => admin.post(`/api/admin/deposits/${body.id}/approve`)));
  expect(answers).toEqual({ 200: 1, 500: 19 });
  expect(await wallet(ann)).toBe("100.00");
});

test("without the check of the wallet its constraint stops a second withdrawal", async () => {
  const ann = await fundedTrader(app, admin, 100);
  await without("withdrawal_ask", "if available < of_amount then", "if false then");
  const answers = await times(20, () => withdrawal(ann, { amount: 100 }));
  expect(counted(answers)).toEqual({ 201: 1, 422: 19 });
  expect(answers.find(({ status }) => status === 422)?.body as unknown).toMatchObject({ message: "The balance does not cover this amount." });
  expect(await broken()).toEqual([]);
});

test("without the condition on a person's earlier deposits the bonus is stopped by the ledger alone", async () => {
  const ann = await app.trader();
  await without("promotion_earned", "and not exists (select from ledger_entries e where e.kind = promo.id and e.object_id = d.user_id)");
  await without("promotion_earned", "not exists (select from deposits o where", "not exists (select from deposits o where false and");
  const ids = await times(3, async () => (await deposit(ann, { amount: 5000 })).body.id);
  const answers = [];
  for (const id of ids) answers.push((await admin.post(`/api/admin/deposits/${id}/approve`)).status);
  expect(answers).toEqual([200, 500, 500]);
});

test("without the maker's rule an administrator pays himself", async () => {
  const { body } = await deposit(admin, { amount: 100 });
  await without("deposit_end", "perform refuse_own(actor, d.user_id);", "null;");
  expect((await admin.post(`/api/admin/deposits/${body.id}/approve`)).status).toBe(200);
});

test("without the hold the books no longer agree with what waits", async () => {
  const ann = await fundedTrader(app, admin, 100);
  await without("withdrawal_ask", "array[-w.amount, w.amount]", "array[-w.amount + 10, w.amount - 10]");
  expect((await withdrawal(ann, { amount: 100 })).status).toBe(201);
  // Once for what is held of the person in all, and once for what this request's own entry holds.
  expect(await broken()).toEqual(["withdrawals_match_ledger.sql", "withdrawals_match_ledger.sql"]);
});
