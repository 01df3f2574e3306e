import { afterAll, beforeAll, expect, test } from "bun:test";
import { type TestApp, testApp } from "../testing/app";
import { fundedTrader } from "../testing/money";
import { measureLosses } from "./losses";
import { losingShare } from "./rules_losses";

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

test("below twenty clients nothing is said; from there on whole per cents", () => {
  expect(losingShare({ clients: 19, accounts: 25, losing: 20 })).toBeNull();
  expect(losingShare({ clients: 20, accounts: 21, losing: 14 })).toBe(67);
  expect(losingShare({ clients: 20, accounts: 20, losing: 0 })).toBe(0);
});

test("with twenty clients on live accounts every page says how many of these lost", async () => {
  await app.quote("EUR/USD", "1.10000", "1.10002");
  const admin = await app.admin();
  const people = await Promise.all(Array.from({ length: 20 }, () => fundedTrader(app, admin, 400)));
  const open = await Promise.all(
    people.map(async (person) => {
      const { body: account } = await person.post<{ id: string }>("/api/trading-accounts", { accountTypeId: "starter", isDemo: false });
      expect((await person.post("/api/transfers", { fromAccountId: null, toAccountId: account.id, amount: "300.00" })).status).toBe(201);
      const { status, body } = await person.post<{ id: string }>("/api/trading/positions", {
        accountId: account.id,
        symbol: "EUR/USD",
        type: "buy",
        amount: 1000,
      });
      expect(status).toBe(201);
      return { person, id: body.id };
    }),
  );
  const close = (from: number, to: number) => Promise.all(open.slice(from, to).map(({ person, id }) => person.post(`/api/trading/positions/${id}/close`)));
  await close(0, 14);
  await measureLosses(app.context);
  const page = async () => (await app.stranger().get("/terms?fresh")).text;
  expect(await page()).not.toContain("have lost money");
  await app.quote("EUR/USD", "1.12000", "1.12002");
  await close(14, 20);
  await measureLosses(app.context);
  expect(await page()).toContain("70% of the live accounts that have traded here have lost money.");
  // What stands above it says nothing else.
  const landing = (await app.stranger().get("/?fresh")).text;
  expect(landing).toContain("70% of the live accounts");
  expect(landing).not.toMatch(/no clients?\b/);
});
