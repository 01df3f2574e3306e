import type { SystemFacts } from "../../views/admin/SystemPage";
import { listAttempts } from "../audit/queries";
import { proveBooks } from "../ledger/queries_proving";
import { mailCounts } from "../mail/queries";
import type { Parts } from "./metrics";
import { readDatabase, slowQueries } from "./queries_system";

/** What the System tab shows at this moment; with `prove`, every check of the books is run first. */
export async function systemOf({ app, market, trading, backups, version, leads }: Parts, prove: boolean): Promise<SystemFacts> {
  const { sql, streams, config } = app;
  const { waiting, failedToday } = await mailCounts(sql);
  const started = performance.now();
  const database = await readDatabase(sql);
  const answerMs = performance.now() - started;
  const now = market.clock();
  const quotes = market.snapshot();
  const newest = Math.max(...market.board.all().map(({ receivedAt }) => receivedAt), Number.NEGATIVE_INFINITY);
  const { counts } = market.board;
  return {
    version,
    leads: leads(),
    upSeconds: process.uptime(),
    memoryBytes: process.memoryUsage.rss(),
    feed: {
      label: market.feedLabel,
      ...counts,
      newestAgeMs: Number.isFinite(newest) ? Math.max(0, now - newest) : null,
      stale: quotes.filter(({ stale }) => stale).map(({ symbol }) => symbol),
      closed: quotes.filter(({ open }) => !open).length,
      quoted: quotes.length,
    },
    engine: { watched: trading.engine.watched, waiting: trading.engine.waiting },
    streams: { open: streams.count, dropped: streams.dropped },
    database: database && { ...database, answerMs, embedded: config.databaseUrl === null },
    mail: { server: config.smtp && config.smtp.host, waiting, failedToday },
    backups: {
      shared: config.databaseUrl !== null,
      every: config.backupEvery,
      keep: config.backupKeep,
      kept: backups.kept().slice(0, 10),
      last: backups.last(),
    },
    archive: app.archive ? { ...app.archive.state, now: Date.now() } : null,
    refused: await listAttempts(sql, { limit: 20 }),
    slow: await slowQueries(sql),
    checks: prove ? await proveBooks(sql) : null,
  };
}
