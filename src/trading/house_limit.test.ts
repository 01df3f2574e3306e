import { expect, test } from "bun:test";
import type { Answer, TestApp } from "../testing/app";
import { inHouse } from "../testing/house";
import { accountsOf, fundLive, order, until, withoutGuard } from "../testing/scenarios";
import type { Position } from "./schema";

/** What the house stands against in an instrument is bounded: at the bound it is close-only for the side that would add to it. */

let app: TestApp;
let ann: Awaited<ReturnType<TestApp["admin"]>>;
inHouse((house) => ({ app, ann } = house));

type Trader = Awaited<ReturnType<TestApp["trader"]>>;
type Live = { who: Trader; accountId: string };
type Refused = { message: string; code: string; fields: Record<string, string> };
const live = async (): Promise<Live> => {
  const who = await app.trader();
  return { who, accountId: await fundLive(app, who, "1000.00") };
};
const change = (symbol: string, body: object) => ann.patch<Refused>(`/api/admin/instruments/${encodeURIComponent(symbol)}`, { reason: "A test", ...body });
const place = ({ who, accountId }: Live, over: object): Promise<Answer<Position & Refused>> =>
  who.post<Position & Refused>("/api/trading/positions", { ...order, accountId, ...over });
const barred = (symbol: string) => app.market.snapshot([symbol])[0]?.barred;
const ONLY = "EUR/USD can only be sold or closed at the moment: clients hold as much of it the other way as the house takes.";

test("at the limit one side is closed, which is told before one orders; the other side, demo accounts and closings are free", async () => {
  await app.quote("EUR/USD", "1.10000", "1.10010");
  expect((await change("EUR/USD", { houseLimit: "5" })).body.fields).toEqual({ houseLimit: "houseLimit must be at least the minimum" });
  await change("EUR/USD", { houseLimit: "3000" });
  const [tess, una] = [await live(), await live()];
  const held = await place(tess, { symbol: "EUR/USD", amount: 2000 });
  expect(held.status).toBe(201);
  const more = await place(una, { symbol: "EUR/USD", amount: 1500 });
  expect([more.status, more.body.fields]).toEqual([
    400,
    { amount: "At most $1,000.00 of EUR/USD can be bought at the moment: more is not taken by the house." },
  ]);
  const waits = await place(una, { symbol: "EUR/USD", amount: 500, orderType: "limit", triggerPrice: 1.09 });
  expect((await place(una, { symbol: "EUR/USD", amount: 1000 })).status).toBe(201);

  await until("it is told", () => barred("EUR/USD") === "buy");
  const page = await una.who.call("GET", `/positions/new?symbol=EUR%2FUSD&account=${una.accountId}`);
  expect(page.text).toContain(ONLY);
  const refused = await place(una, { symbol: "EUR/USD", amount: 10 });
  expect([refused.status, refused.body.code, refused.body.message]).toEqual([422, "close_only", ONLY]);
  const demo = (await accountsOf(una.who)).find(({ isDemo }) => isDemo);
  expect((await una.who.post("/api/trading/positions", { ...order, symbol: "EUR/USD", accountId: demo?.id })).status).toBe(201);
  // An order that waits is cancelled where it would fill.
  await app.quote("EUR/USD", "1.08880", "1.08890");
  const [ended] = await app.sql<{ cancel_code: string }[]>`select cancel_code from positions where id = ${waits.body.id}`;
  expect(ended?.cancel_code).toBe("close_only");
  expect((await place(tess, { symbol: "EUR/USD", type: "sell", amount: 1000 })).status).toBe(201);
  await until("it is free again", () => barred("EUR/USD") === undefined);
  expect((await tess.who.post(`/api/trading/positions/${held.body.id}/close`)).status).toBe(200);
});

test("of orders that race for what is left no more are filled than it holds", async () => {
  const race = async (symbol: string) => {
    await change(symbol, { houseLimit: "2000" });
    const people = await Promise.all(Array.from({ length: 8 }, live));
    await app.quote(symbol, "1.30000", "1.30010");
    const answers = await Promise.all(people.map((person) => place(person, { symbol, amount: 500 })));
    return answers.map(({ status }) => status).sort();
  };
  expect(await race("GBP/USD")).toEqual([201, 201, 201, 201, 422, 422, 422, 422]);
  // The first order is held between its look and its deal until the others have dealt.
  await app.sql`create sequence looks`;
  const putBack = await withoutGuard(
    app.sql,
    "house_bar",
    "perform pg_advisory_xact_lock(hashtextextended(terms.symbol, 84));\n  net := house_net(terms.symbol);",
    `net := house_net(terms.symbol);
    for n in 1..case when nextval('looks') = 1 then 6000 else 0 end loop
      exit when house_net(terms.symbol) >= terms.house_limit;
      perform pg_sleep(0.01);
    end loop;`,
  );
  expect((await race("AUD/USD")).filter((status) => status === 201).length).toBeGreaterThan(4);
  await putBack();
});
