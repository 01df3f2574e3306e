/**
 * The trading engine by itself: what a tick costs that fires nothing, with few and with many positions open; what a tick
 * costs that fires many stops; memory; and how long a start takes that must read the whole book. Its database is a
 * throw-away one. Runs alone too: `bun scripts/bench_engine.ts`.
 */
import { heapStats } from "bun:jsc";
import { priceText } from "../src/lib/money";
import { Board } from "../src/market/board";
import { boardWriter } from "../src/market/board_sql";
import type { Market } from "../src/market/market";
import { instruments } from "../src/market/schema";
import { localBus } from "../src/platform/bus";
import type { Db } from "../src/platform/db";
import { createLog } from "../src/platform/log";
import { testDatabase } from "../src/testing/database";
import { Engine } from "../src/trading/engine";

const SIZES = [1_000, 10_000, 100_000];
const SYMBOLS = instruments.slice(0, 30).map(({ symbol }) => symbol);
const TICKS_A_SECOND = 50;
const SECONDS = 20;
/** For so long ticks come by the clock. */
const PACED_SECONDS = 5;
const POSITIONS_PER_ACCOUNT = 10;
/** Stops that one tick fires, each of another account. */
const AT_ONCE = 1_000;
/** 100.00: the same for every symbol, so that the figures do not depend on which one it is. */
const START = 10_000_000_000;
/** The walk stays within half a percent; stops are four away, so nothing fires until it is meant to. */
const WALK = START / 200;
const STOP = 0.96;

type EngineBench = {
  positions: number;
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
async function fill(sql: Db, positions: number) {
  const accounts = positions / POSITIONS_PER_ACCOUNT;
  await sql`insert into users (email, password, first_name, last_name, referral_code) values ('engine@bench.test', '-', 'Bench', 'Trader', 'BENCH')`;
  await sql`
    with purse as (
      insert into ledger_accounts (owner_id, book, kind, balance)
      select u.id, 'demo', 'trading', 10000 from users u, generate_series(1, ${accounts}::integer)
      returning id, owner_id
    )
    insert into trading_accounts (user_id, ledger_account_id, account_number, account_type_id, is_demo)
    select p.owner_id, p.id, 'B' || p.id, (array['starter', 'bronze', 'silver', 'gold', 'platinum'])[1 + p.id % 5], true from purse p
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
  await sql`analyze`;
}

/** A market without a feed: ticks come from here. */
function emptyMarket(): Market {
  const board = new Board({ hours: () => true, clock: Date.now, freshness: "symbol", time: "real", onFault: console.error });
  return { board, source: "simulator", clock: Date.now, addBrake: () => () => {} } as unknown as Market;
}

const tick = (board: Board, symbol: string, bid: number) => board.accept({ symbol, bid, ask: bid + 1_000_000, at: Date.now() });

/** Prices that go up and down: each call is the next tick, on all symbols in turn, and tells the microseconds that it took. */
function walker(board: Board): () => number {
  const prices = new Map(SYMBOLS.map((symbol) => [symbol, START]));
  let n = 0;
  return () => {
    const symbol = SYMBOLS[n++ % SYMBOLS.length] as string;
    const moved = (prices.get(symbol) ?? START) + Math.round((Math.random() - 0.5) * WALK * 0.05);
    const price = Math.min(START + WALK, Math.max(START - WALK, moved));
    prices.set(symbol, price);
    const began = Bun.nanoseconds();
    tick(board, symbol, price);
    return (Bun.nanoseconds() - began) / 1_000;
  };
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

function heapNow(): number {
  Bun.gc(true);
  return heapStats().heapSize / 2 ** 20;
}

async function measure(positions: number): Promise<EngineBench> {
  const db = await testDatabase();
  try {
    await fill(db.sql, positions);
    const market = emptyMarket();
    const board = boardWriter(market.board);
    for (const symbol of SYMBOLS) tick(market.board, symbol, START);
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
    if (engine.watched !== positions) throw new Error("ticks that should fire nothing fired something");
    const { fired, seconds } = await fire(market.board, engine);
    await engine.stop();
    const at = (part: number) => times[Math.floor(times.length * part)] ?? 0;
    const busy = times.reduce((sum, each) => sum + each, 0) / (SECONDS * 1e6);
    return { positions, median: at(0.5), p99: at(0.99), busy, behind, heap, start, fired, firedPerSecond: fired / seconds };
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
    await db.sql`update positions set symbol = ${SYMBOLS[0] as string}, side = 'buy', stop_loss = ${100 * STOP}, take_profit = 120, amount = 1000, margin = 10`;
    await db.sql`delete from positions p using positions other where other.account_id = p.account_id and other.id < p.id`;
    const market = emptyMarket();
    for (const symbol of SYMBOLS) tick(market.board, symbol, START);
    const engine = new Engine({ sql: db.sql, market, bus: localBus(console.error), log: createLog("error"), board: boardWriter(market.board) });
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
  return { sizes, stopsPerSecond: await measureAtOnce() };
}

/** The most that a tick may take that fires nothing, in microseconds. */
const TICK_AIM = 50;

type Row = { what: string; figure: string; aim?: string; met?: boolean };

/** Lines for each size, and one for many stops at once. */
export const engineRows = ({ sizes, stopsPerSecond }: Awaited<ReturnType<typeof benchEngine>>): Row[] => [
  ...sizes.flatMap(({ positions, median, p99, busy, behind, heap, start, fired, firedPerSecond }) => [
    {
      what: `${positions.toLocaleString("en-US")} open positions: a tick that fires nothing, median (99th percentile)`,
      figure: `${median.toFixed(1)} µs (${p99.toFixed(1)} µs), ${(busy * 100).toFixed(1)} % of a core at ${SYMBOLS.length * TICKS_A_SECOND} ticks a second`,
      aim: `< ${TICK_AIM} µs`,
      met: median < TICK_AIM && p99 < TICK_AIM,
    },
    {
      what: `  ticks behind at most, ${TICKS_A_SECOND} a second on each of ${SYMBOLS.length} symbols by the clock, up and down`,
      figure: `${behind} of ${SYMBOLS.length * TICKS_A_SECOND} a second`,
    },
    {
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
