import { afterEach, beforeEach, expect, test } from "bun:test";
import type { TradingAccount } from "../../src/accounts/schema";
import type { Overview } from "../../src/portal/schema";
import { openDom, SilentEventSource, type TestDom } from "../../src/testing/dom";
import { holdFetches } from "../../src/testing/fetches";
import { HomeActivity } from "./HomeActivity";
import { HomeFigures } from "./HomeFigures";
import { clearTradingStore } from "../runtime/trading_store";
import { forgetOverview } from "./overview";

const NOTHING = { open: 0, closed: 0, won: 0, winRate: "0" };
const BEFORE: Overview = {
  financials: { firstName: "T", lastName: "T", email: "t@t.test", accountBalance: "100.00", tradingBalance: "50.00", totalProfit: "0.00" },
  month: { profit: "0.00", percent: null },
  live: NOTHING,
  demo: NOTHING,
  activity: [],
};
const AFTER: Overview = {
  ...BEFORE,
  financials: { ...BEFORE.financials, tradingBalance: "57.00", totalProfit: "7.00" },
  live: { open: 1, closed: 3, won: 2, winRate: "66.7" },
  activity: [
    { id: "p1", kind: "closed", at: "2026-01-05T10:00:00.000Z", subject: "BUY EUR/USD", amount: "1000.00", profit: "7.00", status: "closed", isDemo: false },
  ],
};

const account = (over: Partial<TradingAccount>) =>
  ({
    name: null,
    accountType: "Starter",
    isDemo: true,
    status: "active",
    leverage: "1:100",
    balance: "9000.00",
    equity: "9000.00",
    advance: "0.00",
    margin: "0.00",
    spreadsFrom: "3.3",
    ...over,
  }) as TradingAccount;
const LAST_TRADED = account({ id: "a1", accountNumber: "ACC1" });
const OTHER = account({ id: "a2", accountNumber: "ACC2", name: "Savings" });

let dom: TestDom;
let calls: ReturnType<typeof holdFetches>;
let asked: number;
beforeEach(async () => {
  dom = await openDom();
  asked = 0;
  calls = holdFetches({
    "GET /api/overview": () => {
      asked += 1;
      return Response.json(AFTER);
    },
  });
  await dom.draw(
    <>
      <HomeFigures overview={BEFORE} accounts={[LAST_TRADED, OTHER]} positions={[]} chosen={null} />
      <HomeActivity overview={BEFORE} />
    </>,
  );
});
afterEach(async () => {
  await dom.close();
  calls.end();
  forgetOverview();
  clearTradingStore();
});

const words = () => dom.window.document.body.textContent ?? "";
const say = (event: string, data: unknown) => dom.act(async () => SilentEventSource.opened.at(-1)?.say(event, data));

test("an action of many events is looked at once, and every figure follows", async () => {
  expect(words()).toContain("$150.00");
  expect(words()).toContain("No recent activity");
  for (const event of ["position", "account", "purse"]) await say(event, { id: "x", symbol: "EUR/USD", isDemo: true, ...BEFORE.financials });
  while (!words().includes("$157.00")) await dom.act(() => Bun.sleep(10));
  expect(words()).toContain("1 open, win rate 66.7%");
  expect(words()).toContain("BUY EUR/USD closed");
  expect(asked).toBe(1);
});

test("the chosen account comes first, with its new name and balance; with it closed the next one", async () => {
  expect(words()).toContain("$9,000.00");
  const news = { ...LAST_TRADED, name: "Rehearsal", balance: "10000.00", equity: "10000.00" };
  await say("account", news);
  expect(words()).toContain("Rehearsal");
  expect(words()).toContain("$10,000.00");
  await say("account", { ...LAST_TRADED, status: "closed" });
  expect(words()).toContain("ACC2");
  await say("account", { ...OTHER, status: "closed" });
  expect(words()).toContain("You have no trading account");
  await dom.draw(<HomeFigures overview={BEFORE} accounts={[LAST_TRADED, OTHER]} positions={[]} chosen="a2" />);
  await say("account", OTHER);
  expect(words()).toContain("ACC2");
});
