import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { priceText, priceUnits } from "../../lib/money";
import { connect, type Db } from "../../platform/database/db";
import { type Dice, dice } from "../dice";
import { buildProgram, killPostgresIn, launch, type Running, runProgram } from "../program";
import { type Order, ReferenceOrders, type Wish } from "../reference_orders";
import { bodyOf, drawWish } from "../reference_orders_draw";
import { until } from "../scenarios";

/**
 * A program that is killed between ticks and the writing of what they set off, PostgreSQL with it. After its start every order fills and ends,
 * every stop loss moves and fires, and every alert fires on the tick that the recorded ticks say, to the last digit, and once.
 */

const SYMBOL = "BTC/USD";
const ROUNDS = 2;
const ORDERS = 40;
const ALERTS = 12;
/** Margin for all of them, whatever their order: what a tick fills while another order is placed may be written before or after that. */
const LEVERAGE = 100;
/** So long, in ms, may the price take to set them off; then others are placed around it where it is. */
const A_WHILE = 20_000;

const home = mkdtempSync("/tmp/halyard-killed-");
chmodSync(home, 0o755);
const data = join(home, "data");
const many = { COMMANDS_PER_SECOND: "1000", REGISTRATIONS_PER_NETWORK: "1000" };
const start = () => launch(home, { PORT: "0", HOST: "127.0.0.1", DATA_DIR: data, FEED_SEED: "7", ...many });
let running: Running;
let base = "";
let cookie = "";
let sql: Db;

async function begin() {
  running = start();
  base = String((await running.logged("listening")).url);
  sql = connect(`postgres://halyard@localhost/halyard?host=${encodeURIComponent(join(data, "run"))}`, { max: 2 });
}
async function kill() {
  running.signal("SIGKILL");
  killPostgresIn(data);
  await running.ended;
}
beforeAll(async () => {
  buildProgram();
  await begin();
});
afterAll(async () => {
  await sql.end({ timeout: 1 });
  running.signal("SIGTERM");
  await running.ended;
  rmSync(home, { recursive: true, force: true });
});

async function ask<T>(path: string, body: object): Promise<T & { status?: unknown }> {
  const response = await fetch(base + path, { method: "POST", headers: { "Content-Type": "application/json", cookie }, body: JSON.stringify(body) });
  cookie = response.headers.getSetCookie()[0]?.split(";")[0] ?? cookie;
  return (await response.json()) as T & { status?: unknown };
}

type Recorded = { seq: number; at: number; bid: number; ask: number };
async function ticksAfter(seq: number): Promise<Recorded[]> {
  const rows = await sql<{ seq: number; at: string; bid: string; ask: string }[]>`
    select seq, received_at as at, bid, ask from ticks where symbol = ${SYMBOL} and seq > ${seq} order by seq
  `;
  return rows.map((row) => ({ seq: row.seq, at: Date.parse(row.at), bid: priceUnits(row.bid), ask: priceUnits(row.ask) }));
}

/** The newest bid that was stored, in units of 10⁻⁸. */
async function bidNow(): Promise<number> {
  const [quote] = await sql<{ bid: string }[]>`select bid from quotes where symbol = ${SYMBOL}`;
  return quote ? priceUnits(quote.bid) : 0;
}

type Placed = { id: string; wish: Wish; on: number };
/** Places orders of all kinds around the price of the moment; those that the price has overtaken by then are refused, which is no matter. */
async function placeOrders(random: Dice, accountId: string): Promise<Placed[]> {
  const placed: Placed[] = [];
  for (let n = 0; n < ORDERS; n++) {
    const bid = await bidNow();
    const wish = drawWish(random, { bid, at: Date.now(), pip: bid / 20_000, within: 20_000 });
    // What is filled at once must say on which tick.
    if (wish.kind === "market") wish.distance ??= BigInt(Math.round(bid / 2_000));
    // One after the other, so that none is placed while a tick fills the other, which may be written before or after.
    wish.group = n % 4 < 2 ? `${String((n - (n % 4)) / 4).padStart(8, "0")}-0000-4000-8000-000000000000` : null;
    const { id, status } = await ask<{ id: string }>("/api/trading/positions", { ...bodyOf(wish, accountId), symbol: SYMBOL });
    if (status !== "pending" && status !== "open") continue;
    const [row] = await sql<{ on: number }[]>`select placed_seq as on from positions where id = ${id}`;
    placed.push({ id, wish, on: row?.on ?? 0 });
  }
  return placed;
}

type SetAlert = { id: string; price: number; rises: boolean; since: number };
async function setAlerts(random: Dice): Promise<SetAlert[]> {
  const set: SetAlert[] = [];
  for (let n = 0; n < ALERTS; n++) {
    const rises = n % 2 === 0;
    const price = Math.round((await bidNow()) * (1 + (rises ? 1 : -1) * random.between(0.000_02, 0.000_6)));
    const { id } = await ask<{ id: string }>("/api/alerts", { symbol: SYMBOL, side: "bid", condition: rises ? "above" : "below", price: priceText(price) });
    // Where the machine stood still there is no price to set one by.
    if (!id) continue;
    const [row] = await sql<{ since: number }[]>`select since_seq as since from price_alerts where id = ${id}`;
    set.push({ id, price, rises, since: row?.since ?? 0 });
  }
  return set;
}

/** What the ticks imply: of each order, and of each alert, the events, in words. */
function implied(ticks: readonly Recorded[], placed: readonly Placed[], alerts: readonly SetAlert[]): string[] {
  const reference = new ReferenceOrders(1_000_000n, BigInt(LEVERAGE), 0n);
  const orders = new Map<string, Order>();
  for (const { seq, at, bid, ask: asked } of ticks) {
    reference.next({ seq, at, bid: BigInt(bid), ask: BigInt(asked), open: true });
    for (const { id, wish, on } of placed) {
      if (on !== seq) continue;
      const refused = reference.place(wish);
      if (refused) throw new Error(`the reference refuses what was taken: ${refused}`);
      orders.set(id, reference.orders.at(-1) as Order);
    }
  }
  const events = [...orders].flatMap(([id, { open, close, setOff, cancel, moves }]) => [
    ...(open ? [`${id} open ${open.seq} ${priceText(Number(open.price))}`] : []),
    ...(close ? [`${id} close ${close.seq} ${priceText(Number(close.price))} ${close.reason}`] : []),
    ...(setOff === null ? [] : [`${id} set off ${setOff}`]),
    ...(cancel && cancel.code !== "expired" ? [`${id} ${cancel.code}`] : []),
    ...moves.map(({ kind, seq, level }) => `${id} ${kind} ${seq} ${priceText(Number(level))}`),
  ]);
  const fired = alerts.flatMap(({ id, price, rises, since }) => {
    const tick = ticks.find(({ seq, bid }) => seq > since && (rises ? bid >= price : bid <= price));
    return tick ? `${id} alert ${tick.seq} ${priceText(tick.bid)}` : [];
  });
  return [...events, ...fired].toSorted();
}

/** The same as the database tells it, as far as it happened up to this tick. */
async function happened(until: number): Promise<string[]> {
  const rows = await sql<{ event: string }[]>`
    select format('%s %s %s %s', position_id, kind, quote_seq, concat_ws(' ', price, reason)) as event from fills where quote_seq <= ${until}
    union all
    select format('%s set off %s', id, set_off_seq) from positions where set_off_seq <= ${until}
    union all
    select format('%s %s', id, cancel_code) from positions where cancel_code <> 'expired' and since_seq <= ${until}
    union all
    select format('%s %s %s %s', position_id, kind, quote_seq, level) from stop_moves where quote_seq <= ${until}
    union all
    select format('%s alert %s %s', id, fired_seq, fired_price) from price_alerts where fired_seq <= ${until}
  `;
  return rows.map(({ event }) => event).toSorted();
}

const missing = async (ticks: readonly Recorded[], placed: readonly Placed[], alerts: readonly SetAlert[]) => {
  const there = new Set(await happened(Number.MAX_SAFE_INTEGER));
  return implied(ticks, placed, alerts).filter((event) => !there.has(event));
};

let people = 0;
/** Orders and alerts of a person of their own around the price of the moment. */
async function placeAll(random: Dice) {
  cookie = "";
  await ask("/api/auth/register", { firstName: "K", lastName: "P", email: `killed${++people}@t.test`, password: "Corr3ct-horse" });
  const { id: accountId } = await ask<{ id: string }>("/api/trading-accounts", { accountTypeId: "starter", isDemo: true });
  await sql`update trading_accounts set leverage = ${LEVERAGE} where id = ${accountId}`;
  const alerts = await setAlerts(random);
  const placed = await placeOrders(random, accountId);
  return { accountId, alerts, placed, since: Math.min(...placed.map(({ on }) => on), ...alerts.map(({ since: on }) => on)) - 1 };
}
type All = Awaited<ReturnType<typeof placeAll>>;

/**
 * Kills both once recorded ticks set off an order, a move of a stop loss and an alert that can't be written, and says what. Null where none of
 * one kind comes for a while: the price may have walked away from all of them for good.
 */
async function killBetween({ accountId, alerts, placed, since }: All): Promise<string[] | null> {
  let lost: string[] | null = null;
  const held = sql.begin(async (tx) => {
    await tx`select from trading_accounts where id = ${accountId} for update`;
    await tx`select from price_alerts where fired_at is null for update`;
    for (const end = performance.now() + A_WHILE; performance.now() < end;) {
      const events = await missing(await ticksAfter(since), placed, alerts);
      if ([" open ", " trail ", " alert "].every((kind) => events.some((event) => event.includes(kind)))) {
        lost = events;
        return kill();
      }
      await Bun.sleep(20);
    }
  });
  // Killed, its transaction ends with PostgreSQL.
  await held.catch((error: unknown) => {
    if (lost === null) throw error;
  });
  return lost;
}

test("killed between ticks and what they set off, it does the same after its start, once", async () => {
  // Whatever a person is told passes through the outbox.
  await sql.unsafe(`
    create table told (tag text);
    create function note_told() returns trigger language plpgsql as $$ begin insert into told values (new.tag); return null; end $$;
    create trigger note_told after insert on person_outbox for each row execute function note_told();
    grant insert on told to public;
  `);
  await until("there are prices", async () => (await bidNow()) > 0);
  for (let round = 0; round < ROUNDS; round++) {
    const random = dice(round + 1);
    let all = await placeAll(random);
    let lost = await killBetween(all);
    for (; lost === null; lost = await killBetween(all)) all = await placeAll(random);
    const { alerts, placed, since } = all;
    await sql.end({ timeout: 1 }).catch(() => {});

    await begin();
    const [block] = await sql<{ first: number }[]>`select last_value as first from tick_numbers`;
    const ticks = (await ticksAfter(since)).filter(({ seq }) => seq < (block?.first ?? 0));
    const last = ticks.at(-1)?.seq ?? 0;
    const expected = implied(ticks, placed, alerts);
    for (const event of lost) expect(expected).toContain(event);
    const ids = new Set([...placed, ...alerts].map(({ id }) => id));
    const mine = async () => (await happened(last)).filter((event) => ids.has(event.split(" ")[0] ?? ""));
    await until("all is written", async () => (await mine()).length >= expected.length);
    expect(await mine()).toEqual(expected);
    const doubled = await sql`select tag from told where tag like 'alert-%' group by tag having count(*) > 1`;
    expect([...doubled]).toEqual([]);
  }
  const [told] = await sql<{ alerts: number; fired: number }[]>`
    select (select count(*)::integer from told where tag like 'alert-%') as alerts, (select count(*)::integer from price_alerts where fired_at is not null) as fired
  `;
  expect(told?.alerts).toBe(told?.fired as number);
  running.signal("SIGTERM");
  await running.ended;
  const verified = await runProgram(home, { DATA_DIR: data }, ["verify"]);
  expect([verified.status, verified.stdout.includes("FAIL")]).toEqual([0, false]);
});
