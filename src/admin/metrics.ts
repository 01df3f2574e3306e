import { timingSafeEqual } from "node:crypto";
import { endpoint } from "../lib/endpoint";
import { mayDo } from "../lib/permissions";
import { Refusal } from "../lib/refusal";
import type { Mailer } from "../mail/mailer";
import { mailCounts } from "../mail/queries";
import type { Market } from "../market/market";
import type { Backups } from "../platform/backup/backup_schedule";
import type { AppContext } from "../platform/app_context";
import { Routes } from "../platform/http/routes";
import { hashesWaiting } from "../platform/password";
import { mostDescriptors, openDescriptors } from "../platform/descriptors";
import { inspector } from "../platform/http/upload";
import type { Trading } from "../trading/trading";
import type { Logbook } from "../proof/logbook";
import { currentLog, readLag } from "../proof/queries";
import { countWaiting } from "./queries";
import { connectionStates, readDatabase } from "./queries_system";

const metrics = endpoint("GET /metrics", {});

export type Parts = {
  app: AppContext;
  market: Market;
  trading: Trading;
  mailer: Mailer;
  logbook: Logbook;
  backups: Backups;
  version: string;
  leads: () => boolean;
};

const digest = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest();
/** Compared in equal time, whatever was sent. */
const brings = (token: string, authorization: string | null) => timingSafeEqual(digest(authorization ?? ""), digest(`Bearer ${token}`));

/**
 * What a scraper reads: for whoever brings METRICS_TOKEN, and for administrators. An address tells nothing here, this machine's no more
 * than others: behind a proxy that names nobody all the world comes from it.
 */
export function metricsRoutes(parts: Parts): Routes {
  const { app } = parts;
  watch(parts);
  return new Routes(app, import.meta.path).open(metrics, async ({ context }) => {
    const { metricsToken: token } = app.config;
    const scraper = token !== null && brings(token, context.request.headers.get("authorization"));
    if (!scraper && !mayDo(await app.authenticator.whoIs(context), "system.read"))
      throw new Refusal("forbidden", "Metrics are for administrators, and for scrapers that bring METRICS_TOKEN.");
    return new Response(await app.metrics.text(), { headers: { "Content-Type": app.metrics.contentType } });
  });
}

/** What the domains know of themselves, read when somebody asks. */
function watch({ app, market, trading, mailer, logbook, backups, version, leads }: Parts): void {
  const { metrics: own, sql, streams, inflow } = app;
  own.gauges("halyard_build_info", "The program's version, always 1.", "version", () => [[version, 1]]);
  own.gauge("halyard_leads", "1 where this instance runs the feed and the engine.", () => Number(leads()));
  own.gauge("process_resident_memory_bytes", "Memory of the program itself, PostgreSQL's apart.", () => process.memoryUsage.rss());
  own.gauge("process_heap_bytes", "Memory that JavaScript's objects take.", () => process.memoryUsage().heapUsed);
  own.gauge("process_start_time_seconds", "When the program started, in Unix seconds.", () => Date.now() / 1000 - process.uptime());

  own.gauge("process_open_fds", "Files, sockets and pipes that the program has open.", openDescriptors);
  own.gauge("process_max_fds", "How many it may have open.", () => mostDescriptors());

  own.gauge("halyard_streams_open", "Event streams that are open.", () => streams.count);
  own.count("halyard_streams_dropped_total", "Event streams given up because their reader did not keep up.", () => streams.dropped);
  own.count("halyard_streams_refused_total", "Event streams that a limit refused: of a person, of a network, or of all.", () => streams.refused);

  const { board } = market;
  own.count("halyard_ticks_total", "Ticks taken from the feed.", () => board.counts.accepted);
  own.count("halyard_ticks_dropped_total", "Ticks that could not be true.", () => board.counts.dropped);
  own.count("halyard_ticks_ahead_total", "Ticks refused because their time was more than two seconds ahead of the clock.", () => board.counts.ahead);
  own.count("halyard_ticks_held_total", "Ticks that jumped and waited for a second one to confirm them.", () => board.counts.held);
  own.gauges("halyard_quote_age_seconds", "Age of the newest quote by symbol.", "symbol", () => {
    const now = market.clock();
    return board.all().map(({ symbol, receivedAt }) => [symbol, Math.max(0, now - receivedAt) / 1000] as const);
  });
  own.gauge("halyard_quotes_stale", "Open instruments whose quote nobody vouches for.", () => market.snapshot().filter(({ stale }) => stale).length);
  own.gauge("halyard_prices_unstored_seconds", "For how long prices could not be stored by the instance that leads.", () => market.unstoredMs() / 1000);

  own.gauge("halyard_engine_watched", "Positions and waiting orders that the engine watches.", () => trading.engine.watched);
  own.gauge("halyard_engine_waiting", "Accounts with a task of the engine under way or in line.", () => trading.engine.waiting);
  own.gauge("halyard_password_hashes_waiting", "Sign-ins in line for a free core.", hashesWaiting);
  own.gauge("halyard_bodies_arriving", "Requests whose body is still on its way.", () => inflow.count);
  own.count("halyard_bodies_cut_total", "Requests given up because too many of their network, or of all, were still on their way.", () => inflow.cut);
  own.gauge("halyard_files_waiting", "Files that people sent and that are being checked or in line for it.", () => inspector.waiting);
  own.count("halyard_files_given_up_total", "Files that could not be checked in time.", () => inspector.givenUp);

  own.gauges("halyard_database_connections", "Connections of this database by state.", "state", async () =>
    (await connectionStates(sql)).map(({ label, value }) => [label, value] as const),
  );
  own.gauge("halyard_database_answer_seconds", "Time of one small question to the database, just now.", async () => {
    const started = performance.now();
    await sql`select 1`;
    return (performance.now() - started) / 1000;
  });
  own.gauge("halyard_database_bytes", "Size of the database.", async () => (await readDatabase(sql))?.sizeBytes ?? Number.NaN);
  own.gauge("halyard_ledger_halted", "1 while payments and deals are stopped because the books do not balance.", async () =>
    Number((await readDatabase(sql))?.halted ?? Number.NaN),
  );
  own.gauges("halyard_waiting", "What waits for staff, by kind.", "kind", async () => Object.entries(await countWaiting(sql)));

  own.gauge("halyard_letters_waiting", "Letters that wait for the mail server.", async () => (await mailCounts(sql)).waiting);
  own.gauge("halyard_letters_oldest_seconds", "Age of the oldest letter that waits; 0 where none does.", async () => (await mailCounts(sql)).oldestSeconds);
  own.gauge("halyard_letters_failed", "Letters that were given up within a day.", async () => (await mailCounts(sql)).failedToday);
  own.count("halyard_letters_sent_total", "Letters that this instance gave to the mail server.", () => mailer.counts.sent);
  own.count("halyard_letter_faults_total", "Tries to send a letter that went wrong.", () => mailer.counts.faults);

  own.gauge("halyard_log_entries", "Entries of the public log.", async () => (await currentLog(sql))?.size ?? 0);
  own.gauge("halyard_log_lag_seconds", "Age of the oldest note that is not in the public log yet; 0 where none waits.", async () => (await readLag(sql)).lag);
  own.gauge("halyard_log_checkpoint_age_seconds", "Age of the public log's newest checkpoint; NaN where there is none.", async () => {
    const { signedAt = null } = (await currentLog(sql)) ?? {};
    return signedAt === null ? Number.NaN : (Date.now() - Date.parse(signedAt)) / 1000;
  });
  own.gauge("halyard_log_stuck", "1 where this instance knows why the public log is not appended to.", () => Number(logbook.missing !== null));
  own.count("halyard_log_appended_total", "Entries that this instance put into the public log.", () => logbook.counts.entries);

  own.gauge("halyard_backups_kept", "Scheduled backups in the folder.", () => backups.kept().length);
  own.gauge(
    "halyard_backup_age_seconds",
    "Age of the newest scheduled backup; NaN where there is none.",
    () => (Date.now() - (backups.kept()[0]?.at ?? Number.NaN)) / 1000,
  );
  const { archive } = app;
  const since = (at: number | null | undefined) => (Date.now() - (at ?? Number.NaN)) / 1000;
  own.gauge("halyard_archive_lag_seconds", "What was written before so long is in the archive; NaN without one, or before anything is.", () =>
    since(archive?.state.safeUntil),
  );
  own.gauge("halyard_archive_copy_age_seconds", "Age of the archive's newest copy of the database; NaN where there is none.", () => since(archive?.state.base));
  own.count("halyard_archive_faults_total", "Rounds in which the archive did not take the log.", () => archive?.state.failures ?? 0);
  own.gauge("halyard_backup_failed", "1 where the last scheduled backup failed.", () => Number((backups.last()?.error ?? null) !== null));
}
