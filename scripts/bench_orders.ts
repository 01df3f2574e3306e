/** Orders through HTTP beside the same SQL function called by the driver alone, on the same database and the same accounts. */
import { Board } from "../src/market/board";
import { type BoardArrays, boardWriter } from "../src/market/board_sql";
import type { MarketItem } from "../src/market/schema";
import { priceUnits } from "../src/lib/money";
import { connect, type Db } from "../src/platform/db";
import { closeAllPositions, type DeedQuote, openPosition } from "../src/trading/commands";
import { wire } from "./bench_load";
import { measure, type Program, startProgram } from "./bench_program";

/** Orders in a row before the caller's positions are closed again, untimed, so that margin lasts and books stay short. */
const ROW = 10;
const SYMBOL = "EUR/USD";
const ORDER = { symbol: SYMBOL, type: "buy", amount: 100 } as const;
/** The program's own number of connections. */
const CONNECTIONS = 20;

export type Trader = { id: string; cookie: string };

/** A new person with a demo account. */
export async function registerTrader(origin: string): Promise<Trader> {
  const body = JSON.stringify({ firstName: "Bench", lastName: "Trader", email: `${crypto.randomUUID()}@bench.test`, password: crypto.randomUUID() });
  const response = await fetch(`${origin}/api/auth/register`, { method: "POST", headers: { "Content-Type": "application/json" }, body });
  if (response.status !== 201) throw new Error(`registration failed: ${response.status} ${await response.text()}`);
  const { user } = (await response.json()) as { user: { id: string } };
  return { id: user.id, cookie: response.headers.getSetCookie()[0]?.split(";")[0] ?? "" };
}

/** Orders a second through HTTP, one connection for each trader. */
export async function ordersByHttp(program: Program, traders: Trader[], seconds: number) {
  const callers = traders.map(({ cookie }) => ({
    requests: Array<string>(ROW).fill(wire("POST", "/api/trading/positions", { cookie, body: ORDER })),
    afterwards: [wire("POST", "/api/trading/positions/close-all", { cookie, body: {} })],
  }));
  return measure(program, { seconds, callers });
}

/** Orders a second through `trade_open` alone; as many callers as traders, on as many connections as the program has. */
export async function ordersBySql(sql: Db, market: { quote: DeedQuote; board: BoardArrays }, traders: Trader[], seconds: number): Promise<number> {
  const order = { accountId: null, stopLoss: null, takeProfit: null, currentPrice: null, maxSlippage: null, ...ORDER, amount: String(ORDER.amount) };
  let done = 0;
  let used = 0;
  while (used < seconds) {
    const began = performance.now();
    await Promise.all(
      traders.map(async ({ id }) => {
        for (let n = 0; n < ROW; n++) await openPosition(sql, id, order, true, market.quote, market.board, null);
        done += ROW;
      }),
    );
    used += (performance.now() - began) / 1000;
    await Promise.all(traders.map(({ id }) => closeAllPositions(sql, id, null, [market.quote], null)));
  }
  return done / used;
}

export const openDatabase = (program: Program): Db => connect(program.databaseUrl, { max: CONNECTIONS, name: "bench" });

/** The market as the program would hand it to its SQL. */
export async function marketOf(origin: string): Promise<{ quote: DeedQuote; board: BoardArrays }> {
  const items = (await (await fetch(`${origin}/api/market-data`)).json()) as MarketItem[];
  const board = new Board({ hours: () => true, clock: Date.now, freshness: "symbol", time: "real", onFault: console.error });
  const write = boardWriter(board);
  for (const { symbol, bid, ask, timestamp } of items) board.accept({ symbol, bid: priceUnits(bid), ask: priceUnits(ask), at: Date.parse(timestamp) });
  const quote = board.get(SYMBOL);
  if (!quote) throw new Error(`there is no quote for ${SYMBOL}`);
  return { quote: { ...quote, ageMs: 0 }, board: write() };
}

const COUNTED_ORDERS = 200;
const MARKS = ["bench: begin", "bench: end"] as const;

/**
 * Statements in the database for one order, as PostgreSQL itself logs them: those between two marks of ours. What the
 * program does once a second on its own is among them and shows in the second decimal.
 */
export async function statementsPerOrder(folder: string): Promise<number> {
  const program = await startProgram(folder, { LOG_LEVEL: "debug" });
  const sql = openDatabase(program);
  const origin = `http://127.0.0.1:${program.port}`;
  const { cookie } = await registerTrader(origin);
  const order = async () => {
    const headers = { "Content-Type": "application/json", Cookie: cookie };
    const response = await fetch(`${origin}/api/trading/positions`, { method: "POST", headers, body: JSON.stringify(ORDER) });
    if (response.status !== 201) throw new Error(`an order was refused: ${response.status} ${await response.text()}`);
  };
  await order(); // On a connection's first use of a statement PostgreSQL prepares it, which it does not log.
  await sql`alter system set log_statement = 'all'`;
  await sql`select pg_reload_conf()`;
  await Bun.sleep(100);
  await sql.unsafe(`select '${MARKS[0]}'`);
  for (let n = 0; n < COUNTED_ORDERS; n++) await order();
  await sql.unsafe(`select '${MARKS[1]}'`);
  await sql`alter system reset log_statement`;
  await sql.end();
  const [, counted = ""] = (await program.stop()).split(MARKS[0]);
  return (counted.split(MARKS[1])[0]?.match(/"LOG: +(execute|statement)/g)?.length ?? 0) / COUNTED_ORDERS;
}
