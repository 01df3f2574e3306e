import { afterEach, beforeEach, expect, test } from "bun:test";
import type { TradingAccount } from "../../src/accounts/schema";
import { openDom, type TestDom } from "../../src/testing/dom";
import { holdFetches, refusal } from "../../src/testing/fetches";
import { clearTradingStore } from "../runtime/trading_store";
import { forgetWallet } from "./wallet";
import { TransferForm } from "./TransferForm";

const LIVE = "6d9c3f0a-7a53-4f0e-9a55-0d9f3b7f2a11";
const account = (over: Partial<TradingAccount>): TradingAccount => ({
  id: LIVE,
  accountNumber: "ACC17952332847004",
  accountType: "Starter",
  accountTypeId: "starter",
  balance: "1000.00",
  equity: "1000.00",
  margin: "0.00",
  freeMargin: "900.00",
  advance: "0.00",
  marginLevel: null,
  isDemo: false,
  status: "active",
  leverage: "1:100",
  spreadsFrom: "3.3",
  minimumDeposit: "300.00",
  name: null,
  fundedTotal: "1000.00",
  lastTradedAt: null,
  createdAt: "2026-01-05T10:00:00.000Z",
  updatedAt: "2026-01-05T10:00:00.000Z",
  ...over,
});

let dom: TestDom;
let calls: ReturnType<typeof holdFetches>;
beforeEach(async () => {
  dom = await openDom();
  calls = holdFetches({
    "POST /api/transfers": () => Response.json({ id: "t1" }, { status: 201 }),
    "GET /api/trading-accounts": () => Response.json([account({ freeMargin: "1100.00" })]),
    "GET /api/user/financials": () => Response.json({ accountBalance: "4400.00" }),
  });
});
afterEach(async () => {
  await dom.close();
  calls.end();
  forgetWallet();
  clearTradingStore();
});

const options = (id: string) => [...dom.find<HTMLSelectElement>(id).options].map(({ textContent }) => textContent);

test("offers the wallet and active live accounts only, with what is free", async () => {
  const others = [account({ id: "d", isDemo: true }), account({ id: "c", status: "closed" })];
  await dom.draw(<TransferForm balance="4500.00" accounts={[account({}), ...others]} />);
  expect(options("#transfer-from")).toEqual(["Wallet ($4,500.00)", "Starter …7004 ($900.00)"]);
});

test("moves from the wallet to the account unless told otherwise, then shows the new figures", async () => {
  await dom.draw(<TransferForm balance="4500.00" accounts={[account({})]} />);
  await dom.press(dom.button("Transfer"));
  expect(dom.find("#transfer-amount-error").textContent).toBe("Amount is required");
  await dom.type("#transfer-amount", "100");
  await dom.press(dom.button("Transfer"));
  expect(calls.sent).toMatchObject([{ at: "POST /api/transfers", body: { fromAccountId: null, toAccountId: LIVE, amount: "100.00" } }]);
  expect(dom.toast()).toBe("Transfer Complete$100.00 moved.");
  expect(options("#transfer-to")).toEqual(["Wallet ($4,400.00)", "Starter …7004 ($1,100.00)"]);
  expect(dom.find<HTMLInputElement>("#transfer-amount").value).toBe("");
});

test("a refusal keeps what was written", async () => {
  calls.answers["POST /api/transfers"] = () =>
    refusal(422, "insufficient_funds", "At most $900.00 of this account is free.", { amount: "At most $900.00 of this account is free." });
  await dom.draw(<TransferForm balance="4500.00" accounts={[account({})]} />);
  await dom.choose("#transfer-from", LIVE);
  await dom.choose("#transfer-to", "");
  await dom.type("#transfer-amount", "950");
  await dom.press(dom.button("Transfer"));
  expect(calls.sent).toMatchObject([{ body: { fromAccountId: LIVE, toAccountId: null, amount: "950.00" } }]);
  expect(dom.toast()).toBe("Transfer FailedAt most $900.00 of this account is free.");
  expect(dom.find<HTMLInputElement>("#transfer-amount").value).toBe("950");
});

test("without a live account it leads to opening one", async () => {
  await dom.draw(<TransferForm balance="0.00" accounts={[]} />);
  expect(dom.find("a").getAttribute("href")).toBe("/accounts/create");
});
