import { join } from "node:path";
import { describe, expect, test } from "bun:test";
import { ConfigError, readConfig } from "./config";

function refused(env: Record<string, string>): string {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error(`taken: ${JSON.stringify(env)}`);
}

test("an empty environment is enough", () => {
  expect(readConfig({})).toEqual({
    port: 3000,
    host: "0.0.0.0",
    dataDir: null,
    databaseUrl: null,
    databaseDirectUrl: null,
    databaseOwnerUrl: null,
    databaseReadUrl: null,
    admin: null,
    admin2fa: "off",
    feed: "simulator",
    feedSeed: null,
    feedFile: null,
    feedSpeed: 1,
    feedUrl: null,
    referenceFeed: null,
    referenceUrl: null,
    adverseCorrections: "off",
    correctionsAloneUpTo: "1000.00",
    marketHours: "always",
    siteMode: "demo",
    licence: null,
    publicUrl: null,
    smtp: null,
    mailFrom: null,
    brandName: "Halyard",
    company: { name: null, number: null, address: null, phone: null, email: null, domain: null },
    trustedProxy: null,
    streams: { perPerson: 6, perNetwork: 200 },
    metricsToken: null,
    commandsPerSecond: 20,
    documentKey: null,
    logKey: null,
    logKeyBefore: null,
    witnesses: [],
    witnessFile: null,
    witnessEmail: null,
    recordsKeptYears: 7,
    withdrawalCooldown: 0,
    drain: 0,
    registrationsPerNetwork: 50,
    backupEvery: null,
    backupKeep: 7,
    archiveUrl: null,
    s3: null,
    archiveKey: null,
    archiveKeep: 7,
    logLevel: "info",
  });
});

test("what is set and blank is not set", () => {
  expect(readConfig({ PORT: "", HOST: " ", FEED: "", DATABASE_URL: "  ", ADMIN_EMAIL: "", ADMIN_PASSWORD: "", TRUSTED_PROXY: " , " })).toEqual(readConfig({}));
});

test("an archive is a folder or a bucket with its keys, and is the embedded database's", () => {
  expect(readConfig({ ARCHIVE_URL: "file:///mnt/archive" }).archiveUrl).toBe("file:///mnt/archive");
  const keys = { S3_ACCESS_KEY_ID: "a", S3_SECRET_ACCESS_KEY: "b", S3_ENDPOINT: "https://s3.example" };
  expect(readConfig({ ARCHIVE_URL: "s3://bucket/a", ...keys }).s3).toEqual({ accessKeyId: "a", secretAccessKey: "b", endpoint: "https://s3.example" });
  expect(refused({ ARCHIVE_URL: "s3://bucket/a" })).toContain("S3_ACCESS_KEY_ID");
  expect(refused({ ARCHIVE_URL: "file:///mnt/a", DATABASE_URL: "postgres://h/d" })).toContain("ARCHIVE_URL");
  expect(refused({ ARCHIVE_URL: "file:///mnt/a", ARCHIVE_KEY: "short" })).toContain("ARCHIVE_KEY");
  for (const url of ["http://x/y", "file:///", "file://host/x", "s3:///x", "file:///mnt/a?x=1", "/mnt/a"])
    expect(refused({ ARCHIVE_URL: url, ...keys })).toContain("ARCHIVE_URL");
});

test("good values arrive", () => {
  const config = readConfig({
    PORT: "0",
    DATABASE_URL: "postgresql://halyard@db.example/halyard",
    ADMIN_EMAIL: "admin@example.test",
    ADMIN_PASSWORD: "correct horse battery",
    FEED: "replay",
    FEED_FILE: "ticks.csv",
    FEED_SPEED: "max",
    FEED_SEED: "4294967295",
    PUBLIC_URL: "https://trade.example/somewhere?else",
    TRUSTED_PROXY: "10.0.0.0/8, 127.0.0.1,fd00::/8",
  });
  expect(config).toMatchObject({ port: 0, feed: "replay", feedSpeed: Number.POSITIVE_INFINITY, feedSeed: 4294967295, marketHours: "always" });
  expect(config.publicUrl).toBe("https://trade.example");
  const trusts = (address: string) => config.trustedProxy?.check(address, address.includes(":") ? "ipv6" : "ipv4");
  expect(["10.255.0.1", "127.0.0.1", "fd12::1"].filter((address) => !trusts(address))).toEqual([]);
  expect(["11.0.0.0", "127.0.0.2", "fe00::1"].filter(trusts)).toEqual([]);
  expect(config.admin).toEqual({ email: "admin@example.test", password: "correct horse battery" });
});

test.each([
  "postgres://user@localhost/db?host=%2Fsocket",
  "postgres:///db?host=/socket",
  "postgres://user:word@[::1]:5433/db?sslmode=require",
  "postgres://user@one.example,two.example/db",
  "postgres://user:word@one.example:5432,two.example:5433,[::1]:5434/db?sslmode=require",
])("a database may be at %s", (url) => {
  expect(readConfig({ DATABASE_URL: url, DATABASE_DIRECT_URL: url, DATABASE_OWNER_URL: url })).toMatchObject({
    databaseUrl: url,
    databaseDirectUrl: url,
    databaseOwnerUrl: url,
  });
});

test("backups come every so many minutes, hours or days", () => {
  expect(readConfig({ BACKUP_EVERY: "off" }).backupEvery).toBe(null);
  expect(["30m", "12h", "2d"].map((text) => readConfig({ BACKUP_EVERY: text }).backupEvery)).toEqual([1_800_000, 43_200_000, 172_800_000]);
});

test("real prices keep real hours", () => {
  expect(readConfig({ FEED: "kraken" }).marketHours).toBe("real");
  expect(readConfig({ FEED: "kraken", MARKET_HOURS: "always" }).marketHours).toBe("always");
});

describe("a value that does not fit stops the start in one line that names it", () => {
  const bad: [string, string[]][] = [
    ["PORT", ["http", "-1", "65536", "80.5", "1e3", "0x50", "NaN", "3000 3001"]],
    [
      "DATABASE_URL",
      [
        "mysql://db/x",
        "halyard",
        "postgres",
        "http://db",
        "postgres://",
        "postgres:///halyard",
        "postgresql:halyard",
        "postgres://?host=",
        "postgres://one:5432,/db",
        "postgres://one:5432,two:port/db",
        "postgres://one,/db?host=/socket",
      ],
    ],
    ["DATABASE_READ_URL", ["postgres://", "replica.example"]],
    ["DATABASE_DIRECT_URL", ["postgres://", "postgres:///halyard"]],
    ["FEED", ["Kraken", "simulator ,", "toString"]],
    ["FEED_SEED", ["-1", "1.5", "4294967296", "abc"]],
    ["FEED_SPEED", ["0", "fast", "-1", "Infinity", "1000001"]],
    ["BACKUP_EVERY", ["1", "h", "0h", "1.5h", "-1h", "24 hours", "yes"]],
    ["BACKUP_KEEP", ["0", "all", "1.5"]],
    ["FEED_URL", ["https://ws.example", "ws.example"]],
    ["REFERENCE_FEED", ["simulator", "Kraken"]],
    ["REFERENCE_URL", ["https://ws.example"]],
    ["ADVERSE_CORRECTIONS", ["on", "two-eyes"]],
    ["CORRECTIONS_ALONE_UP_TO", ["-1", "1e3", "much", "1000000001"]],
    ["MARKET_HOURS", ["never"]],
    ["SITE_MODE", ["Live", "production"]],
    ["PUBLIC_URL", ["trade.example", "javascript:alert(1)", "ftp://trade.example"]],
    ["TRUSTED_PROXY", ["10.0.0.0/33", "10.0.0", "proxy", "10.0.0.0/-1", "fd00::/129", "10.0.0.0/8/8", "10.0.0.0/"]],
    ["LOG_LEVEL", ["loud", "INFO"]],
  ];
  test.each(bad.flatMap(([name, values]) => values.map((value) => [name, value] as const)))("%s=%s", (name, value) => {
    const message = refused({ [name]: value });
    expect(message).toStartWith(`${name} must be `);
    expect(message).not.toContain("\n");
  });

  test("live money deals on real prices only", () => {
    const unreal: Record<string, string>[] = [{}, { FEED: "simulator" }, { FEED: "replay", FEED_FILE: "ticks.csv" }];
    for (const env of unreal)
      expect(refused({ SITE_MODE: "live", ...env })).toBe("FEED must be kraken when SITE_MODE is live: live money deals on real prices only");
    expect(readConfig({ SITE_MODE: "live", FEED: "kraken" })).toMatchObject({ siteMode: "live", feed: "kraken" });
  });

  test("replay needs its file", () => {
    expect(refused({ FEED: "replay" })).toBe("FEED_FILE must name a CSV file when FEED is replay");
  });

  test.each<[string, Record<string, string>]>([
    ["ADMIN_EMAIL", { ADMIN_EMAIL: "admin@example.test" }],
    ["ADMIN_PASSWORD", { ADMIN_PASSWORD: "secret-word-alone" }],
    ["ADMIN_EMAIL", { ADMIN_EMAIL: "not an address", ADMIN_PASSWORD: "secret-word-in-full" }],
    ["ADMIN_EMAIL", { ADMIN_EMAIL: "admin@example", ADMIN_PASSWORD: "secret-word-in-full" }],
    ["ADMIN_PASSWORD", { ADMIN_EMAIL: "admin@example.test", ADMIN_PASSWORD: "secret-word" }],
    ["ADMIN_PASSWORD", { ADMIN_EMAIL: "admin@example.test", ADMIN_PASSWORD: "secret-word".repeat(20) }],
    ["METRICS_TOKEN", { METRICS_TOKEN: "secret-word" }],
    ["METRICS_TOKEN", { METRICS_TOKEN: "secret-word and more words" }],
    ["DATABASE_URL", { DATABASE_URL: "mysql://halyard:secret-word@db/halyard" }],
  ])("%s, and no secret is told: %p", (name, env) => {
    const message = refused(env);
    expect(message).toContain(name);
    expect(message).not.toContain("secret-word");
  });
});

const root = join(import.meta.dir, "..");
/** The names of all settings, as they stand in the source. */
const settings = async () => {
  const source = await Bun.file(join(root, "src", "config.ts")).text();
  return new Set(source.match(/"[A-Z][A-Z_]+"|env\.[A-Z_]+/g)?.map((name) => name.replace(/^env\.|"/g, "")));
};

test("compose.yaml sets only variables that are read", async () => {
  const read = await settings();
  type Compose = { services: Record<string, { image?: string; environment: Record<string, string> }> };
  const { services } = Bun.YAML.parse(await Bun.file(join(root, "compose.yaml")).text()) as Compose;
  const own = Object.entries(services).filter(([name]) => name.startsWith("halyard"));
  expect(own.map(([name]) => name)).toEqual(["halyard-1", "halyard-2"]);
  for (const [, { environment }] of own) expect(Object.keys(environment).filter((name) => name !== "<<" && !read.has(name))).toEqual([]);
  for (const [name, { image }] of Object.entries(services))
    expect([name, image === "halyard" || /@sha256:[0-9a-f]{64}$/.test(image ?? "")]).toEqual([name, true]);
});

test("compose.yaml has each instance watched, with the token that it asks for, under the job that the rules name", async () => {
  const read = async (name: string) => Bun.YAML.parse(await Bun.file(join(import.meta.dir, "..", name)).text());
  type Service = { environment?: Record<string, string>; secrets?: string[] };
  type Compose = { services: Record<string, Service>; secrets: Record<string, { environment: string }> };
  const { services, secrets } = (await read("compose.yaml")) as Compose;
  const instances = Object.keys(services).filter((name) => name.startsWith("halyard"));
  for (const name of instances) expect(services[name]?.environment?.METRICS_TOKEN).toBe("${METRICS_TOKEN:-}");
  expect(services.prometheus?.secrets).toEqual(["metrics_token"]);
  expect(secrets).toEqual({ metrics_token: { environment: "METRICS_TOKEN" } });
  const targets = instances.map((name) => `${name}:${readConfig({}).port}`);
  expect(await read("scripts/ops/prometheus.yml")).toMatchObject({
    rule_files: ["alerts.yml"],
    scrape_configs: [{ job_name: "halyard", authorization: { credentials_file: "/run/secrets/metrics_token" }, static_configs: [{ targets }] }],
  });
  const jobs = (await Bun.file(join(import.meta.dir, "../scripts/ops/alerts.yml")).text()).matchAll(/job="([^"]*)"/g);
  expect([...new Set([...jobs].map(([, job]) => job))]).toEqual(["halyard"]);
});

describe("the manifests for CloudNativePG", () => {
  type Variable = { name: string; value?: string; valueFrom?: { secretKeyRef: { name: string; key: string } } };
  type Probe = { httpGet: { path: string; port: string }; periodSeconds: number; failureThreshold: number };
  type Container = Record<"readinessProbe" | "livenessProbe" | "startupProbe", Probe> & {
    env: Variable[];
    envFrom: { secretRef: { name: string } }[];
    ports: { name: string; containerPort: number }[];
  };
  type Manifest = { kind: string; metadata: { name: string }; stringData?: Record<string, string>; spec: Record<string, unknown> };
  type Pod = { containers: [Container]; terminationGracePeriodSeconds: number };
  type Database = { bootstrap: { initdb: { database: string; owner: string } }; managed: { roles: { name: string }[] }; instances: number; postgresql: object };

  const manifests = async () => Bun.YAML.parse(await Bun.file(join(root, "scripts/ops/cloudnativepg.yml")).text()) as Manifest[];
  const found = (all: Manifest[], kind: string, name?: string) => {
    const one = all.find((each) => each.kind === kind && (name === undefined || each.metadata.name === name));
    if (!one) throw new Error(`no ${kind} ${name ?? ""}`);
    return one;
  };
  const podOf = (all: Manifest[]) => (found(all, "Deployment").spec.template as { spec: Pod }).spec;

  /** What the program is told, as Kubernetes puts it together: secrets first, then $(NAME) replaced. */
  async function told(): Promise<{ env: Record<string, string>; parts: string[] }> {
    const all = await manifests();
    const { env, envFrom } = podOf(all).containers[0];
    const secret = (name: string) => found(all, "Secret", name).stringData ?? {};
    const values = new Map(envFrom.flatMap(({ secretRef }) => Object.entries(secret(secretRef.name))));
    for (const { name, value, valueFrom } of env)
      values.set(name, value ?? secret(valueFrom?.secretKeyRef.name ?? "")[valueFrom?.secretKeyRef.key ?? ""] ?? "");
    const parts = new Set<string>();
    const whole = (text: string) => text.replace(/\$\((\w+)\)/g, (_, name: string) => (parts.add(name), values.get(name) ?? ""));
    return { env: Object.fromEntries([...values].map(([name, value]) => [name, whole(value)])), parts: [...parts] };
  }

  test("set only variables that are read, or that stand in one that is", async () => {
    const [read, { env, parts }] = [await settings(), await told()];
    expect(Object.keys(env).filter((name) => !read.has(name) && !parts.includes(name))).toEqual([]);
    expect(parts.filter((name) => !env[name])).toEqual([]);
  });

  test("are read as what was meant, once the words to change are changed", async () => {
    const { env } = await told();
    const key = "5".repeat(64);
    const changed = { ...env, LOG_KEY: key, DOCUMENT_KEY: key, ADMIN_PASSWORD: "twelve or more", METRICS_TOKEN: "sixteen-letters-or-more" };
    const config = readConfig(changed);
    expect(config).toMatchObject({ host: "0.0.0.0", drain: 10_000, logKey: key, databaseDirectUrl: null });
    const places = [config.databaseUrl, config.databaseReadUrl, config.databaseOwnerUrl].map((url) => new URL(url ?? ""));
    expect(places.map(({ username, hostname, pathname, search }) => [username, hostname, pathname, search])).toEqual([
      ["halyard", "halyard-db-rw", "/halyard", "?sslmode=require"],
      ["halyard", "halyard-db-ro", "/halyard", "?sslmode=require"],
      ["halyard_owner", "halyard-db-rw", "/halyard", "?sslmode=require"],
    ]);
  });

  test("make the database and the roles that the program is told of, with synchronous standbys", async () => {
    const all = await manifests();
    const cluster = found(all, "Cluster", "halyard-db").spec as Database;
    expect(cluster.bootstrap.initdb).toMatchObject({ database: "halyard", owner: "halyard_owner", secret: { name: "halyard-owner" } });
    expect(cluster.managed.roles).toMatchObject([{ name: "halyard", login: true, passwordSecret: { name: "halyard-program" } }]);
    expect(cluster).toMatchObject({ instances: 3, postgresql: { synchronous: { method: "any", number: 1, dataDurability: "required" } } });
    expect(found(all, "Deployment").spec.replicas).toBe(2);
  });

  test("look at doors that are there, for longer than a program drains", async () => {
    const pod = podOf(await manifests());
    const [container, drain] = [pod.containers[0], readConfig({ DRAIN_SECONDS: (await told()).env.DRAIN_SECONDS }).drain / 1_000];
    const { readinessProbe: ready, livenessProbe: alive, startupProbe: started } = container;
    for (const { httpGet } of [ready, alive, started]) expect(httpGet).toEqual({ path: "/healthz", port: "http" });
    expect(container.ports).toEqual([{ name: "http", containerPort: readConfig({}).port }]);
    expect(ready.periodSeconds * ready.failureThreshold).toBeLessThan(drain);
    expect(alive.periodSeconds * alive.failureThreshold).toBeGreaterThan(drain);
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(drain + 10);
  });
});

describe("the mail server", () => {
  const PUBLIC_URL = "https://halyard.example";
  const MAIL_FROM = "Halyard <post@halyard.example>";

  test("is read from its URL, with ports as they are known", () => {
    const of = (SMTP_URL: string) => readConfig({ SMTP_URL, MAIL_FROM, PUBLIC_URL }).smtp;
    expect(of("smtp://mail.example.com")).toEqual({ host: "mail.example.com", port: 587, secure: false, user: null, password: null });
    expect(of("smtps://us%40er:p%3Ass@mail.example.com")).toEqual({ host: "mail.example.com", port: 465, secure: true, user: "us@er", password: "p:ss" });
    expect(of("smtp://[::1]:2525/")).toEqual({ host: "::1", port: 2525, secure: false, user: null, password: null });
    expect(readConfig({ SMTP_URL: "smtp://m.example", MAIL_FROM, PUBLIC_URL }).mailFrom).toEqual({ name: "Halyard", address: "post@halyard.example" });
    expect(readConfig({ MAIL_FROM: "post@halyard.example" }).mailFrom).toEqual({ name: "", address: "post@halyard.example" });
  });

  test("needs a sender, an address of the site, and nothing behind it", () => {
    expect(refused({ SMTP_URL: "smtp://m.example", PUBLIC_URL })).toContain("MAIL_FROM must be set");
    expect(refused({ SMTP_URL: "smtp://m.example", MAIL_FROM })).toContain("PUBLIC_URL must be set");
    for (const url of ["http://m.example", "smtp://user@m.example", "smtp://m.example/box", "smtp://m.example?tls=no", "smtp://a%:b@m.example"])
      expect(refused({ SMTP_URL: url, MAIL_FROM, PUBLIC_URL })).toContain("SMTP_URL");
    for (const from of ["nobody", "A <b>", "A\r\nBcc: x <a@b.example>", 'A" <a@b.example>, x']) expect(refused({ MAIL_FROM: from })).toContain("MAIL_FROM");
  });
});
