import { isLoopback } from "../platform/visit";
import { endpoint } from "../lib/endpoint";
import { Refusal } from "../lib/refusal";
import type { Market } from "../market/market";
import type { Backups } from "../platform/backup_schedule";
import type { House } from "../platform/house";
import { Doors } from "../platform/http";
import { hashesWaiting } from "../platform/password";
import type { Trading } from "../trading/trading";
import { countWaiting } from "./queries";
import { connectionStates, readDatabase } from "./queries_system";

const metrics = endpoint("GET /metrics", {});

export type Parts = { house: House; market: Market; trading: Trading; backups: Backups; version: string; leads: () => boolean };

/**
 * What a scraper reads: for callers on this very machine and for administrators. A proxy on the same machine speaks for
 * others, so what it forwards is not of this machine.
 */
export function metricsDoors(parts: Parts): Doors {
  const { house } = parts;
  watch(parts);
  return new Doors(house).open(metrics, async ({ visit }) => {
    const local = isLoopback(visit.ip) && !visit.request.headers.has("x-forwarded-for") && !visit.request.headers.has("forwarded");
    if (!local && (await house.gate.whoIs(visit))?.role !== "admin") throw new Refusal("forbidden", "Metrics are for this machine and for administrators.");
    return new Response(await house.metrics.text(), { headers: { "Content-Type": house.metrics.contentType } });
  });
}

/** What the rooms know of themselves, read when somebody asks. */
function watch({ house, market, trading, backups, version, leads }: Parts): void {
  const { metrics: own, sql, streams } = house;
  own.gauges("halyard_build_info", "The program's version, always 1.", "version", () => [[version, 1]]);
  own.gauge("halyard_leads", "1 where this instance runs the feed and the engine.", () => Number(leads()));
  own.gauge("process_resident_memory_bytes", "Memory of the program itself, PostgreSQL's apart.", () => process.memoryUsage.rss());
  own.gauge("process_heap_bytes", "Memory that JavaScript's objects take.", () => process.memoryUsage().heapUsed);
  own.gauge("process_start_time_seconds", "When the program started, in Unix seconds.", () => Date.now() / 1000 - process.uptime());

  own.gauge("halyard_streams_open", "Event streams that are open.", () => streams.count);
  own.count("halyard_streams_dropped_total", "Event streams given up because their reader did not keep up.", () => streams.dropped);

  const { board } = market;
  own.count("halyard_ticks_total", "Ticks taken from the feed.", () => board.counts.accepted);
  own.count("halyard_ticks_dropped_total", "Ticks that could not be true.", () => board.counts.dropped);
  own.count("halyard_ticks_held_total", "Ticks that jumped and waited for a second one to confirm them.", () => board.counts.held);
  own.gauges("halyard_quote_age_seconds", "Age of the newest quote by symbol.", "symbol", () => {
    const now = market.clock();
    return board.all().map(({ symbol, receivedAt }) => [symbol, Math.max(0, now - receivedAt) / 1000] as const);
  });
  own.gauge("halyard_quotes_stale", "Open instruments whose quote nobody vouches for.", () => market.snapshot().filter(({ stale }) => stale).length);
  own.gauge("halyard_prices_unstored_seconds", "For how long prices could not be stored by the instance that leads.", () => market.unstoredMs() / 1000);

  own.gauge("halyard_engine_watched", "Positions and waiting orders that the engine watches.", () => trading.engine.watched);
  own.gauge("halyard_engine_waiting", "Accounts with a deed of the engine under way or in line.", () => trading.engine.waiting);
  own.gauge("halyard_password_hashes_waiting", "Sign-ins in line for a free core.", hashesWaiting);

  own.gauges("halyard_database_connections", "Connections of this database by state.", "state", async () =>
    (await connectionStates(sql)).map(({ label, value }) => [label, value] as const),
  );
  own.gauge("halyard_database_answer_seconds", "Time of one small question to the database, just now.", async () => {
    const started = performance.now();
    await sql`select 1`;
    return (performance.now() - started) / 1000;
  });
  own.gauge("halyard_database_bytes", "Size of the database.", async () => (await readDatabase(sql))?.sizeBytes ?? Number.NaN);
  own.gauge("halyard_ledger_halted", "1 while money deeds are stopped because the books do not balance.", async () =>
    Number((await readDatabase(sql))?.halted ?? Number.NaN),
  );
  own.gauges("halyard_waiting", "What waits for staff, by kind.", "kind", async () => Object.entries(await countWaiting(sql)));

  own.gauge("halyard_backups_kept", "Scheduled backups in the folder.", () => backups.kept().length);
  own.gauge(
    "halyard_backup_age_seconds",
    "Age of the newest scheduled backup; NaN where there is none.",
    () => (Date.now() - (backups.kept()[0]?.at ?? Number.NaN)) / 1000,
  );
  own.gauge("halyard_backup_failed", "1 where the last scheduled backup failed.", () => Number((backups.last()?.error ?? null) !== null));
}
