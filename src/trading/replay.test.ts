import { afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import { open } from "../app";
import { readConfig } from "../config";
import { type Pace, replayFeed } from "../market/feed_replay";
import { createLog } from "../platform/log";
import { testDatabase, type TestDatabase } from "../testing/database";
import { Person } from "../testing/app";
import { withPatientDeals } from "../testing/scenarios";
import type { Position, Receipt } from "./schema";

/** A night of real EUR/USD ticks; what the program makes of it is worked out here a second time, from the file alone. */
const FILE = join(import.meta.dir, "../testing/ticks/eurusd-2020-01-01.csv");
const SEED = 20_200_101;
const ORDERS = 160;
const TIERS = { starter: 3.3, platinum: 0.5 } as const;
const PIP = 10_000n;

type Tick = { at: string; bid: bigint; ask: bigint };
type Plan = { index: number; tier: keyof typeof TIERS; type: "buy" | "sell"; amount: bigint; stop: bigint | null; target: bigint | null };
type Outcome = { open: bigint; openAt: string; close: bigint | null; closeAt: string | null; reason: string | null; profit: string | null };

const units = (text: string) => {
  const [whole = "0", fraction = ""] = text.split(".");
  return BigInt(whole + fraction.padEnd(8, "0"));
};
const text8 = (value: bigint) => `${value / 100_000_000n}.${(value % 100_000_000n).toString().padStart(8, "0")}`;
const dollars = (cents: bigint) => {
  const digits = (cents < 0n ? -cents : cents).toString().padStart(3, "0");
  return `${cents < 0n ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

/** The account's bid and ask on a tick, by the rule as it is written: mid ∓ half the tier's spread, where that is wider. */
function pricesFor(tick: Tick, tier: keyof typeof TIERS) {
  const spread = (BigInt(TIERS[tier] * 10) * PIP) / 10n;
  if (tick.ask - tick.bid >= spread) return tick;
  const mid = (tick.bid + tick.ask + 1n) / 2n;
  return { bid: mid - spread / 2n, ask: mid + spread / 2n };
}

function outcomeOf(ticks: Tick[], { index, tier, type, amount, stop, target }: Plan): Outcome {
  const first = ticks[index] as Tick;
  const entry = pricesFor(first, tier);
  const opened = { open: type === "buy" ? entry.ask : entry.bid, openAt: first.at };
  for (const tick of ticks.slice(index + 1)) {
    const now = pricesFor(tick, tier);
    const close = type === "buy" ? now.bid : now.ask;
    const down = close <= (type === "buy" ? (stop ?? -1n) : (target ?? -1n));
    const up = close >= (type === "buy" ? (target ?? 1n << 60n) : (stop ?? 1n << 60n));
    if (!down && !up) continue;
    const move = type === "buy" ? close - opened.open : opened.open - close;
    const size = amount * (move < 0n ? -move : move);
    const cents = (2n * size + opened.open) / (2n * opened.open);
    return { ...opened, close, closeAt: tick.at, reason: down === (type === "buy") ? "stop_loss" : "take_profit", profit: dollars(move < 0n ? -cents : cents) };
  }
  return { ...opened, close: null, closeAt: null, reason: null, profit: null };
}

/** Orders at ticks all over the night; exits from one to fifteen pips away, some left out. */
function plans(ticks: Tick[]): Plan[] {
  let state = SEED;
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const indices = [...new Set(Array.from({ length: ORDERS }, () => 10 + random(ticks.length - 20)))].sort((a, b) => a - b);
  return indices.map((index) => {
    const tier = random(2) ? "starter" : "platinum";
    const type = random(2) ? "buy" : "sell";
    const prices = pricesFor(ticks[index] as Tick, tier);
    const closing = type === "buy" ? prices.bid : prices.ask;
    const away = () => BigInt(1 + random(150)) * (PIP / 10n);
    const sign = type === "buy" ? 1n : -1n;
    return {
      index,
      tier,
      type,
      amount: BigInt(1_000 + random(400_000)),
      stop: random(8) ? closing - sign * away() : null,
      target: random(8) ? closing + sign * away() : null,
    };
  });
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
  "at speed %d fills, stops and targets happen at the ticks that the file implies, to the last digit",
  async (speed) => {
    const lines = (await Bun.file(FILE).text()).trim().split("\n").slice(1);
    const ticks = lines.map((line): Tick => {
      const [at = "", , bid = "", ask = ""] = line.split(",");
      return { at, bid: units(bid), ask: units(ask) };
    });
    const planned = plans(ticks);
    const due = new Map(planned.map((plan) => [plan.index, plan]));
    const placed = new Map<number, string>();
    const config = readConfig({ FEED: "replay", FEED_FILE: FILE, FEED_SPEED: "max" });
    const ended = Promise.withResolvers<void>();
    const ready = Promise.withResolvers<{ trader: Person; accounts: Record<string, string> }>();

    const replay = replayFeed({ path: FILE, speed, pace: handPace(), log: createLog("error"), onEnd: () => ended.resolve() });
    let told = 0;
    const order = async (plan: Plan) => {
      const { trader, accounts } = await ready.promise;
      const { status, body, text } = await trader.post<Position>("/api/trading/positions", {
        symbol: "EUR/USD",
        type: plan.type,
        amount: dollars(plan.amount),
        accountId: accounts[plan.tier],
        stopLoss: plan.stop === null ? null : text8(plan.stop),
        takeProfit: plan.target === null ? null : text8(plan.target),
      });
      if (status !== 201) throw new Error(`order at tick ${plan.index} refused: ${text}`);
      placed.set(plan.index, body.id);
    };
    const feed = {
      ...replay,
      start: (sink: Parameters<typeof replay.start>[0]) =>
        replay.start({
          ...sink,
          tick(tick) {
            const busy = sink.tick(tick);
            const plan = due.get(told++);
            return plan ? Promise.resolve(busy).then(() => order(plan)) : busy;
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
    ready.resolve({ trader, accounts });
    await ended.promise;
    await app.trading.engine.idle();

    expect(told).toBe(ticks.length);
    let exits = 0;
    for (const plan of planned) {
      const expected = outcomeOf(ticks, plan);
      const { body } = await trader.get<Receipt>(`/api/trading/positions/${placed.get(plan.index)}/receipt`);
      const [opened, closed] = body.fills;
      expect({
        tick: plan.index,
        open: units(opened?.price ?? "0"),
        openAt: opened?.quoteTime,
        close: closed ? units(closed.price) : null,
        closeAt: closed?.quoteTime ?? null,
        reason: closed?.reason ?? null,
        profit: closed?.profit ?? null,
      }).toEqual({ tick: plan.index, ...expected });
      if (expected.reason) exits++;
    }
    const [sums] = await db.sql<{ off: number }[]>`
    select count(*)::integer as off
    from trading_accounts a
    join ledger_accounts l on l.id = a.ledger_account_id
    where l.balance <> 10000 + (select coalesce(sum(profit), 0) from positions p where p.account_id = a.id and p.status = 'closed')
  `;
    expect(sums?.off).toBe(0);
    // The night must have tried what this test is for.
    expect(exits).toBeGreaterThan(ORDERS / 2);
    await app.close();
  },
  120_000,
);
