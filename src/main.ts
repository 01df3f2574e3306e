import "./production";
import { parseArgs } from "node:util";
import { version } from "../package.json";
import { createAdminCommand, healthcheck, migrateCommand, verify } from "./commands";
import { ConfigError, readConfig } from "./config";
import { Refusal } from "./lib/refusal";
import { createLog } from "./platform/log";
import { StartError } from "./platform/start_error";
import { serve } from "./serve";

/** A command line that does not fit: told in one line, then exit 2. */
class UsageError extends Error {}

const HELP = `Halyard ${version}, an online trading platform in one file.

Usage: halyard [command]

  serve                                   serve the site (what happens without a command)
  migrate                                 bring the database's schema up to this program
  admin create [--email E --password P]   make an administrator; asks for what is not given
  verify                                  check the books: exit 0, or 1 and what is wrong
  healthcheck                             ask the server on this machine whether it is alive
  --version, --help

Settings come from the environment: PORT, HOST, DATA_DIR, DATABASE_URL, ADMIN_EMAIL, ADMIN_PASSWORD, FEED, LOG_LEVEL
and others, which the README lists.`;

/** Runs the command line; the exit status is the answer. */
async function run(args: string[]): Promise<number> {
  const { command, options } = parse(args);
  if (command === "--help") return say(HELP);
  if (command === "--version") return say(version);
  const config = readConfig(process.env);
  const log = createLog(config.logLevel);
  if (command === "serve") return serve(config, log);
  if (command === "migrate") return migrateCommand(config, log);
  if (command === "verify") return verify(config, log);
  if (command === "healthcheck") return healthcheck(config);
  return createAdminCommand(config, log, options);
}

const COMMANDS = ["serve", "migrate", "admin create", "verify", "healthcheck"];

function parse(args: string[]) {
  const { values, positionals } = read(args);
  if (values.help) return { command: "--help", options: {} };
  if (values.version) return { command: "--version", options: {} };
  const command = positionals.join(" ") || "serve";
  if (!COMMANDS.includes(command)) throw new UsageError(`unknown command '${command}'; see halyard --help`);
  const options = { email: values.email, password: values.password };
  if (command !== "admin create" && (options.email ?? options.password) !== undefined) throw new UsageError("--email and --password belong to 'admin create'");
  return { command, options };
}

function read(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        help: { type: "boolean", short: "h" },
        version: { type: "boolean", short: "v" },
        email: { type: "string" },
        password: { type: "string" },
      },
    });
  } catch (error) {
    throw new UsageError(`${(error as Error).message.split(/[.\n]/)[0]}; see halyard --help`);
  }
}

function say(text: string): number {
  console.log(text);
  return 0;
}

/** What went wrong in one line, and the status that says whose fault it is. */
function explain(error: unknown): number {
  const told = error instanceof UsageError || error instanceof ConfigError || error instanceof StartError || error instanceof Refusal;
  const { message, stack } = error as Error;
  console.error(`halyard: ${told ? message : (stack ?? message)}`);
  return error instanceof UsageError || error instanceof ConfigError ? 2 : 1;
}

process.exit(await run(process.argv.slice(2)).catch(explain));
