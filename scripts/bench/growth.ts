/** Each page and call that staff and traders use, on a small and on a large database: what it costs must not grow with what the house has ever done. */
import { join } from "node:path";
import { connect } from "../../src/platform/database/db";
import { EXECUTABLE, launch } from "../../src/testing/program";
import { fill, type Size } from "./growth_fill";
import { ordersByHttp, registerTrader, type Trader } from "./orders";
import { home, type Program, startProgram } from "./program";

const ADMIN = { email: "admin@bench.test", password: "correct horse battery" };
const SMALL: Size = { people: 1_000, closed: 5_000, heavy: 50, open: 100, requests: 1_000, tickets: 500, audits: 500 };
const LARGE: Size = { people: 200_000, closed: 5_000_000, heavy: 50_000, open: 20_000, requests: 250_000, tickets: 200_000, audits: 20_000 };
/** Another version's executable, in place of this one's. */
const BESIDE = process.env.BESIDE;
/** So many askings of each are told of, behind some that are not. */
const ROUNDS = 100;
const FIRST = 5;

const scaled = (size: Size, scale: number): Size =>
  Object.fromEntries(Object.entries(size).map(([key, value]) => [key, Math.max(1, Math.round(value * scale))])) as Size;

type Who = "admin" | "heavy";
const PAGES: [Who, string][] = [
  ["heavy", "/dashboard"],
  ["heavy", "/traders-portal"],
  ["heavy", "/accounts"],
  ["heavy", "/analytics"],
  ["heavy", "/analytics?book=demo"],
  ["heavy", "/trading"],
  ["heavy", "/profile"],
  ["heavy", "/execution-quality"],
  ["heavy", "/api/dashboard"],
  ["heavy", "/api/overview"],
  ["heavy", "/api/trading-accounts/:account/result"],
  ["heavy", "/api/trading/positions/history?limit=50"],
  ["heavy", "/api/transactions?limit=50"],
  ["heavy", "/api/transactions?limit=50&type=trade"],
  ["heavy", "/api/transactions?limit=50&type=deposit"],
  ["admin", "/admin?tab=today"],
  ["admin", "/admin?tab=overview"],
  ["admin", "/admin?tab=trades"],
  ["admin", "/admin?tab=users"],
  ["admin", "/admin?tab=deposits"],
  ["admin", "/admin?tab=withdrawals"],
  ["admin", "/admin?tab=support"],
  ["admin", "/admin?tab=audit"],
  ["admin", "/admin?tab=system"],
  ["admin", "/admin-app"],
  ["admin", "/admin/users/:heavy"],
  ["admin", "/api/admin/users/:heavy/timeline"],
  ["admin", "/api/admin/overview"],
  ["admin", "/api/admin/stats"],
  ["admin", "/api/admin/realtime-data"],
  ["admin", "/api/admin/margin-levels"],
  ["admin", "/api/admin/exposure"],
  ["admin", "/api/admin/trading-positions?limit=50"],
  ["admin", "/api/admin/trading-positions?limit=50&sort=-profit"],
  ["admin", "/api/admin/users?limit=50&status=suspended"],
  ["admin", "/api/admin/deposits?limit=50&sort=-amount"],
  ["admin", "/api/admin/deposits?limit=50&q=nobody-at-all"],
  ["admin", "/api/admin/withdrawals?limit=50&q=nobody-at-all"],
  ["admin", "/api/admin/support-tickets?limit=50&q=nobody-at-all"],
  ["admin", "/api/admin/audit-trail?limit=50&q=nobody-at-all"],
  ["admin", "/api/admin/audit-trail?limit=50&targetUserId=:heavy"],
  ["admin", "/api/admin/audit-trail/verify"],
  ["admin", "/api/admin/notifications/unread"],
  ["admin", "/api/admin/groups"],
  ["admin", "/api/admin/waiting"],
];

/** Lists that are paged through to their page 1,000, or to their last. */
const DEEP: [Who, string][] = [
  ["heavy", "/api/trading/positions/history?limit=20"],
  ["heavy", "/api/transactions?limit=20"],
  ["admin", "/api/admin/users?limit=50"],
  ["admin", "/api/admin/deposits?limit=50"],
  ["admin", "/api/admin/trading-positions?limit=50"],
  ["admin", "/api/admin/audit-trail?limit=50"],
];
const DEEPEST = 1000;
/** Lists as files: all of their lines. */
const FILES: [Who, string][] = [
  ["heavy", "/api/transactions?format=csv"],
  ["admin", "/api/admin/users?format=csv"],
  ["admin", "/api/admin/deposits?format=csv"],
  ["admin", "/api/admin/trading-positions?format=csv"],
  ["admin", "/api/admin/audit-trail?format=csv"],
];
const DEALERS = 8;
const DEAL_SECONDS = 4;

/** `p99`: the 99th percentile; both in ms. */
type Measured = { median: number; p99: number; bytes: number };
/** `rates`: of a second; `took`: ms of what is done once. */
type House = { start: number; pages: Map<string, Measured>; rates: Map<string, number>; took: Map<string, number> };
type Ask = (who: Who, path: string) => Promise<Response>;

/** What many askings of one address took, the first few left out. */
async function timed(ask: Ask, who: Who, path: string): Promise<Measured> {
  const times: number[] = [];
  let bytes = 0;
  for (let round = 0; round < FIRST + ROUNDS; round++) {
    const began = performance.now();
    bytes = (await (await ask(who, path)).arrayBuffer()).byteLength;
    times.push(performance.now() - began);
  }
  const warm = times.slice(FIRST).toSorted((a, b) => a - b);
  const at = (share: number) => warm[Math.ceil(warm.length * share) - 1] as number;
  return { median: at(0.5), p99: at(0.99), bytes };
}

/** The address of a list's page 1,000, or of its last one. */
async function deepest(ask: Ask, who: Who, path: string): Promise<string> {
  let at = path;
  for (let page = 1; page < DEEPEST; page++) {
    const response = await ask(who, at);
    await response.arrayBuffer();
    const next = response.headers.get("X-Next-Cursor");
    if (next === null) break;
    at = `${path}&cursor=${encodeURIComponent(next)}`;
  }
  return at;
}

async function took(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** The commands that read or write the whole, the server at rest. */
async function commands(folder: string): Promise<Map<string, number>> {
  const run = async (at: string, args: string[]) => {
    const { status, stdout, stderr } = await launch(at, {}, args, BESIDE ?? EXECUTABLE).ended;
    if (status !== 0) throw new Error(`${args.join(" ")}: ${stdout}${stderr}`);
  };
  const file = join(folder, "growth.backup");
  const other = home();
  try {
    const times = new Map<string, number>();
    for (const args of [["verify"], ["verify", "--new"], ["backup", file]])
      times.set(args.join(" ").replace(file, "FILE"), await took(() => run(folder, args)));
    times.set("restore FILE, and verify", await took(() => run(other.path, ["restore", file])));
    return times;
  } finally {
    other.remove();
  }
}

/** Fills a database of its own, starts the program anew on it, and asks for all of it. */
async function measured(size: Size): Promise<House> {
  const folder = home();
  const env = { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password, COMMANDS_PER_SECOND: "100000" };
  let program: Program = await startProgram(folder.path, env, BESIDE);
  try {
    const trader = await registerTrader(`http://127.0.0.1:${program.port}`);
    const dealers: Trader[] = [];
    for (let n = 0; n < DEALERS; n++) dealers.push(await registerTrader(`http://127.0.0.1:${program.port}`));
    const sql = connect(program.databaseUrl, { max: 1, name: "bench" });
    await fill(sql, size, trader.id);
    const [account] = await sql<{ id: string }[]>`select id from trading_accounts where user_id = ${trader.id} limit 1`;
    await sql.end();
    await program.stop();
    program = await startProgram(folder.path, env, BESIDE);
    const start = program.ready;
    const origin = `http://127.0.0.1:${program.port}`;
    const signedIn = await fetch(`${origin}/api/auth/login`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(ADMIN) });
    const cookies = { admin: signedIn.headers.getSetCookie()[0]?.split(";")[0] ?? "", heavy: trader.cookie };
    const ask: Ask = async (who, path) => {
      const response = await fetch(origin + path.replace(":heavy", trader.id).replace(":account", account?.id ?? ""), { headers: { cookie: cookies[who] } });
      if (!response.ok) throw new Error(`${path}: ${response.status}`);
      return response;
    };
    const pages = new Map<string, Measured>();
    for (const [who, path] of PAGES) pages.set(path, await timed(ask, who, path));
    for (const [who, path] of DEEP) pages.set(`${path}, page 1,000 or the last`, await timed(ask, who, await deepest(ask, who, path)));
    const once = new Map<string, number>();
    for (const [who, path] of FILES) once.set(path, await took(async () => (await ask(who, path)).arrayBuffer()));
    const rates = new Map([[`orders a second, ${DEALERS} callers`, (await ordersByHttp(program, dealers, DEAL_SECONDS)).perSecond]]);
    await program.stop();
    return { start, pages, rates, took: new Map([...once, ...(await commands(folder.path))]) };
  } finally {
    await program.stop();
    folder.remove();
  }
}

/** `npm run bench -- growth [scale]`: a scale of 0.1 makes the large database a tenth as large. Prints small beside large: medians of what is asked often, how many times the small one's the large one's is, and 99th percentiles. */
export async function growth(scale: number): Promise<void> {
  const small = await measured(SMALL);
  const large = await measured(scaled(LARGE, scale));
  console.log(`${"start to ready".padEnd(WIDTH)} ${small.start.toFixed(2)} · ${large.start.toFixed(2)} s`);
  for (const [path, { median, p99 }] of small.pages) {
    const grown = large.pages.get(path);
    if (grown)
      console.log(
        `${path.padEnd(WIDTH)} ${median.toFixed(1)} · ${grown.median.toFixed(1)} ms (${(grown.median / median).toFixed(2)}), 99th percentile ${p99.toFixed(0)} · ${grown.p99.toFixed(0)} ms, ${(grown.bytes / 1000).toFixed(0)} kB`,
      );
  }
  for (const [what, ms] of small.took) console.log(`${what.padEnd(WIDTH)} ${(ms / 1000).toFixed(2)} · ${((large.took.get(what) ?? 0) / 1000).toFixed(2)} s`);
  for (const [what, rate] of small.rates) console.log(`${what.padEnd(WIDTH)} ${rate.toFixed(0)} · ${(large.rates.get(what) ?? 0).toFixed(0)}`);
}
const WIDTH = 74;
