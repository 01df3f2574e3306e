import { expect, test } from "bun:test";
import type { GroupVersion } from "../accounts/schema_groups";
import { cents, commissionOf, marginOf, priceText, priceUnits, profitOf } from "../lib/money";
import { pipOf } from "../market/rules_listed";
import type { TestApp } from "../testing/app";
import { inHouse, versionThatHeld } from "../testing/house";
import { type Dice, dice } from "../testing/dice";
import { order } from "../testing/scenarios";
import { seed } from "../testing/seed";
import { leverageBySteps, stepsFrom } from "./rules_margin_steps";
import { accountPrice, closingPrice, openingPrice } from "./rules";
import { spreadText } from "./rules_prices";
import type { Fill, Position, Receipt } from "./schema";
import type { InstrumentVersion } from "./schema_instruments";

/** Whatever instruments' and groups' terms become between and beside the orders, each receipt recomputes from its own versions alone. */

let app: TestApp;
let ann: Awaited<ReturnType<TestApp["admin"]>>;
inHouse((house) => ({ app, ann } = house));

const STEPS = Number(process.env.RUNS ?? 60);
const SYMBOLS = { "EUR/USD": 1.1, "USD/JPY": 150, "BTC/USD": 97_000 } as const;
type Symbol = keyof typeof SYMBOLS;
const symbols = Object.keys(SYMBOLS) as Symbol[];
const GROUPS = ["starter", "raw"];
const SPREADS = ["", "forex-major 1.1", "forex-major 2.4\nEUR/USD 0.7 fixed", "USD/JPY 0.3 fixed\nforex-minor 9"];
type Trader = Awaited<ReturnType<TestApp["trader"]>>;
type Held = { who: Trader; id: string; group: string };

const instrumentsAre = async () => {
  const all = await Promise.all(
    symbols.map(async (symbol) => (await ann.get<InstrumentVersion[]>(`/api/admin/instruments/${encodeURIComponent(symbol)}/versions`)).body),
  );
  return new Map(symbols.map((symbol, n) => [symbol as string, all[n] ?? []]));
};
const groupsAre = async () => (await ann.get<GroupVersion[]>("/api/admin/groups")).body;
const receiptOf = async ({ who, id }: Held) => (await who.get<Receipt>(`/api/trading/positions/${id}/receipt`)).body;

async function changeInstrument(chance: Dice) {
  const symbol = chance.pick(symbols);
  const terms = {
    minimum: chance.pick(["", "20", "50"]),
    step: chance.pick(["", "10"]),
    maximum: chance.pick(["", "5000", "900"]),
    marginPercent: chance.pick(["", "2", "3.3", "5"]),
    marginSteps: chance.pick(["", "", "500 6", "100 7; 700 20"]),
    ...(symbol === "BTC/USD" ? {} : { markup: chance.pick(["", "0.5", "2", "7.3"]) }),
  };
  const { status } = await ann.patch(`/api/admin/instruments/${encodeURIComponent(symbol)}`, { ...terms, reason: "A test" });
  expect(status).toBe(200);
}

/** Now and then a change holds at once, for whoever holds something too; else what is open keeps worse terms away for a day. */
async function setNotice(hours: string) {
  await app.sql`insert into settings (key, value) values ('notice_hours', ${hours}) on conflict (key) do update set value = ${hours}`;
}
async function changeGroup(chance: Dice) {
  const id = chance.pick(GROUPS);
  const version = (await groupsAre()).find((group) => group.id === id)?.version;
  const terms = {
    spreadPips: chance.pick([0, 1.2, 3.3, 4]),
    commission: chance.pick([0, 3.5, 7]),
    leverage: chance.pick([30, 50, 500]),
    spreads: chance.pick(SPREADS),
  };
  await ann.patch("/api/admin/groups", { id, version, ...terms, reason: "A test" });
}

const quote = (chance: Dice, symbol: Symbol) => {
  const digits = symbol === "EUR/USD" ? 5 : symbol === "USD/JPY" ? 3 : 2;
  const bid = SYMBOLS[symbol] * chance.between(0.99, 1.01);
  return app.quote(symbol, bid.toFixed(digits), (bid * chance.between(1.00001, 1.0004)).toFixed(digits));
};

/** What of a fill its own versions say otherwise; empty where it recomputes. */
function faultsOf(symbol: string, { type: side }: Position, fill: Fill, terms: InstrumentVersion | undefined, group: GroupVersion, opening: Fill): string[] {
  const markup = Number(terms?.markup ?? 0);
  const pip = pipOf(symbol);
  const own = spreadText({ spreadsFrom: group.spreadPips, spreads: group.spreads }, symbol);
  const spread = pip === 0 ? 0 : Math.abs(Number(own)) + markup;
  const prices = accountPrice({ bid: priceUnits(fill.bid), ask: priceUnits(fill.ask) }, pip, own, markup);
  const price = priceText((fill.kind === "open" ? openingPrice : closingPrice)(side, prices));
  const leverage = leverageBySteps(
    stepsFrom(terms?.marginPercent ?? null, terms?.marginSteps ?? []),
    Math.min(100, group.leverage),
    cents(fill.amount),
    cents(fill.held ?? "0"),
  );
  const fee = commissionOf(fill.amount, group.commission);
  const said: [string, unknown, unknown][] = [
    ["spread", Number(fill.tierSpreadPips), Math.round(spread * 10) / 10],
    ["fixed", fill.spreadFixed, pip !== 0 && own.startsWith("-")],
    ["price", fill.price, price],
    ["commission", fill.commission ?? "0.00", fee],
    ["rate", Number(fill.commissionRate ?? 0), Number(group.commission)],
  ];
  if (fill.kind === "open") {
    said.push(["margin", fill.margin, marginOf(fill.amount, leverage)]);
    said.push(["minimum", Number(fill.amount) >= Number(terms?.minimum ?? 10), true]);
    said.push(["maximum", Number(fill.amount) <= Number(terms?.maximum ?? 1e9), true]);
    said.push(["step", terms?.step ? cents(fill.amount) % cents(terms.step) : 0n, 0n]);
  } else said.push(["profit", fill.profit, profitOf(side, fill.amount, priceUnits(opening.price), priceUnits(fill.price))]);
  return said.flatMap(([name, is, should]) => (is === should ? [] : [`${name} is ${String(is)}, not ${String(should)}`]));
}

test("each receipt recomputes after all changes, and none has changed since it was written", async () => {
  const chance = dice(seed);
  await ann.post("/api/admin/groups", {
    ...{ id: "raw", name: "Raw", spreadPips: 0.4, commission: 3.5, minimumDeposit: 0, leverage: 100, isOpen: true, reason: "A test" },
  });
  const people = await Promise.all(Array.from({ length: 6 }, () => app.trader()));
  const accounts = await Promise.all(
    people.map(async (who, n) => {
      const group = GROUPS[n % GROUPS.length] as string;
      const { body } = await who.post<{ id: string }>("/api/trading-accounts", { accountTypeId: group, isDemo: true });
      return { who, group, accountId: body.id };
    }),
  );
  for (const symbol of symbols) await quote(chance, symbol);
  const held: Held[] = [];
  const written = new Map<string, Receipt>();
  const deal = async () => {
    const { who, group, accountId } = chance.pick(accounts);
    const body = {
      ...order,
      accountId,
      symbol: chance.pick(symbols),
      type: chance.pick(["buy", "sell"]),
      amount: chance.pick([10, 20, 35, 50, 100, 730, 1000]),
    };
    const { status, body: opened } = await who.post<Position>("/api/trading/positions", body);
    if (status === 201) held.push({ who, group, id: opened.id });
  };
  const close = async () => {
    const one = held.filter(({ id }) => !written.has(id)).at(chance.below(10) - 5);
    if (!one) return;
    const { status } = await one.who.post(`/api/trading/positions/${one.id}/close`);
    if (status === 200) written.set(one.id, await receiptOf(one));
  };
  for (let step = 0; step < STEPS; step++) {
    await quote(chance, chance.pick(symbols));
    await setNotice(chance.pick(["0", "24", "24"]));
    const deeds = [deal, deal, deal, close, ...(step % 4 === 0 ? [() => changeGroup(chance)] : [() => changeInstrument(chance)])];
    await Promise.all(deeds.map((deed) => deed()));
  }
  // What is open at the end is closed while the notice of a wider mark-up runs.
  await setNotice("24");
  for (const symbol of ["EUR/USD", "USD/JPY"]) await ann.patch(`/api/admin/instruments/${encodeURIComponent(symbol)}`, { markup: "9", reason: "A test" });
  for (const { who } of accounts) await who.post("/api/trading/positions/close-all");
  expect(held.length).toBeGreaterThan(STEPS);

  const [instruments, groups] = [await instrumentsAre(), await groupsAre()];
  const plain = ({ kind, price, margin, tierSpreadPips, spreadFixed, commission, groupTerms, terms, profit }: Fill) => ({
    ...{ kind, price, margin, tierSpreadPips, spreadFixed, commission, groupTerms, terms, profit },
  });
  let checked = 0;
  for (const one of held) {
    const { position, fills } = await receiptOf(one);
    const [opening] = fills;
    if (!opening) throw new Error("no fill");
    const before = written.get(one.id)?.fills.map(plain);
    if (before) expect(fills.map(plain)).toEqual(before);
    for (const fill of fills) {
      const versions = instruments.get(position.symbol) ?? [];
      const terms = versions.find(({ version }) => version === fill.terms?.version);
      const of = groups.find(({ id, version }) => fill.groupTerms === `${id} v${version}`);
      if (of?.id !== one.group) throw new Error(`a fill by ${fill.groupTerms}`);
      expect([fill.kind, faultsOf(position.symbol, position, fill, terms, of, opening)]).toEqual([fill.kind, []]);
      if (of.version < (groups.find(({ id, version }) => opening.groupTerms === `${id} v${version}`)?.version ?? 0)) throw new Error("closed by earlier terms");
      if (fill.kind === "open" && fill.terms) {
        const { version, minimum, step, maximum, marginPercent, marginSteps, markup } = fill.terms;
        const own = versions.find((each) => each.version === version);
        expect({ minimum, step, maximum, marginPercent, marginSteps, markup }).toEqual({
          minimum: own?.minimum ?? null,
          step: own?.step ?? null,
          maximum: own?.maximum ?? null,
          marginPercent: own?.marginPercent ?? null,
          marginSteps: own?.marginSteps ?? null,
          markup: own?.markup ?? null,
        });
      }
      checked++;
    }
    // Other terms than its own would be seen.
    const group = groups.find(({ id }) => id === one.group);
    if (group) expect(faultsOf(position.symbol, position, { ...opening, price: "0.00000001" }, undefined, group, opening)).not.toEqual([]);
  }
  expect(checked).toBeGreaterThan(2 * STEPS);
  // Each was dealt by the versions that held for it at its moment: of now, or, while a notice runs, those that it was opened on.
  const astray = await app.sql`
    select f.id
    from fills f
    join positions p on p.id = f.position_id
    cross join lateral (${versionThatHeld(app.sql)}) i
    cross join lateral (
      select max(v.version) as version from group_versions v
      where v.group_id = f.group_id and v.effective_at <= f.created_at and (f.kind = 'open' or v.applies_at <= f.created_at or v.version = p.group_version)
    ) g
    where (coalesce(f.terms_version, 0), f.group_version) <> (i.version, g.version)
  `;
  expect([...astray]).toEqual([]);
  // And some by terms that nothing was opened on any more.
  const [kept] = await app.sql<{ late: number }[]>`
    select count(*)::integer as late from fills f join positions p on p.id = f.position_id
    where f.kind = 'close' and exists (select from instrument_terms n where n.symbol = p.symbol and n.version > coalesce(f.terms_version, 0) and n.effective_at < f.created_at)
  `;
  expect(kept?.late).toBeGreaterThan(0);
});
