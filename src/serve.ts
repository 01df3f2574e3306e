import { open } from "./app";
import type { Config } from "./config";
import { ensureFirstAdmin } from "./identity/commands";
import { folders, readTexts } from "./platform/files";
import type { Log } from "./platform/log";
import { type Leader, standForLeader } from "./platform/leader";
import { migrate } from "./platform/migrate";
import { StartError } from "./platform/start_error";
import { type Store, openStore } from "./platform/store";

/** The whole of a shutdown, and the part of it that running requests get, in milliseconds. */
const SHUTDOWN = 9000;
const REQUESTS = 4000;

type HouseDoors = Awaited<ReturnType<typeof open>>;
type End = { reason: string; status: number };

/** Serves until a signal, or until its database is gone; then winds down. Returns the exit status. Throws StartError. */
export async function serve(config: Config, log: Log): Promise<number> {
  const ending = endings(log);
  const store = await openStore(config, log);
  let house: HouseDoors | null = null;
  let leader: Leader | null = null;
  try {
    const applied = await migrate(store.sql, readTexts(folders.migrations, ".sql"));
    if (applied.length > 0) log.info("schema brought up to date", { applied });
    await announceFirstAdmin(store, config);
    if (config.databaseUrl) leader = await leadAlone(store.url, log, ending.resolve);
    house = await open({ config, sql: store.sql, log });
    const url = listen(house, config);
    log.info("listening", { url });
  } catch (error) {
    await house?.close();
    await leader?.stop();
    await store.close();
    throw error;
  }
  void store.lost.then(() => ending.resolve({ reason: "PostgreSQL ended by itself", status: 1 }));
  const end = await ending.promise;
  log[end.status === 0 ? "info" : "error"](`stopping: ${end.reason}`);
  await windDown(house, leader, store, log);
  return end.status;
}

const HAND_OVER = 5_000;

/**
 * On a database that others can reach, makes sure that this program alone runs the feed and the engine: it waits a
 * moment for a predecessor that is just ending, and ends itself when the lead is lost. Throws StartError.
 */
async function leadAlone(url: string, log: Log, end: (end: End) => void): Promise<Leader> {
  const lost = { reason: "the lead on this database was lost", status: 1 };
  const leader = await standForLeader(url, log, { onElected: () => {}, onDeposed: () => end(lost) });
  for (const until = Date.now() + HAND_OVER; !leader.isLeader() && Date.now() < until;) await Bun.sleep(200);
  if (leader.isLeader()) return leader;
  await leader.stop();
  throw new StartError("Another Halyard serves from this database, and this version runs one at a time. Stop it first.");
}

/** The first thing that ends the service: a signal, or a fault that nothing caught. */
function endings(log: Log) {
  const ending = Promise.withResolvers<End>();
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => ending.resolve({ reason: signal, status: 0 }));
  process.on("uncaughtException", (error) => {
    log.error("uncaught", { error });
    ending.resolve({ reason: "a fault that nothing caught", status: 1 });
  });
  // One request's forgotten promise must not end everybody's service.
  process.on("unhandledRejection", (error) => log.error("a promise was rejected and nothing looked", { error }));
  return ending;
}

async function announceFirstAdmin(store: Store, config: Config): Promise<void> {
  const made = await ensureFirstAdmin(store.sql, config.admin);
  if (made) console.error(`The first administrator: ${made.email}, password ${made.password} (shown this once)`);
}

function listen({ app }: HouseDoors, config: Config): string {
  try {
    app.listen({ port: config.port, hostname: config.host, reusePort: false, idleTimeout: 30 });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === "EADDRINUSE" ? "is already in use" : `can't be opened (${code ?? message})`;
    throw new StartError(`Port ${config.port} on ${config.host} ${reason}. Set PORT to another.`);
  }
  const host = ["0.0.0.0", "::"].includes(config.host) ? "localhost" : config.host;
  return `http://${host.includes(":") ? `[${host}]` : host}:${app.server?.port ?? config.port}`;
}

/** The house refuses new work and closes its streams, running requests finish, the database closes: within ten seconds in all. */
async function windDown({ app, close }: HouseDoors, leader: Leader | null, store: Store, log: Log): Promise<void> {
  const deadline = Date.now() + SHUTDOWN;
  const finished = Promise.all([close(), app.server?.stop()]);
  const timeUp = Bun.sleep(REQUESTS).then(() => "time up" as const);
  if ((await Promise.race([finished, timeUp])) === "time up") {
    log.warn("requests that did not finish in time are cut off");
    void app.server?.stop(true);
  }
  await leader?.stop();
  await store.close(deadline - Date.now());
}
