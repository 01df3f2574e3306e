import { open } from "./app";
import type { Config } from "./config";
import { ensureFirstAdmin } from "./identity/commands";
import { Company } from "./platform/company";
import { folders, readTexts } from "./platform/files";
import type { Log } from "./platform/log";
import { migrate } from "./platform/migrate";
import { StartError } from "./platform/start_error";
import { type Store, openStore } from "./platform/store";

/** The whole of a shutdown, and the parts of it that running requests get and that leaving the other programs may take, in milliseconds. */
const SHUTDOWN = 9000;
const REQUESTS = 4000;
const LEAVING = 2000;

type HouseDoors = Awaited<ReturnType<typeof open>>;
type End = { reason: string; status: number };

/** Serves until a signal, or until its database is gone; then winds down. Returns the exit status. Throws StartError. */
export async function serve(config: Config, log: Log): Promise<number> {
  const ending = endings(log);
  const store = await openStore(config, log);
  let house: HouseDoors | null = null;
  let company: Company | null = null;
  try {
    if (config.databaseUrl) company = await Company.join(config, store.sql, log);
    const applied = await migrate(store.sql, readTexts(folders.migrations, ".sql"));
    if (applied.length > 0) log.info("schema brought up to date", { applied });
    await announceFirstAdmin(store, config, log);
    house = await open({ config, sql: store.sql, log, ...(company ? { company, clock: company.clock } : {}) });
    await company?.stand(dutiesOf(house, company));
    const url = listen(house, config);
    log.info("listening", { url });
  } catch (error) {
    const fault = await store.fault(error);
    for (const end of [() => house?.close(), () => company?.leave(), () => store.close()]) await putAway(end, log);
    throw fault;
  }
  void store.lost.then(() => ending.resolve({ reason: "PostgreSQL ended by itself", status: 1 }));
  const end = await ending.promise;
  log[end.status === 0 ? "info" : "error"](`stopping: ${end.reason}`);
  const whole = await windDown(house, company, store, log);
  return whole ? end.status : 1;
}

/** Ends one part; what goes wrong there is logged, so that the others get their turn. Returns whether it went well. */
export async function putAway(end: () => unknown, log: Log): Promise<boolean> {
  try {
    await end();
    return true;
  } catch (error) {
    log.error("something could not be put away", { error });
    return false;
  }
}

/** The program that leads runs the feed and the engine; the others serve from what it tells them. */
const dutiesOf = (house: HouseDoors, company: Company) => ({
  onElected: (epoch: number) => house.lead(epoch, company.doubt),
  onDeposed: () => house.follow(),
});

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

async function announceFirstAdmin(store: Store, config: Config, log: Log): Promise<void> {
  const made = await ensureFirstAdmin(store.sql, config.admin, log);
  if (made) console.error(`The first administrator: ${made.email}, password ${made.password} (shown this once)`);
}

function listen({ app }: HouseDoors, config: Config): string {
  try {
    app.listen({ port: config.port, hostname: config.host, reusePort: false, idleTimeout: 30 });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE") throw new StartError(`Port ${config.port} on ${config.host} is already in use. Set PORT to another.`);
    if (code === "EACCES") throw new StartError(`Port ${config.port} on ${config.host} can't be opened (EACCES). Set PORT to another.`);
    throw new StartError(`HOST ${config.host} can't be listened on (${code ?? message}). Set it to an address of this machine, or 0.0.0.0 for all.`);
  }
  const host = ["0.0.0.0", "::"].includes(config.host) ? "localhost" : config.host;
  return `http://${host.includes(":") ? `[${host}]` : host}:${app.server?.port ?? config.port}`;
}

/**
 * The house refuses new work and closes its streams, running requests finish, the database closes: within ten seconds in all.
 * Returns whether all could be put away.
 */
async function windDown({ app, close }: HouseDoors, company: Company | null, store: Store, log: Log): Promise<boolean> {
  const deadline = Date.now() + SHUTDOWN;
  const finished = putAway(() => Promise.all([close(), app.server?.stop()]), log);
  const timeUp = Bun.sleep(REQUESTS).then(() => "time up" as const);
  const first = await Promise.race([finished, timeUp]);
  if (first === "time up") {
    log.warn("requests that did not finish in time are cut off");
    void app.server?.stop(true);
  }
  const left = await putAway(() => Promise.race([company?.leave(), Bun.sleep(LEAVING)]), log);
  const closed = await putAway(() => store.close(deadline - Date.now()), log);
  return first !== false && left && closed;
}
