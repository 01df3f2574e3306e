import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { lose, openLive, openPosition, quoteTwice, sortedStatuses, win } from "../testing/corrections";
import { type Person, type TestApp, testApp } from "../testing/app";
import { accountsOf, fundLive, setRole, withoutGuard } from "../testing/scenarios";
import type { ClosedPosition, Position } from "./schema";

/** What one administrator can't do alone, whatever the direction: bounds of a correction, and the second person's yes. */

let app: TestApp;
let ann: Person & { id: string };
let bob: Person & { id: string };
beforeAll(async () => {
  app = await testApp();
  [ann, bob] = await Promise.all([app.admin(), app.admin()]);
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});
beforeEach(() => quoteTwice(app, "1.10000", "1.10002"));

/** A live position of this size on an account that holds 5,000.00. */
async function openLarge(amount: number) {
  const tess = await app.trader();
  const accountId = await fundLive(app, tess, "5000.00");
  return { tess, accountId, id: (await openPosition(tess, { accountId, amount })).id };
}
const openOf = async (tess: Person) => (await tess.get<Position[]>("/api/trading/positions/open")).body.map(({ id }) => id);
const confirm = (by: Person, id: string) => by.post<ClosedPosition & { message: string }>(`/api/admin/corrections/${id}/confirm`);

test("a settled result is at most the position's amount, which the refusal names, on demo and live accounts", async () => {
  const tess = await app.trader();
  const { position } = await openLive(app);
  for (const { id } of [await openPosition(tess), position])
    for (const { status, body } of [await win(ann, id, "1000.01"), await win(ann, id, "100000000")])
      expect([status, body]).toMatchObject([400, { fields: { profit: "The profit can be at most the position's amount, which is $1,000.00." } }]);
  const { id } = await openPosition(tess);
  const told = "The loss can be at most the position's amount, which is $1,000.00.";
  expect((await lose(ann, id, "1000.01")).body).toMatchObject({ code: "invalid", fields: { loss: told } });
  expect((await lose(ann, id, "1000.00")).status).toBe(200);
});

test("a part that was closed since lowers the bound for a correction that waits", async () => {
  const { tess, id } = await openLarge(3000);
  const asked = await win(ann, id, "2000.00");
  expect(asked.status).toBe(202);
  expect((await tess.post(`/api/trading/positions/${id}/close`, { amount: 1500 })).status).toBe(200);
  expect((await confirm(bob, asked.body.id)).body).toMatchObject({
    fields: { profit: "The profit can be at most the position's amount, which is $1,500.00." },
  });
  expect(await openOf(tess)).toEqual([id]);
});

test("from the threshold on a live correction in the client's favour waits for another; below it, and on demo accounts, it does not", async () => {
  const { tess, accountId, id } = await openLarge(2000);
  const { tess: other, id: small } = await openLarge(2000);
  expect((await win(ann, small, "999.00")).status).toBe(200);
  expect(await openOf(other)).toEqual([]);
  const asked = await win(ann, id, "1000.00");
  expect([asked.status, asked.body]).toMatchObject([202, { status: "pending_second_approval", settledProfit: "1000.00" }]);
  expect((await confirm(ann, asked.body.id)).status).toBe(403);
  expect((await accountsOf(tess)).find((each) => each.id === accountId)?.balance).toBe("5000.00");
  expect(await confirm(bob, asked.body.id)).toMatchObject({ status: 200, body: { profit: "1000.00" } });
  expect((await accountsOf(tess)).find((each) => each.id === accountId)?.balance).toBe("6000.00");
  const demo = await app.trader();
  expect((await win(ann, (await openPosition(demo, { amount: 9000 })).id, "9000.00")).status).toBe(200);
});

test("what counts is the difference to the market, too; against the client it stays refused", async () => {
  const { id } = await openLarge(20_000);
  await quoteTwice(app, "1.04500", "1.04502");
  expect((await win(ann, id, "1.00")).status).toBe(202);
  const { id: against } = await openLarge(5000);
  expect((await lose(ann, against, "2000.00")).body).toMatchObject({ code: "against_client" });
});

test("the threshold is the operator's", async () => {
  const low = await testApp({ CORRECTIONS_ALONE_UP_TO: "50" }, app.db);
  try {
    await quoteTwice(low, "1.10000", "1.10002");
    const admin = await low.admin();
    const { position } = await openLive(low);
    expect((await win(admin, position.id, "49.00")).status).toBe(200);
    const { position: next } = await openLive(low);
    expect((await win(admin, next.id, "50.00")).status).toBe(202);
  } finally {
    await low.close();
    await app.retake();
  }
});

test("who became an administrator less than a day ago confirms nothing, and gets nothing confirmed", async () => {
  const eve = await app.trader();
  await setRole(app.sql, eve.id, "admin");
  const { id } = await openLarge(2000);
  const asked = await win(ann, id, "1500.00");
  const refused = await confirm(eve, asked.body.id);
  expect([refused.status, refused.body.message]).toEqual([
    403,
    expect.stringMatching(/^You became an administrator less than 24 hours ago, so you can't confirm anything before \d+ \w+ \d{4}, [\d:]{8} UTC\.$/),
  ]);
  const { id: own } = await openLarge(2000);
  const puppets = await win(eve, own, "1500.00");
  expect([puppets.status, (await confirm(bob, puppets.body.id)).body.message]).toEqual([202, expect.stringContaining("Tess Trader became an administrator")]);
  await app.sql`update users set admin_since = admin_since - interval '24 hours' where id = ${eve.id}`;
  expect((await confirm(eve, asked.body.id)).status).toBe(200);
  expect((await confirm(bob, puppets.body.id)).status).toBe(200);
});

test("twelve forced wins and confirmations at once: one result, by two people", async () => {
  const { tess, accountId, id } = await openLarge(4000);
  const asked = await Promise.all(Array.from({ length: 6 }, (_, n) => win(n % 2 ? ann : bob, id, "3000.00")));
  expect(sortedStatuses(asked)).toEqual([202, 409, 409, 409, 409, 409]);
  const { id: request } = asked.find(({ status }) => status === 202)?.body ?? { id: "" };
  const eve = await app.admin();
  const answers = await Promise.all(Array.from({ length: 6 }, () => confirm(eve, request)));
  expect(sortedStatuses(answers)).toEqual([200, 409, 409, 409, 409, 409]);
  expect((await accountsOf(tess)).find((each) => each.id === accountId)?.balance).toBe("8000.00");
});

test("each of these guards is what holds: without it the attack works", async () => {
  const { id } = await openLarge(10);
  const worth = await withoutGuard(app.sql, "correction_settle", "perform refuse_result_beyond_worth(p, settled);");
  try {
    expect((await win(ann, id, "999.00")).status).toBe(200);
  } finally {
    await worth();
  }
  const puppet = await app.trader();
  await setRole(app.sql, puppet.id, "admin");
  const { id: next } = await openLarge(2000);
  const asked = await win(ann, next, "1500.00");
  const fresh = await withoutGuard(app.sql, "correction_confirm", "perform refuse_new_admin(request.admin_id, admin);");
  try {
    expect((await confirm(puppet, asked.body.id)).status).toBe(200);
  } finally {
    await fresh();
  }
});
