/** The engine of alerts by itself: a tick that fires nothing while many are watched, memory, and a start, which reads them all. Runs alone too: `bun scripts/bench/alerts.ts`. */
import { AlertEngine } from "../../src/alerts/engine";
import { localBus } from "../../src/platform/cluster/bus";
import type { Db } from "../../src/platform/database/db";
import { createLog } from "../../src/platform/log";
import { testDatabase } from "../../src/testing/database";
import { tamper } from "../../src/testing/scenarios";
import { emptyMarket, heapNow, SYMBOLS, walker } from "./ticks";

const ALERTS = 100_000;
const EACH = 50;
const TICKS = 30_000;

/** Microseconds for one tick that fires nothing, the board's own work included; seconds of a start; MiB of heap that the book takes. */
export type AlertBench = { alerts: number; median: number; p99: number; start: number; heap: number };

/** As many alerts as a person may have, each, of all kinds, on both sides of the price and beyond the walk. */
async function fill(db: Db) {
  await tamper(db, async (sql) => {
    await sql`
      insert into users (email, password, first_name, last_name, referral_code)
      select n || '@bench.test', '-', 'Bench', 'Trader', 'B' || n from generate_series(1, ${ALERTS / EACH}::integer) n
    `;
    await sql`
      insert into price_alerts (user_id, symbol, side, condition, price, since_seq, start, expires_at)
      select u.id, (${`{${SYMBOLS.join(",")}}`}::text::text[])[1 + (u.place * 7 + n * 11) % ${SYMBOLS.length}::integer], (array['bid', 'ask', 'mid'])[1 + n % 3],
        case n % 4 when 0 then 'crosses' when 1 then 'crosses' when 2 then 'above' else 'below' end,
        case when n % 2 = 0 then 101 + (u.place + n) % 90 / 10.0 else 99 - (u.place + n) % 90 / 10.0 end, 0, 100, case n % 5 when 0 then now() + interval '1 day' end
      from (select id, row_number() over () as place from users) u cross join generate_series(1, ${EACH}::integer) n
    `;
  });
  await db`analyze`;
}

export async function benchAlerts(): Promise<AlertBench> {
  const db = await testDatabase();
  try {
    await fill(db.sql);
    const market = emptyMarket();
    const engine = new AlertEngine({ sql: db.sql, market, bus: localBus(console.error), log: createLog("error"), epoch: null, onDeposed: () => {} });
    const heapBefore = heapNow();
    const began = performance.now();
    await engine.start();
    const start = (performance.now() - began) / 1000;
    const heap = heapNow() - heapBefore;
    const next = walker(market.board);
    for (let warm = 0; warm < TICKS / 10; warm++) next();
    const times = Array.from({ length: TICKS }, next).toSorted((a, b) => a - b);
    if (engine.watched !== ALERTS) throw new Error("ticks that should fire nothing fired something");
    await engine.stop();
    const at = (part: number) => times[Math.floor(times.length * part)] ?? 0;
    return { alerts: ALERTS, median: at(0.5), p99: at(0.99), start, heap };
  } finally {
    await db.drop();
  }
}

/** The most that a tick may take that fires nothing, in microseconds. */
const TICK_AIM = 50;

export const alertRows = ({ alerts, median, p99, start, heap }: AlertBench) => [
  {
    what: `${alerts.toLocaleString("en-US")} alerts: a tick that fires nothing, median (99th percentile)`,
    figure: `${median.toFixed(1)} µs (${p99.toFixed(1)} µs)`,
    aim: `< ${TICK_AIM} µs`,
    met: median < TICK_AIM && p99 < TICK_AIM,
  },
  { what: "  to read and watch them all; heap", figure: `${start.toFixed(2)} s; ${heap.toFixed(0)} MiB` },
];

if (import.meta.main) {
  for (const { what, figure } of alertRows(await benchAlerts())) console.log(`${what}: ${figure}`);
  process.exit(0);
}
