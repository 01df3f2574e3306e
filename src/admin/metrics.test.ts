import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { type TestHouse, testHouse } from "../testing/house";
import { order } from "../testing/scenarios";

let house: TestHouse;
beforeAll(async () => {
  house = await testHouse();
  await house.quote("EUR/USD", "1.10000", "1.10002");
});
afterAll(() => house.end());

const valueOf = (text: string, series: string) => {
  const line = text.split("\n").find((each) => each.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
};

test("tells scrapers what the rooms know, in Prometheus' form, orders by their outcome among it", async () => {
  const [tess, admin] = [await house.trader(), await house.admin()];
  expect((await tess.post("/api/trading/positions", order)).status).toBe(201);
  expect((await tess.post("/api/trading/positions", { ...order, amount: 90_000_000 })).status).toBe(422);
  await house.trading.engine.idle();
  const { status, headers, text } = await admin.get("/metrics");
  expect([status, headers.get("content-type")]).toEqual([200, expect.stringContaining("text/plain; version=0.0.4")]);

  const orders = { method: 'method="POST"', route: 'route="/api/trading/positions"' };
  expect(valueOf(text, `halyard_http_request_seconds_count{${orders.method},${orders.route},status="201"}`)).toBe(1);
  expect(valueOf(text, `halyard_http_request_seconds_count{${orders.method},${orders.route},status="422"}`)).toBe(1);
  expect(valueOf(text, `halyard_refusals_total{${orders.route},code="insufficient_margin"}`)).toBe(1);
  expect(valueOf(text, 'halyard_quote_age_seconds{symbol="EUR/USD"}')).toBeGreaterThanOrEqual(0);
  expect(valueOf(text, "halyard_ticks_total")).toBe(1);
  expect(valueOf(text, "halyard_engine_watched")).toBe(1);
  expect(valueOf(text, "halyard_ledger_halted")).toBe(0);
  expect(valueOf(text, 'halyard_waiting{kind="registrations"}')).toBe(1);
  expect(valueOf(text, "halyard_database_bytes")).toBeGreaterThan(1_000_000);
  expect(valueOf(text, "process_resident_memory_bytes")).toBeGreaterThan(1_000_000);
  for (const name of ["halyard_streams_open", "halyard_event_loop_delay_seconds_count", "halyard_database_answer_seconds", "halyard_build_info"])
    expect(text).toContain(`${name}`);
  // Every line is a comment or a sample, as a scraper reads them.
  for (const line of text.trim().split("\n"))
    expect(line === "" || /^(# (HELP|TYPE) \w+ .+|\w+(\{[^{}]*\})? (-?[\d.e+-]+|NaN|[+-]Inf))$/.test(line) || line).toBe(true);
});

test("counts on from where it was, whoever asks in between", async () => {
  const admin = await house.admin();
  const ticks = async () => valueOf((await admin.get("/metrics")).text, "halyard_ticks_total") ?? 0;
  const before = await ticks();
  await house.quote("EUR/USD", "1.10001", "1.10003");
  await house.quote("EUR/USD", "1.10000", "1.10002");
  expect(await ticks()).toBe(before + 2);
  expect(await ticks()).toBe(before + 2);
});

test("is for administrators and for this machine, not for what a proxy on it forwards", async () => {
  expect((await house.stranger().get("/metrics")).status).toBe(403);
  expect((await (await house.trader()).get("/metrics")).status).toBe(403);
  house.app.listen({ port: 0, hostname: "127.0.0.1" });
  const url = `http://127.0.0.1:${house.app.server?.port}/metrics`;
  expect((await fetch(url)).status).toBe(200);
  expect((await fetch(url, { headers: { "x-forwarded-for": "198.51.100.7" } })).status).toBe(403);
  expect((await fetch(url, { headers: { forwarded: "for=198.51.100.7" } })).status).toBe(403);
  await house.app.server?.stop(true);
});

test("an instance that shares its database lets this machine read them behind any proxy, and speaks of backups for itself alone", async () => {
  const shared = await testHouse({ DATABASE_URL: "postgres://db.example/halyard", TRUSTED_PROXY: "127.0.0.0/8, 172.30.57.0/24", PUBLIC_URL: "https://t.test" });
  shared.app.listen({ port: 0, hostname: "0.0.0.0" });
  const url = `http://127.0.0.1:${shared.app.server?.port}/metrics`;
  const scraped = await fetch(url);
  expect([scraped.status, await scraped.text()]).toEqual([200, expect.stringContaining("halyard_leads 1")]);
  expect((await fetch(url, { headers: { "x-forwarded-for": "127.0.0.1" } })).status).toBe(403);
  await shared.app.server?.stop(true);
  const page = (await (await shared.admin()).get("/admin?tab=system")).text;
  expect(page).toContain("This instance makes none by itself, another may");
  expect(page).not.toContain("None are made by themselves");
  await shared.end();
});

test("the System tab shows what runs, and proves the books on demand", async () => {
  const admin = await house.admin();
  const page = (await admin.get("/admin?tab=system")).text;
  for (const text of ["System", "Simulated prices".replace("Simulated", "Test"), "PostgreSQL", "embedded", "None are made by themselves", "Slowest statements"])
    expect(page).toContain(text);
  expect(page).not.toContain("ledger balances match postings");
  const proved = (await admin.get("/admin?tab=system&checks=run")).text;
  expect(proved).toContain("ledger balances match postings");
  expect(proved).not.toContain("wrong</");

  const [account] = await house.sql<{ id: number }[]>`select id from ledger_accounts where kind = 'trading' limit 1`;
  await house.sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`update ledger_accounts set balance = balance + 1 where id = ${account?.id ?? 0}`;
  });
  const broken = (await admin.get("/admin?tab=system&checks=run")).text;
  expect(broken).toContain("1 wrong");
  await house.sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`update ledger_accounts set balance = balance - 1 where id = ${account?.id ?? 0}`;
  });
});

test("alert rules and dashboard ask only for what is told", async () => {
  const { text } = await (await house.admin()).get("/metrics");
  const told = new Set(
    [...text.matchAll(/^# TYPE (\w+) (\w+)/gm)].flatMap(([, name = "", kind]) => (kind === "histogram" ? [`${name}_bucket`, `${name}_count`] : [name])),
  );
  for (const file of ["alerts.yml", "dashboard.json"]) {
    const asked = (await Bun.file(join(import.meta.dir, "../../scripts/ops", file)).text()).match(/\b(halyard|process)_[a-z_]+/g) ?? [];
    expect(asked.length).toBeGreaterThan(10);
    expect([file, asked.filter((name) => !told.has(name))]).toEqual([file, []]);
  }
});
