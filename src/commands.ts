import type { Config } from "./config";
import { createAdmin } from "./identity/commands";
import { StartError } from "./platform/start_error";
import { folders, readTexts } from "./platform/files";
import type { Log } from "./platform/log";
import { migrate, requireCurrent } from "./platform/migrate";
import { type Store, openStoreForCommand } from "./platform/store";
import { askSecret, askText } from "./platform/terminal";

const migrations = () => readTexts(folders.migrations, ".sql");

/** Opens the database for one command and closes it however the command ends. */
async function withStore(config: Config, log: Log, work: (store: Store) => Promise<number>): Promise<number> {
  const store = await openStoreForCommand(config, log);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Applies what is missing and names it. */
export const migrateCommand = (config: Config, log: Log) =>
  withStore(config, log, async ({ sql }) => {
    const applied = await migrate(sql, migrations());
    for (const name of applied) console.log(`applied ${name}`);
    if (applied.length === 0) console.log("up to date");
    return 0;
  });

/** Makes an administrator, asking on the terminal for what the options leave out. */
export const createAdminCommand = (config: Config, log: Log, options: { email?: string; password?: string }) =>
  withStore(config, log, async ({ sql }) => {
    const email = options.email ?? (await askText("Email: "));
    const password = options.password ?? (await askSecret("Password (12 characters or more): "));
    await migrate(sql, migrations());
    const admin = await createAdmin(sql, { email, password });
    console.log(`administrator ${admin.email} created`);
    return 0;
  });

/** Runs each of sql/checks, which must return no row: a line for each, and 1 where one of them found something. */
export const verify = (config: Config, log: Log) =>
  withStore(config, log, async ({ sql }) => {
    await requireCurrent(sql, migrations());
    let status = 0;
    for (const { name, text } of readTexts(folders.checks, ".sql")) {
      const rows: readonly unknown[] = await sql.unsafe(text);
      const check = name.replace(/\.sql$/, "");
      console.log(rows.length === 0 ? `ok ${check}` : `FAIL ${check}: ${rows.length} ${rows.length === 1 ? "row" : "rows"}, first ${JSON.stringify(rows[0])}`);
      if (rows.length > 0) status = 1;
    }
    return status;
  });

/** For a container's health check: the image has no other program that could ask. */
export async function healthcheck(config: Config): Promise<number> {
  const host = ["0.0.0.0", "::"].includes(config.host) ? "127.0.0.1" : config.host;
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${config.port}/healthz`;
  const answer = await fetch(url, { signal: AbortSignal.timeout(3000) }).catch(() => null);
  if (!answer?.ok) throw new StartError(`no healthy server at ${url}`);
  return 0;
}
