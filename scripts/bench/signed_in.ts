/** Pages of the signed-in: what one costs, beside React alone, another version and Next.js where these are named. */
import { BESIDE } from "./beside";
import { wire } from "./load";
import { registerTrader } from "./orders";
import { home, measure, type Measured, type Server, startBare, startProgram, type Target } from "./program";
import { rows, section, shown, type Spread, spread, whole } from "./table";

const PATHS = ["/dashboard", "/traders-portal", "/accounts", "/profile", "/trading"];
const ROUNDS = 5;
const SECONDS = 2;
/** What is written in JavaScript is quick only once it was done some thousand times. */
const WARMING_SECONDS = 5;
/** The folder of a built Next.js application, whose page at `/` is compared. */
const NEXT = process.env.NEXT_APP;

type Side = { target: Server & { dataDir?: string }; cookie: string };
/** Microseconds of processor time for one page, and ms that one caller waited for it. */
type Cost = { perSecond: Spread; program: Spread; postgres: Spread; wait: { median: number; p99: number } };
export type SignedInPage = { path: string; own: Cost; other: Cost | null; react: Cost; next: Cost | null };

/** What is measured beside the program; `same` is the same page of another version, else its page at `/`. */
type Beside = { name: "other" | "react" | "next"; side: Side; same: boolean; end(): Promise<void> };

async function otherVersion(executable: string): Promise<Beside> {
  const folder = home();
  const program = await startProgram(folder.path, {}, executable);
  const { cookie } = await registerTrader(`http://127.0.0.1:${program.port}`);
  const end = async () => {
    await program.stop();
    folder.remove();
  };
  return { name: "other", side: { target: program, cookie }, same: true, end };
}

const alone = (name: "react" | "next", target: Target): Beside => ({ name, side: { target, cookie: "" }, same: false, end: () => target.stop() });

async function startNext(folder: string): Promise<Target> {
  const port = freePort();
  const env = { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" };
  const child = Bun.spawn(["node", "node_modules/next/dist/bin/next", "start", "-p", String(port)], { cwd: folder, env, stdout: "ignore" });
  while (!(await fetch(`http://127.0.0.1:${port}/`).catch(() => null))?.ok) await Bun.sleep(50);
  const stop = async () => {
    child.kill();
    await child.exited;
  };
  return { pid: child.pid, port, stop };
}
function freePort(): number {
  const listener = Bun.listen({ port: 0, hostname: "127.0.0.1", socket: { data() {} } });
  listener.stop();
  return listener.port;
}

function costOf(runs: Measured[]): Cost {
  const waits = runs.flatMap((run) => run.waits).toSorted((a, b) => a - b);
  const at = (share: number) => waits[Math.floor(waits.length * share)] ?? Number.NaN;
  return {
    perSecond: spread(runs.map(({ perSecond }) => perSecond)),
    program: spread(runs.map(({ perCpuSecond }) => 1e6 / perCpuSecond)),
    postgres: spread(runs.map(({ postgres }) => postgres)),
    wait: { median: at(0.5), p99: at(0.99) },
  };
}

/** Each page asked for by one caller, one server after the other, so that all meet the same machine. */
export async function benchSignedIn(own: Side): Promise<SignedInPage[]> {
  const beside = [alone("react", await startBare("react_alone.tsx"))];
  if (BESIDE) beside.push(await otherVersion(BESIDE));
  if (NEXT) beside.push(alone("next", await startNext(NEXT)));
  const sides = [{ name: "own" as const, side: own, same: true }, ...beside];
  try {
    const pages: SignedInPage[] = [];
    for (const path of PATHS) {
      const runs = new Map<string, Measured[]>(sides.map(({ name }) => [name, []]));
      for (let round = 0; round <= ROUNDS; round++)
        for (const { name, side, same } of sides) {
          const request = wire("GET", same ? path : "/", { cookie: side.cookie });
          const run = await measure(side.target, { seconds: round === 0 ? WARMING_SECONDS : SECONDS, callers: [{ requests: [request] }] });
          if (round > 0) runs.get(name)?.push(run);
        }
      const cost = (name: string) => costOf(runs.get(name) ?? []);
      pages.push({ path, own: cost("own"), react: cost("react"), other: BESIDE ? cost("other") : null, next: NEXT ? cost("next") : null });
    }
    return pages;
  } finally {
    for (const { end } of beside) await end();
  }
}

/** Of one page: the program's time and PostgreSQL's together, as one core would have to give it. */
const all = ({ program, postgres }: Cost) => program.median + postgres.median;
const MOST_TAIL = 5;

export function signedInRows(pages: readonly SignedInPage[]): void {
  section("pages of the signed-in, one caller: a second · processor time of the program and of PostgreSQL for one");
  const text = ({ perSecond, program, postgres }: Cost) => `${whole(perSecond.median)} · ${shown(program, whole)} + ${whole(postgres.median)} µs`;
  const ratio = (a: number, b: number) => (a / b).toFixed(2);
  for (const { path, own, other, react, next } of pages) {
    rows.push({ what: path, figure: text(own) });
    if (other)
      rows.push({
        what: "  the other version; this one's program · all by its",
        figure: `${text(other)}; ${ratio(own.program.median, other.program.median)} · ${ratio(all(own), all(other))}`,
      });
    const [beside, times] = [all(react) / all(own), next && all(next) / all(own)];
    rows.push({
      what: "  a page of 80 rows by React alone, by processor time",
      figure: `${text(react)}; ${beside.toFixed(2)}`,
      aim: "≥ 0.25",
      met: beside >= 0.25,
    });
    if (next && times)
      rows.push({
        what: "  the same by Next.js, which takes so many times as long",
        figure: `${text(next)}; ${times.toFixed(1)}`,
        aim: "≥ 4",
        met: times >= 4,
      });
    const tail = own.wait.p99 / own.wait.median;
    rows.push({
      what: "  median · 99th percentile, and by it; React alone",
      figure: `${own.wait.median.toFixed(1)} · ${own.wait.p99.toFixed(1)} ms, ${tail.toFixed(1)}; ${ratio(react.wait.p99, react.wait.median)}`,
      aim: `≤ ${MOST_TAIL}`,
      met: tail <= MOST_TAIL,
    });
  }
}
