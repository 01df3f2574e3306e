import { afterEach, beforeEach, expect, test } from "bun:test";
import { openDom, type TestDom } from "../../src/testing/dom";
import { holdFetches, refusal } from "../../src/testing/fetches";
import { BalanceCard } from "./BalanceCard";
import { clearTradingStore } from "../runtime/trading_store";
import { forgetWallet } from "./wallet";

const FINANCIALS = { firstName: "T", lastName: "T", email: "t@t.test", accountBalance: "4600.00", tradingBalance: "1000.00", totalProfit: "-5.00" };
const MOVED = { ...FINANCIALS, accountBalance: "4500.00", tradingBalance: "1100.00" };

let dom: TestDom;
let calls: ReturnType<typeof holdFetches>;
beforeEach(async () => {
  dom = await openDom();
  calls = holdFetches({ "PATCH /api/user/balance": () => Response.json(MOVED) });
  await dom.draw(<BalanceCard financials={FINANCIALS} />);
  await dom.press(dom.button("Edit"));
});
afterEach(async () => {
  await dom.close();
  calls.end();
  forgetWallet();
  clearTradingStore();
});

const words = () => dom.window.document.body.textContent ?? "";

test("Cancel leaves everything as it was", async () => {
  await dom.type("#edit-tradingBalance", "9");
  await dom.press(dom.button("Cancel"));
  expect(words()).toContain("$1,000.00");
  expect(calls.sent).toEqual([]);
});

test("sends the three figures as text and shows what the server has then", async () => {
  expect(dom.find<HTMLInputElement>("#edit-totalProfit").value).toBe("-5.00");
  await dom.type("#edit-accountBalance", "4500.00");
  await dom.type("#edit-tradingBalance", "1100.00");
  await dom.press(dom.button("Save Changes"));
  expect(calls.sent).toMatchObject([{ body: { accountBalance: "4500.00", tradingBalance: "1100.00", totalProfit: "-5.00" } }]);
  expect(dom.toast()).toBe("SuccessBalance updated successfully");
  expect(words()).toContain("$1,100.00");
});

test("a refusal stays on the card until the next try", async () => {
  const message = "The two balances must add up to $5,600.00.";
  calls.answers["PATCH /api/user/balance"] = () => refusal(403, "balance_mismatch", message);
  await dom.press(dom.button("Save Changes"));
  expect(dom.toast()).toBe(`Error${message}`);
  expect(dom.find("[role=alert]").textContent).toBe(message);
});
