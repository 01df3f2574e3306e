/** What the public log costs an order: by the rate of a program beside one that appends nothing, and by the processor time of its rounds by themselves. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { logged } from "../../src/admin/queries_logged";
import { type LogKey, openKeyring } from "../../src/proof/key";
import { appendRound, type Appending, type State } from "../../src/proof/commands";
import { keepTicks } from "../../src/proof/commands_ticks";
import { BEAT } from "../../src/proof/logbook";
import { COSTS, costsText, originOf, ratesOf, registerTraders } from "./beside";
import { marketOf, openDatabase, ordersByHttp } from "./orders";
import { home, postgresSince, postgresTimes, type Program, type Rate, startProgram } from "./program";
import { rows, section, shown, spread, whole } from "./table";
import "../../src/testing/instruments";

/**
 * What the public log may cost an order, of one: so little that more rounds are taken than of anything else, each way first in every other one, and
 * of several pairs of programs, since of two that do the same one may be quicker by as much for as long as it runs.
 */
const LOG_SHARE = 0.03;
const LOG_PAIRS = 4;
const LOG_ROUNDS = 4;
/** Several rounds of the log, so that each of ours meets about as many of them. */
const LOG_SECONDS = 3.2;
const LOG_CALLERS = [1, 8];

/** As long as the program leaves between two rounds of its log, in seconds. */
const BETWEEN_ROUNDS = BEAT / 1000;
const ROUNDS_ALONE = 20;
/** Until each statement has its plan, and each function its machine code. */
const WARM_ROUNDS = 30;

/** Processor time for one order in microseconds: of the order itself, and of what the log's round then takes. */
type Alone = { callers: number; order: number; program: number; postgres: number; share: number };

/**
 * What a round of the log takes by itself, of the orders of as long as there is between two rounds. The program places them and logs none; then this
 * process appends what waits as the program would. Nothing else is under way, so that others on the machine change little of it.
 */
async function roundsAlone(): Promise<Alone[]> {
  const folder = home();
  const program = await startUnlogged(folder.path);
  const sql = openDatabase(program);
  try {
    const { epoch } = await marketOf(originOf(program), sql);
    const given: Appending = { sql, epoch, key: program.key, sources: logged, origin: () => "", now: Date.now };
    const traders = await registerTraders(program, Math.max(...LOG_CALLERS));
    let state: State | null = null;
    const appendAll = async () => {
      const before = state?.log.size ?? 0;
      for (let more = true; more;) {
        ({ state, more } = await appendRound(given, state));
        await keepTicks(sql, logged, state.ticks);
      }
      if (state?.log.size === before) throw new Error("there was nothing to log");
    };
    const results = [];
    for (const callers of LOG_CALLERS) {
      const found: Omit<Alone, "callers">[] = [];
      for (let round = 0; round < WARM_ROUNDS + ROUNDS_ALONE; round++) {
        const { done, perCpuSecond, postgres } = await ordersByHttp(program, traders.slice(0, callers), BETWEEN_ROUNDS);
        const postgresBefore = postgresTimes(program);
        const before = process.cpuUsage();
        await appendAll();
        const { user, system } = process.cpuUsage(before);
        const [own, theirs] = [(user + system) / done, (1e6 * postgresSince(program, postgresBefore)) / done];
        const order = 1e6 / perCpuSecond + postgres;
        if (round >= WARM_ROUNDS) found.push({ order, program: own, postgres: theirs, share: (own + theirs) / order });
      }
      const middle = (of: keyof (typeof found)[number]) => spread(found.map((each) => each[of])).median;
      results.push({ callers, order: middle("order"), program: middle("program"), postgres: middle("postgres"), share: middle("share") });
    }
    return results;
  } finally {
    await sql.end();
    await program.stop();
    folder.remove();
  }
}

type Rates = { logged: Rate[]; unlogged: Rate[] };

/** One pair's rounds, added to `rates` by the number of callers. */
async function roundsOfPair(pair: number, rates: Map<number, Rates>): Promise<void> {
  const folders = { logged: home(), unlogged: home() };
  const started: Program[] = [];
  const start = async (way: keyof Rates) => {
    const program = await (way === "logged" ? startProgram : startUnlogged)(folders[way].path);
    started.push(program);
    return { way, program, traders: await registerTraders(program, Math.max(...LOG_CALLERS)) };
  };
  try {
    const ways: (keyof Rates)[] = pair % 2 === 0 ? ["logged", "unlogged"] : ["unlogged", "logged"];
    const both = [await start(ways[0] as keyof Rates), await start(ways[1] as keyof Rates)];
    for (const [callers, found] of rates) {
      const rateOf = ({ program, traders }: (typeof both)[number]) => ordersByHttp(program, traders.slice(0, callers), LOG_SECONDS);
      for (const each of both) await rateOf(each);
      for (let round = 0; round < LOG_ROUNDS; round++) for (const each of round % 2 === 0 ? both : both.toReversed()) found[each.way].push(await rateOf(each));
    }
  } finally {
    for (const program of started) await program.stop();
    for (const folder of Object.values(folders)) folder.remove();
  }
}

/** What the public log costs an order: a program's rate beside that of one which appends nothing to its log, in turn. */
export async function benchLogCost() {
  section("what the public log costs an order");
  const rates = new Map(LOG_CALLERS.map((callers): [number, Rates] => [callers, { logged: [], unlogged: [] }]));
  for (let pair = 0; pair < LOG_PAIRS; pair++) await roundsOfPair(pair, rates);
  const alone = await roundsAlone();
  const percent = (value: number) => (100 * value).toFixed(1);
  /** Of each round by itself: a machine that others slow does so for longer than a round takes. */
  const sharesOf = ({ logged, unlogged }: Rates, cost: (rate: Rate) => number) =>
    spread(unlogged.map((rate, round) => cost(logged[round] as Rate) / cost(rate) - 1));
  const shareText = ({ median, min, max }: ReturnType<typeof sharesOf>) => `${percent(median)} % (${percent(min)} to ${percent(max)})`;
  return [...rates].map(([callers, found]) => {
    const { logged, unlogged } = found;
    const byTime = sharesOf(found, ({ perSecond }) => 1 / perSecond);
    // Others on the machine lengthen an order's time, and hardly what it takes of the processor.
    const byProcessor = sharesOf(found, ({ perCpuSecond, postgres }) => 1e6 / perCpuSecond + postgres);
    const share = byTime.median;
    const own = alone.find((each) => each.callers === callers) as Alone;
    const label = callers === 1 ? "1 caller" : `${callers} callers`;
    rows.push(
      { what: `${label}, where no log is appended to`, figure: shown(ratesOf(unlogged).http, whole) },
      { what: COSTS, figure: costsText(ratesOf(unlogged)) },
      { what: `${label}, in turn with it, where one is`, figure: shown(ratesOf(logged).http, whole) },
      { what: COSTS, figure: costsText(ratesOf(logged)) },
      {
        what: `${label}, what the log costs an order, of ${LOG_ROUNDS} rounds of each of ${LOG_PAIRS} pairs`,
        figure: shareText(byTime),
        aim: "< 3 %",
        met: share < LOG_SHARE,
      },
      {
        what: "  the log's rounds by themselves, of the orders between two of them",
        figure: `program ${whole(own.program)} · PostgreSQL ${whole(own.postgres)} µs an order: ${percent(own.share)} % of its ${whole(own.order)} µs`,
        aim: "< 3 %",
        met: own.share < LOG_SHARE,
      },
      { what: "  of the program's and PostgreSQL's processor time, clearing up included", figure: shareText(byProcessor) },
    );
    return { callers, share, processorShare: byProcessor.median, alone: own, ...ratesOf(logged), unlogged: ratesOf(unlogged) };
  });
}

/** A program whose log is not appended to, since the key that signs it is gone, and that key; its orders are the same. */
async function startUnlogged(folder: string): Promise<Program & { key: LogKey }> {
  const program = await startProgram(folder);
  const file = join(program.dataDir, "log.key");
  // Until a log is begun the program makes a key again.
  while (!(await fetch(`${originOf(program)}/log/checkpoint`)).ok) await Bun.sleep(20);
  const key = openKeyring({ logKey: null, logKeyBefore: null, databaseUrl: null, dataDir: program.dataDir }).read();
  if (!key) throw new Error("the program made no key for its log");
  rmSync(file);
  while ((await fetch(`${originOf(program)}/readyz`)).ok) await Bun.sleep(50);
  return { ...program, key };
}
