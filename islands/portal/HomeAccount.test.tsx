import { afterEach, beforeEach, expect, test } from "bun:test";
import type { TradingAccount } from "../../src/accounts/schema";
import { openDom, SilentEventSource, type TestDom } from "../../src/testing/dom";
import { HomeAccount } from "./HomeAccount";
import { clearTradingStore } from "../runtime/trading_store";

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
beforeEach(async () => {
  dom = await openDom();
});
afterEach(async () => {
  await dom.close();
  clearTradingStore();
});

const words = () => dom.window.document.body.textContent ?? "";
const say = (news: TradingAccount) => dom.act(async () => SilentEventSource.opened.at(-1)?.say("account", news));

test("the account's new name and balance are shown, and with it closed the next one", async () => {
  await dom.draw(<HomeAccount accounts={[LAST_TRADED, OTHER]} positions={[]} />);
  expect(words()).toContain("$9,000.00");
  await say({ ...LAST_TRADED, name: "Rehearsal", balance: "10000.00", equity: "10000.00" });
  expect(words()).toContain("Rehearsal");
  expect(words()).toContain("$10,000.00");
  await say({ ...LAST_TRADED, status: "closed" });
  expect(words()).toContain("ACC2");
  await say({ ...OTHER, status: "closed" });
  expect(words()).toContain("You have no trading account");
});

test("the first account is shown once it is opened", async () => {
  await dom.draw(<HomeAccount accounts={[]} positions={[]} />);
  expect(words()).toContain("You have no trading account");
  await say(OTHER);
  expect(words()).toContain("ACC2");
});
