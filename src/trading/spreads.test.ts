import { expect, test } from "bun:test";
import type { TradingAccount } from "../accounts/schema";
import type { GroupTerms, GroupVersion } from "../accounts/schema_groups";
import type { TestApp } from "../testing/app";
import { inHouse } from "../testing/house";
import { order } from "../testing/scenarios";
import type { Position, Receipt } from "./schema";

/** A group's spread by class and by pair, at least so wide or exactly: in prices, fills, margin, engine and receipts. */

let app: TestApp;
let ann: Awaited<ReturnType<TestApp["admin"]>>;
inHouse((house) => ({ app, ann } = house));

type Refused = { fields?: Record<string, string> };
type Trader = Awaited<ReturnType<TestApp["trader"]>>;
const groups = async () => (await ann.get<GroupVersion[]>("/api/admin/groups")).body;
const open = (id: string, more: object) =>
  ann.post<GroupTerms & Refused>("/api/admin/groups", {
    ...{ id, name: `The ${id}`, spreadPips: "1.0", commission: "0", minimumDeposit: 0, leverage: 100, isOpen: true, reason: "A test" },
    ...more,
  });
const change = async (id: string, body: object) =>
  (await ann.patch<GroupTerms>("/api/admin/groups", { id, version: (await groups()).find((group) => group.id === id)?.version, reason: "A test", ...body }))
    .body;
async function holder(id: string) {
  const tess = await app.trader();
  const { body: account } = await tess.post<TradingAccount>("/api/trading-accounts", { accountTypeId: id, isDemo: true });
  const deal = async (over: object = {}) =>
    (await tess.post<Position>("/api/trading/positions", { ...order, amount: 10_000, accountId: account.id, ...over })).body;
  return { tess, account, deal };
}
const dealt = async (tess: Trader, { id }: Position) =>
  (await tess.get<Receipt>(`/api/trading/positions/${id}/receipt`)).body.fills.map(({ kind, price, tierSpreadPips, spreadFixed }) => [
    kind,
    price,
    tierSpreadPips,
    spreadFixed,
  ]);
const isOpen = async (tess: Trader, { id }: Position) => (await tess.get<Position[]>("/api/trading/positions/open")).body.some((each) => each.id === id);

test("the most specific is dealt by, on opening, closing and all that shows a price", async () => {
  const { body: made } = await open("one", { spreads: "forex-minor 3\nforex-major 0.6 fixed\nEUR/USD 0.4 fixed" });
  expect(made.spreads).toEqual([
    { for: "forex-minor", spreadPips: "3.0", fixed: false },
    { for: "forex-major", spreadPips: "0.6", fixed: true },
    { for: "EUR/USD", spreadPips: "0.4", fixed: true },
  ]);
  // Each market is 2.0 pips wide.
  await app.quote("EUR/USD", "1.10000", "1.10020");
  await app.quote("GBP/USD", "1.27000", "1.27020");
  await app.quote("EUR/GBP", "0.86000", "0.86020");
  await app.quote("BTC/USD", "97000.00", "97050.00");
  const { tess, account, deal } = await holder("one");
  expect(account).toMatchObject({ spreadsFrom: "1.0", spreads: made.spreads, held: null });
  const positions = [];
  for (const symbol of ["EUR/USD", "GBP/USD", "EUR/GBP", "BTC/USD"]) positions.push(await deal({ symbol }));
  expect(positions.map(({ openPrice, currentPrice }) => [openPrice, currentPrice])).toEqual([
    ["1.10012000", "1.10008000"],
    ["1.27013000", "1.27007000"],
    ["0.86025000", "0.85995000"],
    ["97050.00000000", "97000.00000000"],
  ]);
  const listed = new Map((await tess.get<Position[]>("/api/trading/positions/open")).body.map(({ id, currentPrice }) => [id, currentPrice]));
  expect(positions.map(({ id }) => listed.get(id))).toEqual(positions.map(({ currentPrice }) => currentPrice));
  await tess.post("/api/trading/positions/close-all");
  expect(await Promise.all(positions.map((position) => dealt(tess, position)))).toEqual([
    [
      ["open", "1.10012000", "0.4", true],
      ["close", "1.10008000", "0.4", true],
    ],
    [
      ["open", "1.27013000", "0.6", true],
      ["close", "1.27007000", "0.6", true],
    ],
    [
      ["open", "0.86025000", "3.0", false],
      ["close", "0.85995000", "3.0", false],
    ],
    [
      ["open", "97050.00000000", "0.0", false],
      ["close", "97000.00000000", "0.0", false],
    ],
  ]);
  expect((await tess.get(`/positions/${positions[0]?.id}/receipt`)).text).toContain("0.4 pips, fixed");
});

test("an instrument's mark-up widens a fixed spread, too", async () => {
  await open("two", { spreads: [{ for: "EUR/USD", spreadPips: 0.4, fixed: true }] });
  const { status } = await ann.patch("/api/admin/instruments/EUR%2FUSD", { markup: "0.6", reason: "A test" });
  expect(status).toBe(200);
  await app.quote("EUR/USD", "1.10000", "1.10020");
  const { tess, deal } = await holder("two");
  expect(await dealt(tess, await deal())).toEqual([["open", "1.10015000", "1.0", true]]);
  await ann.patch("/api/admin/instruments/EUR%2FUSD", { markup: "", reason: "A test" });
});

test("the engine watches stops and orders at the account's own prices, narrower than the market's or wider", async () => {
  await open("three", { spreads: "EUR/USD 0.4 fixed" });
  await app.quote("EUR/USD", "1.10000", "1.10002");
  const { tess, deal } = await holder("three");
  const position = await deal({ stopLoss: 1.0995 });
  const limit = await deal({ orderType: "limit", triggerPrice: "1.09900" });
  // The market's bid is at the stop loss, the account's 0.8 pips above it.
  await app.quote("EUR/USD", "1.09949", "1.09969");
  await app.trading.engine.idle();
  expect(await isOpen(tess, position)).toBe(true);
  await app.quote("EUR/USD", "1.09940", "1.09962");
  await app.trading.engine.idle();
  expect(await dealt(tess, position)).toEqual([
    ["open", "1.10003000", "0.4", true],
    ["close", "1.09949000", "0.4", true],
  ]);
  // The market's ask is above the limit, the account's at it.
  await app.quote("EUR/USD", "1.09888", "1.09908");
  await app.trading.engine.idle();
  expect(await dealt(tess, limit)).toEqual([["open", "1.09900000", "0.4", true]]);
  await tess.post("/api/trading/positions/close-all");
});

test("worse is a wider one, and one that is fixed no more; each by class and pair", async () => {
  await open("four", { spreads: "EUR/USD 0.4 fixed\nforex-minor 2.0" });
  const waits = async (spreads: string) => (await change("four", { spreads })).appliesAt !== null;
  // Only what something may be dealt by counts: each begins anew.
  const from = async (spreads: string) => {
    await app.sql`delete from settings where key = 'notice_hours'`;
    await app.sql`insert into settings (key, value) values ('notice_hours', '0')`;
    await change("four", { spreads });
    await app.sql`delete from settings where key = 'notice_hours'`;
  };
  expect(await waits("EUR/USD 0.4 fixed\nforex-minor 2.0\nGBP/USD 0.9")).toBe(false);
  for (const [before, after, worse] of [
    ["EUR/USD 0.4 fixed", "EUR/USD 0.5 fixed", true],
    ["EUR/USD 0.4 fixed", "EUR/USD 0.3", true],
    ["EUR/USD 0.4 fixed", "", true],
    ["EUR/USD 0.4", "EUR/USD 0.4 fixed", false],
    ["forex-major 0.4", "EUR/USD 0.4", true],
    ["EUR/USD 0.4", "forex-major 0.4", false],
  ] as const) {
    await from(before);
    expect([before, after, await waits(after)]).toEqual([before, after, worse]);
  }
});

test("what makes no sense is refused with the line", async () => {
  const cases: [unknown, string, string][] = [
    ["EUR/USD -1", "spreads.0.spreadPips", "A spread from 0 to 1,000 pips, with at most one decimal."],
    ["EUR/USD 0.55", "spreads.0.spreadPips", "A spread from 0 to 1,000 pips, with at most one decimal."],
    ["EUR/USD", "spreads.0.spreadPips", "A spread from 0 to 1,000 pips, with at most one decimal."],
    ["forex-major 1\nEUR/USD 0 fixed", "spreads.1.spreadPips", "A fixed spread is at least 0.1 pips."],
    ["EUR/USD 1 always", "spreads.0.fixed", "A spread is fixed, or it says no more."],
    ["crypto 1", "spreads.0.for", "Each spread is for forex-major, forex-minor or a pair: a coin's is the market's."],
    ["BTC/USD 1", "spreads.0.for", "Each spread is for forex-major, forex-minor or a pair: a coin's is the market's."],
    ["Gold 1", "spreads.0.for", "Each spread is for forex-major, forex-minor or a pair: a coin's is the market's."],
    ["EUR/USD 1\nEUR/USD 2", "spreads", "One class or instrument stands twice."],
    [5, "spreads", "spreads must be a list."],
  ];
  for (const [spreads, field, message] of cases) {
    const refused = await open("wrong", { spreads });
    expect([spreads, refused.status, refused.body.fields]).toEqual([spreads, 400, { [field]: message }]);
  }
});
