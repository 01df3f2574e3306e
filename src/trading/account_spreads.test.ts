import { beforeAll, expect, test } from "bun:test";
import type { TradingAccount } from "../accounts/schema";
import type { TestApp } from "../testing/app";
import { inHouse } from "../testing/house";
import { order } from "../testing/scenarios";
import { spreadsOf } from "./queries_spreads";
import type { Position, Receipt } from "./schema";
import type { PairSpread } from "./schema_spreads";

/** What each pair costs in an account, now and by what is decided for later, as its owner reads it. */

let app: TestApp;
let ann: Awaited<ReturnType<TestApp["admin"]>>;
inHouse((house) => ({ app, ann } = house));
beforeAll(async () => {
  await app.quote("EUR/USD", "1.10000", "1.10002");
  await app.quote("GBP/USD", "1.27000", "1.27002");
});

const DAY = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY).toISOString();
const ok = async (answer: Promise<{ status: number; text: string }>) => {
  const { status, text } = await answer;
  if (status >= 300) throw new Error(`${status}: ${text}`);
};
const mark = (symbol: string, body: object) => ok(ann.patch(`/api/admin/instruments/${encodeURIComponent(symbol)}`, { reason: "A test", ...body }));
const change = (id: string, version: number, body: object) => ok(ann.patch("/api/admin/groups", { id, version, reason: "A test", ...body }));
async function holder(id: string, spreads: string) {
  const terms = { name: `The ${id}`, spreadPips: "1.0", commission: "0", minimumDeposit: 0, leverage: 100, isOpen: true, reason: "A test" };
  await ok(ann.post("/api/admin/groups", { id, ...terms, spreads }));
  const tess = await app.trader();
  const { body: account } = await tess.post<TradingAccount>("/api/trading-accounts", { accountTypeId: id, isDemo: true });
  const deal = async (symbol: string) => (await tess.post<Position>("/api/trading/positions", { ...order, symbol, accountId: account.id })).body;
  const said = async (symbol: string) => (await spreadsOf(app.context.sql, account.id)).find((each) => each.symbol === symbol);
  return { tess, account, deal, said };
}

test("is what the most specific rule says, with the instrument's mark-up, and what a deal is made at", async () => {
  const { tess, account, deal, said } = await holder("one", "forex-minor 3\nEUR/USD 0.4 fixed");
  await mark("GBP/USD", { markup: "0.5" });
  await mark("EUR/USD", { markup: "0.2" });
  expect(await said("EUR/GBP")).toEqual({ symbol: "EUR/GBP", pips: "3.0", fixed: false, heldUntil: null, later: [] });
  // Whatever had been open in these before would have notice of the wider mark-up.
  const held = { heldUntil: expect.stringMatching(/^\d{4}-/), later: [] };
  expect(await said("EUR/USD")).toEqual({ symbol: "EUR/USD", pips: "0.6", fixed: true, ...held });
  expect(await said("GBP/USD")).toEqual({ symbol: "GBP/USD", pips: "1.5", fixed: false, ...held });
  expect(await said("BTC/USD")).toBeUndefined();
  for (const symbol of ["EUR/USD", "GBP/USD"]) {
    const { fills } = (await tess.get<Receipt>(`/api/trading/positions/${(await deal(symbol)).id}/receipt`)).body;
    const { pips, fixed } = (await said(symbol)) ?? {};
    expect(fills.map(({ tierSpreadPips, spreadFixed }) => [tierSpreadPips, spreadFixed ?? false])).toEqual([[pips ?? "", fixed ?? null]] as never);
  }
  // Its page shows them to its owner, and to nobody else.
  const path = `/dashboard?tab=accounts&account=${account.id}`;
  expect((await tess.get(path)).text).toContain("0.6 pips, fixed");
  expect((await (await app.trader()).get(path)).text).not.toContain("Spreads by pair");
  const list = `/api/trading-accounts/${account.id}/spreads`;
  expect((await tess.get<PairSpread[]>(list)).body).toEqual(await spreadsOf(app.context.sql, account.id));
  expect((await (await app.trader()).get(list)).status).toBe(404);
});

test("tells what is decided for later, from when on, and until when what is open goes on as before", async () => {
  const { account, deal, said } = await holder("two", "forex-minor 2");
  await deal("EUR/USD");
  const [first, second, third] = [inDays(1), inDays(2), inDays(3)];
  await mark("EUR/USD", { markup: "0.0" });
  await mark("EUR/USD", { markup: "1.0", effectiveAt: second });
  await change("two", 1, { spreadPips: "3.0", spreads: "forex-minor 2", effectiveAt: first });
  const eur = await said("EUR/USD");
  expect(eur).toMatchObject({
    pips: "1.0",
    later: [
      { pips: "3.0", since: first },
      { pips: "4.0", since: second },
    ],
  });
  // Both are worse, and what is open has notice of them.
  expect(eur?.later.map(({ since, heldUntil }) => heldUntil === null || heldUntil > since)).toEqual([true, true]);
  expect((await said("EUR/GBP"))?.later).toEqual([]);
  // A later version overtakes the one that waits: what it said never comes.
  await change("two", 2, { spreadPips: "1.0", spreads: "EUR/GBP 0.5 fixed", effectiveAt: third });
  expect((await said("EUR/GBP"))?.later).toMatchObject([{ pips: "0.5", fixed: true, since: third }]);
  // A move waits, too, where something is open and it gets worse.
  await holder("wide", "EUR/USD 9");
  await ok(ann.post(`/api/admin/trading-accounts/${account.id}/move`, { group: "wide", version: 0, reason: "A test" }));
  const [notice] = await app.sql<{ at: string }[]>`select iso(effective_at) as at from group_moves where account_id = ${account.id}`;
  expect((await said("EUR/USD"))?.later.map(({ pips, since }) => [pips, since])).toEqual([
    ["3.0", first],
    ["9.0", notice?.at ?? ""],
    ["10.0", second],
  ]);
});

test("a type is told by the narrowest of its spreads", async () => {
  await holder("narrow", "EUR/USD 0.3\nforex-minor 4");
  const types = (await ann.get<{ id: string; spreadsFrom: string }[]>("/api/account-types")).body;
  expect(types.filter(({ id }) => ["narrow", "starter"].includes(id)).map(({ id, spreadsFrom }) => [id, spreadsFrom])).toEqual([
    ["starter", "3.3"],
    ["narrow", "0.3"],
  ]);
});
