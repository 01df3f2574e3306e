import { afterEach, beforeEach, expect, test } from "bun:test";
import type { ActiveWallet, PaymentDetails } from "../../src/funding/schema";
import { openDom, type TestDom } from "../../src/testing/dom";
import { holdFetches } from "../../src/testing/fetches";
import { clearTradingStore } from "../runtime/trading_store";
import { forgetWallet } from "./wallet";
import { MobileDeposit } from "./MobileDeposit";

const ETH: ActiveWallet = {
  id: "w1",
  currency: "ETH",
  network: "ERC-20",
  walletAddress: "0xde0B295669a9FD93d5F28D9Ec85E40f4cb697BAe",
  description: "",
  isActive: true,
  isDefault: true,
};

const CARD: PaymentDetails = {
  method: "card",
  accountName: "",
  bankName: "",
  accountNumber: "",
  bic: "",
  link: "https://pay.example/halyard",
  instructions: "",
};

let dom: TestDom;
let calls: ReturnType<typeof holdFetches>;
beforeEach(async () => {
  dom = await openDom();
  calls = holdFetches({
    "POST /api/deposits": () => Response.json({ id: "d1" }, { status: 201 }),
    "GET /api/user/financials": () => Response.json({ accountBalance: "12.00" }),
  });
  await dom.draw(<MobileDeposit balance="4600.00" barred={null} deposits={[]} wallets={[ETH]} payments={[CARD]} />);
  await dom.press(dom.button("Make a Deposit"));
});
afterEach(async () => {
  await dom.close();
  calls.end();
  forgetWallet();
  clearTradingStore();
});

const words = () => dom.find("#mobile-deposit").textContent ?? "";

test("asks for amount and method, then for the coin", async () => {
  await dom.press(dom.button("Submit Deposit Request"));
  expect(dom.toast()).toBe("Missing InformationPlease fill in all required fields");
  await dom.type("#mobile-amount", "400");
  await dom.choose("#mobile-method", "cryptocurrency");
  await dom.press(dom.button("Continue"));
  expect(dom.toast()).toBe("Select CryptocurrencyPlease select a cryptocurrency");
  expect(calls.sent).toEqual([]);
});

test("a card takes one step, in euros too", async () => {
  await dom.type("#mobile-amount", "400");
  await dom.choose("#mobile-currency", "EUR");
  expect([...dom.find<HTMLSelectElement>("#mobile-method").options].map(({ value }) => value)).toEqual(["", "credit_card", "cryptocurrency"]);
  await dom.choose("#mobile-method", "credit_card");
  expect(dom.find("#mobile-deposit a").getAttribute("href")).toBe(CARD.link);
  await dom.press(dom.button("Submit Deposit Request"));
  expect(calls.sent).toMatchObject([{ at: "POST /api/deposits", body: { amount: "400.00", currency: "EUR" } }]);
  expect(dom.toast()).toBe("Deposit Request SubmittedPlease pay now. Your reference is DEP-D1.");
  expect(dom.find<HTMLDialogElement>("#mobile-deposit").open).toBe(false);
});

test("a coin takes two: Back keeps what was written, and the payment is announced with its wallet", async () => {
  await dom.type("#mobile-amount", "400");
  await dom.choose("#mobile-method", "cryptocurrency");
  await dom.choose("#mobile-crypto", "ETH");
  await dom.press(dom.button("Continue"));
  expect(dom.find<HTMLInputElement>("#mobile-address").value).toBe(ETH.walletAddress);
  expect(words()).toContain("Send only ETH, and only by ERC-20.");
  await dom.press(dom.button("Back"));
  expect(dom.find<HTMLInputElement>("#mobile-amount").value).toBe("400");
  await dom.press(dom.button("Continue"));
  expect(calls.sent).toEqual([]);
  await dom.press(dom.button("I've Sent Payment"));
  expect(calls.sent).toMatchObject([
    { at: "POST /api/deposits", body: { amount: "400.00", currency: "USD", walletAddress: ETH.walletAddress, cryptoType: "ETH" } },
  ]);
});

test("a coin without a wallet can't be sent", async () => {
  await dom.type("#mobile-amount", "400");
  await dom.choose("#mobile-method", "cryptocurrency");
  await dom.choose("#mobile-crypto", "BTC");
  await dom.press(dom.button("Continue"));
  expect(words()).toContain("BTC wallet is not available. Please contact support.");
  expect(dom.button("I've Sent Payment").disabled).toBe(true);
});
