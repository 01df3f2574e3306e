/**
 * The trading engine by itself: the cost of a tick that fires nothing, with few and with many positions open; of a tick that fires many stops;
 * memory; and the time of a start, which reads the whole book. Its database is a throw-away one. Runs alone too: `bun
 * scripts/bench/engine.ts`.
 */
import { priceText } from "../../src/lib/money";
import type { Board } from "../../src/market/board";
import { localBus } from "../../src/platform/cluster/bus";
import type { Db } from "../../src/platform/database/db";
import { createLog } from "../../src/platform/log";
import { testDatabase } from "../../src/testing/database";
import { tamper } from "../../src/testing/scenarios";
import { Engine } from "../../src/trading/engine";
import { emptyMarket, heapNow, START, SYMBOLS, tick, walker } from "./ticks";

const MOST = 100_000;
const SIZES = [1_000, 10_000, MOST];
const TICKS_A_SECOND = 50;
const SECONDS = 20;
/** For so long ticks come by the clock. */
const PACED_SECONDS = 5;
const POSITIONS_PER_ACCOUNT = 10;
/** Stops that one tick fires, each of another account. */
const AT_ONCE = 1_000;
/** The walk stays within half a percent; stops are four away, so nothing fires until it is meant to. */
const STOP = 0.96;

type EngineBench = {
  positions: number;
  /** Waiting orders of all kinds beside them; then each position's stop loss follows the price, too. */
  waiting: number;
  /** Microseconds for one tick that fires nothing, the board's own work included. */
  median: number;
  p99: number;
  /** The part of a core that 30 symbols at 50 ticks a second each take. */
  busy: number;
  /** Ticks that were due and not dealt with yet, at most, while they came at that rate by the clock. */
  behind: number;
  /** MiB of heap that the book takes. */
  heap: number;
  /** Seconds until the whole book is read and watched. */
  start: number;
  /** Stops that one tick fired, and how many a second were written. */
  fired: number;
  firedPerSecond: number;
};

/**
 * Fills a database with open positions, ten to an account, on all symbols and both sides. One account in twenty is used up
 * to half, so that ticks come to its margin levels.
 */
async function fill(db: Db, positions: number) {
  const accounts = positions / POSITIONS_PER_ACCOUNT;
  // Money out of nowhere: the guards would refuse it.
  await tamper(db, async (sql) => {
    await sql`insert into users (email, password, first_name, last_name, referral_code) values ('engine@bench.test', '-', 'Bench', 'Trader', 'BENCH')`;
    await sql`
    with opened as (
      insert into ledger_accounts (owner_id, book, kind, balance)
      select u.id, 'demo', 'trading', 10000 from users u, generate_series(1, ${accounts}::integer)
      returning id, owner_id
    )
    insert into trading_accounts (user_id, ledger_account_id, account_number, account_type_id, is_demo)
    select p.owner_id, p.id, 'B' || p.id, (array['starter', 'bronze', 'silver', 'gold', 'platinum'])[1 + p.id % 5], true from opened p
  `;
    await sql`
    insert into positions (account_id, user_id, symbol, side, amount, volume, leverage, margin, open_price, stop_loss, take_profit, status, opened_at)
    select a.id, a.user_id, (${`{${SYMBOLS.join(",")}}`}::text::text[])[1 + (a.place * 7 + n * 11) % ${SYMBOLS.length}::integer], side, amount,
      amount / 100, 100, amount / 100, 100, case side when 'buy' then ${100 * STOP}::numeric else 200 - ${100 * STOP}::numeric end,
      case side when 'buy' then 120 else 80 end, 'open', now()
    from (select id, user_id, row_number() over () as place from trading_accounts) a
    cross join generate_series(1, ${POSITIONS_PER_ACCOUNT}::integer) n
    cross join lateral (select case (a.place + n) % 2 when 0 then 'buy' else 'sell' end as side, case a.place % 20 when 0 then 50000 else 1000 end as amount) s
  `;
    // By which stops are written many together: one whose opening is not known is tried alone.
    await sql`
    insert into fills (position_id, kind, quote_seq, quote_at, quote_age_ms, bid, ask, tier_spread_pips, price, amount, margin)
    select id, 'open', 1, opened_at, 0, 100, 100.01, 0, open_price, amount, margin from positions
  `;
  });
  await db`analyze`;
}

/** Lets every stop loss follow the price, and adds as many waiting orders of all kinds, beyond the walk as the stops are. */
async function fillWaiting(db: Db, orders: number) {
  await tamper(db, async (sql) => {
    await sql`update positions set trailing_distance = 5, since_seq = 1, break_even_at = case when random() < 0.3 then 10 end`;
    const perAccount = orders / (await sql`select from trading_accounts`).length;
    await sql`
    insert into positions (
      account_id, user_id, symbol, side, amount, leverage, margin, status, order_type, trigger_price, limit_price, expires_at, oco_group, place,
      placed_seq, placed_at, placed_bid, placed_ask, since_seq
    )
    select a.id, a.user_id, (${`{${SYMBOLS.join(",")}}`}::text::text[])[1 + (a.place * 5 + n * 13) % ${SYMBOLS.length}::integer], k.side, 1000, 100, 10, 'pending',
      k.kind, case when (k.side = 'buy') = (k.kind = 'limit') then 100 - away else 100 + away end, case k.kind when 'stop_limit' then 100 end,
      case n % 3 when 0 then now() + make_interval(hours => 1 + n) end, case n % 5 when 0 then a.id end, a.place * 1000 + n, 1, now(), 100, 100.01, 1
    from (select id, user_id, row_number() over () as place from trading_accounts) a
    cross join generate_series(1, ${perAccount}::integer) n
    cross join lateral (select (array['limit', 'stop', 'stop_limit'])[1 + n % 3] as kind, (array['buy', 'sell'])[1 + (n / 3) % 2] as side, 1 + (a.place + n) % 30 / 10.0 as away) k
  `;
  });
  await db`analyze`;
}

/** Lets ticks come by the clock; answers how many were due and not dealt with yet, at most. A timer rings every millisecond or two. */
async function pace(next: () => number): Promise<number> {
  const perMs = (SYMBOLS.length * TICKS_A_SECOND) / 1000;
  const all = perMs * PACED_SECONDS * 1000;
  const began = performance.now();
  let [done, behind] = [0, 0];
  while (done < all) {
    const due = Math.min(all, Math.floor((performance.now() - began) * perMs));
    behind = Math.max(behind, due - done);
    for (; done < due; done++) next();
    await Bun.sleep(1);
  }
  return behind;
}

async function measure(positions: number, waiting = 0): Promise<EngineBench> {
  const db = await testDatabase();
  try {
    await fill(db.sql, positions);
    if (waiting > 0) await fillWaiting(db.sql, waiting);
    const market = emptyMarket();
    const board = () => market.board.arrays();
    const engine = new Engine({ sql: db.sql, market, bus: localBus(console.error), log: createLog("error"), board });
    const heapBefore = heapNow();
    const began = performance.now();
    await engine.start();
    const start = (performance.now() - began) / 1000;
    const heap = heapNow() - heapBefore;
    const next = walker(market.board);
    const second = SYMBOLS.length * TICKS_A_SECOND;
    for (let warm = 0; warm < second; warm++) next();
    const times = Array.from({ length: second * SECONDS }, next).toSorted((a, b) => a - b);
    const behind = await pace(next);
    await engine.idle();
    if (engine.watched !== positions + waiting) throw new Error("ticks that should fire nothing fired something");
    const [moved] = await db.sql<{ moves: number }[]>`select count(*)::integer as moves from stop_moves`;
    if (moved?.moves !== 0) throw new Error("ticks that should move nothing moved a stop loss");
    const { fired, seconds } = waiting > 0 ? { fired: 0, seconds: 1 } : await fire(market.board, engine);
    await engine.stop();
    const at = (part: number) => times[Math.floor(times.length * part)] ?? 0;
    const busy = times.reduce((sum, each) => sum + each, 0) / (SECONDS * 1e6);
    return { positions, waiting, median: at(0.5), p99: at(0.99), busy, behind, heap, start, fired, firedPerSecond: fired / seconds };
  } finally {
    await db.drop();
  }
}

/** One tick through all stops of one symbol's longs. */
async function fire(board: Board, engine: Engine) {
  const before = engine.watched;
  const began = performance.now();
  tick(board, SYMBOLS[0] as string, Math.round(START * STOP) - 2_000_000);
  await engine.idle();
  return { fired: before - engine.watched, seconds: (performance.now() - began) / 1000 };
}

/** One tick that fires a stop of each of so many accounts: how many a second are written. */
async function measureAtOnce(): Promise<number> {
  const db = await testDatabase();
  try {
    await fill(db.sql, AT_ONCE * POSITIONS_PER_ACCOUNT);
    await tamper(db.sql, async (sql) => {
      await sql`update positions set symbol = ${SYMBOLS[0] as string}, side = 'buy', stop_loss = ${100 * STOP}, take_profit = 120, amount = 1000, margin = 10`;
      await sql`delete from positions p using positions other where other.account_id = p.account_id and other.id < p.id`;
      await sql`delete from fills f where not exists (select from positions p where p.id = f.position_id)`;
    });
    const market = emptyMarket();
    const engine = new Engine({ sql: db.sql, market, bus: localBus(console.error), log: createLog("error"), board: () => market.board.arrays() });
    await engine.start();
    const { fired, seconds } = await fire(market.board, engine);
    await engine.stop();
    if (fired !== AT_ONCE) throw new Error(`${fired} stops fired in place of ${AT_ONCE}`);
    return fired / seconds;
  } finally {
    await db.drop();
  }
}

/** Measures each size in turn. */
export async function benchEngine(): Promise<{ sizes: EngineBench[]; stopsPerSecond: number }> {
  const sizes: EngineBench[] = [];
  for (const size of SIZES) sizes.push(await measure(size));
  sizes.push(await measure(MOST, MOST));
  return { sizes, stopsPerSecond: await measureAtOnce() };
}

/** The most that a tick may take that fires nothing, in microseconds, and a start that reads all of both, in seconds. */
const TICK_AIM = 50;
const START_AIM = 3;

type Row = { what: string; figure: string; aim?: string; met?: boolean };

/** Lines for each size, and one for many stops at once. */
export const engineRows = ({ sizes, stopsPerSecond }: Awaited<ReturnType<typeof benchEngine>>): Row[] => [
  ...sizes.flatMap(({ positions, waiting, median, p99, busy, behind, heap, start, fired, firedPerSecond }) => [
    {
      what: `${positions.toLocaleString("en-US")} open positions${waiting > 0 ? ` whose stops follow, ${waiting.toLocaleString("en-US")} waiting orders` : ""}: a tick that fires nothing, median (99th percentile)`,
      figure: `${median.toFixed(1)} µs (${p99.toFixed(1)} µs), ${(busy * 100).toFixed(1)} % of a core at ${SYMBOLS.length * TICKS_A_SECOND} ticks a second`,
      aim: `< ${TICK_AIM} µs`,
      met: median < TICK_AIM && p99 < TICK_AIM,
    },
    {
      what: `  ticks behind at most, ${TICKS_A_SECOND} a second on each of ${SYMBOLS.length} symbols by the clock, up and down`,
      figure: `${behind} of ${SYMBOLS.length * TICKS_A_SECOND} a second`,
    },
    waiting > 0
      ? {
          what: "  to read and watch them all; heap",
          figure: `${start.toFixed(2)} s; ${heap.toFixed(0)} MiB`,
          aim: `≤ ${START_AIM} s`,
          met: start <= START_AIM,
        }
      : {
          what: "  to read and watch them all; heap; stops of one tick written",
          figure: `${start.toFixed(2)} s; ${heap.toFixed(0)} MiB; ${fired} at ${firedPerSecond.toFixed(0)} a second`,
        },
  ]),
  { what: `${AT_ONCE.toLocaleString("en-US")} stops of as many accounts, fired by one tick`, figure: `written at ${stopsPerSecond.toFixed(0)} a second` },
];

if (import.meta.main) {
  for (const { what, figure, aim, met } of engineRows(await benchEngine()))
    console.log(`${what}: ${figure}${aim ? `   aim ${aim}: ${met ? "met" : "not met"}` : ""}`);
  console.log(`prices such as ${priceText(START)}; ${POSITIONS_PER_ACCOUNT} positions to an account`);
  process.exit(0);
}
