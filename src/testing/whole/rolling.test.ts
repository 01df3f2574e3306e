import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { balancer } from "../balancer";
import { type TestDatabase, emptyDatabase } from "../database";
import { type Caller, callsTo, parsed, type Told } from "../insistence";
import { buildProgram, EXECUTABLE, launch, type Running } from "../program";
import { until, withPatientDeals } from "../scenarios";

/**
 * An upgrade without a gap: two programs behind a balancer that asks nobody twice, replaced one after the other under load. FORMER=path/to/halyard
 * begins with the executable of an earlier release.
 */

setDefaultTimeout(600_000);
/** So many orders at least are answered before, between and after the replacements. */
const ORDERS = 40;
const { FORMER } = process.env;
const ORDER = JSON.stringify({ symbol: "BTC/USD", type: "buy", amount: 10 });

const home = mkdtempSync("/tmp/halyard-rolling-");
chmodSync(home, 0o755);
const door = balancer();
const running: Instance[] = [];
let db: TestDatabase;
const { enter } = callsTo(() => door.base);

type Instance = { program: Running; base: string };
async function start(executable: string): Promise<Instance> {
  const program = launch(home, { PORT: "0", HOST: "127.0.0.1", DRAIN_SECONDS: "3", ...db.env }, [], executable);
  const instance = { program, base: String((await program.logged("listening")).url) };
  running.push(instance);
  door.add(instance.base);
  await until("it is asked", () => door.asks(instance.base));
  return instance;
}
async function end(instance: Instance) {
  instance.program.signal("SIGTERM");
  const { status } = await instance.program.ended;
  door.remove(instance.base);
  return status;
}

beforeAll(async () => {
  buildProgram();
  db = await emptyDatabase();
});
afterAll(async () => {
  for (const { program } of running) {
    program.signal("SIGKILL");
    await program.ended;
  }
  await door.end();
  await db.drop();
  rmSync(home, { recursive: true, force: true });
});

/** What one reader of the live stream heard: each line's opening, and each word to come back with the time that it was told to wait, in ms. */
function listen(by: Caller) {
  const [opened, waits]: [number[], number[]] = [[], []];
  const over = new AbortController();
  const read = async () => {
    const response = await fetch(`${door.base}/api/stream`, { headers: { Cookie: by.cookie }, signal: over.signal });
    opened.push(response.status);
    let text = "";
    for await (const chunk of response.body ?? []) text += new TextDecoder().decode(chunk);
    const wait = Number(/retry: (\d+)\nevent: reconnect/.exec(text)?.[1]);
    waits.push(wait);
    await Bun.sleep(wait);
  };
  const all = (async () => {
    while (!over.signal.aborted) await read().catch((error: unknown) => over.signal.aborted || Promise.reject(error));
  })();
  return { opened, waits, stop: () => (over.abort(), all) };
}

test("two programs are replaced one after the other under load: no 5xx, no answer lost, live lines told to come back within two seconds", async () => {
  const former = [await start(FORMER ?? EXECUTABLE), await start(FORMER ?? EXECUTABLE)];
  // On a busy machine an order may wait longer than its price counts; another release brings its own bound.
  if (!FORMER) await withPatientDeals(db.sql);
  const traders: Caller[] = [];
  for (let n = 0; n < 4; n++)
    traders.push(await enter("/api/auth/register", { firstName: "Tess", lastName: "Trader", email: `tess${n}@t.test`, password: "Corr3ct-horse" }));
  const lines = traders.map(listen);
  const told: (Told & { what: string })[] = [];
  let over = false;
  // Nobody hangs up: while a schema is brought up, what is under way waits for it.
  const deal = async (by: Caller) => {
    const headers = { "Content-Type": "application/json", Cookie: by.cookie };
    while (!over) {
      const order = await fetch(`${door.base}/api/trading/positions`, { method: "POST", headers, body: ORDER });
      told.push({ what: "order", status: order.status, text: await order.text() });
      await Bun.sleep(50);
    }
  };
  const look = async (by: Caller) => {
    while (!over) {
      const page = await fetch(`${door.base}/dashboard`, { headers: { Cookie: by.cookie }, redirect: "manual" });
      told.push({ what: "page", status: page.status, text: (await page.text()).slice(0, 200) });
      await Bun.sleep(50);
    }
  };
  const work = traders.flatMap((by) => [deal(by), look(by)]);
  const orders = () => told.filter(({ what, status }) => what === "order" && status === 201);
  const more = async (what: string) => {
    const before = orders().length;
    await until(what, () => orders().length >= before + ORDERS || over);
  };

  await more("orders are answered");
  for (const each of former) {
    await start(EXECUTABLE);
    expect(await end(each)).toBe(0);
    await more("orders are answered again");
  }
  over = true;
  await Promise.all(work);
  await Promise.all(lines.map(({ stop }) => stop()));

  // Where another release's schema is brought up, an order may wait for it longer than its price counts.
  const isLate = ({ status, text }: Told) => FORMER !== undefined && status === 503 && text.includes("stale_price");
  const refused = told.filter((each) => each.status !== (each.what === "order" ? 201 : 200) && !isLate(each));
  console.log(`rolling.test.ts: ${JSON.stringify({ asked: told.length, orders: orders().length, refused: refused.length })}`);
  expect(refused).toEqual([]);
  const ids = orders().map((order) => String(parsed(order).id));
  const [found] = await db.sql<{ there: number; all: number }[]>`
    select count(*) filter (where id = any (${ids}))::integer as there, count(*)::integer as all from positions
  `;
  expect(found).toEqual({ there: ids.length, all: ids.length });
  for (const { opened, waits } of lines) {
    expect(opened.every((status) => status === 200)).toBe(true);
    expect(waits.length).toBeGreaterThan(0);
    for (const wait of waits) expect(wait).toBeWithin(1, 2_000);
  }
});
