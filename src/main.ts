import "./production";
import { parseArgs } from "node:util";
import { version } from "../package.json";
import {
  backupCommand,
  createAdminCommand,
  demoCommand,
  endLogCommand,
  healthcheck,
  logKeyCommand,
  migrateCommand,
  recoverCommand,
  proveCommand,
  releaseBooksCommand,
  renewLogKeyCommand,
  resetTwoFactorCommand,
  restoreCommand,
  verify,
} from "./commands";
import { ConfigError, readConfig } from "./config";
import { Refusal } from "./lib/refusal";
import { createLog } from "./platform/log";
import { StartError, UsageError } from "./platform/start_error";
import { serve } from "./serve";

const HELP = `Halyard ${version}, an online trading platform in one file.

Usage: halyard [command]

  serve                                   serve the site (what happens without a command)
  migrate                                 bring the database's schema up to this program
  admin create [--email E]                make an administrator; asks for what is not given;
               [--password-file FILE]     the password is the file's first line;
               [--name "First Last"]      under this name the others see who decides
  admin reset-2fa [--email E]             switch an administrator's two-factor sign-in off
  backup FILE [--with-log-key]            save the whole database into one file, while the server works;
                                          the private key of the public log only where it is asked for
  restore FILE                            fill an empty database from such a file
  restore --from URL [--at TIME]          make the database anew from its archive, as it was
                                          at an instant, or as far as the archive reaches
  verify [--new]                          check the books: exit 0, or 1 and what is wrong; --new: what came
                                          since they were last found right, in seconds
  prove FILE [--key K]                    check a proof that a person was given, offline: exit 0, or 1 and why;
        [--checkpoint OLD]                K is the log's key, or a file with it; OLD a file with an earlier checkpoint
  log key                                 print the key by which anybody verifies the public log
  log renew-key                           make a new private key; the change is logged, signed by both
  log end --reason TEXT                   end the public log; the next one names it, and why it ended
  books release --reason TEXT             let money move again that stopped because the books were off
  demo                                    fill a fresh database with months of fictional people
  healthcheck                             ask the server on this machine whether it is alive
  --version, --help

Settings come from the environment: PORT, HOST, DATA_DIR, DATABASE_URL, ADMIN_EMAIL, ADMIN_PASSWORD, FEED, LOG_LEVEL
and others, which docs/operate.md lists.`;

/** Runs the command line; the exit status is the answer. */
async function run(args: string[]): Promise<number> {
  const { command, file, options } = parse(args);
  if (command === "--help") return say(HELP);
  if (command === "--version") return say(version);
  if (command === "prove") return proveCommand(file, options);
  const config = readConfig(process.env);
  const log = createLog(config.logLevel);
  if (command === "serve") return serve(config, log);
  if (command === "migrate") return migrateCommand(config, log);
  if (command === "verify") return verify(config, log, options.isNew === "yes");
  if (command === "demo") return demoCommand(config, log);
  if (command === "backup") return backupCommand(config, log, file, options.withLogKey === "yes");
  if (command === "log key") return logKeyCommand(config, log);
  if (command === "log renew-key") return renewLogKeyCommand(config, log);
  if (command === "log end") return endLogCommand(config, log, options.reason);
  if (command === "restore") return options.from ? recoverCommand(config, log, archiveOf(options)) : restoreCommand(config, log, file);
  if (command === "healthcheck") return healthcheck(config);
  if (command === "books release") return releaseBooksCommand(config, log, options.reason);
  if (command === "admin reset-2fa") return resetTwoFactorCommand(config, log, options);
  return createAdminCommand(config, log, options);
}

const COMMANDS = [
  "serve",
  "migrate",
  "admin create",
  "admin reset-2fa",
  "backup",
  "restore",
  "verify",
  "prove",
  "log key",
  "log renew-key",
  "log end",
  "books release",
  "demo",
  "healthcheck",
];
/** Commands that name a file after them. */
const WITH_FILE = ["backup", "restore", "prove"];

type Options = Partial<
  Record<"email" | "password" | "passwordFile" | "name" | "reason" | "from" | "at" | "key" | "checkpoint" | "withLogKey" | "isNew", string | undefined>
>;

function parse(args: string[]): { command: string; file: string; options: Options } {
  const { values, positionals } = read(args);
  if (values.help) return { command: "--help", file: "", options: {} };
  if (values.version) return { command: "--version", file: "", options: {} };
  const [first = "serve", ...rest] = positionals;
  const takesFile = WITH_FILE.includes(first);
  const command = takesFile ? first : [first, ...rest].join(" ");
  if (!COMMANDS.includes(command)) throw new UsageError(`unknown command '${command}'; see halyard --help`);
  const takesArchive = command === "restore" && values.from !== undefined;
  if ((values.from !== undefined && command !== "restore") || (values.at !== undefined && !takesArchive))
    throw new UsageError("--from and --at belong to 'restore', --at with --from; see halyard --help");
  if (takesArchive && rest.length > 0) throw new UsageError("'restore' takes a file or --from, not both");
  if (takesFile && !takesArchive && (rest.length !== 1 || !rest[0])) throw new UsageError(`'${command}' needs one file name; see halyard --help`);
  const options = {
    email: values.email,
    password: values.password,
    passwordFile: values["password-file"],
    name: values.name,
    reason: values.reason,
    from: values.from,
    at: values.at,
    key: values.key,
    checkpoint: values.checkpoint,
    withLogKey: values["with-log-key"] ? "yes" : undefined,
    isNew: values.new ? "yes" : undefined,
  };
  const creates = command === "admin create";
  if ((!command.startsWith("admin ") && options.email !== undefined) || (!creates && (options.password ?? options.passwordFile ?? options.name) !== undefined))
    throw new UsageError("--email, --password, --password-file and --name belong to 'admin create', --email alone to 'admin reset-2fa'");
  if (!["books release", "log end"].includes(command) && options.reason !== undefined)
    throw new UsageError("--reason belongs to 'books release' and 'log end'");
  if (command !== "backup" && options.withLogKey !== undefined) throw new UsageError("--with-log-key belongs to 'backup'");
  if (command !== "verify" && options.isNew !== undefined) throw new UsageError("--new belongs to 'verify'");
  if (command !== "prove" && (options.key ?? options.checkpoint) !== undefined) throw new UsageError("--key and --checkpoint belong to 'prove'");
  if (options.password !== undefined && options.passwordFile !== undefined) throw new UsageError("give --password or --password-file, not both");
  return { command, file: rest[0] ?? "", options };
}

/** Throws UsageError where they name no archive or no instant. */
function archiveOf({ from = "", at }: Options): { from: string; at: number | null } {
  if (!URL.canParse(from) || !/^(file:\/\/\/.|s3:\/\/.)/.test(from))
    throw new UsageError("--from must be like file:///other-disk/halyard or s3://bucket/prefix");
  if (at === undefined) return { from, at: null };
  const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(at) ? Date.parse(at) : Number.NaN;
  if (Number.isNaN(instant)) throw new UsageError("--at must be an instant such as 2026-11-24T18:00:00Z");
  return { from, at: instant };
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
        "password-file": { type: "string" },
        name: { type: "string" },
        reason: { type: "string" },
        from: { type: "string" },
        at: { type: "string" },
        key: { type: "string" },
        checkpoint: { type: "string" },
        "with-log-key": { type: "boolean" },
        new: { type: "boolean" },
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
  const unfit = error instanceof UsageError || error instanceof ConfigError || (error instanceof Refusal && error.code === "invalid");
  return unfit ? 2 : 1;
}

process.exit(await run(process.argv.slice(2)).catch(explain));
