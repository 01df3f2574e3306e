/**
 * The benchmarks: what they measure is the built executable, run as an operator runs it, its database durable. Prints a
 * table and writes bench/results.json. Aims stand beside the figures; missing one is news, not a failure.
 */
import { mkdirSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { benchEngine, engineRows } from "./bench_engine";
import { wire } from "./bench_load";
import { fundMover, type Mover, transfersByHttp, transfersBySql } from "./bench_money";
import { marketOf, openDatabase, ordersByHttp, ordersBySql, registerTrader, statementsPerOrder, type Trader } from "./bench_orders";
import { type PageWeight, weighPage } from "./bench_pages";
import { home, measure, memoryOf, type Program, type Rate, type Server, startBare, startProgram } from "./bench_program";

const RESULTS = join(import.meta.dir, "..", "bench");
const FIRST_STARTS = 3;
const LATER_STARTS = 5;
const CALLERS = [1, 8, 32];
const MOVERS = [1, 8];
const ROUNDS = 5;
const ORDER_SECONDS = 1.2;
const PAGE_SECONDS = 1.2;
const READERS = 32;
const REST_SECONDS = 4;
const SIGNED_OUT = ["/", "/terms", "/privacy", "/register", "/login"];
const SIGNED_IN = ["/dashboard", "/traders-portal"];

/** The middle of several runs, with the lowest and the highest. */
type Spread = { median: number; min: number; max: number };
function spread(values: number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const median = sorted.length % 2 ? (sorted[Math.floor(middle)] as number) : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
  return { median, min: sorted[0] as number, max: sorted.at(-1) as number };
}

type Row = { what: string; figure: string; aim?: string; met?: boolean };
const rows: Row[] = [];
const section = (what: string) => rows.push({ what: "", figure: "" }, { what: what.toUpperCase(), figure: "" });
const whole = (value: number) => Math.round(value).toLocaleString("en-US");
const shown = ({ median, min, max }: Spread, text: (value: number) => string) => `${text(median)} (${text(min)}–${text(max)})`;
const seconds = (value: number) => `${value.toFixed(2)} s`;
const kilobytes = (value: number) => (value / 1000).toFixed(1);

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

type Way = (callers: number) => Promise<number>;

/** A deed's rate through HTTP beside that of its SQL function through the same driver, in turn, so that both meet the same machine. */
async function beside(name: string, counts: number[], ways: { viaHttp: Way; viaSql: Way }) {
  const results = [];
  for (const callers of counts) {
    const http: number[] = [];
    const raw: number[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const viaSql = await ways.viaSql(callers);
      const viaHttp = await ways.viaHttp(callers);
      if (round === 0) continue; // Warms both up.
      raw.push(viaSql);
      http.push(viaHttp);
    }
    const result = { callers, http: spread(http), raw: spread(raw), ratio: spread(http.map((rate, round) => rate / (raw[round] as number))) };
    const label = callers === 1 ? "1 caller" : `${callers} callers`;
    rows.push({ what: `${label}, through HTTP`, figure: shown(result.http, whole) });
    rows.push({ what: `${label}, ${name} through the driver alone`, figure: shown(result.raw, whole) });
    const ratio = (value: number) => value.toFixed(2);
    rows.push({ what: `${label}, ratio`, figure: shown(result.ratio, ratio), aim: "≥ 0.80", met: result.ratio.median >= 0.8 });
    results.push(result);
  }
  return results;
}

async function benchOrders(program: Program, origin: string, traders: Trader[]) {
  const sql = openDatabase(program);
  section("orders a second, on demo accounts, committed to disk");
  const results = await beside("trade_open", CALLERS, {
    viaSql: async (callers) => ordersBySql(sql, await marketOf(origin), traders.slice(0, callers), ORDER_SECONDS),
    viaHttp: async (callers) => (await ordersByHttp(program, traders.slice(0, callers), ORDER_SECONDS)).perSecond,
  });
  await sql.end();
  return results;
}

async function benchMoney(program: Program, origin: string, traders: Trader[]) {
  const sql = openDatabase(program);
  section("transfers a second, journal and balances committed to disk");
  const movers: Mover[] = [];
  for (const trader of traders.slice(0, Math.max(...MOVERS))) movers.push(await fundMover(sql, trader));
  const { board } = await marketOf(origin);
  const results = await beside("transfer_make", MOVERS, {
    viaSql: (callers) => transfersBySql(sql, board, movers.slice(0, callers), ORDER_SECONDS),
    viaHttp: async (callers) => (await transfersByHttp(program, movers.slice(0, callers), ORDER_SECONDS)).perSecond,
  });
  await sql.end();
  return results;
}

/** The session's look-up is one of them: role and status are read from the database at each request. */
async function benchStatements(folder: string) {
  const statements = await statementsPerOrder(folder);
  rows.push({ what: "database statements for one order, the session's look-up included", figure: statements.toFixed(2), aim: "2", met: statements < 2.1 });
  return statements;
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

async function benchTrading() {
  const engine = await benchEngine();
  section("the trading engine, 30 symbols, a stop and a target on each position");
  rows.push(...engineRows(engine));
  return engine;
}

function print(): void {
  const width = Math.max(...rows.map(({ what, figure }) => (figure ? what.length : 0)));
  for (const { what, figure, aim, met } of rows)
    console.log(`${what.padEnd(figure ? width : 0)}  ${figure}${aim === undefined ? "" : `   aim ${aim}: ${met ? "met" : "not met"}`}`.trimEnd());
}

const began = performance.now();
const folder = home();
const bare = await startBare();
try {
  const starts = await benchStarts(folder.path);
  const program = await startProgram(folder.path);
  try {
    const origin = `http://127.0.0.1:${program.port}`;
    const memory = await benchMemory(program);
    const traders: Trader[] = [];
    for (let n = 0; n < Math.max(...CALLERS); n++) traders.push(await registerTrader(origin));
    const { cookie } = await registerTrader(origin);
    const weights = await benchWeights(origin, cookie);
    const pages = await benchPages(program, bare, cookie);
    const orders = await benchOrders(program, origin, traders);
    const transfers = await benchMoney(program, origin, traders);
    await program.stop();
    const statements = await benchStatements(folder.path);
    const engine = await benchTrading();
    const took = (performance.now() - began) / 1000;
    console.log(
      `${cpus().length} cores, ${cpus()[0]?.model.trim() ?? "unknown"}; medians, lowest and highest of ${ROUNDS} alternating runs; took ${took.toFixed(0)} s`,
    );
    print();
    mkdirSync(RESULTS, { recursive: true });
    const machine = { cores: cpus().length, processor: cpus()[0]?.model.trim(), bun: Bun.version };
    await Bun.write(
      join(RESULTS, "results.json"),
      `${JSON.stringify({ at: new Date().toISOString(), machine, starts, memory, weights, pages, orders, transfers, statementsPerOrder: statements, engine }, null, 2)}\n`,
    );
  } finally {
    await program.stop();
  }
} finally {
  await bare.stop();
  folder.remove();
}
