import { isIP } from "node:net";

export type Feed = "simulator" | "kraken" | "replay";
export type Config = {
  port: number;
  host: string;
  /** `null`: not set, the default folder applies. */
  dataDir: string | null;
  databaseUrl: string | null;
  admin: { email: string; password: string } | null;
  feed: Feed;
  feedSeed: number;
  feedFile: string | null;
  /** Times real time; `Infinity` is `max`. */
  feedSpeed: number;
  feedUrl: string | null;
  adverseCorrections: "off" | "four-eyes";
  marketHours: "real" | "always";
  siteMode: "demo" | "live";
  licence: string | null;
  /** The site's origin as the outside knows it. */
  publicUrl: string | null;
  brandName: string;
  trustedProxy: string[];
  logLevel: "debug" | "info" | "warn" | "error";
};

/** A value of the environment that does not fit; the start stops with this one line. */
export class ConfigError extends Error {}

const originOf = (url: string | null) => (url === null ? null : new URL(url).origin);

type Env = Record<string, string | undefined>;

/** Reads the environment (contract.md's table in README). Throws ConfigError naming the variable at fault, never its value where it is a secret. */
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
  const cidrs = (name: string) =>
    (text(name) ?? "")
      .split(",")
      .map((part) => part.trim())
      .filter(Boolean)
      .map((part) => {
        const [address = "", bits, ...more] = part.split("/");
        const version = isIP(address);
        if (!version || more.length > 0 || (bits !== undefined && !(/^\d+$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))))
          throw new ConfigError(`${name} must be addresses or CIDRs, separated by commas`);
        return part;
      });

  const email = text("ADMIN_EMAIL");
  const password = env.ADMIN_PASSWORD || null;
  if ((email === null) !== (password === null)) throw new ConfigError("ADMIN_EMAIL and ADMIN_PASSWORD must be set together");
  if (email !== null && !/^[^\s@]+@[^\s@]+$/.test(email)) throw new ConfigError("ADMIN_EMAIL must be an email address");
  if (password !== null && password.length < 12) throw new ConfigError("ADMIN_PASSWORD must have at least 12 characters");

  const feed = oneOf("FEED", ["simulator", "kraken", "replay"] as const, "simulator");
  if (feed === "replay" && text("FEED_FILE") === null) throw new ConfigError("FEED_FILE must name a CSV file when FEED is replay");

  return {
    port: whole("PORT", 3000, 0, 65535),
    host: text("HOST") ?? "0.0.0.0",
    dataDir: text("DATA_DIR"),
    databaseUrl: url("DATABASE_URL", ["postgres:", "postgresql:"]),
    admin: email !== null && password !== null ? { email, password } : null,
    feed,
    feedSeed: whole("FEED_SEED", 1, 0, 2 ** 32 - 1),
    feedFile: text("FEED_FILE"),
    feedSpeed: text("FEED_SPEED") === "max" ? Number.POSITIVE_INFINITY : number("FEED_SPEED", 1, 0.01, 1_000_000),
    feedUrl: url("FEED_URL", ["ws:", "wss:"]),
    adverseCorrections: oneOf("ADVERSE_CORRECTIONS", ["off", "four-eyes"] as const, "off"),
    marketHours: oneOf("MARKET_HOURS", ["real", "always"] as const, feed === "kraken" ? "real" : "always"),
    siteMode: oneOf("SITE_MODE", ["demo", "live"] as const, "demo"),
    licence: text("LICENCE"),
    publicUrl: originOf(url("PUBLIC_URL", ["http:", "https:"])),
    brandName: text("BRAND_NAME") ?? "Halyard",
    trustedProxy: cidrs("TRUSTED_PROXY"),
    logLevel: oneOf("LOG_LEVEL", ["debug", "info", "warn", "error"] as const, "info"),
  };
}
