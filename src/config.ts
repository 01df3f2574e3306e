import { BlockList, isIP } from "node:net";
import { fileURLToPath } from "node:url";
import * as v from "valibot";
import { signInEmail } from "./lib/shapes";
import { DAY, HOUR, MINUTE, SECOND } from "./lib/time";
import { isAddress } from "./lib/postgres_address";

/** Where prices may come from. */
const feeds = ["simulator", "kraken", "replay"] as const;
export type FeedName = (typeof feeds)[number];
export type Config = {
  port: number;
  host: string;
  /** `null`: not set, the default folder applies. */
  dataDir: string | null;
  databaseUrl: string | null;
  /** PostgreSQL's own address, where `databaseUrl` is a pooler's. */
  databaseDirectUrl: string | null;
  /** The same database as the owner of its tables, where `databaseUrl` names a role that only works with them. */
  databaseOwnerUrl: string | null;
  /** A replica of it, for long reads; `null`: the primary does these, too. */
  databaseReadUrl: string | null;
  admin: { email: string; password: string } | null;
  /** Whether administrators must sign in with a second factor. */
  admin2fa: "off" | "required";
  feed: FeedName;
  /** The simulator's seed; null: another one at each start, which nobody knows. */
  feedSeed: number | null;
  feedFile: string | null;
  /** Times real time; `Infinity` is `max`. */
  feedSpeed: number;
  feedUrl: string | null;
  /** The independent feed that prices are compared with on /integrity; null: none. */
  referenceFeed: "kraken" | null;
  referenceUrl: string | null;
  adverseCorrections: "off" | "four-eyes";
  /** From this many USD on a correction on a live account takes a second administrator. */
  correctionsAloneUpTo: string;
  marketHours: "real" | "always";
  siteMode: "demo" | "live";
  licence: string | null;
  /** The site's origin as the outside knows it. */
  publicUrl: string | null;
  /** The mail server that takes letters; null: letters are kept and not sent. */
  smtp: { host: string; port: number; secure: boolean; user: string | null; password: string | null } | null;
  /** Whom letters come from. */
  mailFrom: { name: string; address: string } | null;
  brandName: string;
  /** Who runs the site, as its public pages say it; null where it is not set. */
  company: Record<"name" | "number" | "address" | "phone" | "email" | "domain", string | null>;
  trustedProxy: BlockList | null;
  /** Event streams that one person, and one network, may have open. */
  streams: { perPerson: number; perNetwork: number };
  /** What a scraper of /metrics must bring; null: none may read them. */
  metricsToken: string | null;
  /** Orders, transfers and other commands of one person a second, over time. */
  commandsPerSecond: number;
  /** Milliseconds that a withdrawal to a new address waits before it may be paid out. */
  withdrawalCooldown: number;
  /** For so many ms a program that is told to end goes on serving, and says at its doors for looks that it ends. */
  drain: number;
  /** The key under which the documents that people send are kept, as 64 hexadecimal digits; null: a file of the data folder's. */
  documentKey: string | null;
  /** The private key of the public log, as 64 hexadecimal digits; null: a file of the data folder's. */
  logKey: string | null;
  /** The one before it, until its change is in the log. */
  logKeyBefore: string | null;
  /** Who cosigns the log's checkpoints: the address of each, and its verifier key. */
  witnesses: { url: string; key: string }[];
  /** A file that each checkpoint which witnesses would get is added to. */
  witnessFile: string | null;
  /** Where the day's last checkpoint is sent by letter. */
  witnessEmail: string | null;
  /** How many years what was booked and dealt is kept after an account was closed. */
  recordsKeptYears: number;
  /** How many may register from one network before each further one has to wait. */
  registrationsPerNetwork: number;
  /** Milliseconds from one scheduled backup to the next; null: none. */
  backupEvery: number | null;
  backupKeep: number;
  /** Where the embedded database's log is brought as it is written, `file:` or `s3:`; null: nowhere. */
  archiveUrl: string | null;
  /** How a bucket is spoken to; null: no keys are set. */
  s3: { accessKeyId: string; secretAccessKey: string; region?: string; endpoint?: string } | null;
  /** The key that the archive is encrypted under, as 64 hexadecimal digits; null: it is not. */
  archiveKey: string | null;
  /** So many daily copies of the database are kept in it, the newest. */
  archiveKeep: number;
  logLevel: "debug" | "info" | "warn" | "error";
};

/** A value of the environment that does not fit; the start stops with this one line. */
export class ConfigError extends Error {}

const originOf = (url: string | null) => (url === null ? null : new URL(url).origin);

type Env = Record<string, string | undefined>;

/** Reads the environment (each variable stands in docs/operate.md). Throws ConfigError naming the variable at fault, never its value where it is a secret. */
export function readConfig(env: Env): Config {
  const text = (name: string) => env[name]?.trim() || null;
  const oneOf = <T extends string>(name: string, values: readonly T[], fallback: T): T => {
    const value = text(name);
    if (value === null) return fallback;
    if (!(values as readonly string[]).includes(value)) throw new ConfigError(`${name} must be one of ${values.join(", ")}`);
    return value as T;
  };
  const number = (name: string, fallback: number, min: number, max: number) => {
    const value = text(name);
    if (value === null) return fallback;
    if (!/^\d+(\.\d+)?$/.test(value) || Number(value) < min || Number(value) > max) throw new ConfigError(`${name} must be a number from ${min} to ${max}`);
    return Number(value);
  };
  const whole = (name: string, fallback: number, min: number, max: number) => {
    const value = number(name, fallback, min, max);
    if (!Number.isInteger(value)) throw new ConfigError(`${name} must be a whole number`);
    return value;
  };
  const url = (name: string, protocols: string[]) => {
    const value = text(name);
    if (value === null) return null;
    if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol))
      throw new ConfigError(`${name} must be a URL starting with ${protocols.map((p) => `${p}//`).join(" or ")}`);
    return value;
  };
  const database = (name: string) => {
    const value = text(name);
    if (value === null || isAddress(value)) return value;
    throw new ConfigError(`${name} must be a URL with a host, such as postgres://user:password@host/halyard, or with several: @one,two/halyard`);
  };
  const duration = (name: string) => {
    const value = text(name);
    if (value === null || value === "off") return null;
    const [, count, unit] = /^(\d{1,4})(m|h|d)$/.exec(value) ?? [];
    if (!Number(count)) throw new ConfigError(`${name} must be off or a time such as 30m, 12h or 1d`);
    return Number(count) * (unit === "m" ? MINUTE : unit === "h" ? HOUR : DAY);
  };
  const cooldown = (fallback: number) => {
    const value = text("WITHDRAWAL_COOLDOWN");
    return value === null ? fallback : value === "0" ? 0 : (duration("WITHDRAWAL_COOLDOWN") ?? 0);
  };
  const networks = (name: string) => {
    const list = new BlockList();
    const parts = (text(name) ?? "")
      .split(",")
      .map((part) => part.trim())
      .filter(Boolean);
    for (const part of parts) {
      const [, address = "", bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(part) ?? [];
      const version = isIP(address);
      const most = version === 4 ? 32 : 128;
      if (version === 0 || Number(bits ?? most) > most) throw new ConfigError(`${name} must be addresses or CIDRs, separated by commas`);
      list.addSubnet(address, Number(bits ?? most), version === 4 ? "ipv4" : "ipv6");
    }
    return parts.length > 0 ? list : null;
  };

  const secret = (name: string) => {
    const value = text(name);
    if (value !== null && !/^[\x21-\x7e]{16,200}$/.test(value)) throw new ConfigError(`${name} must have 16 to 200 letters, digits and signs, without spaces`);
    return value;
  };

  const smtp = () => {
    const value = url("SMTP_URL", ["smtp:", "smtps:"]);
    if (value === null) return null;
    const { hostname, port, protocol, username, password, pathname, search } = new URL(value);
    const wrong = () => new ConfigError("SMTP_URL must be like smtp://user:password@mail.example.com:587 or smtps://…, and nothing behind it");
    if (!hostname || !["", "/"].includes(pathname) || search || (username === "") !== (password === "")) throw wrong();
    const secure = protocol === "smtps:";
    const plain = (part: string) => {
      try {
        return decodeURIComponent(part) || null;
      } catch {
        throw wrong();
      }
    };
    return { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || (secure ? 465 : 587)), secure, user: plain(username), password: plain(password) };
  };
  const sender = () => {
    const value = text("MAIL_FROM");
    if (value === null) return null;
    const [, name = "", bracketed] = /^(?:([^<>"\p{Cc}]*?)\s*<([^<>\s]+)>)$/u.exec(value) ?? [];
    const address = bracketed ?? value;
    if (!v.is(signInEmail, address)) throw new ConfigError("MAIL_FROM must be an address, or a name with one: Halyard <post@example.com>");
    return { name, address };
  };
  const key = (name: string) => {
    const value = text(name);
    if (value !== null && !/^[0-9a-f]{64}$/i.test(value)) throw new ConfigError(`${name} must be 64 hexadecimal digits, such as openssl rand -hex 32 makes`);
    return value;
  };
  const bucket = () => {
    const [accessKeyId, secretAccessKey] = [text("S3_ACCESS_KEY_ID"), text("S3_SECRET_ACCESS_KEY")];
    const [region, endpoint] = [text("S3_REGION"), url("S3_ENDPOINT", ["https:", "http:"])];
    if (accessKeyId === null || secretAccessKey === null) return null;
    return { accessKeyId, secretAccessKey, ...(region && { region }), ...(endpoint && { endpoint }) };
  };
  const archive = () => {
    const value = url("ARCHIVE_URL", ["file:", "s3:"]);
    if (value === null) return null;
    const { protocol, hostname, pathname, search } = new URL(value);
    if (search || (protocol === "file:" ? hostname !== "" || pathname === "/" : hostname === ""))
      throw new ConfigError("ARCHIVE_URL must be like file:///other-disk/halyard or s3://bucket/prefix, and nothing behind it");
    if (text("DATABASE_URL") !== null)
      throw new ConfigError("ARCHIVE_URL is for the embedded database: an external one (DATABASE_URL) has an archive of its own");
    if (protocol === "s3:" && bucket() === null) throw new ConfigError("S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set where ARCHIVE_URL is a bucket");
    return value;
  };
  const witnessUrls = (text("WITNESS_URLS") ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);
  /** What WITNESS_URLS names by this scheme, or the setting of its own. */
  const witnessWay = (scheme: string, own: string, given: string | null, read: (url: string) => string) => {
    const all = new Set([...witnessUrls.filter((part) => part.startsWith(scheme)).map(read), ...(given === null ? [] : [given])]);
    if (all.size > 1) throw new ConfigError(`WITNESS_URLS and ${own} must name one ${scheme} at most together`);
    return [...all][0] ?? null;
  };
  const witnessFile = (url: string) => {
    try {
      const path = fileURLToPath(url);
      // What a parser would mend or cut off was meant otherwise.
      if (/^file:\/\/\/[^\s?#]*[^\s?#/]$/.test(url) && !path.includes("\0")) return path;
    } catch {
      // Said below.
    }
    throw new ConfigError("WITNESS_URLS must be like file:///other-disk/checkpoints for a file, and nothing behind it");
  };
  const witnessEmail = (url: string) => {
    const value = url.slice("mailto:".length);
    if (!v.is(signInEmail, value)) throw new ConfigError("WITNESS_URLS must be like mailto:auditor@example.com for letters, and nothing behind it");
    return value;
  };
  const witnesses = () =>
    witnessUrls
      .filter((part) => !/^(?:file|mailto):/.test(part))
      .map((part) => {
        const [address = "", verifier = "", ...rest] = part.split(/\s+/);
        const isAddress = URL.canParse(address) && ["http:", "https:"].includes(new URL(address).protocol);
        if (!isAddress || !/^[^+]+\+[0-9a-f]{8}\+[A-Za-z0-9+/=]+$/.test(verifier) || rest.length > 0)
          throw new ConfigError("WITNESS_URLS must be addresses, each with its verifier key behind a space, file:///… or mailto:…, separated by commas");
        return { url: address.replace(/\/+$/, ""), key: verifier };
      });
  const address = (name: string) => {
    const value = text(name);
    if (value !== null && !v.is(signInEmail, value)) throw new ConfigError(`${name} must be an email address`);
    return value;
  };
  const [smtpServer, mailFrom] = [smtp(), sender()];
  if (smtpServer && !mailFrom) throw new ConfigError("MAIL_FROM must be set where SMTP_URL is: letters come from somebody");
  if (smtpServer && text("PUBLIC_URL") === null) throw new ConfigError("PUBLIC_URL must be set where SMTP_URL is: the links in letters begin with it");

  const referenceFeed = text("REFERENCE_FEED") === null ? null : oneOf("REFERENCE_FEED", ["kraken"] as const, "kraken");
  const email = text("ADMIN_EMAIL");
  const password = env.ADMIN_PASSWORD || null;
  if ((email === null) !== (password === null)) throw new ConfigError("ADMIN_EMAIL and ADMIN_PASSWORD must be set together");
  if (email !== null && !v.is(signInEmail, email)) throw new ConfigError("ADMIN_EMAIL must be an email address");
  if (password !== null && (password.length < 12 || password.length > 200)) throw new ConfigError("ADMIN_PASSWORD must have 12 to 200 characters");

  const feed = oneOf("FEED", feeds, "simulator");
  if (feed === "replay" && text("FEED_FILE") === null) throw new ConfigError("FEED_FILE must name a CSV file when FEED is replay");
  const siteMode = oneOf("SITE_MODE", ["demo", "live"] as const, "demo");
  if (siteMode === "live" && feed !== "kraken") throw new ConfigError("FEED must be kraken when SITE_MODE is live: live money deals on real prices only");

  return {
    port: whole("PORT", 3000, 0, 65535),
    host: text("HOST") ?? "0.0.0.0",
    dataDir: text("DATA_DIR"),
    databaseUrl: database("DATABASE_URL"),
    databaseDirectUrl: database("DATABASE_DIRECT_URL"),
    databaseOwnerUrl: database("DATABASE_OWNER_URL"),
    databaseReadUrl: database("DATABASE_READ_URL"),
    admin: email !== null && password !== null ? { email, password } : null,
    admin2fa: oneOf("ADMIN_2FA", ["off", "required"] as const, "off"),
    feed,
    feedSeed: text("FEED_SEED") === null ? null : whole("FEED_SEED", 0, 0, 2 ** 32 - 1),
    feedFile: text("FEED_FILE"),
    feedSpeed: text("FEED_SPEED") === "max" ? Number.POSITIVE_INFINITY : number("FEED_SPEED", 1, 0.01, 1_000_000),
    feedUrl: url("FEED_URL", ["ws:", "wss:"]),
    referenceFeed,
    referenceUrl: url("REFERENCE_URL", ["ws:", "wss:"]),
    adverseCorrections: oneOf("ADVERSE_CORRECTIONS", ["off", "four-eyes"] as const, "off"),
    correctionsAloneUpTo: number("CORRECTIONS_ALONE_UP_TO", 1000, 0, 1e9).toFixed(2),
    marketHours: oneOf("MARKET_HOURS", ["real", "always"] as const, feed === "kraken" ? "real" : "always"),
    siteMode,
    licence: text("LICENCE"),
    publicUrl: originOf(url("PUBLIC_URL", ["http:", "https:"])),
    smtp: smtpServer,
    mailFrom,
    brandName: text("BRAND_NAME") ?? "Halyard",
    company: {
      name: text("COMPANY_NAME"),
      number: text("COMPANY_NUMBER"),
      address: text("COMPANY_ADDRESS"),
      phone: text("CONTACT_PHONE"),
      email: text("CONTACT_EMAIL"),
      domain: text("DOMAIN_REGISTRATION"),
    },
    trustedProxy: networks("TRUSTED_PROXY"),
    streams: { perPerson: whole("STREAMS_PER_PERSON", 6, 1, 100_000), perNetwork: whole("STREAMS_PER_NETWORK", 200, 1, 100_000) },
    metricsToken: secret("METRICS_TOKEN"),
    documentKey: key("DOCUMENT_KEY"),
    logKey: key("LOG_KEY"),
    logKeyBefore: key("LOG_KEY_BEFORE"),
    witnesses: witnesses(),
    witnessFile: witnessWay("file:", "WITNESS_FILE", text("WITNESS_FILE"), witnessFile),
    witnessEmail: witnessWay("mailto:", "WITNESS_EMAIL", address("WITNESS_EMAIL"), witnessEmail),
    recordsKeptYears: whole("RECORDS_KEPT_YEARS", 7, 1, 100),
    withdrawalCooldown: cooldown(siteMode === "live" ? DAY : 0),
    drain: whole("DRAIN_SECONDS", 0, 0, 300) * SECOND,
    commandsPerSecond: whole("COMMANDS_PER_SECOND", 20, 1, 100_000),
    registrationsPerNetwork: whole("REGISTRATIONS_PER_NETWORK", 50, 1, 1_000),
    backupEvery: duration("BACKUP_EVERY"),
    archiveUrl: archive(),
    s3: bucket(),
    archiveKey: key("ARCHIVE_KEY"),
    archiveKeep: whole("ARCHIVE_KEEP", 7, 1, 1_000),
    backupKeep: whole("BACKUP_KEEP", 7, 1, 10_000),
    logLevel: oneOf("LOG_LEVEL", ["debug", "info", "warn", "error"] as const, "info"),
  };
}
