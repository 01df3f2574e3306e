import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { TradingAccount } from "../accounts/schema";
import type { GroupTerms, GroupVersion } from "../accounts/schema_groups";
import type { DayBook } from "../admin/schema_days";
import type { ProvenStatement, Transaction } from "../funding/schema";
import { priceUnits, sum, swapOf } from "../lib/money";
import { DAY, HOUR, tradingDayStart } from "../lib/time";
import { pipOf } from "../market/rules_listed";
import { keyOfLog } from "../proof/queries";
import { verify } from "../proof/rules_verify";
import { type TestApp, testApp } from "../testing/app";
import { dice } from "../testing/dice";
import { after, expectedNights, nightsIn, rule, type Terms } from "../testing/nights";
import { fundLive, heardBy, order, until } from "../testing/scenarios";
import { seed } from "../testing/seed";
import { nightOf, overnight } from "./rules_swap";
import type { Position, Receipt } from "./schema";

/** Swap: a group's terms, and what of its nights is shown where. */

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
  await quote();
});
afterAll(async () => {
  await until("the last night is charged", isCharged);
  expect(await app.faults()).toEqual([]);
  await app.end();
});
const { groupWith, holder, sleptSince, isCharged, asleep } = nightsIn(() => app);
const quote = () => app.quote("EUR/USD", "1.10000", "1.10002");
/** So many days ago: over nights without end any account comes to an end, too. */
const ago = (days: number) => new Date(Date.now() - days * DAY).toISOString();
const dayAgo = (days: number) => ago(days).slice(0, 10);

describe("a group's swap", () => {
  type Refused = { code?: string; fields?: Record<string, string> };
  let admin: Awaited<ReturnType<TestApp["admin"]>>;
  beforeAll(async () => {
    admin = await app.admin();
  });
  const newest = async (id: string) => (await admin.get<GroupVersion[]>("/api/admin/groups")).body.find((group) => group.id === id) as GroupVersion;
  const change = async (id: string, body: object) =>
    admin.patch<GroupTerms & Refused>("/api/admin/groups", { id, version: (await newest(id)).version, reason: "A test", ...body });

  test("is in a version; what an account's next 17:00 goes by is on the account", async () => {
    const group = await groupWith({});
    const { tess, accountId } = await holder(group);
    const swapOf = async () => (await tess.get<TradingAccount[]>("/api/trading-accounts")).body.find(({ id }) => id === accountId)?.swap;
    expect([(await newest(group)).swaps, (await newest(group)).swapFreeFee, await swapOf()]).toEqual([[], null, null]);
    const said = [
      { for: "forex-major", unit: "points", long: -0.85, short: "+0.2" },
      { for: "BTC/USD", unit: "percent", long: "-20", short: "-4.5" },
      { for: "EUR/USD", unit: "percent", long: "0", short: "0", tripleDay: 5 },
    ];
    const { status, body } = await change(group, { swaps: said });
    const rules = [
      { for: "forex-major", unit: "points", long: "-0.85", short: "0.2", tripleDay: 3 },
      { for: "BTC/USD", unit: "percent", long: "-20", short: "-4.5", tripleDay: null },
      { for: "EUR/USD", unit: "percent", long: "0", short: "0", tripleDay: 5 },
    ] as const;
    expect([status, body.swaps]).toEqual([200, [...rules]]);
    expect(await swapOf()).toEqual({ rules: [...rules], fee: null, open: null });
    await change(group, { swapFreeFee: "5" });
    expect([(await newest(group)).swaps, (await newest(group)).swapFreeFee]).toEqual([[...rules], "5.00"]);
    expect((await swapOf())?.fee).toBe("5.00");
    await change(group, { swapFreeFee: null });
    expect((await newest(group)).swapFreeFee).toBeNull();
  });

  test("that is worse waits for the notice with what is open, and is told; better holds at once", async () => {
    const group = await groupWith({ swaps: [rule()] });
    const { tess, open } = await holder(group);
    await open();
    const heard = heardBy(app, tess);
    const days = async (swaps: object[]) =>
      Math.round((Date.parse((await change(group, { swaps })).body.appliesAt ?? new Date().toISOString()) - Date.now()) / DAY) + 0;
    expect(await days([rule({ short: "0.3" })])).toBe(0);
    for (const worse of [
      [],
      [rule({ long: "-0.86", short: "0.3" })],
      [rule({ short: "0.2" })],
      [rule({ short: "0.3", tripleDay: 5 })],
      [rule({ short: "0.3", unit: "percent" })],
    ])
      expect([worse, await days(worse)]).toEqual([worse, 1]);
    await until("its holder is told", () => heard.some((told) => told.includes("swap a night forex-major -0.86 long and 0.3 short points")));
    expect((await change(group, { swaps: [rule({ short: "0.3" })], swapFreeFee: "9" })).body.appliesAt).not.toBeNull();
  });

  test("is refused with the field where it makes no sense, and above 100 % a year", async () => {
    const group = await groupWith({});
    const cases: [object, number, string][] = [
      [{ swaps: [rule({ long: "cheap" })] }, 400, "swaps.0.long"],
      [{ swaps: [rule({ long: "NaN" })] }, 400, "swaps.0.long"],
      [{ swaps: [rule({ short: "0.00001" })] }, 400, "swaps.0.short"],
      [{ swaps: [rule(), rule({ for: "Gold" })] }, 400, "swaps.1.for"],
      [{ swaps: [rule({ for: "crypto" })] }, 400, "swaps.0.unit"],
      [{ swaps: [rule({ tripleDay: 6 })] }, 400, "swaps.0.tripleDay"],
      [{ swaps: [rule(), rule()] }, 400, "swaps"],
      [{ swaps: [rule({ unit: "percent", long: "-100" }), rule({ for: "crypto", unit: "percent", short: "100.0001" })] }, 422, "swaps.1.short"],
      // At 1.1 for a euro 305.55 points a night are all of it in 360 days.
      [{ swaps: [rule({ long: "-305.6" })] }, 422, "swaps.0.long"],
      [{ swaps: [rule({ for: "EUR/USD", short: "305.6" })] }, 422, "swaps.0.short"],
      [{ swapFreeFee: "277.78" }, 422, "swapFreeFee"],
      [{ swapFreeFee: "-1" }, 400, "swapFreeFee"],
    ];
    await until("the price is kept", async () => (await app.sql`select from quotes where symbol = 'EUR/USD'`).length > 0);
    for (const [body, status, field] of cases) {
      const refused = await change(group, body);
      expect([body, refused.status, Object.keys(refused.body.fields ?? {})]).toEqual([body, status, [field]]);
    }
    for (const body of [{ swaps: [rule({ long: "-305.5" })] }, { swapFreeFee: "277.77" }]) expect((await change(group, body)).status).toBe(200);
  });
});

describe("what a night moved", () => {
  test("is the house's on live money, a line of the account's, the statement's and the day's, and stands in analytics and on the receipt", async () => {
    const [tess, admin] = [await app.trader(), await app.admin()];
    const group = await groupWith({ swaps: [rule({ long: "-100", tripleDay: null })] });
    await fundLive(app, tess, "1000");
    const { body: account } = await tess.post<TradingAccount>("/api/trading-accounts", { accountTypeId: group, isDemo: false });
    await app.sql`select transfer_make(${tess.id}, (select id from trading_accounts where user_id = ${tess.id} and not is_demo and account_type_id = 'starter'), ${account.id}, 500,
      row('{}'::text[], '{}'::numeric[], '{}'::numeric[], '{}'::numeric[])::board, null, null)`;
    const { body: position } = await tess.post<Position>("/api/trading/positions", { ...order, accountId: account.id, amount: 11_000.2 });
    const [wake, opened] = [await asleep(), ago(9)];
    await sleptSince(dayAgo(11), { [position.id]: opened });
    await wake();
    await until("all nights are charged", isCharged);
    const nights = expectedNights(opened, null);
    const total = (-10 * nights.length).toFixed(2);

    const lines = (await tess.get<Transaction[]>("/api/transactions?type=swap")).body;
    expect(lines.map(({ type, amount, accountId, description }) => [type, amount, accountId, description])).toEqual(
      nights.map(([night]) => ["swap", "-10.00", account.id, `Swap, BUY EUR/USD, night of ${night}`]).reverse(),
    );
    const month = new Date().toISOString().slice(0, 7);
    const { body: statement } = await tess.get<ProvenStatement>(`/api/statements?month=${month}&accountId=${account.id}`);
    expect(statement.lines.filter(({ type }) => type === "swap")).toHaveLength(nights.length);
    await app.logbook.wake();
    const text = await (await tess.fetch("GET", `/api/statements/proof?month=${month}&accountId=${account.id}`)).text();
    const key = (await keyOfLog(app.sql)) ?? "";
    expect(verify(text, { key })).toMatchObject({ reason: null, title: `Statement ${month}, 0 closings, ${nights.length} nights` });
    expect(verify(text.replace('"amount":"-10.00"', '"amount":"-9.99"'), { key }).reason).toContain("by its record it moved by −$10.00");
    const { body: proven } = await tess.get<ProvenStatement>(`/api/statements?month=${month}&accountId=${account.id}`);
    expect(proven.lines.flatMap(({ type, proof }) => (type === "swap" ? proof?.record.kind : []))).toEqual(nights.map(() => "swap"));
    const { body: day } = await admin.get<DayBook>(`/api/admin/days/${new Date().toISOString().slice(0, 10)}`);
    expect(day.figures.parts.find(({ part }) => part === "swaps")).toMatchObject({ count: nights.length, amount: total.slice(1) });
    await tess.post(`/api/trading/positions/${position.id}/close`);
    const { body: receipt } = await tess.get<Receipt>(`/api/trading/positions/${position.id}/receipt`);
    expect(receipt.position.swap).toBe(total);
    expect(
      receipt.nights.map(({ night, nights: count, unit, rate, held, amount, groupTerms }) => [night, count, unit, rate, held, amount, groupTerms]),
    ).toEqual(nights.map(([night]) => [night, 1, "points", "-100.0000", "11000.20", "-10.00", `${group} v1`]));
    const { body: history } = await tess.get<Position[]>("/api/trading/positions/history");
    expect(history[0]?.swap).toBe(total);
    const page = (await tess.get(`/positions/${position.id}/receipt`)).text;
    for (const words of ["−100 points", "Beside the result: swap", total.slice(1)]) expect(page).toContain(words);
    expect((await tess.get("/analytics?book=live")).text).toContain(`$${total.slice(1)}`);
  });

  test("is said before one orders, on the page without scripts, too", async () => {
    const { tess, accountId } = await holder(await groupWith({ swaps: [rule({ long: "-90", tripleDay: null })] }));
    const form = new URLSearchParams({ ...{ accountId, symbol: "EUR/USD", side: "buy", orderType: "market", amount: "11000.2", step: "preview" } });
    const { text } = await tess.call("POST", "/positions/new", { raw: form.toString(), headers: { "content-type": "application/x-www-form-urlencoded" } });
    expect(text).toMatch(/Overnight until \w+ 17:00 New York<\/dt><dd[^>]*>−\$9\.00/);
  });
});

test("what the browser works out is what the database does, and each night recomputes from its own version alone", async () => {
  const { pick, between, chance } = dice(seed);
  const cases = Array.from({ length: 400 }, () => ({
    unit: pick(["points", "percent", "fee"] as const),
    rate: between(-100, 100).toFixed(pick([0, 1, 2, 3, 4])),
    held: between(10, 10 ** pick([2, 4, 7])).toFixed(2),
    open: pick(["1.10002", "0.57127", "157.123", "0.00001"]),
    symbol: pick(["EUR/USD", "USD/JPY"]),
    nights: pick([1, 3]),
  }));
  // Half a cent, exactly.
  cases.push({ unit: "percent", rate: "-18", held: "10.00", open: "1", symbol: "EUR/USD", nights: 1 });
  const rows = await app.sql<{ due: string }[]>`
    select swap_of(c.unit, c.rate, c.held, c.open, (select swap_point(listing) from instruments i where i.symbol = c.symbol), c.nights)::text as due
    from json_to_recordset(${JSON.stringify(cases)}::text::json) as c (unit text, rate numeric, held numeric, open numeric, symbol text, nights integer)`;
  expect(rows.map(({ due }) => due)).toEqual(
    cases.map(({ unit, rate, held, open, symbol, nights }) => swapOf(unit, rate, held, priceUnits(open), pipOf(symbol) / 10, nights)),
  );
  expect(rows.at(-1)?.due).toBe("-0.01");

  const [eve, since] = [dayAgo(29), Date.parse(dayAgo(28))];
  const random = (n: number): Terms => ({
    ...(chance(0.2) ? { fee: between(0, 200).toFixed(2) } : {}),
    swaps: chance(0.2)
      ? []
      : [
          rule({
            long: between(-150, 50).toFixed(2),
            short: between(-80, 20).toFixed(1),
            unit: pick(["points", "percent"]),
            tripleDay: pick([null, 1, 3, 5]),
          }),
        ],
    ...(n === 0 ? {} : { from: new Date(since + DAY + n * 40 * HOUR + between(0, 20) * HOUR).toISOString() }),
  });
  const versions = Array.from({ length: 12 }, (_, n) => random(n));
  const { tess, open } = await holder(await groupWith(...versions));
  const held: Position[] = [];
  for (let n = 0; n < 8; n++) held.push(await open({ amount: Math.round(between(1000, 10_000)), type: pick(["buy", "sell"]) }));
  const opened = held.map(() => new Date(since + between(0, 20) * DAY).toISOString());
  await sleptSince(eve, Object.fromEntries(held.map(({ id }, n) => [id, opened[n] ?? ""])));
  await until("all nights are charged", isCharged);
  for (const [n, position] of held.entries()) {
    const { body: receipt } = await tess.get<Receipt>(`/api/trading/positions/${position.id}/receipt`);
    const expected: [string, string, string][] = [];
    for (let at = after(tradingDayStart(Date.parse(opened[n] ?? ""))); at <= tradingDayStart(Date.now()); at = after(at)) {
      const inForce = versions.findLastIndex(({ from = "1970-01-01" }) => Date.parse(from) <= at);
      const { swaps = [], fee = null } = versions[inForce] as Terms;
      const night = overnight(
        { symbol: "EUR/USD", side: position.type, amount: position.amount },
        priceUnits(position.openPrice ?? ""),
        { rules: swaps, fee, open: null },
        at - 1,
      );
      if (night !== null && night.first === at && Number(night.amount) !== 0) expected.push([nightOf(at), night.amount, String(inForce + 1)]);
    }
    expect(receipt.nights.map(({ night, due, groupTerms }) => [night, due, groupTerms.split(" v")[1]])).toEqual(expected);
    expect(receipt.position.swap ?? "0.00").toBe(sum(receipt.nights.map(({ amount }) => amount)));
  }
});
