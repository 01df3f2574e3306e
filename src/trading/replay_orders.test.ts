import { afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import { open } from "../app";
import { readConfig } from "../config";
import { type Pace, readTicks, replayFeed } from "../market/feed_replay";
import { createLog } from "../platform/log";
import { Person } from "../testing/app";
import { testDatabase, type TestDatabase } from "../testing/database";
import { dice } from "../testing/dice";
import { ReferenceOrders, type Wish } from "../testing/reference_orders";
import { found, told } from "../testing/reference_orders_book";
import { bodyOf, drawWish } from "../testing/reference_orders_draw";
import { withPatientDeals } from "../testing/scenarios";
import type { Position } from "./schema";

/** A night of real EUR/USD ticks with orders of all kinds; what becomes of each is worked out a second time, from the file alone. */
const FILE = join(import.meta.dir, "../testing/ticks/eurusd-2020-01-01.csv");
const ORDERS = 240;
const TIERS = { starter: 33_000n, platinum: 5_000n } as const;
type Tier = keyof typeof TIERS;
type Plan = Wish & { index: number; tier: Tier };
type FileTick = { at: number; bid: number; ask: number };

/** Orders at ticks all over the night. */
function plans(ticks: readonly FileTick[]): Map<number, Plan> {
  const random = dice(20_200_101);
  const planned = new Map<number, Plan>();
  while (planned.size < ORDERS) {
    const index = 10 + random.below(ticks.length - 20);
    const tier = random.pick(["starter", "platinum"] as const);
    planned.set(index, { index, tier, ...drawWish(random, ticks[index] as FileTick) });
  }
  return planned;
}

let db: TestDatabase;
beforeEach(async () => {
  db = await testDatabase();
  await withPatientDeals(db.sql);
});
afterEach(() => db.drop());

/** A clock that only a wait moves on, so that six hours at their own speed are over in a moment. */
function handPace(): Pace {
  let now = 0;
  return {
    now: () => now,
    pause: (ms) => {
      now += ms;
      return new Promise((resolve) => setImmediate(resolve));
    },
  };
}

test.each([1, 100, Number.POSITIVE_INFINITY])(
  "at speed %d every order ends as the file implies, on the tick and to the last digit",
  async (speed) => {
    const ticks: FileTick[] = [];
    for await (const tick of readTicks(Bun.file(FILE))) ticks.push(tick);
    const planned = plans(ticks);
    const config = readConfig({ FEED: "replay", FEED_FILE: FILE, FEED_SPEED: "max" });
    const ended = Promise.withResolvers<void>();
    const ready = Promise.withResolvers<{ trader: Person; accounts: Record<string, string> }>();
    const references = { starter: new ReferenceOrders(1_000_000n, 1n, TIERS.starter), platinum: new ReferenceOrders(1_000_000n, 1n, TIERS.platinum) };
    const placed = new Map<string, Plan>();
    const refusals: string[] = [];

    const replay = replayFeed({ path: FILE, speed, pace: handPace(), log: createLog("error"), onEnd: () => ended.resolve() });
    const place = async (plan: Plan) => {
      const { trader, accounts } = await ready.promise;
      const { status, body } = await trader.post<Position & { code: string; fields?: object }>("/api/trading/positions", bodyOf(plan, accounts[plan.tier]));
      const refused = status === 201 ? null : (Object.keys(body.fields ?? {})[0] ?? body.code);
      expect({ tick: plan.index, refused }).toEqual({ tick: plan.index, refused: references[plan.tier].place(plan) });
      if (refused) refusals.push(refused);
      else placed.set(body.id, plan);
    };
    let count = 0;
    const failed: unknown[] = [];
    const feed = {
      ...replay,
      start: (sink: Parameters<typeof replay.start>[0]) =>
        replay.start({
          ...sink,
          tick(tick) {
            const busy = sink.tick(tick);
            const index = count++;
            const { at, bid, ask } = tick;
            for (const reference of Object.values(references)) reference.next({ seq: index + 1, at, bid: BigInt(bid), ask: BigInt(ask), open: true });
            const plan = planned.get(index);
            return plan ? Promise.resolve(busy).then(() => place(plan).catch((error) => void failed.push(error))) : busy;
          },
        }),
    };
    const app = await open({ config, sql: db.sql, log: createLog("error"), feed });
    const trader = new Person(async (request) => app.router.handle(request));
    const registered = await trader.post("/api/auth/register", { firstName: "R", lastName: "P", email: "replay@t.test", password: "Corr3ct-horse" });
    expect(registered.status).toBe(201);
    const accounts: Record<string, string> = {};
    for (const tier of Object.keys(TIERS))
      accounts[tier] = (await trader.post<{ id: string }>("/api/trading-accounts", { accountTypeId: tier, isDemo: true })).body.id;
    await db.sql`update trading_accounts set leverage = 1 where user_id = (select id from users where email = 'replay@t.test')`;
    ready.resolve({ trader, accounts });
    await ended.promise;
    await app.trading.engine.idle();
    expect(failed).toEqual([]);
    expect(count).toBe(ticks.length);

    // Numbers of ticks count from the file's first.
    const [first] = await db.sql<{ seq: number }[]>`select min(seq) as seq from ticks where source = 'replay'`;
    const offset = (first?.seq ?? 1) - 1;
    const seen = await found(db.sql, [...placed.keys()], (seq) => seq - offset);
    const ends = new Map<string, number>();
    for (const tier of Object.keys(TIERS) as Tier[]) {
      const mine = [...placed].filter(([, plan]) => plan.tier === tier);
      for (const [place, [id]] of mine.entries()) {
        const order = references[tier].orders[place];
        if (!order) throw new Error("the reference took another order");
        const row = { ...seen.get(id) } as { placed: number | null };
        row.placed ??= order.placed;
        expect<object>({ id, ...row }).toEqual({ id, ...told(order) });
        const end = order.cancel?.code ?? order.close?.reason ?? order.status;
        ends.set(end, (ends.get(end) ?? 0) + 1);
        if (order.moves.length > 1) ends.set("moved", (ends.get("moved") ?? 0) + 1);
      }
    }
    // The night must have tried what this test is for.
    for (const end of ["stop_loss", "take_profit", "expired", "oco", "insufficient_margin", "moved"]) expect([...ends.keys()]).toContain(end);
    await app.close();
  },
  120_000,
);
