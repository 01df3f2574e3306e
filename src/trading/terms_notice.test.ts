import { expect, test } from "bun:test";
import type { TradingAccount } from "../accounts/schema";
import type { GroupTerms, GroupVersion, SwapRule } from "../accounts/schema_groups";
import { DAY, tradingDayStart } from "../lib/time";
import type { TestApp } from "../testing/app";
import { inHouse } from "../testing/house";
import { expectedNights, nightsIn, rule } from "../testing/nights";
import { handHeld, holdHouse, order, tamper, until, waiting, withoutGuard } from "../testing/scenarios";
import type { Position, Receipt } from "./schema";

/** A group's worse terms hold for what opens at once, and for what is open when the notice is over: prices, commission, engine and nights. */

let app: TestApp;
let ann: Awaited<ReturnType<TestApp["admin"]>>;
const { sleptSince, isCharged, nightsOf, asleep } = nightsIn(() => app);
inHouse((house) => ({ app, ann } = house));

type Trader = Awaited<ReturnType<TestApp["trader"]>>;
const quote = (bid = "1.10000", ask = "1.10002") => app.quote("EUR/USD", bid, ask);
const newest = async (id: string) => (await ann.get<GroupVersion[]>("/api/admin/groups")).body.find((group) => group.id === id) as GroupVersion;
const change = async (id: string, body: object) =>
  (await ann.patch<GroupTerms>("/api/admin/groups", { id, version: (await newest(id)).version, reason: "A test", ...body })).body;
/** Puts terms in force whose notice is over by now, by the operator's own hand. */
const endNotice = (id: string) =>
  tamper(app.sql, async (tx) => {
    await tx`update group_versions set applies_at = greatest(effective_at, least(applies_at, clock_timestamp())) where group_id = ${id}`;
    await tx`select groups_come_due()`;
  });

/** Somebody in a group of this test's own, which begins with a spread of 1.0 pips and $1.00 a side. */
async function holder(id: string, swaps: SwapRule[] = []) {
  await ann.post("/api/admin/groups", {
    ...{ id, name: `The ${id}`, spreadPips: "1.0", commission: "1.00", minimumDeposit: 0, leverage: 100, isOpen: true, swaps, reason: "A test" },
  });
  const tess = await app.trader();
  const { body: account } = await tess.post<TradingAccount>("/api/trading-accounts", { accountTypeId: id, isDemo: true });
  const open = async (over: object = {}) =>
    (await tess.post<Position>("/api/trading/positions", { ...order, amount: 100_000, accountId: account.id, ...over })).body;
  return { tess, open, accountId: account.id };
}
const close = async (tess: Trader, { id }: Position) => {
  await tess.post(`/api/trading/positions/${id}/close`);
  return dealt(tess, id);
};
const dealt = async (tess: Trader, id: string) =>
  (await tess.get<Receipt>(`/api/trading/positions/${id}/receipt`)).body.fills.map(({ kind, tierSpreadPips, commission, groupTerms }) =>
    [kind, tierSpreadPips, commission, groupTerms].join(" "),
  );
const listed = async (tess: Trader) =>
  new Map((await tess.get<Position[]>("/api/trading/positions/open")).body.map(({ id, currentPrice, groupVersion }) => [id, [currentPrice, groupVersion]]));

test("what opens is dealt by the new terms at once, what was open by its own until the notice is over; a better version ends both", async () => {
  await quote();
  const { tess, open, accountId } = await holder("one");
  const [first, second] = [await open(), await open({ amount: 50_000 })];
  const worse = await change("one", { spreadPips: "4.0", commission: "9.00", leverage: 20 });
  expect([Date.parse(worse.effectiveAt ?? "") <= Date.now(), (Date.parse(worse.appliesAt ?? "") - Date.now()) / 3_600_000 > 23.9]).toEqual([true, true]);
  const fresh = await open();
  // Mid 1.10001, less half of 1.0 pips or of 4.0.
  expect([...(await listed(tess)).entries()]).toEqual([
    [fresh.id, ["1.09981000", 2]],
    [second.id, ["1.09996000", 1]],
    [first.id, ["1.09996000", 1]],
  ]);
  const own = (await tess.get<TradingAccount[]>("/api/trading-accounts")).body.find(({ id }) => id === accountId);
  // 100,000 and 50,000 bought at 1.10006 and closed at 1.09996, 100,000 bought at 1.10021 and closed at 1.09981; $1, $0.50 and $9 paid.
  expect(own).toMatchObject({ leverage: "1:20", balance: "9989.50", equity: (9989.5 - 9.09 - 4.55 - 36.36).toFixed(2) });
  const [staff] = (await ann.get<{ currentPrice: string; spreadsFrom: string }[]>(`/api/admin/trading-positions?id=${first.id}`)).body;
  expect(staff).toMatchObject({ currentPrice: "1.09996000", spreadsFrom: "1.0" });
  const part = await tess.post<Position>(`/api/trading/positions/${second.id}/close`, { amount: 20_000 });
  expect(await dealt(tess, part.body.id)).toEqual(["open 1.0 0.50 one v1", "close 1.0 0.20 one v1"]);
  expect(await close(tess, first)).toEqual(["open 1.0 1.00 one v1", "close 1.0 1.00 one v1"]);
  expect(await close(tess, fresh)).toEqual(["open 4.0 9.00 one v2", "close 4.0 9.00 one v2"]);

  // Better than all that anything is dealt by: at once, for what was opened on the first, too.
  expect((await change("one", { spreadPips: "0.5", commission: "0", leverage: 100 })).appliesAt).toBeNull();
  expect(await close(tess, second)).toEqual(["open 1.0 0.50 one v1", "close 0.5  one v3"]);
});

test("when the notice is over the new terms are everybody's", async () => {
  await quote();
  const { tess, open } = await holder("two");
  const first = await open();
  await change("two", { spreadPips: "4.0", commission: "9.00" });
  expect(await close(tess, await open())).toEqual(["open 4.0 9.00 two v2", "close 4.0 9.00 two v2"]);
  await endNotice("two");
  expect((await listed(tess)).get(first.id)).toEqual(["1.09981000", 1]);
  expect(await close(tess, first)).toEqual(["open 1.0 1.00 two v1", "close 4.0 9.00 two v2"]);
});

test("worse than what something open is dealt by is worse, though it is better than the terms of now", async () => {
  await quote();
  const { tess, open } = await holder("three");
  const first = await open();
  await change("three", { spreadPips: "4.0" });
  const second = await open();
  const between = await change("three", { spreadPips: "2.0" });
  expect(between.appliesAt).not.toBeNull();
  expect(await close(tess, first)).toEqual(["open 1.0 1.00 three v1", "close 1.0 1.00 three v1"]);
  expect(await close(tess, second)).toEqual(["open 4.0 1.00 three v2", "close 4.0 1.00 three v2"]);
});

test("the engine closes each position at its own prices, and fills what waits by the terms of now", async () => {
  await quote();
  const { tess, open } = await holder("four");
  const first = await open({ stopLoss: 1.0999, amount: 10_000 });
  await change("four", { spreadPips: "20.0", commission: "0" });
  const limit = await open({ orderType: "limit", triggerPrice: "1.09950", amount: 10_000 });
  const second = await open({ stopLoss: 1.0985, amount: 10_000 });
  // Bids of 1.09996 and 1.09901: the wide one is beyond the first's stop loss, which answers to its own.
  await quote("1.10000", "1.10002");
  expect((await listed(tess)).get(first.id)?.[0]).toBe("1.09996000");
  await quote("1.09993", "1.09995");
  expect((await listed(tess)).has(first.id)).toBe(false);
  expect(await dealt(tess, first.id)).toEqual(["open 1.0 0.10 four v1", "close 1.0 0.10 four v1"]);
  await quote("1.09948", "1.09950");
  await app.trading.engine.idle();
  expect((await listed(tess)).has(second.id)).toBe(false);
  expect(await dealt(tess, second.id)).toEqual(["open 20.0  four v2", "close 20.0  four v2"]);
  expect((await listed(tess)).get(limit.id)?.[1]).toBeNull();
  await quote("1.09840", "1.09842");
  await until("the order is filled", async () => (await listed(tess)).get(limit.id)?.[1] === 2);
  expect(await dealt(tess, limit.id)).toEqual(["open 20.0  four v2"]);
});

test("a night is charged by the terms that hold for the position then", async () => {
  await quote();
  const { tess, open } = await holder("five", [rule({ long: "-1" })]);
  const first = await open();
  await change("five", { swaps: [rule({ long: "-9" })] });
  const second = await open();
  const wake = await asleep();
  // As if both were open for nine days, the version in force before that, and its notice over after five of them.
  const [night, opened, over] = [10, 9, 4].map((days) => new Date(Date.now() - days * DAY).toISOString()) as [string, string, string];
  await tamper(app.sql, async (tx) => {
    await tx`update group_versions set effective_at = ${night}::text::timestamptz, applies_at = ${over}::text::timestamptz where group_id = 'five' and version = 2`;
    await tx`update group_versions set effective_at = '-infinity', applies_at = '-infinity' where group_id = 'five' and version = 1`;
  });
  await sleptSince(night.slice(0, 10), { [first.id]: opened, [second.id]: opened });
  await wake();
  await until("all nights are charged", isCharged);
  const versions = async ({ id }: Position) => (await nightsOf(id)).map(({ night: of, version }) => [of, version]);
  const nights = expectedNights(opened, 3).map(([of]) => of);
  const before = nights.filter((of) => tradingDayStart(Date.parse(over)) >= Date.parse(`${of}T21:00Z`));
  expect([before.length > 0, before.length < nights.length]).toEqual([true, true]);
  expect(await versions(first)).toEqual(nights.map((of) => [of, before.includes(of) ? 1 : 2]));
  expect(await versions(second)).toEqual(nights.map((of) => [of, 2]));
  await tess.post("/api/trading/positions/close-all");
});

test("a position that comes from another group is dealt by what holds for the open there", async () => {
  await quote();
  await holder("six");
  await change("six", { spreadPips: "0.8" });
  const tess = await app.trader();
  const { body: held } = await tess.post<Position>("/api/trading/positions", order);
  await change("six", { spreadPips: "3.0" });
  await app.sql`select account_move(${ann.id}, ${held.accountId}, 'six', 0, interval '0', 'A test', '', '')`;
  const [, closing] = await close(tess, held);
  expect(closing).toMatch(/^close 0\.8 .*six v2$/);
});

/** Closes, and betters the group while the closing is under way: its price is made, and it waits for the house's account. */
async function crossed(id: string) {
  const { tess, open } = await holder(id);
  const position = await open();
  const hand = await handHeld(app.db);
  await holdHouse(hand.sql, "house_demo");
  const closed = close(tess, position);
  await until("the closing waits", async () => (await waiting(app.sql)) === 1);
  const changed = change(id, { spreadPips: "0.5", commission: "0.50" });
  await until("the change waits or is done", async () => (await waiting(app.sql)) > 1 || (await newest(id)).commission === "0.50");
  await hand.commit();
  await hand.end();
  await changed;
  return (await closed)[1];
}

test("a closing at the moment of a change names the one version that it was dealt by; read twice it would not", async () => {
  await quote();
  expect(await crossed("seven")).toBe("close 1.0 1.00 seven v1");
  const late = await withoutGuard(app.sql, "group_set", "perform pg_advisory_xact_lock(lead_lock());");
  expect(await crossed("eight")).toBe("close 1.0 1.00 eight v1");
  const again = await withoutGuard(
    app.sql,
    "position_close",
    "  insert into fills (",
    "  select t.* into terms from account_types t where t.id = account.account_type_id;\n  insert into fills (",
  );
  expect(await crossed("nine")).toBe("close 1.0 1.00 nine v2");
  expect(await app.faults()).toEqual([expect.stringMatching(/^fills_name_their_terms/)]);
  await tamper(app.sql, (tx) => tx`update fills set group_version = 1 where group_id = 'nine'`);
  await again();
  await late();
});
