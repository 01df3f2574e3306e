import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { type TestApp, testApp } from "../testing/app";
import { order } from "../testing/scenarios";
import { sentBy } from "../testing/statements";
import { slowQueries } from "./queries_system";

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
  await app.quote("EUR/USD", "1.10000", "1.10002");
});
afterAll(() => app.end());

const valueOf = (text: string, series: string) => {
  const line = text.split("\n").find((each) => each.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
};

test("tells scrapers what the rooms know, in Prometheus' form, orders by their outcome among it", async () => {
  const [tess, admin] = [await app.trader(), await app.admin()];
  expect((await tess.post("/api/trading/positions", order)).status).toBe(201);
  expect((await tess.post("/api/trading/positions", { ...order, amount: 90_000_000 })).status).toBe(422);
  await app.trading.engine.idle();
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
  const admin = await app.admin();
  const ticks = async () => valueOf((await admin.get("/metrics")).text, "halyard_ticks_total") ?? 0;
  const before = await ticks();
  await app.quote("EUR/USD", "1.10001", "1.10003");
  await app.quote("EUR/USD", "1.10000", "1.10002");
  expect(await ticks()).toBe(before + 2);
  expect(await ticks()).toBe(before + 2);
});

test("is for administrators and for who brings the token; of this machine is everybody behind a proxy that names nobody", async () => {
  const token = "a-scraper's-own-t0ken";
  const scraped = await testApp({ METRICS_TOKEN: token, TRUSTED_PROXY: "127.0.0.0/8" });
  for (const [at, right] of [
    [app, 403],
    [scraped, 200],
  ] as const) {
    expect((await (await at.trader()).get("/metrics")).status).toBe(403);
    at.router.listen({ port: 0, hostname: "127.0.0.1" });
    const ask = async (headers: Record<string, string>) => (await fetch(`http://127.0.0.1:${at.router.server?.port}/metrics`, { headers })).status;
    expect(await ask({ Authorization: `Bearer ${token}` })).toBe(right);
    for (const headers of [{}, { Authorization: "Bearer " }, { Authorization: "Bearer null" }, { Authorization: token }, { Authorization: `Bearer ${token}x` }])
      expect(await ask(headers as Record<string, string>)).toBe(403);
    await at.router.server?.stop(true);
  }
  await scraped.end();
});

test("an instance that shares its database speaks of backups for itself alone", async () => {
  const shared = await testApp({ DATABASE_URL: "postgres://db.example/halyard" });
  const page = (await (await shared.admin()).get("/admin?tab=system")).text;
  expect(page).toContain("This instance makes none by itself, another may");
  expect(page).not.toContain("None are made by themselves");
  await shared.end();
});

test("of all statements that are counted the ten slowest alone are put on a line, the slowest first", async () => {
  await app.sql.unsafe("create schema if not exists statements; create extension if not exists pg_stat_statements with schema statements");
  for (let n = 0; n < 15; n++) for (let times = 0; times < 2; times++) await app.sql.unsafe(`select\n    ${n} as\n\t"number${n}"`);
  const told = (await slowQueries(app.sql)) ?? [];
  expect(told).toHaveLength(10);
  expect(told).toEqual(told.toSorted((a, b) => b.meanMs - a.meanMs));
  for (const { query, calls } of told) expect([/^(\S+ ?)+$/.test(query), query.length > 0 && query.length <= 160, calls > 1]).toEqual([true, true, true]);

  type Plan = { "Actual Rows": number; Output?: string[]; Plans?: Plan[] };
  const all = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(all)];
  const sent = (await sentBy(app.sql, () => slowQueries(app.sql))).at(-1);
  const [row] = await app.sql.unsafe<{ "QUERY PLAN": [{ Plan: Plan }] }[]>(`explain (analyze, verbose, format json) ${sent?.text}`, sent?.values as string[]);
  const written = all((row as { "QUERY PLAN": [{ Plan: Plan }] })["QUERY PLAN"][0].Plan).filter(({ Output }) =>
    Output?.some((each) => each.includes("regexp_replace(")),
  );
  expect(written.length > 0 && written.every((plan) => plan["Actual Rows"] <= 10)).toBe(true);
  // The program's own role has no right to it here.
  await app.sql.unsafe("drop extension pg_stat_statements; drop schema statements");
});

test("the System tab shows what runs, and proves the books on demand", async () => {
  const admin = await app.admin();
  const page = (await admin.get("/admin?tab=system")).text;
  for (const text of ["System", "Simulated prices".replace("Simulated", "Test"), "PostgreSQL", "embedded", "None are made by themselves", "Slowest statements"])
    expect(page).toContain(text);
  expect(page).not.toContain("ledger balances match postings");
  const proved = (await admin.get("/admin?tab=system&checks=run")).text;
  expect(proved).toContain("ledger balances match postings");
  expect(proved).not.toContain("wrong</");

  const [account] = await app.sql<{ id: number }[]>`select id from ledger_accounts where kind = 'trading' limit 1`;
  await app.sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`update ledger_accounts set balance = balance + 1 where id = ${account?.id ?? 0}`;
  });
  const broken = (await admin.get("/admin?tab=system&checks=run")).text;
  expect(broken).toContain("1 wrong");
  await app.sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`update ledger_accounts set balance = balance - 1 where id = ${account?.id ?? 0}`;
  });
});

test("alert rules and dashboard ask only for what is told", async () => {
  const { text } = await (await app.admin()).get("/metrics");
  const told = new Set(
    [...text.matchAll(/^# TYPE (\w+) (\w+)/gm)].flatMap(([, name = "", kind]) => (kind === "histogram" ? [`${name}_bucket`, `${name}_count`] : [name])),
  );
  for (const file of ["alerts.yml", "dashboard.json"]) {
    const asked = (await Bun.file(join(import.meta.dir, "../../scripts/ops", file)).text()).match(/\b(halyard|process)_[a-z_]+/g) ?? [];
    expect(asked.length).toBeGreaterThan(10);
    expect([file, asked.filter((name) => !told.has(name))]).toEqual([file, []]);
  }
});
