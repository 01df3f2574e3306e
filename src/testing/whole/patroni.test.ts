import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { firing, scrapeOf } from "../alert_rules";
import { losePrimary, SECONDS } from "../failover";
import { type Cluster, startPatroni } from "../patroni";
import { buildProgram } from "../program";
import { until } from "../scenarios";

/**
 * The set-up that docs/operate.md describes, with a real Patroni: it promotes by itself when a primary dies under load, and what died comes back
 * as a standby. CHAOS_SECONDS makes the load before and after it long.
 */

setDefaultTimeout(600_000 + SECONDS * 3_000);

let cluster: Cluster;
beforeAll(async () => {
  buildProgram();
  cluster = await startPatroni();
});
afterAll(() => cluster.stop());

/** What a write is told at a server that is away or starting, that ends the line, or that follows. */
const AWAY = new Set(["ECONNREFUSED", "CONNECTION_CLOSED", "ECONNRESET", "57P03", "57P01", "57P02"]);
const READ_ONLY = "25006";
const isAlone = async () => (await firing(scrapeOf(await cluster.figures()))).includes("HalyardStandbyMissing");
const countOf = async (sql: ReturnType<Cluster["writer"]>) => (await sql<{ all: number }[]>`select count(*)::integer as all from fills`)[0]?.all;

test("the primary and its Patroni die under load: nothing answered is lost or doubled, and what died comes back to follow and writes nothing", async () => {
  await until("the standby is told of", async () => !(await isAlone()));
  expect(cluster.control("list")).toMatch(/one .*Leader[^]*two .*Sync Standby/);
  await losePrimary(cluster, "patroni.test.ts", async () => {
    expect(await isAlone()).toBe(true);
    const told = await cluster.comeBack();
    expect(told.filter((word) => word !== READ_ONLY && !AWAY.has(String(word)))).toEqual([]);
    expect(told.at(-1)).toBe(READ_ONLY);
    await until("the alert is over", async () => !(await isAlone()));
  });
  const [line] = await cluster.follower()<{ follows: boolean }[]>`select pg_is_in_recovery() as follows`;
  expect(line?.follows).toBe(true);
  const all = await countOf(cluster.writer());
  await until("it holds what the other holds", async () => (await countOf(cluster.follower())) === all);
});
