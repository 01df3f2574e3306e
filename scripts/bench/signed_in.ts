/** Pages of the signed-in: what one costs the program, beside another version's where one is named. */
import { BESIDE } from "./beside";
import { wire } from "./load";
import { registerTrader } from "./orders";
import { home, measure, type Program, type Server, startProgram } from "./program";
import { rows, section, shown, type Spread, spread, whole } from "./table";

const PATHS = ["/dashboard", "/traders-portal", "/accounts", "/profile", "/trading"];
const ROUNDS = 5;
const SECONDS = 0.8;

type Side = { target: Server; cookie: string };
type Cost = { perSecond: Spread; micros: Spread };
export type SignedInPage = { path: string; own: Cost; other: Cost | null };

async function besideOf(): Promise<{ side: Side; end(): Promise<void> } | null> {
  if (!BESIDE) return null;
  const folder = home();
  const program: Program = await startProgram(folder.path, {}, BESIDE);
  const { cookie } = await registerTrader(`http://127.0.0.1:${program.port}`);
  const end = async () => {
    await program.stop();
    folder.remove();
  };
  return { side: { target: program, cookie }, end };
}

/** Each page asked for by one caller, one version after the other, so that both meet the same machine. */
export async function benchSignedIn(own: Side): Promise<SignedInPage[]> {
  const other = await besideOf();
  const sides = other ? [own, other.side] : [own];
  try {
    const pages: SignedInPage[] = [];
    for (const path of PATHS) {
      const runs = sides.map((): { perSecond: number; micros: number }[] => []);
      for (let round = 0; round <= ROUNDS; round++)
        for (const [at, { target, cookie }] of sides.entries()) {
          const { perSecond, perCpuSecond } = await measure(target, { seconds: SECONDS, callers: [{ requests: [wire("GET", path, { cookie })] }] });
          if (round > 0) runs[at]?.push({ perSecond, micros: 1e6 / perCpuSecond });
        }
      const [first, second] = runs.map((side): Cost => ({
        perSecond: spread(side.map((run) => run.perSecond)),
        micros: spread(side.map((run) => run.micros)),
      }));
      if (first) pages.push({ path, own: first, other: second ?? null });
    }
    return pages;
  } finally {
    await other?.end();
  }
}

export function signedInRows(pages: readonly SignedInPage[]): void {
  section("pages of the signed-in, one caller: a second · processor time of the program for one");
  const text = ({ perSecond, micros }: Cost) => `${whole(perSecond.median)} · ${shown(micros, whole)} µs`;
  for (const { path, own, other } of pages)
    rows.push({
      what: path,
      figure: other ? `${text(own)}; the other version ${text(other)}, ratio ${(own.micros.median / other.micros.median).toFixed(2)}` : text(own),
    });
}
