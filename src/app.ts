import { join } from "node:path";
import { Elysia } from "elysia";
import { version } from "../package.json";
import { accountDoors } from "./accounts/routes";
import { staffChannel } from "./admin/channel";
import { metricsDoors } from "./admin/metrics";
import { adminPageDoors } from "./admin/routes";
import { adminStaffDoors } from "./admin/staff";
import { pulseChannel } from "./admin/pulse";
import { appPageDoors } from "./admin/routes_app";
import { appStaffDoors } from "./admin/staff_app";
import type { Config } from "./config";
import { contentDoors } from "./content/routes";
import { foundDoors } from "./content/routes_found";
import { fundingDoors } from "./funding/routes";
import { fundingStaffDoors } from "./funding/staff";
import { openGate } from "./identity/gate";
import { keepHouse } from "./identity/housekeeping";
import { identityDoors } from "./identity/routes";
import { twoFactorDoors } from "./identity/routes_two_factor";
import { identityStaffDoors } from "./identity/staff";
import { watchBooks } from "./ledger/ledger";
import type { Feed } from "./market/feed";
import { openMarket } from "./market/market";
import { marketDoors } from "./market/routes";
import { assetDoors } from "./platform/asset_doors";
import { keepBackups } from "./platform/backup_schedule";
import { type Bus, localBus } from "./platform/bus";
import { findDataFolder } from "./platform/data_folder";
import type { Db } from "./platform/db";
import { refuseUnaddressed } from "./platform/guard";
import { healthDoors } from "./platform/health";
import type { House } from "./platform/house";
import { type Doors, noDoor } from "./platform/http";
import { leadAlone } from "./platform/leader";
import type { Log } from "./platform/log";
import { Metrics } from "./platform/metrics";
import { cutSleepers } from "./platform/sleepers";
import { Streams } from "./platform/stream";
import { notificationChannel } from "./notifications/channel";
import { Feed as NotificationFeed } from "./notifications/feed";
import { Push, type PushParts } from "./notifications/push";
import { notificationStaffDoors } from "./notifications/staff";
import { pushDoors } from "./notifications/staff_push";
import { portalDoors } from "./portal/routes";
import { analyticsDoors } from "./portal/routes_analytics";
import { accountPageDoors } from "./portal/routes_accounts";
import { homeDoors, homeOf } from "./portal/routes_home";
import { linkDoors } from "./portal/routes_links";
import { insightDoors } from "./portal/routes_insight";
import { qualityDoors } from "./portal/routes_quality";
import { moneyPageDoors } from "./portal/routes_money";
import { platformDoors } from "./portal/routes_trading";
import { streamDoors } from "./portal/routes_stream";
import { supportChannel } from "./support/channel";
import { supportDoors } from "./support/routes";
import { chatDoors } from "./support/routes_chat";
import { supportStaffDoors } from "./support/staff";
import { contactDoors } from "./support/routes_contact";
import { contactStaffDoors } from "./support/staff_contact";
import { watchLosses } from "./trading/losses";
import { tradingChannel } from "./trading/channel";
import { tradingDoors } from "./trading/routes";
import { tradingStaffDoors } from "./trading/staff";
import { Trading } from "./trading/trading";
import { visitorChannel } from "./visitors/channel";
import { VisitorFeed } from "./visitors/feed";
import { visitorDoors } from "./visitors/staff";
import { Tracker } from "./visitors/tracker";

/** Where several programs share the database: the bus between them, and whether this one may still lead. It follows until told to lead. */
type Company = { bus: Bus; isSure: () => boolean };
type Parts = { config: Config; sql: Db; log: Log; company?: Company; clock?: () => number; feed?: Feed; push?: PushParts };

/** Opens the house: the rooms from the ground up, then every door. Needs a migrated database. The feed is given by tests only. */
export async function open({ config, sql, log, company, ...own }: Parts) {
  const bus = company?.bus ?? localBus((error) => log.error("a listener failed", { error }));
  const house: House = { config, sql, log, bus, streams: new Streams({ log }), metrics: new Metrics(), gate: openGate(sql, config.admin2fa === "required") };
  const market = await openMarket({ sql, config, log, bus, ...own, ...(company ? { follows: true, isSure: company.isSure } : {}) });
  const trading = new Trading(house, market);
  const lead = async (epoch: number, onDeposed: () => void) => {
    await trading.lead(epoch, onDeposed);
    await market.start(epoch);
  };
  if (!company) await lead(await leadAlone(sql), () => log.error("another program took the lead of this database"));
  bus.subscribe("renewed", () => house.streams.recall());
  const notifications = new NotificationFeed(house);
  await notifications.start();
  const push = new Push(house, own.push);
  push.start(notifications);
  const tracker = new Tracker(house);
  const visitors = new VisitorFeed(house);
  visitors.start();
  const backups = keepBackups({ sql, log, program: version, folder: backupFolder(config), every: config.backupEvery, keep: config.backupKeep });
  const stopHousekeeping = keepHouse(house);
  const stopCutting = cutSleepers(sql, log);
  const stopWatchingLosses = watchLosses(house);
  const stopWatchingBooks = watchBooks(house);

  const parts = { house, market, trading, backups, version, leads: () => trading.epoch !== null };

  const doors: Doors[] = [
    healthDoors(house, () => market.missing()),
    assetDoors(house),
    foundDoors(house, () => ({ list, ask: (request): Response | Promise<Response> => app.handle(request) })),
    contentDoors(house, market, homeOf(house, market, trading)),
    identityDoors(house),
    twoFactorDoors(house),
    identityStaffDoors(house),
    marketDoors(house, market),
    accountDoors(house, market),
    tradingDoors(house, trading),
    tradingStaffDoors(house, trading),
    fundingDoors(house, market),
    fundingStaffDoors(house, market),
    supportDoors(house),
    chatDoors(house),
    supportStaffDoors(house),
    contactDoors(house),
    contactStaffDoors(house),
    portalDoors(house, market, trading),
    qualityDoors(house),
    insightDoors(house, market),
    streamDoors(house, [
      tradingChannel(house, market, trading),
      notificationChannel(notifications),
      visitorChannel(visitors),
      staffChannel(house),
      pulseChannel(house),
      supportChannel(house),
    ]),
    homeDoors(house, trading),
    platformDoors(house, market, trading),
    accountPageDoors(house, market),
    analyticsDoors(house),
    linkDoors(house),
    moneyPageDoors(house),
    adminStaffDoors(house, market),
    adminPageDoors(parts),
    metricsDoors(parts),
    notificationStaffDoors(house, notifications),
    pushDoors(house, push),
    visitorDoors(house, tracker, visitors),
    appStaffDoors(house),
    appPageDoors(house, market, trading),
  ];
  const list = doors.flatMap((room) => room.list);
  // Elysia looks for the path behind a host of at least four characters unless told that hosts may be short.
  const front = new Elysia({ handler: { standardHostname: false }, serve: { routes: keptFirst(doors, (request) => app.handle(request)) } }).onRequest(
    ({ request }) => refuseUnaddressed(request),
  ) as unknown as Elysia;
  const app = doors.reduce<Elysia>((all, room) => all.use(room.app) as unknown as Elysia, front).onError(noDoor(house, list));

  return {
    app,
    house,
    market,
    trading,
    notifications,
    push,
    /** Runs the feed and the engine in this epoch. */
    lead,
    /** Lets the feed and the engine rest; another program leads. */
    async follow() {
      try {
        await market.pause();
      } finally {
        await trading.rest();
      }
    },
    /** Every door with its lock, for the test that knocks on all of them. */
    list,
    async close() {
      house.streams.close();
      house.metrics.close();
      stopHousekeeping();
      stopCutting();
      stopWatchingLosses();
      try {
        await market.stop();
      } finally {
        await Promise.all([
          trading.rest(),
          stopWatchingBooks(),
          backups.stop(),
          notifications.stop().then(() => push.stop()),
          tracker.stop().then(() => visitors.stop()),
        ]);
      }
    },
  };
}

const backupFolder = ({ dataDir }: Config) => join(findDataFolder(dataDir), "backups");

/** Native routes for the kept pages: what lies ready is answered without the framework, the rest goes through it. */
function keptFirst(doors: readonly Doors[], app: (request: Request) => Response | Promise<Response>) {
  const pages = doors.flatMap((room) => [...room.kept]);
  return Object.fromEntries(pages.map(([path, kept]) => [path, { GET: (request: Request) => kept.answer(request) ?? app(request) }]));
}
