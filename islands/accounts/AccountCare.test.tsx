import { afterEach, beforeEach, expect, test } from "bun:test";
import type { TradingAccount } from "../../src/accounts/schema";
import { openDom, SilentEventSource, type TestDom } from "../../src/testing/dom";
import { holdFetches, refusal } from "../../src/testing/fetches";
import { AccountCare } from "./AccountCare";
import { AccountMoney } from "./AccountMoney";
import { clearTradingStore } from "../runtime/trading_store";
import { NoticeChoices } from "../identity/NoticeChoices";

const DEMO = {
  id: "a1",
  name: null,
  accountNumber: "ACC1",
  accountType: "Starter",
  isDemo: true,
  balance: "9000.00",
  status: "active",
} as TradingAccount;

let dom: TestDom;
let calls: ReturnType<typeof holdFetches>;
beforeEach(async () => {
  dom = await openDom();
  calls = holdFetches({});
});
afterEach(async () => {
  await dom.close();
  calls.end();
  clearTradingStore();
});

const words = () => dom.window.document.body.textContent ?? "";
const say = (event: string, data: unknown) => dom.act(async () => SilentEventSource.opened.at(-1)?.say(event, data));

test("a reset is asked for once more, and a lost answer is sent again under the same key", async () => {
  await dom.draw(<AccountCare account={DEMO} positions={[]} />);
  await dom.press(dom.button("Reset to $10,000"));
  expect(calls.sent).toEqual([]);
  const confirm = () => dom.find<HTMLButtonElement>("#care .bg-accent");
  calls.answers["POST /api/trading-accounts/a1/reset"] = () => Promise.reject(new TypeError("Failed to fetch"));
  await dom.press(confirm());
  expect(dom.toast()).toContain("No answer came. Press again to make sure");
  calls.answers["POST /api/trading-accounts/a1/reset"] = () => refusal(409, "conflict", "This account has open positions or waiting orders. Close them first.");
  await dom.press(dom.button("Reset to $10,000"));
  await dom.press(confirm());
  expect(dom.toast()).toContain("This account has open positions or waiting orders.");
  const keys = calls.sent.map(({ key }) => key);
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBe(keys[1] as string);
});

test("a live account that holds money can't be closed, and says what to do; empty it can", async () => {
  await dom.draw(<AccountCare account={{ ...DEMO, isDemo: false, balance: "12.00" }} positions={[]} />);
  expect(dom.button("Close account").disabled).toBe(true);
  expect(words()).toContain("transfer its money to your wallet first");
  expect(words()).not.toContain("Reset to $10,000");
  await say("account", { ...DEMO, isDemo: false, balance: "0.00" });
  expect(dom.button("Close account").disabled).toBe(false);
});

test("a name that is too long is told at its field and not sent", async () => {
  await dom.draw(<AccountCare account={DEMO} positions={[]} />);
  await dom.type("#account-name", "x".repeat(61));
  await dom.press(dom.button("Save name"));
  expect(words()).toContain("At most 60 characters.");
  expect(calls.sent).toEqual([]);
});

const ALL = { trades: true, margin: true, money: true, support: true, email: { trades: true, margin: true, money: true, support: true, statements: true } };

test("a choice of notices that was not kept is taken back", async () => {
  await dom.draw(<NoticeChoices choices={ALL} />);
  calls.answers["PATCH /api/user/notices"] = () => refusal(503, "unavailable", "Please try again.");
  await dom.press(dom.find("#notice-money"));
  expect(dom.toast()).toContain("Please try again.");
  expect(dom.find<HTMLInputElement>("#notice-money").checked).toBe(true);
  calls.answers["PATCH /api/user/notices"] = () => Response.json({ ...ALL, money: false });
  await dom.press(dom.find("#notice-money"));
  expect(dom.find<HTMLInputElement>("#notice-money").checked).toBe(false);
  expect(calls.sent.map(({ body }) => body)).toEqual([{ money: false }, { money: false }]);
});

test("an account's money follows the stream, and its result is looked at anew when the balance is another", async () => {
  const account = { ...DEMO, equity: "9000.00", margin: "0.00", advance: "0.00", spreadsFrom: "3.3" } as TradingAccount;
  calls.answers["GET /api/trading-accounts/a1/result"] = () => Response.json({ closed: 2, won: 1, winRate: "50", realised: "-950.00" });
  await dom.draw(<AccountMoney account={account} positions={[]} result={{ closed: 1, won: 0, winRate: "0", realised: "-1000.00" }} />);
  await say("account", account);
  expect(words()).toContain("−$1,000.00");
  await say("account", { ...account, balance: "9050.00" });
  await dom.act(() => Bun.sleep(0));
  expect(words()).toContain("Balance$9,050.00Equity$9,050.00");
  expect(words()).toContain("−$950.00");
  expect(words()).toContain("50%, 1 of 2");
});
