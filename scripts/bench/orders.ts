/** Orders through HTTP beside the same SQL function called by the driver alone, on the same database and the same accounts. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Board } from "../../src/market/board";
import type { BoardArrays } from "../../src/market/board_sql";
import type { MarketItem } from "../../src/market/schema";
import { priceUnits } from "../../src/lib/money";
import { Refusal } from "../../src/lib/refusal";
import { connect, type Db } from "../../src/platform/database/db";
import { asRole, PROGRAM } from "../../src/platform/database/roles";
import { closeAllPositions, type DealQuote, openPosition } from "../../src/trading/commands";
import { AT_ONCE, wire } from "./load";
import { measure, type Program, startProgram } from "./program";

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

type Market = { quote: DealQuote; board: BoardArrays; epoch: number };

/** Orders a second through `trade_open` alone; as many callers as traders, on as many connections as the program has. */
export async function ordersBySql(sql: Db, { quote, board, epoch }: Market, traders: Trader[], seconds: number): Promise<number> {
  const order = { accountId: null, stopLoss: null, takeProfit: null, currentPrice: null, maxSlippage: null, ...ORDER, amount: String(ORDER.amount) };
  /** The same tick, chosen anew for each deal, as the program would. */
  const chosen = () => ({ ...quote, chosenAt: Date.now() });
  let done = 0;
  let used = 0;
  /** Sends a deal again whose price was renewed while it waited, as a client would: a busy disk may hold all of them for a second. */
  const again = async (deal: () => Promise<unknown>): Promise<unknown> => {
    try {
      return await deal();
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== "stale_price") throw error;
      return again(deal);
    }
  };
  const place = (id: string) => again(() => openPosition(sql, { id }, order, true, chosen(), board, null, epoch));
  while (used < seconds) {
    const began = performance.now();
    await Promise.all(
      traders.map(async ({ id }) => {
        for (let n = 0; n < ROW; n++) await place(id);
        done += ROW;
      }),
    );
    used += (performance.now() - began) / 1000;
    const left = traders.values();
    const clear = async () => {
      for (const { id } of left) await again(() => closeAllPositions(sql, id, null, [chosen()], null, epoch));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, clear));
  }
  return done / used;
}

export const openDatabase = (program: Program): Db => connect(asRole(program.databaseUrl, PROGRAM), { max: CONNECTIONS, name: "bench" });

/** The market as the program, which leads, would hand it to its SQL. */
export async function marketOf(origin: string, sql: Db): Promise<Market> {
  const items = (await (await fetch(`${origin}/api/market-data`)).json()) as MarketItem[];
  const board = new Board({ hours: () => true, clock: Date.now, freshness: "symbol", time: "real", onFault: console.error });
  for (const { symbol, bid, ask, timestamp } of items) board.accept({ symbol, bid: priceUnits(bid), ask: priceUnits(ask), at: Date.parse(timestamp) });
  const quote = board.get(SYMBOL);
  if (!quote) throw new Error(`there is no quote for ${SYMBOL}`);
  const [lead] = await sql<{ epoch: string; first: string }[]>`select epoch::text, first_seq::text as first from leadership`;
  if (!lead) throw new Error("no program leads");
  return { quote: { ...quote, seq: Number(lead.first), ageMs: 0, chosenAt: Date.now() }, board: board.arrays(), epoch: Number(lead.epoch) };
}

const COUNTED_ORDERS = 150;
const MARKS = ["bench: begin", "bench: end", "bench: quiet"] as const;

/**
 * Statements in the database for one order, as PostgreSQL itself logs them: those between two marks of ours, without as many as
 * the program makes on its own in the same time. Staff are told of orders afterwards, of several at once: `told`.
 */
export async function statementsPerOrder(folder: string): Promise<{ order: number; told: number }> {
  // No role that can be reached may set this, so it is written where the server reads it at its start.
  const settings = join(folder, "data", "postgres", "postgresql.auto.conf");
  const before = readFileSync(settings, "utf8");
  writeFileSync(settings, `${before}log_statement = 'all'\n`);
  const program = await startProgram(folder, { LOG_LEVEL: "debug" });
  const sql = connect(program.databaseUrl, { max: 1, name: "bench" });
  const origin = `http://127.0.0.1:${program.port}`;
  const { cookie } = await registerTrader(origin);
  const order = async () => {
    const headers = { "Content-Type": "application/json", Cookie: cookie };
    const response = await fetch(`${origin}/api/trading/positions`, { method: "POST", headers, body: JSON.stringify(ORDER) });
    if (response.status !== 201) throw new Error(`an order was refused: ${response.status} ${await response.text()}`);
  };
  await order(); // On a connection's first use of a statement PostgreSQL prepares it, which it does not log.
  await sql.unsafe(`select '${MARKS[0]}'`);
  const began = performance.now();
  for (let n = 0; n < COUNTED_ORDERS; n++) await order();
  const took = performance.now() - began;
  await sql.unsafe(`select '${MARKS[1]}'`);
  await Bun.sleep(took);
  await sql.unsafe(`select '${MARKS[2]}'`);
  await sql.end();
  const log = await program.stop();
  writeFileSync(settings, before);
  // A statement goes on over several lines of the log, up to the next entry.
  const between = (from: string, to: string) => (log.split(from)[1]?.split(to)[0] ?? "").split('"LOG:').filter((entry) => /^ +(execute|statement)/.test(entry));
  const telling = (entry: string) => entry.includes("notifications");
  const [busy, quiet] = [between(MARKS[0], MARKS[1]), between(MARKS[1], MARKS[2])];
  const each = (counts: (entry: string) => boolean) => (busy.filter(counts).length - quiet.filter(counts).length) / COUNTED_ORDERS;
  return { order: each((entry) => !telling(entry)), told: each(telling) };
}
