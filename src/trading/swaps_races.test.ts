import { afterAll, beforeAll, expect, test } from "bun:test";
import { type TestApp, testApp } from "../testing/app";
import { win } from "../testing/corrections";
import { expectedNights, nightsIn, rule } from "../testing/nights";
import { handHeld, until, waiting } from "../testing/scenarios";
import type { Position } from "./schema";
import { chargeNight } from "./swaps";

/** A night is charged once to what was held over it, whoever else closes it, settles it or charges the same night at that moment. */

let app: TestApp;
beforeAll(async () => {
  // Forex is open whenever the test runs.
  app = await testApp({ MARKET_HOURS: "always" });
  await quote();
});
afterAll(async () => {
  await until("the last night is charged", isCharged);
  expect(await app.faults()).toEqual([]);
  await app.end();
});
const { groupWith, holder, sleptSince, isCharged, nightsOf, balanceOf, asleep } = nightsIn(() => app);
const quote = (bid = "1.10000", ask = "1.10002") => app.quote("EUR/USD", bid, ask);

const OPENED = "2026-11-19T12:00:00Z";
const expected = () => expectedNights(OPENED, null).map(([night]) => night);
const chargedNights = async (id: string) => (await nightsOf(id)).map(({ night }) => night);
/** $10.00 a night for 11,000.20 bought at 1.10002. */
const ten = () => groupWith({ swaps: [rule({ long: "-100", tripleDay: null })] });
const AMOUNT = 11_000.2;
/** Charges all nights that are over, as a program does that leads by itself. */
async function chargeAll(): Promise<void> {
  const { bus, log, engineSql: sql } = app.context;
  while (await chargeNight({ sql, bus, log, epoch: null }));
}

test("closings, parts and a batch at one moment charge each night once", async () => {
  const group = await ten();
  const people = await Promise.all(Array.from({ length: 8 }, () => holder(group)));
  const held = await Promise.all(people.map(({ open }) => open({ amount: AMOUNT })));
  const sleep = await asleep();
  await sleptSince("2026-11-18", Object.fromEntries(held.map(({ id }) => [id, OPENED])));
  await sleep();
  const back = await asleep();
  const nights = expected();
  // All of them wait for their accounts at once, the batch for the first of these.
  const hand = await handHeld(app.db);
  await hand.sql`select from trading_accounts where id = any(${people.map(({ accountId }) => accountId)}::uuid[]) order by id for update`;
  const close = ({ tess }: (typeof people)[number], { id }: Position, n: number) =>
    tess.post<Position>(`/api/trading/positions/${id}/close`, n % 2 ? { amount: 5000 } : {});
  const closings = people.slice(0, 4).map((each, n) => close(each, held[n] as Position, n));
  const batch = nights.map((night) => app.sql`select swap_night_charge(${night}::text::date, null, 200)`).map((each) => each.execute());
  const later = people.slice(4).map((each, n) => close(each, held[n + 4] as Position, n));
  await until("somebody waits", async () => (await waiting(app.sql)) >= 5);
  await hand.commit();
  await hand.end();
  const closed = await Promise.all([...closings, ...later]);
  await Promise.all(batch);
  expect(closed.map(({ status }) => status)).toEqual(closed.map(() => 200));
  await back();
  await until("all nights are charged", isCharged);
  for (const [n, { id }] of held.entries()) {
    expect(await chargedNights(id)).toEqual(nights);
    const part = closed[n]?.body as Position;
    const { tess, accountId } = people[n] as (typeof people)[number];
    expect(Number(await balanceOf(tess, accountId)).toFixed(2)).toBe((10_000 - 10 * nights.length + Number(part.profit)).toFixed(2));
  }
});

test("however a position ends, it pays the nights that no program came to", async () => {
  const group = await ten();
  const admin = await app.admin();
  const [byHand, all, stopped, alsoStopped, reached, settled, ruined] = await Promise.all(Array.from({ length: 7 }, () => holder(group)));
  const open = (who: typeof byHand, over: object = {}) => (who as NonNullable<typeof who>).open({ amount: AMOUNT, ...over });
  const held = [
    await open(byHand),
    await open(all),
    await open(stopped, { stopLoss: 1.09 }),
    await open(alsoStopped, { stopLoss: 1.09 }),
    await open(reached, { takeProfit: 1.11 }),
    await open(settled),
    await open(ruined, { amount: 900_000 }),
  ];
  const back = await asleep();
  await sleptSince("2026-11-18", Object.fromEntries(held.map(({ id }) => [id, OPENED])));
  const nights = expected();
  await byHand?.tess.post(`/api/trading/positions/${held[0]?.id}/close`);
  await all?.tess.post("/api/trading/positions/close-all");
  expect((await win(admin, held[5]?.id ?? "", "5.00")).status).toBe(200);
  await quote("1.11100", "1.11102");
  await quote("1.08900", "1.08902");
  const reasons = await app.sql<{ reason: string | null }[]>`
    select close_reason as reason from unnest(${held.map(({ id }) => id)}::uuid[]) with ordinality u (id, n) join positions p on p.id = u.id order by u.n`;
  expect(reasons.map(({ reason }) => reason)).toEqual(["trader", "trader", "stop_loss", "stop_loss", "take_profit", "admin", "stop_out"]);
  for (const { id } of held) expect(await chargedNights(id)).toEqual(nights);
  await back();
  await until("all nights are charged", isCharged);
  for (const { id } of held) expect(await chargedNights(id)).toEqual(nights);
  await quote();
});

test("a night that takes the margin is followed by the margin call and the stop-out, without any tick", async () => {
  const { open, tess } = await holder(await groupWith({ swaps: [rule({ long: "-300", tripleDay: null })] }));
  const big = await open({ amount: 900_000 });
  await sleptSince("2026-11-18", { [big.id]: OPENED });
  await until("it is stopped out", async () => {
    await quote();
    return (await tess.get<Position[]>("/api/trading/positions/history")).body[0]?.closeReason === "stop_out";
  });
  await until("all nights are charged", isCharged);
  // 900,000 × 300 points are $2,454.50 a night: the fourth leaves less than half of the margin of $9,000.
  expect((await chargedNights(big.id)).length).toBeGreaterThanOrEqual(3);
});

test("several programs at one night charge it once; one that leads no longer is refused", async () => {
  const group = await ten();
  const people = await Promise.all(Array.from({ length: 6 }, () => holder(group)));
  const held = await Promise.all(people.map(({ open }) => open({ amount: AMOUNT })));
  const sleep = await asleep();
  await sleptSince("2026-11-18", Object.fromEntries(held.map(({ id }) => [id, OPENED])));
  const nights = expected();
  const hand = await handHeld(app.db);
  await hand.sql`select from trading_accounts where id = any(${people.map(({ accountId }) => accountId)}::uuid[]) order by id for update`;
  await sleep();
  const all = Array.from({ length: 3 }, () => chargeAll());
  await until("they wait for each other", async () => (await waiting(app.sql)) >= 3);
  await hand.commit();
  await hand.end();
  await Promise.all(all);
  await until("all nights are charged", isCharged);
  for (const { id } of held) expect(await chargedNights(id)).toEqual(nights);

  const over = "Another program leads now.";
  await expect(app.sql`select swap_night_charge('2026-11-19', null, 200) from lead_fence(0)`.execute()).rejects.toThrow(over);
  await expect(app.sql`select swap_night_begin(0)`.execute()).rejects.toThrow(over);
});

test("a position that is still being opened when a night is charged is waited for", async () => {
  const { tess, accountId } = await holder(await ten());
  const hand = await handHeld(app.db);
  // As a deal that began before the night and is written after it.
  await hand.sql`select deal_fence(null, (select epoch from leadership), ${tess.id})`;
  const [opened] = await hand.sql<{ id: string }[]>`
    select trade_open(
      ${tess.id}, ${accountId}, 'EUR/USD', 'buy', ${AMOUNT}, null, null, null, null, true, row(0, now(), 0, 1.10002, 1.10002, 0.0001)::deed_quote,
      row('{}', '{}', '{}', '{}')::board, null, null, clock_timestamp()
    ) -> 'answer' ->> 'id' as id`;
  const id = opened?.id ?? "";
  await hand.sql.unsafe("set local session_replication_role = replica");
  await hand.sql`update positions set opened_at = ${OPENED}::text::timestamptz where id = ${id}`;
  const wake = await asleep();
  await sleptSince("2026-11-18", {});
  await wake();
  const all = chargeAll();
  await until("the batch waits for it", async () => (await waiting(app.sql)) >= 1 || (await isCharged()));
  await hand.commit();
  await hand.end();
  await all;
  await until("all nights are charged", isCharged);
  expect(await chargedNights(id)).toEqual(expected());
});
