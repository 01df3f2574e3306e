/**
 * Two instances on one PostgreSQL beside one: orders a second. And the soak, `npm run bench -- soak [minutes]`: one program
 * under a steady load, whose memory must stay flat.
 */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { openDataFolder } from "../../src/platform/database/data_folder";
import { createLog } from "../../src/platform/log";
import { connect } from "../../src/platform/database/db";
import { startPostgres } from "../../src/platform/database/postgres";
import { asRole, makeProgramRole, PROGRAM } from "../../src/platform/database/roles";
import { launch } from "../../src/testing/program";
import { wire } from "./load";
import { registerTrader, type Trader } from "./orders";
import { CROWDED, home, measure, memoryOf, type Server, startProgram, untilReady } from "./program";

const SECONDS = 2;
const ROUNDS = 3;
const CALLERS = 16;
/** Orders in a row before the caller's positions are closed again, untimed. */
const ROW = 10;
/** Seconds of load between two looks at the memory in a soak. */
const SOAK_TURN = 30;
const ORDER = { symbol: "EUR/USD", type: "buy", amount: 100 };

/** Orders a second of one program, and of two with as many callers between them. */
type InstancesBench = { one: number; two: number };

/** An external database in a folder of its own, durable, and as many programs on it as asked for. */
async function withPrograms<T>(size: number, work: (servers: Server[]) => Promise<T>): Promise<T> {
  const place = home();
  const log = createLog("error");
  const folder = openDataFolder(join(place.path, "data"), log);
  const postgres = await startPostgres(folder, log, { connections: 40 + 40 * size });
  const owner = connect(postgres.url, { max: 1 });
  await makeProgramRole(owner);
  await owner.end();
  // Programs on one database are given the key of their log; without one they are never ready.
  const shared = { DATABASE_URL: asRole(postgres.url, PROGRAM), DATABASE_OWNER_URL: postgres.url, LOG_KEY: randomBytes(32).toString("hex") };
  const programs: ReturnType<typeof launch>[] = [];
  const servers: Server[] = [];
  try {
    for (let n = 0; n < size; n++) {
      const program = launch(place.path, { PORT: "0", HOST: "127.0.0.1", ...CROWDED, ...shared });
      programs.push(program);
      const { url = "" } = await program.logged("listening");
      await untilReady(url);
      servers.push({ pid: program.pid, port: Number(new URL(url).port) });
    }
    return await work(servers);
  } finally {
    for (const program of programs) program.signal("SIGTERM");
    await Promise.all(programs.map(({ ended }) => ended));
    await postgres.stop(5_000);
    folder.release();
    place.remove();
  }
}

const callersOf = (traders: readonly Trader[]) =>
  traders.map(({ cookie }) => ({
    requests: Array<string>(ROW).fill(wire("POST", "/api/trading/positions", { cookie, body: ORDER })),
    afterwards: [wire("POST", "/api/trading/positions/close-all", { cookie, body: {} })],
  }));

/** The best of several rounds, as the machine's other work only slows. */
async function ordersOn(servers: readonly Server[]): Promise<number> {
  const traders: Trader[] = [];
  for (let n = 0; n < CALLERS; n++) traders.push(await registerTrader(`http://127.0.0.1:${servers[0]?.port}`));
  let best = 0;
  for (let round = 0; round <= ROUNDS; round++) {
    const share = CALLERS / servers.length;
    const rates = await Promise.all(
      servers.map((server, place) => measure(server, { seconds: SECONDS, callers: callersOf(traders.slice(place * share, (place + 1) * share)) })),
    );
    const together = rates.reduce((sum, { perSecond }) => sum + perSecond, 0);
    if (round > 0) best = Math.max(best, together); // The first warms up.
  }
  return best;
}

export const benchInstances = async (): Promise<InstancesBench> => ({ one: await withPrograms(1, ordersOn), two: await withPrograms(2, ordersOn) });

/** One program under a steady load of orders and pages, for so many minutes; prints its memory each half minute. */
export async function soak(minutes: number): Promise<void> {
  const place = home();
  const program = await startProgram(place.path);
  try {
    const origin = `http://127.0.0.1:${program.port}`;
    const traders = [await registerTrader(origin), await registerTrader(origin), await registerTrader(origin), await registerTrader(origin)];
    const page = (cookie: string) => ({ requests: [wire("GET", "/"), wire("GET", "/dashboard", { cookie })] });
    const began = performance.now();
    // By the clock: closing the callers' positions between their rows is not part of a turn's seconds.
    const minute = () => (performance.now() - began) / 60_000;
    console.log("minute  program MiB  PostgreSQL's own MiB  its cache MiB  requests a second");
    while (minute() < minutes) {
      const { perSecond } = await measure(program, { seconds: SOAK_TURN, callers: [...callersOf(traders), ...traders.map(({ cookie }) => page(cookie))] });
      const memory = memoryOf(program);
      console.log(
        [
          minute().toFixed(1),
          memory.program.toFixed(0),
          (memory.postgresPss - memory.postgresCache).toFixed(0),
          memory.postgresCache.toFixed(0),
          perSecond.toFixed(0),
        ].join("\t"),
      );
    }
  } finally {
    await program.stop();
    place.remove();
  }
}
