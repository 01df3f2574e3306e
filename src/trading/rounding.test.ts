import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { cents, commissionOf, marginOf, money, priceText, priceUnits, profitOf, sum } from "../lib/money";
import { type TestDatabase, testDatabase } from "../testing/database";
import "../testing/seed";
import { accountPrice } from "./rules";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.drop());

/** As JSON, each with its place, since a database keeps no order by itself. */
const listed = (items: readonly object[]) => JSON.stringify(items.map((item, place) => ({ ...item, place })));

type Case = { side: "buy" | "sell"; amount: string; open: string; close: string };
const profitsInSql = async (cases: Case[]) =>
  (
    await db.sql<{ profit: string }[]>`
      select profit_of(c.side, c.amount, c.open, c.close) as profit
      from json_to_recordset(${listed(cases)}::text::json) as c (side text, amount numeric, open numeric, close numeric, place bigint)
      order by place
    `
  ).map(({ profit }) => profit);
const profitHere = ({ side, amount, open, close }: Case) => profitOf(side, amount, priceUnits(open), priceUnits(close));

test("the published figures, in SQL and here", async () => {
  const figures: [Case, string][] = [
    [{ side: "buy", amount: "1000.00", open: "1.10000", close: "1.10055" }, "0.50"],
    [{ side: "buy", amount: "1000.00", open: "1.10000", close: "1.10001" }, "0.01"],
    [{ side: "buy", amount: "333.33", open: "1.23456", close: "1.23400" }, "-0.15"],
    [{ side: "buy", amount: "1000.00", open: "150.000", close: "151.000" }, "6.67"],
    // Exactly half a cent goes away from zero, both ways.
    [{ side: "buy", amount: "1.00", open: "1.00000", close: "1.00500" }, "0.01"],
    [{ side: "buy", amount: "1.00", open: "1.00000", close: "0.99500" }, "-0.01"],
    [{ side: "buy", amount: "1.00", open: "1.00000", close: "1.00499999" }, "0.00"],
  ];
  const mirrored = figures.flatMap(([each, profit]): [Case, string][] => [
    [each, profit],
    [{ ...each, side: "sell" }, profit === "0.00" ? profit : profit.startsWith("-") ? profit.slice(1) : `-${profit}`],
  ]);
  const expected = mirrored.map(([, profit]) => profit);
  expect(await profitsInSql(mirrored.map(([each]) => each))).toEqual(expected);
  expect(mirrored.map(([each]) => profitHere(each))).toEqual(expected);

  const [row] = await db.sql<
    { margins: string[] }[]
  >`select array[margin_of(100, 300), margin_of(1000, 100), margin_of(0.01, 5000), margin_of(1000.01, 100)]::text[] as margins`;
  expect(row?.margins).toEqual(["0.34", "10.00", "0.01", "10.01"]);
  expect([marginOf("100.00", 300), marginOf("1000.00", 100), marginOf("0.01", 5000), marginOf("1000.01", 100)]).toEqual(["0.34", "10.00", "0.01", "10.01"]);
});

/** Prices round those of a pair, a yen pair, Bitcoin and Shiba Inu, in units of 10⁻⁸. */
const prices = fc.oneof(
  fc.integer({ min: 50_000_000, max: 250_000_000 }),
  fc.integer({ min: 7_000_000_000, max: 21_000_000_000 }),
  fc.integer({ min: 100_000_000_000, max: 20_000_000_000_000 }),
  fc.integer({ min: 1, max: 5_000 }),
);
const amounts = fc.oneof(fc.integer({ min: 1, max: 1_000_000 }), fc.integer({ min: 1, max: 10_000_000_000 })).map((value) => money(BigInt(value)));
const cases: fc.Arbitrary<Case> = fc.oneof(
  fc.record({ side: fc.constantFrom("buy", "sell"), amount: amounts, open: prices.map(priceText), close: prices.map(priceText) }),
  // Halves of a cent: the closing price is an exact fraction of the opening one.
  fc
    .tuple(fc.constantFrom("buy" as const, "sell" as const), fc.integer({ min: 1, max: 2_000 }), fc.integer({ min: -199, max: 199 }))
    .map(([side, unit, halves]) => ({ side, amount: "1.00", open: priceText(unit * 20_000), close: priceText(unit * 20_000 + unit * 100 * halves) })),
);

test("SQL and the screen agree to the cent, whatever the price", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(cases, { minLength: 100, maxLength: 200 }), async (list) => {
      expect(await profitsInSql(list)).toEqual(list.map(profitHere));
    }),
    { numRuns: 150 },
  );
});

test("SQL and the screen agree on margins", async () => {
  const margins = fc.array(fc.record({ amount: amounts, leverage: fc.integer({ min: 1, max: 5000 }) }), { minLength: 100, maxLength: 200 });
  await fc.assert(
    fc.asyncProperty(margins, async (list) => {
      const rows = await db.sql<{ margin: string }[]>`
        select margin_of(c.amount, c.leverage) as margin
        from json_to_recordset(${listed(list)}::text::json) as c (amount numeric, leverage integer, place bigint)
        order by place
      `;
      expect(rows.map(({ margin }) => margin)).toEqual(list.map(({ amount, leverage }) => marginOf(amount, leverage)));
    }),
    { numRuns: 20 },
  );
});

test("SQL and the screen agree on commissions, and a deal in parts never pays less than the whole, nor a cent a part more", async () => {
  const rates = fc.integer({ min: 0, max: 100_000 }).map((value) => money(BigInt(value)));
  const deals = fc.array(fc.record({ parts: fc.array(amounts, { minLength: 1, maxLength: 20 }), rate: rates }), { minLength: 20, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(deals, async (list) => {
      const split = list.map(({ parts, rate }) => ({ parts, rate, whole: sum(parts) }));
      const rows = await db.sql<{ whole: string; parts: string }[]>`
        select commission_of(c.whole, c.rate) as whole, (select sum(commission_of(part::numeric, c.rate)) from json_array_elements_text(c.parts) as part) as parts
        from json_to_recordset(${listed(split)}::text::json) as c (whole numeric, rate numeric, parts json, place bigint)
        order by place
      `;
      const here = split.map(({ parts, whole, rate }) => ({ whole: commissionOf(whole, rate), parts: sum(parts.map((part) => commissionOf(part, rate))) }));
      expect(rows.map(({ whole, parts }) => ({ whole, parts }))).toEqual(here);
      const more = here.map(({ whole, parts }) => Number(cents(parts) - cents(whole)));
      expect(more.filter((each, n) => each < 0 || each >= (list[n]?.parts.length ?? 0))).toEqual([]);
    }),
    { numRuns: 20 },
  );
  expect(["10.00", "142.00", "100000.00"].map((amount) => commissionOf(amount, "3.50"))).toEqual(["0.01", "0.01", "3.50"]);
});

test("SQL and the engine agree on an account's prices to the last digit, or a stop would be seen by one alone", async () => {
  const quotes = fc.array(
    fc.record({
      bid: prices,
      spread: fc.integer({ min: 0, max: 200_000 }),
      pip: fc.constantFrom(0, 10_000, 1_000_000),
      // Below zero: exactly so wide.
      tier: fc.constantFrom("3.3", "2.2", "1.5", "1.0", "0.5", "-0.8", "-1.5", "-3.3"),
    }),
    { minLength: 100, maxLength: 200 },
  );
  await fc.assert(
    fc.asyncProperty(quotes, async (list) => {
      const asked = list.map(({ bid, spread, pip, tier }) => ({ bid: priceText(bid), ask: priceText(bid + spread), pip: priceText(pip), tier }));
      const rows = await db.sql<{ bid: string; ask: string }[]>`
        select p.account_bid::numeric(20, 8) as bid, p.account_ask::numeric(20, 8) as ask
        from json_to_recordset(${listed(asked)}::text::json) as c (bid numeric, ask numeric, pip numeric, tier numeric, place bigint)
        cross join lateral account_price(c.bid, c.ask, c.pip, c.tier) p
        order by place
      `;
      const here = list.map(({ bid, spread, pip, tier }) => accountPrice({ bid, ask: bid + spread }, pip, tier));
      expect(rows.map(({ bid, ask }) => [bid, ask])).toEqual(here.map(({ bid, ask }) => [priceText(bid), priceText(ask)]));
    }),
    { numRuns: 20 },
  );
});

test("what stands in every order for each open position is written into the statement, and calls no function of ours", async () => {
  const planOf = async (query: string) =>
    (await db.sql.unsafe<{ "QUERY PLAN": string }[]>(`explain (verbose, costs off) ${query}`)).map((row) => row["QUERY PLAN"]).join("\n");
  const worth = await planOf("select s.* from account_states(array['11111111-1111-4111-8111-111111111111'::uuid], row('{}', '{}', '{}', '{}')::board) s");
  const shown = await planOf("select position_json(p, 1.1) from positions p");
  expect(worth).toContain("Aggregate");
  expect(shown).toContain("to_char");
  expect(`${worth}${shown}`).not.toMatch(/profit_left|profit_of|account_bid|account_ask|\biso\(/);
});
