import { afterAll, afterEach, expect, test } from "bun:test";
import { connect as dial, createServer, type Socket } from "node:net";
import { testDatabase } from "../../testing/database";
import { readConfig } from "../../config";
import { until } from "../../testing/scenarios";
import type { Messages } from "./bus";
import { createLog } from "../log";
import { openSharedBus, type SharedBus } from "./shared_bus";
import { openStore } from "../database/store";

/** The bus between programs, on real PostgreSQL. */

const database = await testDatabase();
afterAll(() => database.drop());
const buses: SharedBus[] = [];
afterEach(async () => {
  for (const bus of buses.splice(0)) await bus.stop();
});

const log = createLog("error");
const faults: unknown[] = [];
async function join(url = database.url) {
  const bus = await openSharedBus({ url, sql: database.sql, log, onFault: (error) => void faults.push(error) });
  buses.push(bus);
  const heard: string[] = [];
  const hear = <K extends keyof Messages>(topic: K) => bus.subscribe(topic, (message) => void heard.push(`${topic} ${JSON.stringify(message)}`));
  for (const topic of ["notice", "sessions", "quotes", "feed", "renewed"] as const) hear(topic);
  return { bus, heard };
}
/** Without what a line says of itself, which on a busy machine may be renewed at any time. */
const noticesIn = (heard: readonly string[]) => heard.filter((text) => text.startsWith("notice"));
const notice = (title: string) => ({ userId: "u", title, message: "m", kind: "info" as const });
const cut = () =>
  database.sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'halyard listener' and datname = current_database()`;

test("what one publishes all hear, once each and in order; quotes stay at home", async () => {
  const [a, b] = [await join(), await join()];
  for (const title of ["one", "two", "three"]) a.bus.publish("notice", notice(title));
  a.bus.publish("quotes", []);
  b.bus.publish("sessions", { userId: "u", sessionId: null });
  const notices = ["one", "two", "three"].map((title) => `notice ${JSON.stringify(notice(title))}`);
  const session = `sessions {"userId":"u","sessionId":null}`;
  await until("both have heard", () => [a, b].every(({ heard }) => heard.includes(session) && heard.some((text) => text.includes("three"))));
  expect(noticesIn(a.heard)).toEqual(notices);
  expect(noticesIn(b.heard)).toEqual(notices);
  expect(b.heard).not.toContain("quotes []");
  expect(a.heard).toContain("quotes []");
});

test("a thousand messages travel in few notices, none too large; one that is too large is a fault and goes nowhere", async () => {
  const [a, b] = [await join(), await join()];
  for (let n = 0; n < 1_000; n++) a.bus.publish("notice", notice(`number ${n}`));
  await until("all have come", () => noticesIn(b.heard).length === 1_000);
  expect(noticesIn(b.heard).at(-1)).toContain("number 999");
  faults.length = 0;
  a.bus.publish("notice", notice("x".repeat(9_000)));
  a.bus.publish("notice", notice("small"));
  await until("the small one has come", () => noticesIn(b.heard).length === 1_001);
  expect(String(faults[0])).toContain("too large");
  expect(noticesIn(b.heard).at(-1)).toContain("small");
});

test("what waits already is not said twice", async () => {
  const [a, b] = [await join(), await join()];
  for (let n = 0; n < 50; n++) a.bus.publish("notice", notice("the same"));
  a.bus.publish("notice", notice("the last"));
  await until("the last has come", () => b.heard.some((text) => text.includes("the last")));
  expect(b.heard.filter((text) => text.includes("the same"))).toHaveLength(1);
});

test("a line that was cut stands again, and says that something may have been missed", async () => {
  const [a, b] = [await join(), await join()];
  await cut();
  await until("both know", () => a.heard.includes("renewed {}") && b.heard.includes("renewed {}"));
  a.bus.publish("notice", notice("again"));
  await until("they hear each other", () => b.heard.some((text) => text.includes("again")));
});

/** A pooler in transaction mode: queries pass, notices are swallowed. Speaks the protocol as far as frames go. */
async function pooler(): Promise<{ url: string; close(): void }> {
  const target = new URL(database.url);
  const path = `${target.searchParams.get("host") ?? ""}/.s.PGSQL.${target.port || "5432"}`;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = target.searchParams.has("host") ? dial(path) : dial(Number(target.port || 5432), target.hostname);
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on("error", () => socket.destroy());
      socket.on("close", () => void (client.destroy(), upstream.destroy()));
    }
    client.pipe(upstream);
    let rest = Buffer.alloc(0);
    upstream.on("data", (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk]);
      while (rest.length >= 5) {
        const size = 1 + rest.readUInt32BE(1);
        if (rest.length < size) return;
        if (rest.toString("latin1", 0, 1) !== "A") client.write(rest.subarray(0, size));
        rest = rest.subarray(size);
      }
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const url = new URL(database.url);
  url.searchParams.delete("host");
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as { port: number }).port);
  return {
    url: url.href,
    close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

test("behind a pooler that swallows notices the start is refused, naming the way", async () => {
  const between = await pooler();
  try {
    const refused = await join(between.url).then(
      () => "joined",
      (error: Error) => `${error.constructor.name}: ${error.message}`,
    );
    expect(refused).toContain("StartError: The database does not deliver notices to this connection");
    expect(refused).toContain("DATABASE_DIRECT_URL");
  } finally {
    between.close();
  }
});

test("beside an address of PostgreSQL itself, the other is taken for a pooler: no prepared statement stays behind on its sessions", async () => {
  const store = await openStore(readConfig({ DATABASE_URL: database.url, DATABASE_DIRECT_URL: database.url }), log);
  const held = await store.sql.reserve();
  for (let n = 0; n < 2; n++) expect([...(await held`select ${n}::integer as n`)]).toEqual([{ n }]);
  expect(await held`select name from pg_prepared_statements`).toHaveLength(0);
  held.release();
  await store.close();
});
