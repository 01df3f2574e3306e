import { afterAll, beforeAll, expect, test } from "bun:test";
import { type TestApp, testApp } from "../testing/app";
import { fundedTrader, withdrawal } from "../testing/money";
import { fundLive, handHeld, keepFresh, tamper, until, waiting } from "../testing/scenarios";

/** A decision on a registration, taken back within seconds. */

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

type Admin = Awaited<ReturnType<TestApp["admin"]>>;
const approve = (by: Admin, id: string) => by.post(`/api/admin/approve-registration/${id}`);
const reject = (by: Admin, id: string) => by.post(`/api/admin/reject-registration/${id}`, { reason: "No" });
const undoLate = (by: Admin, id: string) => by.post<{ message: string; user: { registrationStatus: string } }>(`/api/admin/undo-registration/${id}`);
/** However long the test took since the decision, and takes over this. */
async function undo(by: Admin, id: string) {
  const putBack = await keepFresh(app.sql, id);
  return undoLate(by, id).finally(putBack);
}
const standing = async (id: string) => {
  const [row] = await app.sql<{ status: string; reason: string | null; by: string | null; at: string | null }[]>`
    select registration_status as status, registration_reason as reason, approved_by as by, approved_at as at from users where id = ${id}
  `;
  return row;
};
/** Makes what the audit book says of this person so many seconds older, as only the database's owner could. */
const age = (id: string, seconds: number) =>
  tamper(app.sql, (tx) => tx`update admin_actions set created_at = created_at - make_interval(secs => ${seconds}) where target_user_id = ${id}`);

test("an approval and a rejection are taken back by who made them, once, with a line in the audit book and a word to the person", async () => {
  const [admin, other, tess] = [await app.admin(), await app.admin(), await app.trader()];
  expect((await undoLate(admin, tess.id)).status).toBe(409);
  const told: string[] = [];
  const stop = app.context.bus.subscribe("notice", ({ userId, title }) => userId === tess.id && told.push(title));
  await approve(admin, tess.id);
  expect((await undo(other, tess.id)).body.message).toBe("Another administrator decided this registration.");
  expect(await undo(admin, tess.id)).toMatchObject({ status: 200, body: { user: { registrationStatus: "pending" } } });
  expect(await standing(tess.id)).toEqual({ status: "pending", reason: null, by: null, at: null });
  expect((await undo(admin, tess.id)).body.message).toBe("There is no decision on this registration to undo.");
  expect(told).toEqual(["Registration approved", "Your registration is looked at again"]);
  stop();
  await reject(admin, tess.id);
  expect((await undo(admin, tess.id)).status).toBe(200);
  expect(await standing(tess.id)).toEqual({ status: "pending", reason: null, by: null, at: null });
  expect((await approve(other, tess.id)).status).toBe(200);
  const book = await app.sql<{ action: string }[]>`select action from admin_actions where target_user_id = ${tess.id} order by id`;
  expect(book.map(({ action }) => action)).toEqual([
    "registration.approve",
    "registration.undo",
    "registration.reject",
    "registration.undo",
    "registration.approve",
  ]);
});

test("after twelve seconds a decision stands", async () => {
  const [admin, tess] = [await app.admin(), await app.trader()];
  await approve(admin, tess.id);
  await age(tess.id, 13);
  expect((await undoLate(admin, tess.id)).body.message).toBe("It is too late to undo this decision.");
  await age(tess.id, -13);
  expect((await standing(tess.id))?.status).toBe("approved");
});

test("two that undo at once: one does, and the book has one line of it", async () => {
  const [admin, tess] = [await app.admin(), await app.trader()];
  await approve(admin, tess.id);
  const putBack = await keepFresh(app.sql, tess.id);
  const answers = await Promise.all([undoLate(admin, tess.id), undoLate(admin, tess.id), undoLate(admin, tess.id)]);
  await putBack();
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
});

test("a withdrawal that was first keeps the approval; one that comes while it is taken back is refused", async () => {
  const admin = await app.admin();
  const [first, late] = [await fundedTrader(app, admin, 400), await fundedTrader(app, admin, 400)];
  // Asked for after the approval and not committed yet: the undo waits for it, and then sees it.
  const hand = await handHeld(app.db);
  await hand.sql`select withdrawal_request(${first.id}, 50, 'USD', 'bank', 'IBAN DE02 1203 0000', true, null, null)`;
  await hand.sql`set local session_replication_role = replica`;
  await hand.sql`update withdrawals set created_at = created_at + interval '2 hours' where user_id = ${first.id}`;
  const after = undo(admin, first.id);
  await until("the undo waits", async () => (await waiting(app.sql)) === 1);
  await hand.commit();
  expect((await after).body.message).toBe("This person has already traded, withdrawn or moved money on this approval, so it can't be undone.");
  expect((await standing(first.id))?.status).toBe("approved");
  await hand.end();

  const wallet = await handHeld(app.db);
  await wallet.sql`select from ledger_accounts where id = ledger_account_of(${late.id}, 'wallet') for update`;
  const undone = undo(admin, late.id);
  await until("the undo waits", async () => (await waiting(app.sql)) === 1);
  const asked = withdrawal(late);
  await until("the withdrawal waits", async () => (await waiting(app.sql)) === 2);
  await wallet.commit();
  expect((await undone).status).toBe(200);
  expect(await asked).toMatchObject({ status: 422, body: { code: "registration_pending" } });
  await wallet.end();
});

test("a live order that was first keeps the approval", async () => {
  const admin = await app.admin();
  const tess = await fundedTrader(app, admin, 900);
  await app.sql`update users set registration_status = 'approved' where id = ${tess.id}`;
  const account = await fundLive(app, tess, "400.00");
  const hand = await handHeld(app.db);
  await hand.sql`select from trading_accounts where id = ${account} for update`;
  // The order alone came after the approval: what funded the account would forbid it, too.
  await hand.sql`
    insert into positions (account_id, user_id, symbol, side, amount, leverage, margin, status, created_at)
    values (${account}, ${tess.id}, 'EUR/USD', 'buy', 100, 100, 1, 'pending', now() + interval '2 hours')
  `;
  const after = undo(admin, tess.id);
  await until("the undo waits", async () => (await waiting(app.sql)) === 1);
  await hand.commit();
  expect((await after).status).toBe(409);
  await hand.end();
  await app.sql`update positions set status = 'cancelled', cancel_reason = 'Over' where user_id = ${tess.id}`;
});
