import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { lose, openLive, openPosition, quoteTwice, sortedStatuses, win } from "../testing/corrections";
import { subtract, sum } from "../lib/money";
import { type Person, type TestApp, testApp } from "../testing/app";
import { accountsOf, fundLive, handHeld, setRole, tamper, until, waiting, withoutGuard } from "../testing/scenarios";
import type { ClosedPosition, Position } from "./schema";
import type { StaffPosition } from "./schema_corrections";

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

/** One person's positions of 2,000.00, each on a live account of its own. */
async function openMany(count: number) {
  const tess = await app.trader();
  const ids: string[] = [];
  for (let n = 0; n < count; n++) ids.push((await openPosition(tess, { accountId: await fundLive(app, tess, "1000.00"), amount: 2000 })).id);
  return { tess, ids };
}
const openLiveOf = async (by: Person, userId: string) => (await by.get<StaffPosition[]>(`/api/admin/trading-positions?userId=${userId}&account=live`)).body;
/** What the administrator settled alone for the person, as each open position says it. */
const aloneFor = async (by: Person, userId: string) => [...new Set((await openLiveOf(by, userId)).map(({ correctedAlone }) => correctedAlone))];

test("what one administrator settled alone for a client within 24 hours counts with the next, on whichever live account", async () => {
  const { tess, ids } = await openMany(4);
  const [first, second, third, fourth] = ids as [string, string, string, string];
  // The market gives a little, so that each counts by its result.
  await quoteTwice(app, "1.10100", "1.10102");
  expect(await aloneFor(ann, tess.id)).toEqual(["0.00"]);
  expect((await win(ann, first, "600.00")).status).toBe(200);
  expect([await aloneFor(ann, tess.id), await aloneFor(bob, tess.id)]).toEqual([["600.00"], ["0.00"]]);
  expect((await win(ann, second, "398.00")).status).toBe(200);
  const asked = await win(ann, third, "2.00");
  expect([asked.status, asked.body]).toMatchObject([202, { status: "pending_second_approval", settledProfit: "2.00" }]);
  // What two settled is nobody's alone; another administrator, and another client, begin at nothing.
  expect((await confirm(bob, asked.body.id)).status).toBe(200);
  expect(await aloneFor(ann, tess.id)).toEqual(["998.00"]);
  expect((await win(ann, (await openLarge(2000)).id, "990.00")).status).toBe(200);
  // What was done on a demo account neither counts nor is bounded.
  const demo = (await accountsOf(tess)).find(({ isDemo }) => isDemo)?.id;
  expect((await win(ann, (await openPosition(tess, { accountId: demo, amount: 5000 })).id, "3000.00")).status).toBe(200);
  await tamper(app.sql, (tx) => tx`update corrections set created_at = created_at - interval '24 hours' where position_id = ${first}`);
  expect(await aloneFor(ann, tess.id)).toEqual(["398.00"]);
  expect((await win(bob, fourth, "990.00")).status).toBe(200);
});

test("of each the result counts or, where that is more, its difference to the market's, also of one that stays a loss", async () => {
  const { tess, ids } = await openMany(3);
  const [first, second, third] = ids as [string, string, string];
  await quoteTwice(app, "1.04500", "1.04502");
  const market = (await openLiveOf(ann, tess.id)).find(({ id }) => id === first)?.profit ?? "";
  expect(Number(market)).toBeLessThan(-90);
  expect((await lose(ann, first, "90.00")).status).toBe(200);
  expect(await aloneFor(ann, tess.id)).toEqual(["90.00"]);
  expect((await win(ann, second, "1.00")).status).toBe(200);
  const counted = sum(["90.00", subtract("1.00", market)]);
  expect(await aloneFor(ann, tess.id)).toEqual([counted]);
  // What is left of 1,000.00, as a difference to the market's result.
  expect((await win(ann, third, sum([subtract("1000.00", counted), market]))).status).toBe(202);
});

/** Four corrections of one client at once, each of which fits by itself. What is counted is stuck at the end of the audit book until all have come. */
async function fourAtOnce(): Promise<number[]> {
  const { ids } = await openMany(4);
  const hand = await handHeld(app.db);
  try {
    await hand.sql`select from audit_head for update`;
    const answers = Promise.all(ids.map((id) => win(ann, id, "500.00")));
    await until("all have come as far as they can", async () => (await waiting(app.sql)) >= 4);
    await hand.commit();
    return sortedStatuses(await answers);
  } finally {
    await hand.end();
  }
}

test("of four corrections of one client at once the second one waits already; without the lock all are one administrator's", async () => {
  expect(await fourAtOnce()).toEqual([200, 202, 202, 202]);
  const lock = await withoutGuard(
    app.sql,
    "trade_force",
    "perform pg_advisory_xact_lock(hashtextextended(format('corrections %s %s', admin, owner), 7215221));",
  );
  try {
    expect(await fourAtOnce()).toEqual([200, 200, 200, 200]);
  } finally {
    await lock();
  }
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
  const pieces = (await openMany(2)).ids as [string, string];
  expect((await win(ann, pieces[0], "600.00")).status).toBe(200);
  const alone = await withoutGuard(app.sql, "trade_force", "corrected_alone(admin, owner) + ");
  try {
    expect((await win(ann, pieces[1], "999.00")).status).toBe(200);
  } finally {
    await alone();
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
