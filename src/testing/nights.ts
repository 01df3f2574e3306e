import type { TradingAccount } from "../accounts/schema";
import type { SwapRule } from "../accounts/schema_groups";
import { HOUR, tradingDayStart } from "../lib/time";
import { isForexOpen } from "../market/hours";
import type { Position } from "../trading/schema";
import type { TestApp } from "./app";
import { order, tamper, withoutGuard } from "./scenarios";

/** Positions that are held over nights, in groups with a swap of a test's own. */

type Trader = Awaited<ReturnType<TestApp["trader"]>>;
/** `from` when it holds; left out: from the beginning. */
export type Terms = { swaps?: SwapRule[]; fee?: string | null; from?: string };
export const rule = (over: Partial<SwapRule> = {}): SwapRule => ({ for: "forex-major", unit: "points", long: "-0.85", short: "0.2", tripleDay: 3, ...over });

/** The next 17:00: days have 23 hours, or 25, where clocks change. */
export const after = (at: number) => tradingDayStart(at + 26 * HOUR);
/** The nights over which something opened at `from` is charged until now, without any SQL: a night is open where the market was until its 17:00. */
export function expectedNights(from: string, triple: number | null, isForex = true): [string, number][] {
  const found: [string, number][] = [];
  const last = tradingDayStart(Date.now());
  for (let at = after(tradingDayStart(Date.parse(from))); at <= last; at = after(at)) {
    const night = new Date(at - 12 * HOUR).toISOString().slice(0, 10);
    const weekday = new Date(`${night}T00:00Z`).getUTCDay();
    const isWeekend = weekday === 0 || weekday === 6;
    if ((isForex && !isForexOpen(at - 1)) || (isWeekend && triple !== null)) continue;
    found.push([night, weekday === triple ? 3 : 1]);
  }
  return found;
}

type Night = { night: string; nights: number; due: string; amount: string; version: number };

/** What a test does with nights in the program that it will have opened by then. */
export function nightsIn(app: () => TestApp) {
  let groups = 0;
  /** A group of a test's own with these terms, one after the other; the first from the beginning. */
  async function groupWith(...versions: Terms[]): Promise<string> {
    const id = `g${String.fromCharCode(97 + groups++)}`;
    await app().sql`
    insert into account_types (id, name, minimum_deposit, spreads_from, leverage, features, is_active, place, version)
    select ${id}, ${id}, 0, 0, '1:100', '[]', true, max(place) + 1, 1 from account_types`;
    for (const [n, { swaps = [], fee = null, from = "-infinity" }] of versions.entries())
      await app().sql`
      insert into group_versions (group_id, version, name, spreads_from, commission, minimum_deposit, leverage, is_active, effective_at, applies_at, created_at, swaps, swap_fee)
      values (${id}, ${n + 1}, ${id}, 0, 0, 0, 100, true, ${from}::text::timestamptz, ${from}::text::timestamptz, ${from === "-infinity" ? "2020-01-01" : from}::text::timestamptz, ${JSON.stringify(swaps)}::text::jsonb, ${fee})`;
    return id;
  }
  /** Somebody with a demo account in that group, and positions on it. */
  async function holder(group: string, person: Parameters<TestApp["trader"]>[0] = {}) {
    const tess = await app().trader(person);
    const { body: account } = await tess.post<TradingAccount>("/api/trading-accounts", { accountTypeId: group, isDemo: true });
    const open = async (over: object = {}) => {
      const { status, body, text } = await tess.post<Position>("/api/trading/positions", { ...order, accountId: account.id, amount: 20_000, ...over });
      if (status !== 201) throw new Error(text);
      return body;
    };
    return { tess, accountId: account.id, open };
  }
  /** As if no program had run since this night, and the positions were as old as said. */
  const sleptSince = (night: string, opened: Record<string, string>) =>
    tamper(app().sql, async (tx) => {
      await tx`delete from swap_nights`;
      await tx`insert into swap_nights (night) values (${night}::text::date)`;
      for (const [id, at] of Object.entries(opened)) await tx`update positions set opened_at = ${at}::text::timestamptz where id = ${id}`;
    });
  async function isCharged(): Promise<boolean> {
    const [row] = await app().sql<{ done: boolean }[]>`select max(night) = night_at(clock_timestamp()) as done from swap_nights`;
    return row?.done === true;
  }
  const nightsOf = async (id: string): Promise<Night[]> => [
    ...(await app().sql<Night[]>`select night::text, nights, due::text, amount::text, version from swaps where position_id = ${id} order by night`),
  ];
  const balanceOf = async (tess: Trader, accountId: string) =>
    (await tess.get<TradingAccount[]>("/api/trading-accounts")).body.find(({ id }) => id === accountId)?.balance ?? "";

  /** Keeps the batch from any night, as if no program ran. Returns the way to let it go. */
  const asleep = () => withoutGuard(app().sql, "swap_night_due", "where night_moment(d.night) <= clock_timestamp()", "where false");

  return { groupWith, holder, sleptSince, isCharged, nightsOf, balanceOf, asleep };
}
