import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { auditsOf, closedOf, lose, openLive, openPosition, postingsOf, quoteTwice, receiptOf, sortedStatuses, win } from "../testing/corrections";
import { type Person, type TestApp, testApp } from "../testing/app";
import { accountsOf, setRole } from "../testing/scenarios";
import type { ClosedPosition, Position } from "./schema";
import type { CorrectionRequest, Manipulation, StaffPosition } from "./schema_corrections";

/** Administrators' corrections, with a second administrator (`app`) and without one (`alone`). */

let app: TestApp;
let alone: TestApp;
let ann: Person & { id: string; email: string };
let bob: Person & { id: string; email: string };
beforeAll(async () => {
  [app, alone] = await Promise.all([testApp({ ADVERSE_CORRECTIONS: "four-eyes" }), testApp()]);
  [ann, bob] = await Promise.all([app.admin(), app.admin()]);
});
afterAll(async () => {
  for (const each of [app, alone]) {
    expect(await each.faults()).toEqual([]);
    await each.end();
  }
});
beforeEach(async () => {
  for (const each of [app, alone]) await quoteTwice(each, "1.10000", "1.10002");
});

describe("a forced win", () => {
  test("on a demo account is booked, told and recorded", async () => {
    const tess = await app.trader();
    const { id } = await openPosition(tess);
    await quoteTwice(app, "1.09000", "1.09002");
    const { status, body } = await win(ann, id, "100.00");
    expect(status).toBe(200);
    // The market at mid ∓ 1.65 pips, as Starter's spread has it: 1000 × (1.089845 − 1.100175) / 1.100175.
    const correction = {
      reason: "Wrong price at 10:02",
      marketProfit: "-9.39",
      settledProfit: "100.00",
      administrator: "Site Administrator",
      disputedAt: null,
    };
    expect(body).toMatchObject({ id, status: "closed", closeReason: "admin", profit: "100.00", correction });
    expect((await accountsOf(tess))[0]?.balance).toBe("10100.00");
    expect(await postingsOf(app, id)).toEqual({ trading: "100.00", house_demo: "-100.00" });
    expect(await closedOf(tess)).toMatchObject([{ id, profit: "100.00", closeReason: "admin", correction }]);
    const { position, fills } = await receiptOf(tess, id);
    expect(position.correction).toMatchObject(correction);
    expect(fills).toMatchObject([
      { kind: "open", by: "you" },
      { kind: "close", profit: "-9.39", reason: "admin", by: "an administrator", price: body.closePrice },
    ]);
    expect(await auditsOf(app, id)).toMatchObject([
      {
        action: "trade.force_win",
        adminUserId: ann.id,
        targetUserId: tess.id,
        reason: "Wrong price at 10:02",
        details: { marketProfit: "-9.39", impact: "109.39" },
      },
    ]);
  });

  test("on a live account goes to the books: the market result to house_pnl, the difference to house_adjustment", async () => {
    const { tess, accountId, position } = await openLive(app);
    await quoteTwice(app, "1.09000", "1.09002");
    expect((await win(ann, position.id, 25.5)).status).toBe(200);
    expect(await postingsOf(app, position.id)).toEqual({ trading: "25.50", house_pnl: "9.39", house_adjustment: "-34.89" });
    expect((await accountsOf(tess)).find(({ id }) => id === accountId)?.balance).toBe("1025.50");
    expect((await tess.get<{ totalProfit: string }>("/api/user/financials")).body.totalProfit).toBe("25.50");
    expect((await tess.get<unknown[]>("/api/transactions?type=correction")).body).toMatchObject([{ amount: "25.50", type: "correction" }]);
  });

  test("below the market result is against the client; at it, it is not", async () => {
    for (const of of [app, alone]) {
      const admin = of === app ? ann : await alone.admin();
      const [less, same] = [await openLive(of), await openLive(of)];
      await quoteTwice(of, "1.12000", "1.12002");
      const refused = await win(admin, less.position.id, "17.87");
      expect([refused.status, refused.body]).toMatchObject(of === app ? [202, { status: "pending_second_approval" }] : [403, { code: "against_client" }]);
      const market = (await admin.get<StaffPosition[]>(`/api/admin/trading-positions?id=${same.position.id}`)).body[0]?.profit;
      expect(market).toBe("17.88");
      expect((await win(admin, same.position.id, market)).status).toBe(200);
      expect(await postingsOf(of, same.position.id)).toEqual({ trading: "17.88", house_pnl: "-17.88" });
    }
  });
});

describe("a forced loss", () => {
  test("on a demo account needs no second person", async () => {
    const tess = await app.trader();
    const { id } = await openPosition(tess);
    expect((await lose(ann, id, "50.00")).body).toMatchObject({ profit: "-50.00", correction: { settledProfit: "-50.00", marketProfit: "-0.30" } });
    expect((await accountsOf(tess))[0]?.balance).toBe("9950.00");
  });

  test("can't exceed the account's balance, and may take all of it", async () => {
    const tess = await app.trader();
    const { id } = await openPosition(tess, { amount: 20_000 });
    const { status, body } = await lose(ann, id, "10000.01");
    expect([status, body]).toMatchObject([
      422,
      { code: "insufficient_funds", fields: { loss: "The loss can be at most the account's balance, which is $10,000.00." } },
    ]);
    expect((await lose(ann, id, "10000.00")).status).toBe(200);
    expect((await accountsOf(tess))[0]?.balance).toBe("0.00");
  });

  test("smaller than the market's own loss is for the client, on a live account too", async () => {
    const { position } = await openLive(app);
    await quoteTwice(app, "1.05000", "1.05002");
    expect((await lose(ann, position.id, "10.00")).status).toBe(200);
    expect(await postingsOf(app, position.id)).toEqual({ trading: "-10.00", house_pnl: "45.75", house_adjustment: "-35.75" });
  });
});

describe("against the client of a live account", () => {
  test("is refused where the operator did not allow it", async () => {
    const { tess, position } = await openLive(alone);
    const { status, body } = await lose(await alone.admin(), position.id, "100.00");
    expect([status, body]).toMatchObject([
      403,
      { code: "against_client", message: "On a live account a position can't be settled below its market result, which is -$0.30 now." },
    ]);
    expect((await tess.get<Position[]>("/api/trading/positions/open")).body).toMatchObject([{ id: position.id }]);
  });

  test("waits for another administrator, who confirms on the market of that moment", async () => {
    const { tess, accountId, position } = await openLive(app);
    const asked = await lose(ann, position.id, "100.00");
    expect([asked.status, asked.body]).toMatchObject([
      202,
      { status: "pending_second_approval", positionId: position.id, marketProfit: "-0.30", settledProfit: "-100.00" },
    ]);
    const { id } = asked.body;
    expect((await accountsOf(tess)).find((each) => each.id === accountId)?.balance).toBe("1000.00");
    const list = async () => (await bob.get<CorrectionRequest[]>("/api/admin/corrections?status=pending")).body.filter((each) => each.id === id);
    expect(await list()).toMatchObject([
      { id, positionId: position.id, administrator: "Site Administrator", adminUserId: ann.id, marketNow: "-0.30", email: tess.email },
    ]);
    expect((await lose(bob, position.id, "50.00")).status).toBe(409);

    expect((await ann.post(`/api/admin/corrections/${id}/confirm`)).status).toBe(403);
    expect((await ann.post(`/api/admin/corrections/${id}/decline`)).status).toBe(403);
    await quoteTwice(app, "1.12000", "1.12002");
    const done = await bob.post<ClosedPosition>(`/api/admin/corrections/${id}/confirm`);
    expect([done.status, done.body]).toMatchObject([
      200,
      { status: "closed", profit: "-100.00", correction: { marketProfit: "17.88", administrator: "Site Administrator, confirmed by Site Administrator" } },
    ]);
    expect(await postingsOf(app, position.id)).toEqual({ trading: "-100.00", house_pnl: "-17.88", house_adjustment: "117.88" });
    expect(await list()).toEqual([]);
    for (const path of ["confirm", "decline"]) expect((await bob.post(`/api/admin/corrections/${id}/${path}`)).status).toBe(409);
    expect((await auditsOf(app, position.id)).map(({ action, adminUserId }) => [action, adminUserId])).toEqual([
      ["trade.ask", ann.id],
      ["trade.confirm", bob.id],
    ]);
    const { body: manipulations } = await ann.get<Manipulation[]>("/api/admin/trades/manipulations");
    expect(manipulations.find(({ positionId }) => positionId === position.id)).toMatchObject({
      manipulationType: "force_loss",
      adminUserId: ann.id,
      confirmedBy: bob.email,
      impact: "-117.88",
      againstClient: true,
      oldValues: { status: "open", profit: "17.88" },
      newValues: { status: "closed", profit: "-100.00" },
    });
  });

  test("declined, the position stays as it is, and it may be asked for again", async () => {
    const { tess, position } = await openLive(app);
    const { id } = (await lose(ann, position.id, "100.00")).body;
    expect((await bob.post(`/api/admin/corrections/${id}/decline`, { reason: "No ground for it" })).body).toMatchObject({ status: "declined", id });
    expect((await tess.get<Position[]>("/api/trading/positions/open")).body).toMatchObject([{ id: position.id, status: "open" }]);
    expect((await bob.get<CorrectionRequest[]>("/api/admin/corrections?status=declined")).body[0]).toMatchObject({
      id,
      decisionReason: "No ground for it",
      decidedBy: bob.email,
    });
    expect((await bob.post(`/api/admin/corrections/${id}/confirm`)).status).toBe(409);
    expect((await lose(ann, position.id, "100.00")).status).toBe(202);
  });

  test("lapses when the trader closes first", async () => {
    const { tess, position } = await openLive(app);
    const { id } = (await lose(ann, position.id, "100.00")).body;
    expect((await tess.post(`/api/trading/positions/${position.id}/close`)).status).toBe(200);
    expect((await bob.post(`/api/admin/corrections/${id}/confirm`)).status).toBe(409);
    expect((await bob.get<CorrectionRequest[]>("/api/admin/corrections?status=lapsed")).body.map((each) => each.id)).toContain(id);
    expect((await closedOf(tess))[0]?.correction).toBeNull();
  });

  test("twenty confirm and decline at once: one decision", async () => {
    const { position } = await openLive(app);
    const { id } = (await lose(ann, position.id, "100.00")).body;
    const others = await Promise.all(Array.from({ length: 4 }, () => app.admin()));
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => (others[i % 4] as Person).post(`/api/admin/corrections/${id}/${i % 5 === 4 ? "decline" : "confirm"}`)),
    );
    expect(sortedStatuses(answers)).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
  });

  test("is refused on confirmation too, once the operator takes the permission back", async () => {
    const { position } = await openLive(app);
    const { id } = (await lose(ann, position.id, "100.00")).body;
    const strict = await testApp({}, app.db);
    try {
      await quoteTwice(strict, "1.10000", "1.10002");
      const carl = await strict.admin();
      expect((await carl.post(`/api/admin/corrections/${id}/confirm`)).body).toMatchObject({ code: "against_client" });
    } finally {
      await strict.close();
      await app.retake();
    }
  });
});

test("nobody settles or decides about one's own position", async () => {
  const { tess, position } = await openLive(app);
  const { id } = (await lose(ann, position.id, "100.00")).body;
  await setRole(app.sql, tess.id, "admin");
  for (const answer of [await win(tess, position.id, 5), await lose(tess, position.id, 5)])
    expect([answer.status, answer.body]).toMatchObject([403, { message: "You can't settle your own position. Ask another administrator." }]);
  for (const path of ["confirm", "decline"]) expect((await tess.post(`/api/admin/corrections/${id}/${path}`)).status).toBe(403);
});

const NO_AMOUNTS = [
  0,
  "0",
  "-0",
  "-5",
  "NaN",
  "Infinity",
  "1e3",
  "0x10",
  "1_000",
  "１０",
  "1.001",
  "",
  null,
  [5],
  { a: 5 },
  true,
  "99999999999999999",
  undefined,
];
test.each(NO_AMOUNTS.map((amount) => [amount] as const))("an amount of %p is no amount", async (amount) => {
  const tess = await app.trader();
  const { id } = await openPosition(tess);
  for (const answer of [await win(ann, id, amount), await lose(ann, id, amount)]) expect(answer.status).toBe(400);
  expect((await tess.get<Position[]>("/api/trading/positions/open")).body).toMatchObject([{ id, status: "open" }]);
});

test("a reason of 1 to 500 characters is needed", async () => {
  const tess = await app.trader();
  const { id } = await openPosition(tess);
  for (const reason of ["", "   ", "x".repeat(501)]) expect((await win(ann, id, 5, reason)).status).toBe(400);
  expect((await ann.post(`/api/admin/trades/${id}/force-win`, { profit: 5 })).body).toMatchObject({ fields: { reason: "A reason is required" } });
  expect((await win(ann, id, 5, "x".repeat(500))).status).toBe(200);
});

test("only an open position, on a fresh price", async () => {
  const tess = await app.trader();
  const { id } = await openPosition(tess);
  const { id: other } = await openPosition(tess);
  expect((await win(ann, crypto.randomUUID(), 5)).status).toBe(404);
  expect((await tess.post(`/api/trading/positions/${other}/close`)).status).toBe(200);
  expect((await win(ann, other, 5)).status).toBe(409);
  app.pass(11_000);
  const stale = await win(ann, id, 5);
  expect([stale.status, stale.body]).toMatchObject([503, { code: "stale_price" }]);
  expect((await win(ann, other, 5)).status).toBe(409);
  await quoteTwice(app, "1.10000", "1.10002");
  expect((await win(ann, id, 5)).status).toBe(200);
});

test("the same key is carried out once", async () => {
  const tess = await app.trader();
  const { id } = await openPosition(tess);
  const send = (profit: string) => ann.post(`/api/admin/trades/${id}/force-win`, { reason: "Again", profit }, { "idempotency-key": `again-${id}` });
  const [first, second] = [await send("5.00"), await send("5.00")];
  expect([first.status, second.status, second.text]).toEqual([200, 200, first.text]);
  expect((await send("6.00")).status).toBe(409);
  expect((await accountsOf(tess))[0]?.balance).toBe("10005.00");
});
