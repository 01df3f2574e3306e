import { join } from "node:path";
import { version } from "../package.json";
import * as accounts from "./accounts";
import * as admin from "./admin";
import { logged } from "./admin/queries_logged";
import * as alarms from "./alerts";
import { Alerts } from "./alerts/alerts";
import { attemptKeeper } from "./audit/commands";
import type { Config } from "./config";
import * as compliance from "./compliance";
import { openVault } from "./compliance/vault";
import { watchCountries } from "./compliance/countries";
import { Reminders } from "./compliance/reminders";
import * as content from "./content";
import * as funding from "./funding";
import * as identity from "./identity";
import { createAuthenticator } from "./identity/authenticator";
import { takeResets } from "./identity/commands_letters";
import { startHousekeeping } from "./identity/housekeeping";
import * as proven from "./integrity";
import { Integrity } from "./integrity/integrity";
import * as mail from "./mail";
import { Mailer } from "./mail/mailer";
import { watchBooks } from "./ledger/ledger";
import * as prices from "./market";
import type { Feed } from "./market/feed";
import { openMarket } from "./market/market";
import * as news from "./notifications";
import { raise } from "./notifications/commands";
import { sendCheckpoints } from "./notifications/commands_keeping";
import type { PushParts } from "./notifications/push";
import * as platform from "./platform";
import type { AppContext } from "./platform/app_context";
import { keepBackups } from "./platform/backup/backup_schedule";
import { type Bus, localBus } from "./platform/cluster/bus";
import { leadAlone } from "./platform/cluster/leader";
import { findDataFolder } from "./platform/database/data_folder";
import type { Db } from "./platform/database/db";
import { readingFrom } from "./platform/database/replica";
import { cutSleepers } from "./platform/database/sleepers";
import { mostStreams, watchDescriptors } from "./platform/descriptors";
import { Inflow } from "./platform/http/inflow";
import { Pace } from "./platform/http/pace";
import { openRouter } from "./platform/http/router";
import { firstBrand } from "./platform/page/brand";
import { Streams } from "./platform/http/stream";
import type { Log } from "./platform/log";
import { Metrics } from "./platform/metrics";
import * as portal from "./portal";
import * as proof from "./proof";
import { openKeyring } from "./proof/key";
import { Logbook } from "./proof/logbook";
import { Witnesses, witnessesOf } from "./proof/witnesses";
import { homeOf } from "./portal/routes_home";
import * as support from "./support";
import * as deals from "./trading";
import { watchInstruments } from "./trading/instruments";
import { watchLosses } from "./trading/losses";
import { Trading } from "./trading/trading";
import * as guests from "./visitors";
import { watchBrand } from "./texts/brand";
import { watchTerms } from "./texts/terms_due";
import * as watchlists from "./watchlists";

/** Where several programs share the database: the bus between them, its time, and whether this one may still lead. It follows until told to lead. */
export type Cluster = { bus: Bus; clock: () => number; isSure: () => boolean };
type Options = {
  config: Config;
  sql: Db;
  log: Log;
  cluster?: Cluster;
  clock?: () => number;
  feed?: Feed;
  push?: PushParts;
  engineSql?: Db;
  readSql?: Db;
  pace?: Pace;
  archive?: AppContext["archive"];
  /** So often, in ms, are the books looked at; a minute if unset. */
  booksEvery?: number;
};

/** Opens the program: its parts from the ground up, then every domain's routes. Needs a migrated database. The feed is given by tests only. */
export async function open({ config, sql, log, cluster, ...own }: Options) {
  const bus = cluster?.bus ?? localBus((error) => log.error("a listener failed", { error }));
  const app: AppContext = {
    config,
    sql,
    engineSql: own.engineSql ?? sql,
    reading: readingFrom(sql, own.readSql, log),
    brand: firstBrand(config),
    log,
    bus,
    streams: new Streams({ log, most: { ...config.streams, inAll: mostStreams() } }),
    metrics: new Metrics(),
    inflow: new Inflow(),
    archive: own.archive ?? null,
    pace: own.pace ?? new Pace({ perSecond: config.commandsPerSecond }),
    authenticator: createAuthenticator(sql, config.admin2fa === "required"),
    keepAttempt: attemptKeeper({ sql, log }),
  };
  const stopInstruments = await watchInstruments(app);
  const market = await openMarket({
    sql,
    config,
    log,
    bus,
    ...own,
    reading: app.reading,
    ...(cluster ? { follows: true, isSure: cluster.isSure, databaseTime: cluster.clock } : {}),
  });
  const trading = new Trading(app, market);
  const alerts = new Alerts(app, market);
  const mailer = new Mailer(app, takeResets);
  const vault = openVault(config, log);
  const warn = (message: string) =>
    raise(sql, { type: "warning", title: "The public log stands still", message, userId: null, relatedId: null, priority: "urgent" }).catch((error: unknown) =>
      log.warn("staff could not be told of a fault of the public log", { error }),
    );
  const logbook: Logbook = new Logbook(app, {
    sources: logged,
    keyring: openKeyring(config),
    onFault: (fault) => void warn(fault),
    confirm: () => witnesses.hear(),
    store: () => market.store(),
  });
  const witnesses = new Witnesses(app, {
    witnesses: witnessesOf(config),
    onHeard: () => logbook.hear(),
    onDay: ({ origin, size, root, note, key }) =>
      sendCheckpoints(sql, { origin, size, root: Buffer.from(root ?? []).toString("base64"), note: note ?? "", key }, config.witnessEmail),
  });
  const reminders = new Reminders(app, vault);
  const integrity = new Integrity(app, market);
  /** Runs the feed and the engines in this epoch. */
  const lead = async (epoch: number, onDeposed: () => void) => {
    await trading.lead(epoch, onDeposed);
    await alerts.lead(epoch, onDeposed);
    await market.start(epoch);
    witnesses.lead();
    logbook.lead(epoch, onDeposed);
    mailer.lead();
    reminders.lead();
    integrity.lead();
  };
  const rest = () => Promise.all([trading.rest(), alerts.rest(), logbook.rest(), witnesses.rest(), mailer.rest(), reminders.rest(), integrity.rest()]);
  /** Lets the feed and the engines rest; another program leads. */
  const follow = () => market.pause().finally(rest);
  await logbook.start();
  if (!cluster) await lead(await leadAlone(sql), () => log.error("another program took the lead of this database"));
  watchTerms(app);
  bus.subscribe("renewed", () => app.streams.recall());

  const told = await news.open(app, own.push);
  const seen = guests.open(app);
  const folder = join(findDataFolder(config.dataDir), "backups");
  const backups = keepBackups({ sql, log, program: version, folder, every: config.backupEvery, keep: config.backupKeep });
  const stops = [
    startHousekeeping(app),
    cutSleepers(sql, log),
    await watchBrand(app),
    watchDescriptors(log),
    watchLosses(app),
    watchCountries(app),
    stopInstruments,
    watchBooks(app, own.booksEvery),
    integrity.watch(),
    () => backups.stop(),
  ];

  const parts = { app, market, trading, mailer, vault, logbook, ...told, ...seen, backups, version, leads: () => trading.epoch !== null };
  const channels = [deals, portal, news, guests, admin, support, watchlists, alarms].flatMap((domain) => domain.channels(parts));
  const pages = { channels, home: homeOf(app, market, trading), site: () => ({ list: server.list, ask: (request: Request) => server.router.handle(request) }) };
  const domains = [
    platform,
    proof,
    content,
    mail,
    identity,
    prices,
    accounts,
    compliance,
    deals,
    funding,
    support,
    watchlists,
    alarms,
    proven,
    portal,
    admin,
    news,
    guests,
  ];
  const server = openRouter(
    app,
    domains.flatMap((domain) => domain.routes({ ...parts, ...pages })),
  );

  const close = async () => {
    app.streams.close();
    app.metrics.close();
    const stopped = stops.map((stop) => stop());
    try {
      await market.stop();
    } finally {
      await Promise.all([rest(), logbook.stop(), told.stop(), seen.stop(), ...stopped]);
    }
  };
  return {
    ...server,
    context: app,
    market,
    trading,
    alerts,
    mailer,
    logbook,
    witnesses,
    reminders,
    integrity,
    notifications: told.notifications,
    push: told.push,
    teller: told.teller,
    lead,
    follow,
    close,
  };
}
