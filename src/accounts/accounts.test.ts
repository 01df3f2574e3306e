import { afterAll, beforeAll, expect, test } from "bun:test";
import { type TestApp, testApp } from "../testing/app";
import { accountsOf } from "../testing/scenarios";
import type { AccountType } from "./schema";

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

test("the tiers are public and ask what is enforced", async () => {
  const { status, body } = await app.stranger().get<AccountType[]>("/api/account-types");
  expect(status).toBe(200);
  expect(body.map(({ id, minimumDeposit, spreadsFrom, leverage }) => [id, minimumDeposit, spreadsFrom, leverage])).toEqual([
    ["starter", "300.00", "3.3", "1:500"],
    ["bronze", "5000.00", "2.2", "1:700"],
    ["silver", "20000.00", "1.5", "1:1000"],
    ["gold", "50000.00", "1.0", "1:3000"],
    ["platinum", "75000.00", "0.5", "1:5000"],
  ]);
});

test("a demo account comes with virtual money, a live one empty; each has a number of its own", async () => {
  const tess = await app.trader();
  const open = (isDemo: boolean) => tess.post("/api/trading-accounts", { accountTypeId: "silver", isDemo });
  expect(await open(true)).toMatchObject({
    status: 201,
    body: { accountType: "Silver", balance: "10000.00", equity: "10000.00", marginLevel: null, isDemo: true, leverage: "1:100" },
  });
  expect(await open(false)).toMatchObject({ status: 201, body: { balance: "0.00", isDemo: false, status: "active" } });
  const numbers = (await accountsOf(tess)).map(({ accountNumber }) => accountNumber);
  expect(new Set(numbers).size).toBe(3);
  expect((await tess.get("/api/user/financials")).body).toMatchObject({ accountBalance: "0.00", tradingBalance: "0.00", totalProfit: "0.00" });
});

test("however fast one asks, twenty of a kind is the most", async () => {
  const tess = await app.trader();
  const answers = await Promise.all(Array.from({ length: 30 }, () => tess.post("/api/trading-accounts", { accountTypeId: "starter", isDemo: true })));
  // One came with the registration.
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(19);
  expect(answers.filter(({ status }) => status === 422)).toHaveLength(11);
  const accounts = await accountsOf(tess);
  expect([accounts.length, new Set(accounts.map(({ accountNumber }) => accountNumber)).size]).toEqual([20, 20]);
});

test.each([
  {},
  { accountTypeId: "" },
  { accountTypeId: "diamond" },
  { accountTypeId: ["starter"] },
  { accountTypeId: "starter", isDemo: "yes" },
  { accountTypeId: "starter' or '1'='1" },
])("%j opens nothing", async (body) => {
  const tess = await app.trader();
  expect((await tess.post("/api/trading-accounts", body)).status).toBe(400);
  expect(await accountsOf(tess)).toHaveLength(1);
});

test("what is signed out, or somebody else's, is not told", async () => {
  const [tess, una] = [await app.trader(), await app.trader()];
  for (const path of ["/api/trading-accounts", "/api/user/financials"]) expect((await app.stranger().get(path)).status).toBe(401);
  const theirs = (await accountsOf(una)).map(({ id }) => id);
  expect((await accountsOf(tess)).filter(({ id }) => theirs.includes(id))).toEqual([]);
});
