import { Elysia } from "elysia";
import { accountDoors } from "./accounts/routes";
import { adminPageDoors } from "./admin/routes";
import { adminStaffDoors } from "./admin/staff";
import type { Config } from "./config";
import { contentDoors } from "./content/routes";
import { fundingDoors } from "./funding/routes";
import { fundingStaffDoors } from "./funding/staff";
import { openGate } from "./identity/gate";
import { keepHouse } from "./identity/housekeeping";
import { identityDoors } from "./identity/routes";
import { identityStaffDoors } from "./identity/staff";
import { watchBooks } from "./ledger/ledger";
import type { Feed } from "./market/feed";
import { openMarket } from "./market/market";
import { marketDoors } from "./market/routes";
import { assetDoors } from "./platform/asset_doors";
import { localBus } from "./platform/bus";
import type { Db } from "./platform/db";
import { refuseUnaddressed } from "./platform/guard";
import { healthDoors } from "./platform/health";
import type { House } from "./platform/house";
import { type Doors, noDoor } from "./platform/http";
import type { Log } from "./platform/log";
import { Streams } from "./platform/stream";
import { portalDoors } from "./portal/routes";
import { qualityDoors } from "./portal/routes_quality";
import { moneyPageDoors } from "./portal/routes_money";
import { tradingDoors } from "./trading/routes";
import { tradingStaffDoors } from "./trading/staff";
import { Trading } from "./trading/trading";

type Parts = { config: Config; sql: Db; log: Log; clock?: () => number; feed?: Feed };

/** Opens the house: the rooms from the ground up, then every door. Needs a migrated database. Clock and feed are given by tests only. */
export async function open({ config, sql, log, ...own }: Parts) {
  const bus = localBus((error) => log.error("a listener failed", { error }));
  const house: House = { config, sql, log, bus, streams: new Streams({ log }), gate: openGate(sql) };
  const market = await openMarket({ sql, config, log, bus, ...own });
  const trading = new Trading(house, market);
  await trading.engine.start();
  market.start();
  const stopHousekeeping = keepHouse(house);
  const stopWatchingBooks = watchBooks(house);

  const doors = [
    healthDoors(house, () => market.missing()),
    assetDoors(house),
    contentDoors(house, market),
    identityDoors(house),
    identityStaffDoors(house),
    marketDoors(house, market),
    accountDoors(house, market),
    tradingDoors(house, market, trading),
    tradingStaffDoors(house, trading),
    fundingDoors(house, market),
    fundingStaffDoors(house, market),
    portalDoors(house, market, trading),
    qualityDoors(house),
    moneyPageDoors(house, market),
    adminStaffDoors(house, market),
    adminPageDoors(house, market, trading),
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
    /** Every door with its lock, for the test that knocks on all of them. */
    list,
    async close() {
      house.streams.close();
      stopHousekeeping();
      try {
        await market.stop();
      } finally {
        await Promise.all([trading.engine.stop(), stopWatchingBooks()]);
      }
    },
  };
}

/** Native routes for the kept pages: what lies ready is answered without the framework, the rest goes through it. */
function keptFirst(doors: readonly Doors[], app: (request: Request) => Response | Promise<Response>) {
  const pages = doors.flatMap((room) => [...room.kept]);
  return Object.fromEntries(pages.map(([path, kept]) => [path, { GET: (request: Request) => kept.answer(request) ?? app(request) }]));
}
