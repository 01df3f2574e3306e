/**
 * The benchmarks: what they measure is the built executable, run as an operator runs it, its database durable. Prints a
 * table and writes bench/results.json. Aims stand beside the figures; missing one is news, not a failure.
 */
import { mkdirSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { alertRows, benchAlerts } from "./alerts";
import { benchMoney, benchOrders, BESIDE, besideOthers, ROUNDS } from "./beside";
import { benchLogCost } from "./log_cost";
import { benchTradingScreens, benchVisitorPages, type PageSpeed, type ScreenSpeed, type Site } from "./browser";
import { benchEngine, engineRows } from "./engine";
import { growth } from "./growth";
import { benchInstances, soak } from "./instances";
import { wire } from "./load";
import { benchLog, logRows } from "./log";
import { registerTrader, statementsPerOrder } from "./orders";
import { type PageWeight, weighPage } from "./pages";
import { checkParts, part } from "./parts";
import { benchProofs } from "./proofs";
import { benchStreams, streamRows } from "./streams";
import { benchSignedIn, signedInRows } from "./signed_in";
import { kilobytes, print, rows, seconds, section, shown, spread, whole } from "./table";
import { benchUploads, uploadRows } from "./uploads";
import { benchPanel, panelRows } from "./panel";
import { home, measure, memoryOf, type Program, type Rate, type Server, startBare, startProgram } from "./program";

const RESULTS = join(import.meta.dir, "..", "..", "bench");
const FIRST_STARTS = 3;
const LATER_STARTS = 5;
const PAGE_SECONDS = 1.2;
const READERS = 32;
const REST_SECONDS = 4;
const SIGNED_OUT = ["/", "/terms", "/privacy", "/register", "/login"];
const SIGNED_IN = ["/dashboard", "/traders-portal"];

async function benchStarts(folder: string) {
  const first: number[] = [];
  for (let run = 0; run < FIRST_STARTS; run++) {
    const empty = home();
    const program = await startProgram(empty.path);
    first.push(program.ready);
    await program.stop();
    empty.remove();
  }
  await (await startProgram(folder)).stop();
  const later: number[] = [];
  for (let run = 0; run < LATER_STARTS; run++) {
    const program = await startProgram(folder);
    later.push(program.ready);
    await program.stop();
  }
  const ready = spread(later);
  section("start to ready");
  rows.push({ what: "first start (unpacks and sets up PostgreSQL, makes a day of prices)", figure: shown(spread(first), seconds) });
  rows.push({ what: "later starts", figure: shown(ready, seconds), aim: "≤ 0.5 s", met: ready.median <= 0.5 });
  return { first: spread(first), later: ready };
}

async function benchMemory(program: Program) {
  await Bun.sleep(REST_SECONDS * 1000);
  const memory = memoryOf(program);
  section("memory at rest");
  rows.push({ what: "the program", figure: `${whole(memory.program)} MiB` });
  const { postgresProcesses, postgresPss, postgresRss } = memory;
  rows.push({
    what: `PostgreSQL, ${postgresProcesses} processes`,
    figure: `${whole(postgresPss)} MiB (${whole(postgresRss)} with shared pages counted each time)`,
  });
  return memory;
}

/** The session is looked up in the order's own statement: role and status are read from the database at each request. */
async function benchStatements(folder: string) {
  const { order, told } = await statementsPerOrder(folder);
  rows.push({
    what: "database statements for one order, the session's look-up included",
    figure: `${order.toFixed(2)}, and ${told.toFixed(2)} to tell staff, several orders at once`,
    aim: "1",
    met: order < 1.1,
  });
  return { order, told };
}

async function benchPages(program: Program, bare: Server, cookie: string) {
  const subjects = [
    { name: "Elysia, a constant string from a handler", target: bare, request: wire("GET", "/handler") },
    { name: "Elysia, a constant string as a value", target: bare, request: wire("GET", "/value") },
    { name: "landing, signed out", target: program, request: wire("GET", "/") },
    { name: "terms, signed out", target: program, request: wire("GET", "/terms") },
    { name: "dashboard, signed in", target: program, request: wire("GET", "/dashboard", { cookie }) },
  ];
  const runs: Rate[][] = subjects.map(() => []);
  for (let round = 0; round <= ROUNDS; round++)
    for (const [index, { target, request }] of subjects.entries()) {
      const callers = Array.from({ length: READERS }, () => ({ requests: [request] }));
      const rate = await measure(target, { seconds: round === 0 ? 0.5 : PAGE_SECONDS, callers });
      if (round > 0) runs[index]?.push(rate);
    }
  section(`pages a second, ${READERS} callers`);
  const results = subjects.map(({ name }, index) => {
    const own = runs[index] as Rate[];
    const constant = runs[0] as Rate[];
    const over = (field: keyof Rate) => spread(own.map((rate, round) => rate[field] / (constant[round] as Rate)[field]));
    const of = (field: keyof Rate) => spread(own.map((rate) => rate[field]));
    return { name, perSecond: of("perSecond"), perCpuSecond: of("perCpuSecond"), busy: of("busy"), ratio: over("perSecond"), cpuRatio: over("perCpuSecond") };
  });
  for (const { name, perSecond, perCpuSecond, busy, ratio, cpuRatio } of results) {
    const landing = name.startsWith("landing");
    rows.push({ what: name, figure: shown(perSecond, whole) });
    if (!name.startsWith("Elysia")) {
      const against = { figure: shown(ratio, (value) => value.toFixed(2)), ...(landing ? { aim: "≥ 0.80", met: ratio.median >= 0.8 } : {}) };
      rows.push({ what: "  against Elysia's handler, by the clock", ...against });
      rows.push({ what: "  against Elysia's handler, by the server's own processor time", figure: shown(cpuRatio, (value) => value.toFixed(2)) });
    }
    rows.push({
      what: "  for each second of the server's processor time",
      figure: `${shown(perCpuSecond, whole)}, ${Math.round(busy.median * 100)} % of a core`,
    });
  }
  rows.push({ what: "  (a server below 90 % of a core was waiting for its callers: then its own processor time is the better measure)", figure: "" });
  return results;
}

async function benchWeights(origin: string, cookie: string): Promise<PageWeight[]> {
  const pages: PageWeight[] = [];
  for (const path of SIGNED_OUT) pages.push(await weighPage(origin, path, ""));
  for (const path of SIGNED_IN) pages.push(await weighPage(origin, path, cookie));
  section("weight of pages in kB, as they are → as they travel");
  for (const { path, html, css, script, later } of pages) {
    const pair = ({ raw, sent }: PageWeight["html"]) => `${kilobytes(raw)} → ${kilobytes(sent)}`;
    const figure = `HTML ${pair(html)} · CSS ${pair(css)} · JS ${pair(script)}${later.raw ? ` · JS later ${pair(later)}` : ""}`;
    rows.push({ what: path, figure, ...(path === "/" ? { aim: "JS ≤ 5 kB", met: script.sent + later.sent <= 5000 } : {}) });
  }
  return pages;
}

const BROWSER_RUNS = 5;
const TICK_SECONDS = 10;
const milliseconds = (value: number) => `${Math.round(value)} ms`;
const speedText = ({ fcp, lcp, blocking, shift, bytes }: PageSpeed) =>
  `first paint ${milliseconds(fcp)}, largest ${milliseconds(lcp)}, blocked ${milliseconds(blocking)}, shift ${shift.toFixed(3)}; ${Object.entries(bytes)
    .map(([kind, count]) => `${kind.toLowerCase()} ${kilobytes(count)}`)
    .join(" · ")} kB`;

/** What a person with a cheap phone on a slow line meets. */
async function benchBrowser(origin: string, cookie: string) {
  section("pages in Chromium, processor slowed six times, 1.6 Mbit/s, 150 ms");
  const { empty, pages } = await benchVisitorPages(origin, BROWSER_RUNS);
  rows.push({ what: "an empty page", figure: speedText(empty) });
  for (const page of pages) {
    const { path, lcp, blocking, shift } = page;
    const landing = { aim: "largest paint ≤ 300 ms after the empty page's, blocked 0, shift 0", met: lcp - empty.lcp <= 300 && blocking === 0 && shift === 0 };
    rows.push({ what: path, figure: speedText(page), ...(path === "/" ? landing : {}) });
  }
  const folder = BESIDE ? home() : null;
  const other = folder ? await startProgram(folder.path, {}, BESIDE) : null;
  try {
    const sites: Site[] = [{ origin, cookie }];
    if (other) {
      const beside = `http://127.0.0.1:${other.port}`;
      sites.push({ origin: beside, cookie: (await registerTrader(beside)).cookie });
    }
    const [screens = [], before = []] = await benchTradingScreens(sites, BROWSER_RUNS, TICK_SECONDS);
    for (const [at, screen] of screens.entries()) screenRows(screen, before[at] ?? null, empty.lcp);
    return { empty, pages, screens, ...(other ? { other: before } : {}) };
  } finally {
    await other?.stop();
    folder?.remove();
  }
}

/** A trader's screen, and beside each figure that of the other version, where one is measured in turn with this. */
function screenRows(screen: ScreenSpeed, other: ScreenSpeed | null, emptyPaint: number) {
  const row = (what: string, text: (of: ScreenSpeed) => string, aim?: string, isMet?: (of: ScreenSpeed) => boolean) =>
    rows.push({
      what,
      figure: other ? `${text(screen)}; the other version ${text(other)}` : text(screen),
      ...(aim && isMet ? { aim, met: isMet(screen) } : {}),
    });
  const isPortal = screen.answers !== null;
  const after = ({ lcp }: ScreenSpeed) => lcp - emptyPaint;
  const html = ({ bytes }: ScreenSpeed) => bytes.Document ?? 0;
  row(`${screen.path}, signed in`, speedText);
  const paint = (of: ScreenSpeed) => milliseconds(after(of));
  if (isPortal) row("  largest paint after an empty page's", paint, "≤ 400 ms", (of) => after(of) <= 400);
  else row("  largest paint after an empty page's", paint);
  if (isPortal) {
    row(
      "  until SELL and BUY answer a touch",
      ({ answers }) => milliseconds(answers ?? Number.NaN),
      "≤ 1,200 ms",
      ({ answers }) => (answers ?? Number.NaN) <= 1200,
    );
    row(
      "  JavaScript until then · with the chart, as they travel",
      ({ first, all }) => `${kilobytes(first.bytes)} · ${kilobytes(all.bytes)} kB`,
      "≤ 60 · ≤ 130 kB",
      ({ first, all }) => first.bytes <= 60_000 && all.bytes <= 130_000,
    );
    row(
      "  HTML as it travels",
      (of) => `${kilobytes(html(of))} kB`,
      "≤ 14 kB",
      (of) => html(of) <= 14_000,
    );
  } else {
    row(
      "  JavaScript in the first 6 s, nothing pressed",
      ({ first }) => `${kilobytes(first.bytes)} kB in ${first.count} requests`,
      "≤ 70 kB in ≤ 12",
      ({ first }) => first.bytes <= 70_000 && first.count <= 12,
    );
  }
  row(
    "  slowest interaction while prices tick",
    (of) => milliseconds(of.slowestInteraction),
    "< 200 ms",
    (of) => of.slowestInteraction < 200,
  );
  row(
    "  tasks over 50 ms while prices tick, and the longest one's own processor time, times six",
    (of) => `${of.longTasks} in ${TICK_SECONDS} s${of.longTasks ? `, the longest ${milliseconds(of.longestTask)}` : ""}; ${milliseconds(of.longestOwn)}`,
    "none",
    ({ longTasks }) => longTasks === 0,
  );
}

async function benchChecks(origin: string, cookie: string) {
  const proofs = await benchProofs({ origin, cookie });
  const [first, later] = [spread(proofs.first), spread(proofs.later)];
  section("a proof on a slowed phone: the processor at a sixth");
  rows.push(
    { what: "a closed position's file", figure: `${kilobytes(proofs.bytes)} kB` },
    { what: "checked, the first time on a page", figure: shown(first, milliseconds), aim: "≤ 200 ms", met: first.median <= 200 },
    { what: "checked again", figure: shown(later, milliseconds), aim: "≤ 200 ms", met: later.median <= 200 },
  );
  return proofs;
}

async function benchStaffStreams() {
  const streams = await benchStreams();
  section("streams and visitors");
  rows.push(...streamRows(streams));
  return streams;
}

async function benchSent() {
  const uploads = await benchUploads();
  section("the longest wait of others while 10 MB of the worst that people may send are read");
  rows.push(...uploadRows(uploads));
  return uploads;
}

async function benchPublicLog() {
  const log = await benchLog();
  section("the public log");
  rows.push(...logRows(log));
  return log;
}

async function benchTrading() {
  const engine = await benchEngine();
  section("the trading engine, 30 symbols, a stop and a target on each position");
  rows.push(...engineRows(engine));
  return engine;
}

async function benchWatching() {
  const alerts = await benchAlerts();
  section("the engine of alerts, 30 symbols");
  rows.push(...alertRows(alerts));
  return alerts;
}

async function benchStaff() {
  const panel = await benchPanel();
  section("the control panel with 100,000 people, at the HTTP door");
  rows.push(...panelRows(panel));
  return panel;
}

async function benchSeveral() {
  const instances = await benchInstances();
  section("orders a second, 16 callers, an external database on the same machine");
  rows.push({ what: "one program", figure: whole(instances.one) }, { what: "two programs, of which one leads", figure: whole(instances.two) });
  return instances;
}

/** Each by itself: `npm run bench -- soak [minutes]`, `npm run bench -- growth [scale]`. */
const [alone, size] = process.argv.slice(2);
if (alone === "soak" || alone === "growth") {
  await (alone === "soak" ? soak(Number(size ?? 10)) : growth(Number(size ?? 0.1)));
  process.exit(0);
}

checkParts();
const began = performance.now();
const folder = home();
const bare = await startBare();
try {
  const starts = await part("starts", () => benchStarts(folder.path));
  const program = await startProgram(folder.path);
  try {
    const origin = `http://127.0.0.1:${program.port}`;
    const memory = await part("memory", () => benchMemory(program));
    const { cookie } = await registerTrader(origin);
    const weights = await part("weights", () => benchWeights(origin, cookie));
    const browser = await part("browser", () => benchBrowser(origin, cookie));
    const proofs = await part("proofs", () => benchChecks(origin, cookie));
    const pages = await part("pages", () => benchPages(program, bare, cookie));
    const signedIn = await part("signedIn", async () => {
      const measured = await benchSignedIn({ target: program, cookie });
      signedInRows(measured);
      return measured;
    });
    const orders = await part("orders", () => besideOthers(benchOrders));
    const logCost = await part("logCost", benchLogCost);
    const money = await part("money", () => besideOthers(benchMoney));
    await program.stop();
    const statements = await part("statements", () => benchStatements(folder.path));
    const engine = await part("engine", benchTrading);
    const alerts = await part("alerts", benchWatching);
    const instances = await part("instances", benchSeveral);
    const streams = await part("streams", benchStaffStreams);
    const panel = await part("panel", benchStaff);
    const uploads = await part("uploads", benchSent);
    const log = await part("log", benchPublicLog);
    mkdirSync(RESULTS, { recursive: true });
    const machine = { cores: cpus().length, processor: cpus()[0]?.model.trim(), bun: Bun.version };
    await Bun.write(
      join(RESULTS, "results.json"),
      `${JSON.stringify({ at: new Date().toISOString(), machine, starts, memory, weights, browser, proofs, pages, signedIn, orders, logCost, money, statements, engine, alerts, instances, streams, panel, uploads, log }, null, 2)}\n`,
    );
  } finally {
    await program.stop();
  }
} finally {
  // What was measured is told also where a later part broke.
  const took = (performance.now() - began) / 1000;
  console.log(
    `${cpus().length} cores, ${cpus()[0]?.model.trim() ?? "unknown"}; medians, lowest and highest of ${ROUNDS} alternating runs; took ${took.toFixed(0)} s`,
  );
  print();
  await bare.stop();
  folder.remove();
}
