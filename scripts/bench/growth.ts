/** Each page and call that staff and traders use, on a small and on a large database: what it costs must not grow with what the house has ever done. */
import { connect } from "../../src/platform/database/db";
import { EXECUTABLE, launch } from "../../src/testing/program";
import { fill, type Size } from "./growth_fill";
import { registerTrader } from "./orders";
import { home, type Program, startProgram } from "./program";

const ADMIN = { email: "admin@bench.test", password: "correct horse battery" };
const SMALL: Size = { people: 1_000, closed: 5_000, heavy: 50, open: 100, requests: 1_000, tickets: 500, audits: 500 };
const LARGE: Size = { people: 200_000, closed: 1_000_000, heavy: 50_000, open: 20_000, requests: 250_000, tickets: 200_000, audits: 20_000 };
/** Another version's executable, in place of this one's. */
const BESIDE = process.env.BESIDE;
const ROUNDS = 11;

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
  ["admin", "/api/admin/waiting"],
];

type Measured = { median: number; worst: number; bytes: number };

/** Fills a database of its own, starts the program anew on it, and asks for every page. */
async function measured(size: Size): Promise<{ start: number; pages: Map<string, Measured> }> {
  const folder = home();
  const env = { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password };
  let program: Program = await startProgram(folder.path, env, BESIDE);
  try {
    const trader = await registerTrader(`http://127.0.0.1:${program.port}`);
    const sql = connect(program.databaseUrl, { max: 1, name: "bench" });
    await fill(sql, size, trader.id);
    const [account] = await sql<{ id: string }[]>`select id from trading_accounts where user_id = ${trader.id} limit 1`;
    await sql.end();
    await program.stop();
    program = await startProgram(folder.path, env, BESIDE);
    const origin = `http://127.0.0.1:${program.port}`;
    const signedIn = await fetch(`${origin}/api/auth/login`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(ADMIN) });
    const cookies = { admin: signedIn.headers.getSetCookie()[0]?.split(";")[0] ?? "", heavy: trader.cookie };
    const start = program.ready;
    const pages = new Map<string, Measured>();
    for (const [who, path] of PAGES) {
      const url = origin + path.replace(":heavy", trader.id).replace(":account", account?.id ?? "");
      const times: number[] = [];
      let bytes = 0;
      for (let round = 0; round < ROUNDS; round++) {
        const began = performance.now();
        const response = await fetch(url, { headers: { cookie: cookies[who] } });
        bytes = (await response.arrayBuffer()).byteLength;
        if (!response.ok) throw new Error(`${path}: ${response.status}`);
        times.push(performance.now() - began);
      }
      const warm = times.slice(1).toSorted((a, b) => a - b);
      pages.set(path, { median: warm[Math.floor(warm.length / 2)] as number, worst: warm.at(-1) as number, bytes });
    }
    await program.stop();
    const { status, stdout, stderr } = await launch(folder.path, {}, ["verify"], BESIDE ?? EXECUTABLE).ended;
    if (status !== 0) throw new Error(`the books are not right: ${stdout}${stderr}`);
    return { start, pages };
  } finally {
    await program.stop();
    folder.remove();
  }
}

/** `npm run bench -- growth [scale]`: a scale of 0.1 makes the large database a tenth as large. Prints each page's median small and large. */
export async function growth(scale: number): Promise<void> {
  const small = await measured(SMALL);
  const large = await measured(scaled(LARGE, scale));
  console.log(`${"start to ready".padEnd(WIDTH)} ${small.start.toFixed(2)} · ${large.start.toFixed(2)} s`);
  for (const [path, { median }] of small.pages) {
    const grown = large.pages.get(path);
    if (grown)
      console.log(
        `${path.padEnd(WIDTH)} ${median.toFixed(1)} · ${grown.median.toFixed(1)} ms, at most ${grown.worst.toFixed(0)} ms, ${(grown.bytes / 1000).toFixed(0)} kB`,
      );
  }
}
const WIDTH = 58;
