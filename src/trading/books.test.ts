import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { money, priceText, priceUnits } from "../lib/money";
import { type TestApp, testApp } from "../testing/app";
import { accountsOf } from "../testing/scenarios";
import "../testing/seed";
import type { Position } from "./schema";

/**
 * Whatever three traders do, in any order and at once, the books balance, nobody owes, and each balance follows from the receipts alone.
 * Repeat a run with SEED=…, make more of them with RUNS=….
 */

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.end());

type Trader = Awaited<ReturnType<TestApp["trader"]>>;
const symbols = ["EUR/USD", "BTC/USD", "SHIB/USD"] as const;
const START = { "EUR/USD": 110_000_000, "BTC/USD": 10_000_000_000_000, "SHIB/USD": 1_234_000 };
/** The largest step of a tick, in thousandths: the board holds more back as implausible. */
const STEP = { "EUR/USD": 45, "BTC/USD": 150, "SHIB/USD": 150 };

const symbol = fc.constantFrom(...symbols);
const who = fc.nat({ max: 2 });
const thousandths = fc.option(fc.integer({ min: 1, max: 200 }), { nil: null });
const cents = fc.oneof(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 10_000_000, max: 90_000_000 })).map((value) => money(BigInt(value)));
const command = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      command: fc.constant("order" as const),
      who,
      symbol,
      side: fc.constantFrom("buy", "sell"),
      amount: cents,
      stop: thousandths,
      target: thousandths,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      command: fc.constant("close" as const),
      who,
      nth: fc.nat({ max: 5 }),
      share: fc.option(fc.integer({ min: 1, max: 99 }), { nil: null }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ command: fc.constant("edit" as const), who, nth: fc.nat({ max: 5 }), stop: thousandths, target: thousandths }) },
  { weight: 1, arbitrary: fc.record({ command: fc.constant("close-all" as const), who }) },
  {
    weight: 4,
    arbitrary: fc.record({ command: fc.constant("tick" as const), symbol, move: fc.integer({ min: -100, max: 100 }), spread: fc.nat({ max: 50 }) }),
  },
);
type Action = typeof command extends fc.Arbitrary<infer T> ? T : never;

/** One run: three new traders and prices of its own. */
class Run {
  private readonly mids: Record<(typeof symbols)[number], number> = { ...START };
  constructor(readonly traders: Trader[]) {}

  async quote(of: (typeof symbols)[number], spread = 0) {
    const half = Math.round((this.mids[of] * spread) / 100_000);
    const [bid, ask] = [priceText(this.mids[of] - half), priceText(this.mids[of] + half)];
    // Said twice, so that a jump from an earlier run's price is confirmed.
    await app.quote(of, bid, ask);
    await app.quote(of, bid, ask);
  }

  async does(d: Action): Promise<void> {
    if (d.command === "tick") {
      this.mids[d.symbol] = Math.max(1_000, Math.round(this.mids[d.symbol] * (1 + (d.move * STEP[d.symbol]) / 100_000)));
      return this.quote(d.symbol, d.spread);
    }
    const trader = this.traders[d.who] as Trader;
    if (d.command === "order") {
      const { stopLoss, takeProfit } = exits(d, d.side, this.mids[d.symbol]);
      return this.answered(trader.post("/api/trading/positions", { symbol: d.symbol, type: d.side, amount: d.amount, stopLoss, takeProfit }));
    }
    if (d.command === "close-all") return this.answered(trader.post("/api/trading/positions/close-all"));
    const list = (await trader.get<Position[]>("/api/trading/positions/open")).body;
    const position = list[d.nth % list.length];
    if (!position) return;
    const path = `/api/trading/positions/${position.id}`;
    if (d.command === "edit") return this.answered(trader.patch(path, exits(d, position.type, priceUnits(position.currentPrice ?? "1"))));
    const part = (BigInt(position.amount.replace(".", "")) * BigInt(d.share ?? 0)) / 100n;
    return this.answered(trader.post(`${path}/close`, part > 0n ? { amount: money(part) } : {}));
  }

  /** The rules may refuse, the program may not break. */
  private async answered(call: Promise<{ status: number; text: string }>) {
    const { status, text } = await call;
    if (![200, 201, 400, 404, 409, 422].includes(status)) throw new Error(`${status}: ${text}`);
  }
}

const exits = ({ stop, target }: { stop: number | null; target: number | null }, side: string, mid: number) => {
  const away = side === "buy" ? 1 : -1;
  const at = (move: number | null) => (move === null ? null : priceText(Math.max(1, Math.round(mid * (1 + move / 1000)))));
  return { stopLoss: at(stop && -away * stop), takeProfit: at(target && away * target) };
};

type Closing = {
  id: string;
  root: string;
  part: boolean;
  side: "buy" | "sell";
  amount: string;
  opened: string;
  closed: string;
  openedAt: number;
  closedAt: number | null;
};

/** Balance and advance of an account, computed from its receipts alone. */
async function fromReceipts(accountId: string): Promise<{ balance: string; advance: string }> {
  const rows = await app.sql<Closing[]>`
    select p.id, coalesce(p.parent_id, p.id) as root, p.parent_id is not null as part, p.side, p.amount, o.price as opened, coalesce(c.price, 1) as closed, o.id as "openedAt", c.id as "closedAt"
    from positions p
    join fills o on o.position_id = coalesce(p.parent_id, p.id) and o.kind = 'open'
    left join fills c on c.position_id = p.id and c.kind = 'close'
    where p.account_id = ${accountId}
    order by c.id
  `;
  let [balance, advance] = [1_000_000n, 0n];
  const moved = new Map<string, bigint>();
  for (const row of rows) {
    const { closedAt } = row;
    if (closedAt === null) continue;
    const before = moved.get(row.root) ?? 0n;
    const after = before + moveOf(row);
    moved.set(row.root, after);
    const pool = balance - advance + inCents(after, row) - inCents(before, row);
    balance = pool > 0n ? pool : 0n;
    const others = rows.some(
      (other) => !other.part && other.id !== row.id && other.openedAt < closedAt && (other.closedAt === null || other.closedAt > closedAt),
    );
    advance = pool < 0n && others ? -pool : 0n;
  }
  return { balance: money(balance), advance: money(advance) };
}

const units = (text: string) => BigInt(text.replace(".", ""));
/** Amount × move in the position's favour; parts are rounded with those before them. */
const moveOf = ({ side, amount, opened, closed }: Closing): bigint => (side === "buy" ? 1n : -1n) * units(amount) * (units(closed) - units(opened));

/** Profit in cents, half away from zero, by fractions. */
function inCents(move: bigint, { opened }: Closing): bigint {
  const twice = 2n * move;
  const rounded = ((twice < 0n ? -twice : twice) / units(opened) + 1n) / 2n;
  return twice < 0n ? -rounded : rounded;
}

test("any sequence of commands leaves true books", async () => {
  // Each step is done at once, its commands in parallel.
  const script = fc.array(fc.array(command, { minLength: 1, maxLength: 4 }), { minLength: 5, maxLength: 25 });
  let closings = 0;
  await fc.assert(
    fc.asyncProperty(script, async (steps) => {
      const run = new Run(await Promise.all([app.trader(), app.trader(), app.trader()]));
      for (const each of symbols) await run.quote(each);
      for (const step of steps) await Promise.all(step.map((one) => run.does(one)));
      await app.trading.engine.idle();
      expect(await app.faults()).toEqual([]);
      for (const trader of run.traders) {
        const [account] = await accountsOf(trader);
        const [row] = await app.sql<{ balance: string; advance: string }[]>`
          select l.balance, a.advance from trading_accounts a join ledger_accounts l on l.id = a.ledger_account_id where a.id = ${account?.id ?? ""}
        `;
        const expected = await fromReceipts(account?.id ?? "");
        expect(row).toEqual(expected);
        expect(account?.balance).toBe(expected.balance);
        expect(expected.balance).not.toStartWith("-");
      }
      const [count] = await app.sql<{ closed: number }[]>`select count(*)::integer as closed from positions where status = 'closed'`;
      closings = count?.closed ?? 0;
    }),
    { numRuns: Number(process.env.RUNS ?? 25), endOnFailure: true },
  );
  // A run that never traded would show nothing.
  expect(closings).toBeGreaterThan(50);
  const [row] = await app.sql<{ covered: number; exits: number; parts: number }[]>`
    select count(*) filter (where covered > 0)::integer as covered, count(*) filter (where close_reason <> 'trader')::integer as exits,
      count(*) filter (where parent_id is not null)::integer as parts from positions
  `;
  for (const seen of Object.values(row ?? { none: 0 })) expect(seen).toBeGreaterThan(0);
  console.log(`books.test.ts: ${closings} closings, ${JSON.stringify(row)}`);
});
