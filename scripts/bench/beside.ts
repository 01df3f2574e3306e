/** Commands through HTTP beside their SQL functions alone, and beside another version of the program. */
import { connect } from "../../src/platform/database/db";
import { fundMover, type Mover, transfersByHttp, transfersBySql } from "./money";
import { marketOf, openDatabase, ordersByHttp, ordersBySql, registerTrader, type Trader } from "./orders";
import { home, type Program, type Rate, type Server, startProgram } from "./program";
import { rows, section, shown, spread, whole } from "./table";

export const CALLERS = [1, 8, 64];
/** With so many callers it is the rate that has an aim. */
const CROWD = 64;
const CROWD_RATE = 3_000;
const MOVERS = [1, 8];
const ORDER_SECONDS = 1.2;
/** Each way comes first as often as every other, whether there are two or three; of four nearly. */
export const ROUNDS = 6;

/** Another version's executable, measured in turn with this one: `BESIDE=… npm run bench -- orders money browser signedIn`. */
export const BESIDE = process.env.BESIDE;

type Ways = {
  viaHttp: (callers: number) => Promise<Rate>;
  viaSql: (callers: number) => Promise<number>;
  /** Through the other version's HTTP, where there is one. */
  viaOther?: ((callers: number) => Promise<Rate>) | undefined;
};
/** The rate through HTTP, and the processor time of the program, of its PostgreSQL and of its callers for one command, in microseconds. */
export const ratesOf = (rates: Rate[]) => ({
  http: spread(rates.map(({ perSecond }) => perSecond)),
  costs: {
    program: spread(rates.map(({ perCpuSecond }) => 1e6 / perCpuSecond)),
    postgres: spread(rates.map((rate) => rate.postgres)),
    callers: spread(rates.map((rate) => rate.callers)),
  },
});
export const COSTS = "  processor time for one, clearing up included: the program · PostgreSQL · the callers";
export const costsText = ({ costs: { program, postgres, callers } }: ReturnType<typeof ratesOf>) =>
  `${[program, postgres, callers].map(({ median }) => whole(median)).join(" · ")} µs`;

/**
 * A command's rate through HTTP beside that of its SQL function through the same driver, on as many connections, for as many accounts, in turn, so
 * that both meet the same machine. The function is called by one process, this one; through HTTP there are two, the callers and the program.
 */
async function beside(name: string, counts: number[], ways: Ways) {
  const results = [];
  for (const callers of counts) {
    const raw: number[] = [];
    const rates: Rate[] = [];
    const others: Rate[] = [];
    const { viaSql, viaHttp, viaOther } = ways;
    const turns = [async () => void raw.push(await viaSql(callers)), async () => void rates.push(await viaHttp(callers))];
    if (viaOther) turns.push(async () => void others.push(await viaOther(callers)));
    for (const warm of turns) await warm();
    for (const measured of [raw, rates, others]) measured.length = 0;
    for (let round = 0; round < ROUNDS; round++) for (let turn = 0; turn < turns.length; turn++) await turns[(round + turn) % turns.length]?.();
    const http = rates.map(({ perSecond }) => perSecond);
    const result = { callers, raw: spread(raw), ratio: spread(http.map((rate, round) => rate / (raw[round] as number))), ...ratesOf(rates) };
    const other = others.length > 0 ? ratesOf(others) : null;
    const label = callers === 1 ? "1 caller" : `${callers} callers`;
    const crowded = callers === CROWD ? { aim: `≥ ${whole(CROWD_RATE)}`, met: result.http.median >= CROWD_RATE } : {};
    rows.push({ what: `${label}, through HTTP`, figure: shown(result.http, whole), ...crowded });
    rows.push({ what: COSTS, figure: costsText(result) });
    if (other) rows.push({ what: `${label}, through the other version's HTTP`, figure: shown(other.http, whole) }, { what: COSTS, figure: costsText(other) });
    rows.push({ what: `${label}, ${name} through the driver alone`, figure: shown(result.raw, whole) });
    const ratio = (value: number) => value.toFixed(2);
    const aim = callers === CROWD ? {} : { aim: "≥ 0.80", met: result.ratio.median >= 0.8 };
    rows.push({ what: `${label}, ratio`, figure: shown(result.ratio, ratio), ...aim });
    if (other) Object.assign(result, { other });
    results.push(result);
  }
  return results;
}

/** The programs of one comparison: what is measured through HTTP, what lends its database to the function alone, and another version's. */
type Programs = { program: Program; alone: Program; other: Program | null };

/** Runs with each of them on a database of its own: none pays for what another way has just written, which cost the second some sixth of its rate. */
export async function besideOthers<T>(run: (programs: Programs) => Promise<T>): Promise<T> {
  const folders = [home(), home(), home()] as const;
  const started: Program[] = [];
  const start = async (folder: number, executable?: string) => {
    const program = await startProgram(folders[folder]?.path ?? "", {}, executable);
    started.push(program);
    return program;
  };
  try {
    return await run({ program: await start(0), alone: await start(1), other: BESIDE ? await start(2, BESIDE) : null });
  } finally {
    for (const program of started) await program.stop();
    for (const folder of folders) folder.remove();
  }
}

export const originOf = ({ port }: Server) => `http://127.0.0.1:${port}`;

export const registerTraders = async (server: Server, count: number): Promise<Trader[]> => {
  const made: Trader[] = [];
  for (let n = 0; n < count; n++) made.push(await registerTrader(originOf(server)));
  return made;
};

export async function benchOrders({ program, alone, other }: Programs) {
  section("orders a second, on demo accounts, committed to disk");
  const sql = openDatabase(alone);
  try {
    const many = Math.max(...CALLERS);
    const [traders, lone, others] = [await registerTraders(program, many), await registerTraders(alone, many), other ? await registerTraders(other, many) : []];
    return await beside("trade_open", CALLERS, {
      viaHttp: (callers) => ordersByHttp(program, traders.slice(0, callers), ORDER_SECONDS),
      viaSql: async (callers) => ordersBySql(sql, await marketOf(originOf(alone), sql), lone.slice(0, callers), ORDER_SECONDS),
      viaOther: other ? (callers) => ordersByHttp(other, others.slice(0, callers), ORDER_SECONDS) : undefined,
    });
  } finally {
    await sql.end();
  }
}

/** As the owner of the database: another version may know no role of the program's. */
async function moversOf(program: Program): Promise<Mover[]> {
  const sql = connect(program.databaseUrl, { max: 1, name: "bench" });
  const movers: Mover[] = [];
  for (const trader of await registerTraders(program, Math.max(...MOVERS))) movers.push(await fundMover(sql, trader));
  await sql.end();
  return movers;
}

export async function benchMoney({ program, alone, other }: Programs) {
  const sql = openDatabase(alone);
  const [movers, lone, others] = [await moversOf(program), await moversOf(alone), other ? await moversOf(other) : []];
  section("transfers a second, journal and balances committed to disk");
  const { board } = await marketOf(originOf(alone), sql);
  const results = await beside("transfer_make", MOVERS, {
    viaSql: (callers) => transfersBySql(sql, board, lone.slice(0, callers), ORDER_SECONDS),
    viaHttp: (callers) => transfersByHttp(program, movers.slice(0, callers), ORDER_SECONDS),
    viaOther: other ? (callers) => transfersByHttp(other, others.slice(0, callers), ORDER_SECONDS) : undefined,
  });
  await sql.end();
  return results;
}
