import { afterAll, beforeAll, expect, test } from "bun:test";
import { type TestApp, testApp } from "../testing/app";
import { drawnAnew } from "../testing/drawn_anew";
import { accountsOf, order } from "../testing/scenarios";

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
  await app.quote("EUR/USD", "1.08420", "1.08425");
  await app.quote("BTC/USD", "90000.00", "90005.00");
});
afterAll(() => app.end());

const PATHS = [
  "/traders-portal",
  "/traders-portal?tab=crypto",
  "/traders-portal?tab=positions",
  "/trading",
  "/trading?pairs=minor",
  "/trading?tab=trading",
  "/profile",
];

test("what is drawn once for traders of the same terms shows each his own accounts, and nobody another's prices, positions or ids", async () => {
  const [first, second, other] = [await app.trader(), await app.trader(), await app.trader()];
  const { body: gold } = await other.post<{ id: string }>("/api/trading-accounts", { accountTypeId: "gold", isDemo: true });
  expect((await other.post("/api/trading-accounts", { accountTypeId: "starter", isDemo: false })).status).toBe(201);
  const people = [
    { person: first, cookie: first.cookie },
    { person: second, cookie: second.cookie },
    { person: other, cookie: `${other.cookie}; account=${gold.id}` },
  ];
  const pages = () =>
    Promise.all(
      people.map(async ({ person, cookie }) => (await Promise.all(PATHS.map((path) => person.get(path, { headers: { cookie } })))).map(({ text }) => text)),
    );
  const alone = () => drawnAnew(pages);
  const own = await Promise.all(
    people.map(async ({ person }) => [person.id, ...(await accountsOf(person)).flatMap(({ id, accountNumber }) => [id, accountNumber])]),
  );
  const look = async () => {
    const shown = await pages();
    expect(shown).toEqual(await alone());
    for (const [at, texts] of shown.entries())
      for (const text of texts) for (const strange of own.filter((_, of) => of !== at).flat()) expect(text).not.toContain(strange);
    return shown;
  };
  const [one, , another] = await look();
  // The narrower spread of a better account is its own.
  const tile = (text = "") => /data-price="sell"(.*?)<\/button>/.exec(text)?.[1]?.replace(/^[^>]*>|<[^>]*>/g, "");
  expect(tile(one?.[0])).toBe("1.084060");
  expect(tile(another?.[0])).toBe("1.084175");

  expect((await first.post("/api/trading/positions", { ...order, accountId: null })).status).toBe(201);
  await app.quote("EUR/USD", "1.08440", "1.08445");
  const [after, idle] = await look();
  expect(after?.[0]).toContain("1 open position");
  expect(idle?.[0]).toContain("0 open positions");
});
