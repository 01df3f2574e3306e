import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { priceUnits } from "../lib/money";
import { refusalOf } from "../platform/database/db";
import { type Answer, type TestApp, testApp } from "../testing/app";
import { handHeld, order, until, waiting, withoutGuard } from "../testing/scenarios";
import { triggerOrder } from "./commands_waiting";
import type { Position } from "./schema";

/** What may come together about an order that waits: each in a known order, by the account that both wait for, and many at once. */

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});
beforeEach(async () => {
  for (let n = 0; n < 2; n++) await app.quote("BTC/USD", "100000", "100010");
});

type Trader = Awaited<ReturnType<TestApp["trader"]>>;
const GROUP = "11111111-2222-4333-8444-555555555555";
/** A limit that waits, on an older tick than the newest. */
async function waits(tess: Trader, over: object = {}): Promise<Position> {
  const { body, status, text } = await tess.post<Position>("/api/trading/positions", {
    ...order,
    symbol: "BTC/USD",
    orderType: "limit",
    triggerPrice: 99_000,
    ...over,
  });
  if (status !== 201) throw new Error(text);
  await app.quote("BTC/USD", "100001", "100011");
  return body;
}
/** The engine's command, on a tick that reaches the order: the newest by its number. What it came to, or the refusal's code. */
const trigger = async ({ id }: Position, price = "98900"): Promise<string | null> => {
  const newest = app.market.board.get("BTC/USD");
  if (!newest) throw new Error("no price");
  const quote = { ...newest, bid: priceUnits(price), ask: priceUnits(price) };
  try {
    return (await triggerOrder(app.sql, id, quote, app.trading.board(), app.market.clock(), null))?.order.status ?? null;
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    return refusal.code;
  }
};
const stateOf = async ({ id }: Position) => {
  const [row] = await app.sql<{ status: string; code: string | null; fills: number }[]>`
    select status, cancel_code as code, (select count(*)::integer from fills f where f.position_id = p.id) as fills from positions p where id = ${id}
  `;
  return row && `${row.status}${row.code ? ` ${row.code}` : ""}, ${row.fills} fills`;
};

/** Two commands that both wait for the account, and get it in this order. */
async function inTurn<A, B>({ accountId }: Position, first: () => Promise<A>, second: () => Promise<B>): Promise<[A, B]> {
  const hand = await handHeld(app.db);
  try {
    await hand.sql`select from trading_accounts where id = ${accountId} for update`;
    const begun = first();
    await until("the first waits for the account", async () => (await waiting(app.sql)) === 1);
    const after = second();
    await until("the second waits for the account", async () => (await waiting(app.sql)) === 2);
    await hand.commit();
    return await Promise.all([begun, after]);
  } finally {
    await hand.end();
    await app.trading.engine.idle();
  }
}
const status = async (answer: Promise<Answer<unknown>>) => (await answer).status;

describe("a tick that reaches an order, and its owner's cancel", () => {
  const cancel = (tess: Trader, { id }: Position) => status(tess.post(`/api/trading/positions/${id}/cancel`));

  test("the first wins", async () => {
    const tess = await app.trader();
    const [one, two] = [await waits(tess), await waits(tess)];
    expect(
      await inTurn(
        one,
        () => trigger(one),
        () => cancel(tess, one),
      ),
    ).toEqual(["open", 409]);
    expect(await stateOf(one)).toBe("open, 1 fills");
    expect(
      await inTurn(
        two,
        () => cancel(tess, two),
        () => trigger(two),
      ),
    ).toEqual([200, null]);
    expect(await stateOf(two)).toBe("cancelled trader, 0 fills");
  });

  test("without the look at what it is by now, the fill of a cancelled order would only be stopped by the table itself", async () => {
    const tess = await app.trader();
    const placed = await waits(tess);
    const restore = await withoutGuard(app.sql, "order_trigger", "of_position and status = 'pending' for update", "of_position for update");
    try {
      const [, late] = await inTurn(
        placed,
        () => cancel(tess, placed),
        () => trigger(placed).catch((error: Error) => error.message),
      );
      expect(late).toContain("positions keeps what it says");
    } finally {
      await restore();
    }
  });
});

describe("a tick that reaches an order, and an edit", () => {
  const edit = (tess: Trader, { id }: Position) => status(tess.patch(`/api/trading/positions/${id}`, { triggerPrice: 98_000 }));

  test("the first wins: who edits too late is told, and a price that was changed is not filled at", async () => {
    const tess = await app.trader();
    const [one, two] = [await waits(tess), await waits(tess)];
    expect(
      await inTurn(
        one,
        () => trigger(one),
        () => edit(tess, one),
      ),
    ).toEqual(["open", 409]);
    expect(
      await inTurn(
        two,
        () => edit(tess, two),
        () => trigger(two),
      ),
    ).toEqual([200, "not_triggered"]);
    expect(await stateOf(two)).toBe("pending, 0 fills");
  });

  test("without the second look at the price, the order would fill at what nobody asked for any more", async () => {
    const tess = await app.trader();
    const placed = await waits(tess);
    const restore = await withoutGuard(app.sql, "order_trigger", "if q.seq <= p.since_seq then", "if false then");
    const restorePrice = await withoutGuard(app.sql, "order_trigger", "if p.order_type in ('limit', 'stop_limit') and not", "if false and not");
    try {
      expect(
        await inTurn(
          placed,
          () => edit(tess, placed),
          () => trigger(placed),
        ),
      ).toEqual([200, "open"]);
    } finally {
      await restorePrice();
      await restore();
    }
  });

  test("a tick of before the edit does not fill what it would reach now", async () => {
    const tess = await app.trader();
    const placed = await waits(tess);
    const nearer = () => status(tess.patch(`/api/trading/positions/${placed.id}`, { triggerPrice: 99_500 }));
    expect(await inTurn(placed, nearer, () => trigger(placed, "99400"))).toEqual([200, "not_triggered"]);
  });
});

test("a tick that reaches an order, and close-all: what was filled before is closed, what comes after stays open", async () => {
  const tess = await app.trader();
  const [one, two] = [await waits(tess), await waits(tess)];
  const sweep = async ({ accountId }: Position) =>
    (await tess.post<{ closed: Position[] }>("/api/trading/positions/close-all", { accountId })).body.closed.map(({ id }) => id);
  expect(
    await inTurn(
      one,
      () => trigger(one),
      () => sweep(one),
    ),
  ).toEqual(["open", [one.id]]);
  expect(await stateOf(one)).toBe("closed, 2 fills");
  expect(
    await inTurn(
      two,
      () => sweep(two),
      () => trigger(two),
    ),
  ).toEqual([[], "open"]);
  expect(await stateOf(two)).toBe("open, 1 fills");
});

describe("a tick that reaches an order, and its owner's suspension", () => {
  const suspend = async (tess: Trader) => void (await app.sql`update users set account_status = 'suspended' where id = ${tess.id}`);

  test("the first wins; what is open stays under the engine's care", async () => {
    const [tess, una] = [await app.trader(), await app.trader()];
    const [one, two] = [await waits(tess), await waits(una)];
    await inTurn(
      one,
      () => trigger(one),
      () => suspend(tess),
    );
    expect(await stateOf(one)).toBe("open, 1 fills");
    const [, late] = await inTurn(
      two,
      () => suspend(una),
      () => trigger(two),
    );
    expect([late, await stateOf(two)]).toEqual([null, "cancelled suspended, 0 fills"]);
  });

  test("one that came in the same moment, unseen by it, does not fill; without that look it would", async () => {
    const tess = await app.trader();
    const unseen = async () => {
      const placed = await waits(tess);
      await app.sql.begin(async (tx) => {
        await tx`set local session_replication_role = replica`;
        await tx`update users set account_status = 'suspended' where id = ${tess.id}`;
      });
      return placed;
    };
    const first = await unseen();
    expect([await trigger(first), await stateOf(first)]).toEqual(["cancelled", "cancelled suspended, 0 fills"]);
    await app.sql`update users set account_status = 'active' where id = ${tess.id}`;
    const restore = await withoutGuard(app.sql, "order_bar", "if standing_bars(p.user_id) then", "if false then");
    try {
      expect(await trigger(await unseen())).toBe("open");
    } finally {
      await restore();
    }
  });
});

describe("orders of one group", () => {
  test("of two that one tick reaches one fills, whichever comes first", async () => {
    for (const turn of [0, 1]) {
      const tess = await app.trader();
      const pair = [await waits(tess, { ocoGroup: GROUP }), await waits(tess, { ocoGroup: GROUP, triggerPrice: 99_500 })];
      const [first, second] = (turn === 0 ? pair : pair.toReversed()) as [Position, Position];
      expect(
        await inTurn(
          first,
          () => trigger(first),
          () => trigger(second),
        ),
      ).toEqual(["open", null]);
      expect([await stateOf(first), await stateOf(second)]).toEqual(["open, 1 fills", "cancelled oco, 0 fills"]);
    }
  });

  test("of twenty at once one fills, and the others end with it", async () => {
    const tess = await app.trader();
    const orders: Position[] = [];
    for (let n = 0; n < 20; n++) orders.push(await waits(tess, { ocoGroup: GROUP, triggerPrice: 99_000 + n }));
    await Promise.all(orders.map((each) => trigger(each)));
    const states = await Promise.all(orders.map(stateOf));
    expect(states.toSorted()).toEqual([...Array<string>(19).fill("cancelled oco, 0 fills"), "open, 1 fills"]);
  });

  test("without the end of the others, both would fill", async () => {
    const tess = await app.trader();
    const [one, two] = [await waits(tess, { ocoGroup: GROUP }), await waits(tess, { ocoGroup: GROUP })];
    const restore = await withoutGuard(app.sql, "fill_follows", "if p.oco_group is not null then", "if false then");
    try {
      expect(
        await inTurn(
          one,
          () => trigger(one),
          () => trigger(two),
        ),
      ).toEqual(["open", "open"]);
    } finally {
      await restore();
    }
  });
});

test("of the orders that one tick reaches none is taken back, or changed, once another was filled on it", async () => {
  const tess = await app.trader();
  const orders: Position[] = [];
  for (let n = 0; n < 4; n++) orders.push(await waits(tess));
  const [{ accountId, id }] = orders as [Position];
  const hand = await handHeld(app.db);
  try {
    await hand.sql`select from trading_accounts where id = ${accountId} for update`;
    const tick = app.quote("BTC/USD", "98890", "98900");
    await until("the first is about to be filled", async () => (await waiting(app.sql)) === 1);
    const late = [
      status(tess.patch(`/api/trading/positions/${id}`, { triggerPrice: 98_000 })),
      status(tess.post(`/api/trading/positions/${orders[3]?.id}/cancel`)),
      tess.post<{ cancelled: Position[] }>("/api/trading/positions/cancel-all", {}).then(({ body }) => body.cancelled),
    ];
    // What is asked after them is answered: they have come.
    await tess.get("/api/trading/positions/open");
    await hand.commit();
    expect(await Promise.all(late)).toEqual([409, 409, []]);
    await tick;
  } finally {
    await hand.end();
  }
  expect(await Promise.all(orders.map(stateOf))).toEqual(orders.map(() => "open, 1 fills"));
});

test("twenty commands about one order at once: it fills once or it ends once", async () => {
  const ends = new Set<string>();
  for (let round = 0; round < 10; round++) {
    const tess = await app.trader();
    const placed = await waits(tess, { trailingDistance: 500, ocoGroup: GROUP });
    const sibling = await waits(tess, { orderType: "stop", triggerPrice: 101_000, ocoGroup: GROUP });
    const command = (n: number): Promise<unknown> => {
      if (n % 4 === 0) return trigger(placed);
      if (n % 4 === 1) return tess.patch(`/api/trading/positions/${placed.id}`, { trailingDistance: 400 + n });
      if (n % 4 === 2) return n > 9 + (round % 3) ? tess.post(`/api/trading/positions/${placed.id}/cancel`) : tess.post("/api/trading/positions/close-all", {});
      return tess.patch(`/api/trading/positions/${placed.id}`, { stopLoss: 98_000 - n });
    };
    // The ticks before the others, or once one of them is done; in the first rounds all of one kind are done before the other's begin.
    const ofTicks = (n: number) => n % 4 === 0;
    const turn = Array.from({ length: 20 }, (_, n) => n);
    const others = () => turn.filter((n) => !ofTicks(n)).map(command);
    if (round % 2) {
      const begun = others();
      await (round === 1 ? Promise.all(begun) : Promise.race(begun));
      await Promise.all([...begun, ...turn.filter(ofTicks).map(command)]);
    } else {
      const ticks = Promise.all(turn.filter(ofTicks).map(command));
      if (round === 0) await ticks;
      await Promise.all([ticks, ...others()]);
    }
    await app.trading.engine.idle();
    const [end, other] = [await stateOf(placed), await stateOf(sibling)];
    expect(["open, 1 fills", "closed, 2 fills", "cancelled trader, 0 fills", "pending, 0 fills"]).toContain(end as string);
    expect(other).toBe(end === "open, 1 fills" || end === "closed, 2 fills" ? "cancelled oco, 0 fills" : "pending, 0 fills");
    ends.add(end as string);
  }
  expect(ends.size).toBeGreaterThan(1);
});

test("a tick of many orders of one account: no more fill than the margin bears, in the order in which they were placed", async () => {
  const tess = await app.trader();
  const orders: Position[] = [];
  for (let n = 0; n < 20; n++) orders.push(await waits(tess, { amount: 90_000, triggerPrice: 99_000 + n }));
  await app.quote("BTC/USD", "98890", "98900");
  const states = await Promise.all(orders.map(stateOf));
  expect(states).toEqual([...Array<string>(11).fill("open, 1 fills"), ...Array<string>(9).fill("cancelled insufficient_margin, 0 fills")]);
});
