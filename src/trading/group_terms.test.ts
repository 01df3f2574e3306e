import { afterAll, beforeAll, expect, test } from "bun:test";
import type { TradingAccount } from "../accounts/schema";
import type { GroupTerms, GroupVersion } from "../accounts/schema_groups";
import type { DayBook } from "../admin/schema_days";
import { type TestApp, testApp } from "../testing/app";
import { fundLive, handHeld, holdHouse, order, tamper, until, waiting, withoutGuard } from "../testing/scenarios";
import { stampOf } from "./rules_prices";
import type { Position, Receipt } from "./schema";

/** What a group's terms hold for: a deal by exactly one version, the notice of who holds something, who may join, and the day's figures. */

let app: TestApp;
let admin: Awaited<ReturnType<TestApp["admin"]>>;
beforeAll(async () => {
  app = await testApp();
  admin = await app.admin();
  await app.quote("EUR/USD", "1.10000", "1.10002");
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

type Refused = { code?: string; message?: string; fields?: Record<string, string> };
type Trader = Awaited<ReturnType<TestApp["trader"]>>;
const newest = async (id: string) => (await admin.get<GroupVersion[]>("/api/admin/groups")).body.find((group) => group.id === id) as GroupVersion;
const open = (id: string, more: object = {}) =>
  admin.post<GroupTerms & Refused>("/api/admin/groups", {
    ...{ id, name: `The ${id}`, spreadPips: "1.0", commission: "1.00", minimumDeposit: 0, leverage: 100, isOpen: true, reason: "A test" },
    ...more,
  });
const change = async (id: string, body: object) =>
  admin.patch<GroupTerms & Refused>("/api/admin/groups", { id, version: (await newest(id)).version, reason: "A test", ...body });
const join = (trader: Trader, accountTypeId: string, isDemo = true) =>
  trader.post<TradingAccount & Refused>("/api/trading-accounts", { accountTypeId, isDemo });

/** Orders, and worsens the group while the order is under way: written, and waiting for the house's account. */
async function crossed(id: string) {
  const tess = await app.trader();
  const { body: account } = await join(tess, id);
  const hand = await handHeld(app.db);
  await holdHouse(hand.sql, "house_demo");
  const ordered = tess.post<Position>("/api/trading/positions", { ...order, amount: 100_000, accountId: account.id });
  await until("the order waits", async () => (await waiting(app.sql)) === 1);
  const changed = change(id, { spreadPips: "4.0", commission: "9.00" });
  // Where nothing keeps the change it is done now; else it waits for the order.
  await until("the change waits or is done", async () => (await waiting(app.sql)) > 1 || (await newest(id)).commission === "9.00");
  await hand.commit();
  await hand.end();
  const [{ body: position }, { body: terms }] = await Promise.all([ordered, changed]);
  const [fill] = (await tess.get<Receipt>(`/api/trading/positions/${position.id}/receipt`)).body.fills;
  return { fill, waits: terms.appliesAt !== null };
}

test("an order at the same moment is filled by exactly one version; without the guards by two", async () => {
  await open("one");
  const { fill, waits } = await crossed("one");
  expect([fill?.tierSpreadPips, fill?.commission, fill?.groupTerms, waits]).toEqual(["1.0", "1.00", "one v1", true]);

  const late = await withoutGuard(app.sql, "group_set", "perform pg_advisory_xact_lock(lead_lock());");
  await open("two");
  const unseen = await crossed("two");
  expect([unseen.fill?.tierSpreadPips, unseen.fill?.commission, unseen.fill?.groupTerms]).toEqual(["1.0", "1.00", "two v1"]);

  // The price by one version and the charge in the name of another: what an order's terms are read once for.
  const again = await withoutGuard(
    app.sql,
    "commission_charge",
    "  insert into commissions (position_id, side, group_id, version, rate, amount)",
    `  perform 1 from ledger_accounts where id = account.ledger_account_id or kind = 'house_demo' order by id for update;
       select t.* into terms from account_types t where t.id = account.account_type_id;
       insert into commissions (position_id, side, group_id, version, rate, amount)`,
  );
  await open("three");
  const mixed = await crossed("three");
  expect([mixed.fill?.tierSpreadPips, mixed.fill?.commission, mixed.fill?.groupTerms]).toEqual(["1.0", "1.00", "three v1"]);
  expect(await app.faults()).toEqual([expect.stringMatching(/^fills_name_their_terms/)]);
  await tamper(app.sql, (tx) => tx`update commissions set version = 1 where group_id = 'three'`);
  await again();
  await late();
});

test("the notice is the operator's, from an hour to thirty days, with a reason and a line in the book", async () => {
  const notice = (body: object) => admin.patch<{ hours: number } & Refused>("/api/admin/terms-notice", { reason: "A test", ...body });
  expect((await admin.get("/api/admin/terms-notice")).body).toEqual({ hours: 24 });
  for (const [body, field] of [
    [{ hours: 0 }, "hours"],
    [{ hours: 721 }, "hours"],
    [{ hours: 1.5 }, "hours"],
    [{ hours: 48, reason: " " }, "reason"],
  ] as const) {
    const refused = await notice(body);
    expect([body, refused.status, Object.keys(refused.body.fields ?? {})]).toEqual([body, 400, [field]]);
  }
  expect((await notice({ hours: "48" })).body).toEqual({ hours: 48 });
  const [line] = await app.sql`select action, reason, previous_state, new_state from admin_actions order by id desc limit 1`;
  expect(line).toEqual({ action: "notice.change", reason: "A test", previous_state: { hours: 24 }, new_state: { hours: 48 } });
  await open("held");
  const tess = await app.trader();
  const { body: account } = await join(tess, "held");
  expect((await tess.post("/api/trading/positions", { ...order, accountId: account.id })).status).toBe(201);
  const { body } = await change("held", { commission: 2 });
  expect((Date.parse(body.appliesAt ?? "") - Date.now()) / 3_600_000).toBeGreaterThan(47.9);
  await notice({ hours: 24 });
  // Open pages tell by it that their account is dealt at other terms: here two versions hold, and one in all other groups.
  const accounts = (await tess.get<TradingAccount[]>("/api/trading-accounts")).body;
  const stamps = await app.sql<{ id: string; stamp: string }[]>`select id, version || '/' || applied as stamp from account_types`;
  const now = new Map(stamps.map(({ id, stamp }) => [id, stamp]));
  expect(accounts.map(({ accountTypeId }) => now.get(accountTypeId))).toEqual(accounts.map(stampOf));
  expect(accounts.map(stampOf).sort()).toEqual(["1/1", "2/1"]);
});

test("a group for some countries takes nobody else, and no leverage that nobody could deal at there", async () => {
  await app.sql`insert into jurisdictions (country, leverage_major, leverage_minor, leverage_crypto) values ('DE', 30, 20, 2), ('FR', null, 20, 2)`;
  const refused = await open("euro", { countries: "de, fr", leverage: 31 });
  expect([refused.status, refused.body.message, Object.keys(refused.body.fields ?? {})]).toEqual([
    400,
    "Where people live in DE, nothing is dealt above 1:30.",
    ["leverage"],
  ]);
  const { body } = await open("euro", { countries: "de, fr", leverage: 30 });
  expect(body.countries).toEqual(["DE", "FR"]);
  expect((await open("utopia", { countries: "XX" })).body.fields).toEqual({ countries: "Give countries by their codes, such as DE, FR." });
  const [greta, wanda] = [await app.trader({ country: "DE" }), await app.trader()];
  expect((await join(greta, "euro")).status).toBe(201);
  const abroad = await join(wanda, "euro");
  expect([abroad.status, abroad.body.fields]).toEqual([400, { accountTypeId: "This account type is not offered where you live" }]);
  const [own] = (await wanda.get<TradingAccount[]>("/api/trading-accounts")).body;
  const moved = await admin.post<Refused>(`/api/admin/trading-accounts/${own?.id}/move`, { group: "euro", version: 0, reason: "A test" });
  expect([moved.status, moved.body.code, moved.body.message]).toEqual([
    422,
    "not_served",
    "The euro takes people who live in DE, FR; this one lives in a country that was never said.",
  ]);
  await change("euro", { countries: "" });
  expect((await join(wanda, "euro")).status).toBe(201);
  await app.sql`delete from jurisdictions`;
});

test("swaps are taken as a form's and a file's text, too, and what is wrong is named by line", async () => {
  const text = "forex-major points -0.85 0.2 wed; EUR/USD percent -2.5 1\ncrypto percent -10 -10";
  const { body } = await open("night", { swaps: text, swapFreeFee: "" });
  expect(body.swaps).toEqual([
    { for: "forex-major", unit: "points", long: "-0.85", short: "0.2", tripleDay: 3 },
    { for: "EUR/USD", unit: "percent", long: "-2.5", short: "1", tripleDay: 3 },
    { for: "crypto", unit: "percent", long: "-10", short: "-10", tripleDay: null },
  ]);
  const wrong = await open("wrong", { swaps: "forex-major points -0.85 0.2\nforex-minor points much 1\nEUR/USD points 1 1 Sunday" });
  expect([wrong.status, Object.keys(wrong.body.fields ?? {})]).toEqual([400, ["swaps.1.long", "swaps.2.tripleDay"]]);
});

test("commission is a part of its own of the day's result, and of the clients of whom it moved most", async () => {
  await open("paid", { commission: "10.00" });
  const tess = await app.trader();
  const live = await fundLive(app, tess, "1000");
  await admin.post(`/api/admin/trading-accounts/${live}/move`, { group: "paid", version: 0, reason: "A test" });
  const opened = await tess.post<Position>("/api/trading/positions", { ...order, amount: 20_000, accountId: live });
  await tess.post(`/api/trading/positions/${opened.body.id}/close`);
  const { body } = await admin.get<DayBook>(`/api/admin/days/${new Date().toISOString().slice(0, 10)}`);
  const part = (name: string) => body.figures.parts.find((each) => each.part === name);
  expect(part("commissions")).toEqual({ part: "commissions", method: null, count: 2, amount: "4.00" });
  const sum = ["spread", "clients", "commissions"].reduce((all, name) => all + Number(part(name)?.amount), 0);
  expect(sum).toBeCloseTo(Number(body.figures.house), 6);
  expect(body.byResult[0]).toMatchObject({ userId: tess.id, result: (-sum).toFixed(2) });
  // Its owner reads of it under Performance, in the book where it was paid alone.
  expect((await tess.get("/analytics?book=live")).text).toMatch(/Commission.*?−\$4\.00/);
  expect((await tess.get("/analytics?book=demo")).text).not.toContain("Beside the results");
});
