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
const POSITIONS_PER_ACCOUNT = 10;
/** 100.00: the same for every symbol, so that the figures do not depend on which one it is. */
const START = 10_000_000_000;
/** The walk stays within half a percent; stops are four away, so nothing fires until it is meant to. */
const WALK = START / 200;
const STOP = 0.96;

export type EngineBench = {
  positions: number;
  /** Microseconds for one tick that fires nothing, the board's own work included. */
  median: number;
  p99: number;
  /** The part of a core that 30 symbols at 50 ticks a second each take. */
  busy: number;
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
  return { board, clock: Date.now, addBrake: () => {} } as unknown as Market;
}

const tick = (board: Board, symbol: string, bid: number) => board.accept({ symbol, bid, ask: bid + 1_000_000, at: Date.now() });

/** Microseconds of each of so many ticks on all symbols in turn. */
function walk(board: Board, ticks: number): number[] {
  const prices = new Map(SYMBOLS.map((symbol) => [symbol, START]));
  return Array.from({ length: ticks }, (_, n) => {
    const symbol = SYMBOLS[n % SYMBOLS.length] as string;
    const moved = (prices.get(symbol) ?? START) + Math.round((Math.random() - 0.5) * WALK * 0.05);
    const price = Math.min(START + WALK, Math.max(START - WALK, moved));
    prices.set(symbol, price);
    const began = Bun.nanoseconds();
    tick(board, symbol, price);
    return (Bun.nanoseconds() - began) / 1_000;
  });
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
    walk(market.board, SYMBOLS.length * TICKS_A_SECOND);
    const times = walk(market.board, SYMBOLS.length * TICKS_A_SECOND * SECONDS).toSorted((a, b) => a - b);
    await engine.idle();
    if (engine.watched !== positions) throw new Error("ticks that should fire nothing fired something");
    const { fired, seconds } = await fire(market.board, engine);
    await engine.stop();
    const at = (part: number) => times[Math.floor(times.length * part)] ?? 0;
    const busy = times.reduce((sum, each) => sum + each, 0) / (SECONDS * 1e6);
    return { positions, median: at(0.5), p99: at(0.99), busy, heap, start, fired, firedPerSecond: fired / seconds };
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

/** Measures each size in turn. */
export async function benchEngine(): Promise<EngineBench[]> {
  const results: EngineBench[] = [];
  for (const size of SIZES) results.push(await measure(size));
  return results;
}

/** The most that a tick may take that fires nothing, in microseconds. */
export const TICK_AIM = 50;

/** A line for each size. */
export const engineRows = (results: readonly EngineBench[]): { what: string; figure: string; aim?: string; met?: boolean }[] =>
  results.flatMap(({ positions, median, p99, busy, heap, start, fired, firedPerSecond }) => [
    {
      what: `${positions.toLocaleString("en-US")} open positions: a tick that fires nothing, median (99th percentile)`,
      figure: `${median.toFixed(1)} µs (${p99.toFixed(1)} µs), ${(busy * 100).toFixed(1)} % of a core at ${SYMBOLS.length * TICKS_A_SECOND} ticks a second`,
      aim: `< ${TICK_AIM} µs`,
      met: median < TICK_AIM && p99 < TICK_AIM,
    },
    {
      what: "  to read and watch them all; heap; stops of one tick written",
      figure: `${start.toFixed(2)} s; ${heap.toFixed(0)} MiB; ${fired} at ${firedPerSecond.toFixed(0)} a second`,
    },
  ]);

if (import.meta.main) {
  for (const { what, figure, aim, met } of engineRows(await benchEngine()))
    console.log(`${what}: ${figure}${aim ? `   aim ${aim}: ${met ? "met" : "not met"}` : ""}`);
  console.log(`prices such as ${priceText(START)}; ${POSITIONS_PER_ACCOUNT} positions to an account`);
  process.exit(0);
}
