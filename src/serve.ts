import { open } from "./app";
import type { Config } from "./config";
import { ensureFirstAdmin } from "./identity/commands";
import { Cluster } from "./platform/cluster/cluster";
import { readSchema } from "./platform/files";
import type { Log } from "./platform/log";
import { openArchive } from "./platform/archive/archive";
import type { Archiver } from "./platform/archive/archiver";
import { bringUp, warnOfMight } from "./platform/database/roles";
import { StartError } from "./platform/start_error";
import { type Store, openStore } from "./platform/database/store";
import { isForbidden } from "./platform/database/db";
import { isLoopback } from "./platform/http/request_context";

/** The whole of a shutdown, and the parts of it that running requests get and that leaving the other programs may take, in milliseconds. */
const SHUTDOWN = 9000;
const REQUESTS = 4000;
const LEAVING = 2000;

const SIGNALS = ["SIGTERM", "SIGINT"] as const;

type Running = Awaited<ReturnType<typeof open>>;
type End = { reason: string; status: number };

/** Serves until a signal, or until its database is gone; then winds down. Returns the exit status. Throws StartError. */
export async function serve(config: Config, log: Log): Promise<number> {
  const ending = endings(log);
  const store = await openStore(config, log);
  let program: Running | null = null;
  let cluster: Cluster | null = null;
  let archive: Archiver | null = null;
  try {
    if (config.databaseUrl) cluster = await Cluster.join(config, store.sql, log);
    const applied = await bringUp(store, readSchema());
    if (applied.length > 0) log.info("schema brought up to date", { applied });
    await announceFirstAdmin(store, config, log);
    archive = await openArchive(config, store, log);
    await store.disown();
    await warnOfMight(store.sql, log, config.siteMode === "live");
    const { sql, engineSql, readSql } = store;
    program = await open({ config, sql, engineSql, ...(readSql ? { readSql } : {}), log, archive, ...(cluster ? { cluster, clock: cluster.clock } : {}) });
    await cluster?.stand(dutiesOf(program, cluster));
    const url = listen(program, config);
    log.info("listening", { url });
    if (isInTheClear(config)) log.warn(IN_THE_CLEAR);
  } catch (error) {
    const fault = await store.fault(error);
    for (const end of [() => program?.close(), () => cluster?.leave(), () => archive?.stop(), () => store.close()]) await putAway(end, log);
    throw fault;
  }
  void store.lost.then(() => ending.resolve({ reason: "PostgreSQL ended by itself", status: 1 }));
  const end = await ending.promise;
  log[end.status === 0 ? "info" : "error"](`stopping: ${end.reason}`);
  if (end.reason === "SIGTERM") await drain(program, config.drain, store);
  const whole = await windDown(program, cluster, archive, store, log);
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
const dutiesOf = (program: Running, cluster: Cluster) => ({
  onElected: (epoch: number) => program.lead(epoch, cluster.doubt),
  onDeposed: () => program.follow(),
});

const IN_THE_CLEAR =
  "this is plain http beyond this machine: passwords and sessions can be read on their way. Put a proxy with https before it and name the site's address in PUBLIC_URL, or set HOST=127.0.0.1";
/** Whether what people send may travel unencrypted: only a proxy's https, or this very machine, keeps it from others. */
export const isInTheClear = ({ host, publicUrl }: Pick<Config, "host" | "publicUrl">): boolean =>
  publicUrl?.startsWith("https:") !== true && host !== "localhost" && !isLoopback(host);

/** What the runtime says of itself goes where all is said, and not past it as plain text. */
export const hearWarnings = (log: Log) => process.removeAllListeners("warning").on("warning", (warning) => log.warn("the runtime warns", { error: warning }));

/** The first thing that ends the service: a signal, or a fault that nothing caught. */
function endings(log: Log) {
  const ending = Promise.withResolvers<End>();
  for (const signal of SIGNALS) process.on(signal, () => ending.resolve({ reason: signal, status: 0 }));
  process.on("uncaughtException", (error) => {
    log.error("uncaught", { error });
    ending.resolve({ reason: "a fault that nothing caught", status: 1 });
  });
  hearWarnings(log);
  // One request's forgotten promise must not end everybody's service.
  process.on("unhandledRejection", (error) => log.error("a promise was rejected and nothing looked", { error }));
  return ending;
}

const NO_ADMIN =
  "There is no administrator yet, and the role of DATABASE_URL may make none. Run 'halyard admin create' with DATABASE_OWNER_URL, or set it for the first start.";

async function announceFirstAdmin(store: Store, config: Config, log: Log): Promise<void> {
  const made = await ensureFirstAdmin(store.owner, config.admin, log).catch((error: unknown) => {
    throw isForbidden(error) ? new StartError(NO_ADMIN) : error;
  });
  if (made) console.error(`The first administrator: ${made.email}, password ${made.password} (shown this once)`);
}

function listen({ router: app }: Running, config: Config): string {
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
 * Serves on for so many ms, and says at /healthz and /readyz that it is about to end, so that whoever spreads requests sends the next ones
 * elsewhere: nobody meets a closed door. A second signal, or the database's end, ends the wait.
 */
async function drain({ context }: Running, ms: number, store: Store): Promise<void> {
  context.leaving = true;
  const hurried = Promise.withResolvers<void>();
  for (const signal of SIGNALS) process.once(signal, () => hurried.resolve());
  await Promise.race([Bun.sleep(ms), hurried.promise, store.lost]);
}

/**
 * The program refuses new work and closes its streams, running requests finish, the database closes: within ten seconds in all.
 * Returns whether all could be put away.
 */
async function windDown({ router: app, close }: Running, cluster: Cluster | null, archive: Archiver | null, store: Store, log: Log): Promise<boolean> {
  const deadline = Date.now() + SHUTDOWN;
  const finished = putAway(() => Promise.all([close(), app.server?.stop()]), log);
  const timeUp = Bun.sleep(REQUESTS).then(() => "time up" as const);
  const first = await Promise.race([finished, timeUp]);
  if (first === "time up") {
    log.warn("requests that did not finish in time are cut off");
    void app.server?.stop(true);
  }
  const left = await putAway(() => Promise.race([cluster?.leave(), Bun.sleep(LEAVING)]), log);
  const archived = await putAway(() => archive?.stop(), log);
  const closed = await putAway(() => store.close(deadline - Date.now()), log);
  return first !== false && left && archived && closed;
}
