import { afterEach, beforeEach, expect, test } from "bun:test";
import type { ActiveWallet } from "../../src/funding/schema";
import { openDom, SilentEventSource, type TestDom } from "../../src/testing/dom";
import { holdFetches, refusal } from "../../src/testing/fetches";
import { until } from "../../src/testing/scenarios";
import { CryptoDeposit } from "./CryptoDeposit";
import { clearTradingStore } from "../runtime/trading_store";
import { forgetWallet } from "./wallet";

const wallet = (currency: ActiveWallet["currency"], network: ActiveWallet["network"], walletAddress: string): ActiveWallet => ({
  id: walletAddress,
  currency,
  network,
  walletAddress,
  description: "",
  isActive: true,
  isDefault: true,
});
const WALLETS = [wallet("BTC", "Mainnet", "bc1-first"), wallet("USDT", "TRC-20", "T-second"), wallet("USDT", "ERC-20", "0x-third")];
const SENT = { id: "d1", amount: "300.00", currency: "USDT", status: "pending", proofOfPayment: null };

let dom: TestDom;
let calls: ReturnType<typeof holdFetches>;
beforeEach(async () => {
  dom = await openDom();
  calls = holdFetches({
    "POST /api/deposit-requests": () => Response.json(SENT, { status: 201 }),
    "GET /api/withdrawals": () => Response.json([]),
    "GET /api/wallets/active": () => Response.json(WALLETS),
    "GET /api/user/financials": () => Response.json({ accountBalance: "0.00" }),
    "GET /api/deposits/quote": () => Response.json({ coin: "BTC", coinAmount: "0.00300000", rate: "100000.00000000", until: "2026-01-01T00:01:00.000Z" }),
  });
  await dom.draw(<CryptoDeposit signedIn barred={null} wallets={WALLETS} values={{}} errors={{}} message={null} sent={null} />);
});
afterEach(async () => {
  await dom.close();
  calls.end();
  forgetWallet();
  clearTradingStore();
});

const submit = () => dom.press(dom.button("Submit Deposit Request"));
const address = () => dom.find<HTMLInputElement>("#wallet-address").value;

test("says what is missing in the order of the form", async () => {
  await submit();
  expect(dom.toast()).toBe("Invalid AmountMinimum deposit amount is $300");
  await dom.type("#amount", "299.99");
  await submit();
  expect(dom.toast()).toBe("Invalid AmountMinimum deposit amount is $300");
  await dom.type("#amount", "300");
  await submit();
  expect(dom.toast()).toBe("Please Select CurrencyPlease select a cryptocurrency");
  await dom.choose("#currency", "USDT");
  await submit();
  expect(dom.toast()).toBe("Please Select NetworkPlease select a network");
  expect(calls.sent).toEqual([]);
});

test("the address follows coin and network, with a QR code; a coin of one network needs no choice", async () => {
  await dom.choose("#currency", "USDT");
  expect(address()).toBe("");
  await dom.choose("#network", "ERC-20");
  expect(address()).toBe("0x-third");
  await dom.choose("#network", "TRC-20");
  expect(address()).toBe("T-second");
  expect(dom.find("svg[role=img][aria-label^='QR code']").getAttribute("aria-label")).toBe("QR code of the USDT address");
  await dom.choose("#currency", "BTC");
  expect([dom.find<HTMLSelectElement>("#network").value, address()]).toEqual(["Mainnet", "bc1-first"]);
});

test("a coin without a wallet says so, and can't be submitted", async () => {
  const button = dom.button("Submit Deposit Request") as HTMLButtonElement;
  await dom.choose("#currency", "LTC");
  expect(dom.find("form").textContent).toContain("LTC wallet is not available. Please contact support.");
  expect(button.disabled).toBe(true);
  await dom.choose("#currency", "BTC");
  expect([button.disabled, address()]).toEqual([false, "bc1-first"]);
});

test("without any wallet nothing can be submitted", async () => {
  await dom.draw(<CryptoDeposit key="none" signedIn barred={null} wallets={[]} values={{}} errors={{}} message={null} sent={null} />);
  expect(dom.find("form").textContent).toContain("No wallet is available. Please contact support.");
  expect((dom.button("Submit Deposit Request") as HTMLButtonElement).disabled).toBe(true);
});

test("another coin takes no network of the former one along", async () => {
  await dom.draw(
    <CryptoDeposit
      key="more"
      signedIn
      barred={null}
      wallets={[...WALLETS, wallet("ETH", "ERC-20", "0x-eth")]}
      values={{}}
      errors={{}}
      message={null}
      sent={null}
    />,
  );
  const chosen = () => dom.find<HTMLSelectElement>("#network").value;
  await dom.choose("#currency", "BTC");
  await dom.choose("#currency", "ETH");
  expect([chosen(), address()]).toEqual(["ERC-20", "0x-eth"]);
  await dom.choose("#currency", "USDT");
  expect([chosen(), dom.find("form").textContent?.includes("not available")]).toEqual(["", false]);
});

test("sends the wallet that was shown, then clears the form and offers the proof", async () => {
  await dom.type("#amount", "300");
  await dom.choose("#currency", "USDT");
  await dom.choose("#network", "TRC-20");
  await dom.type("#transactionHash", "abcdef0123456789");
  await submit();
  expect(calls.sent).toMatchObject([
    {
      at: "POST /api/deposit-requests",
      body: { amount: "300.00", currency: "USDT", network: "TRC-20", walletUsed: "T-second", transactionHash: "abcdef0123456789" },
    },
  ]);
  expect(dom.toast()).toStartWith("Deposit Request Submitted");
  expect([dom.find<HTMLInputElement>("#amount").value, dom.find<HTMLSelectElement>("#currency").value]).toEqual(["", ""]);
  expect(dom.find("#proof-d1").getAttribute("type")).toBe("file");
});

test("a decision that came before the stream did is not missed", async () => {
  calls.answers["GET /api/deposits"] = () => Response.json([{ ...SENT, status: "approved", credited: "300.00", bonusApplied: "0.00", rejectionReason: null }]);
  await dom.type("#amount", "300");
  await dom.choose("#currency", "BTC");
  await submit();
  await dom.act(async () => SilentEventSource.opened.at(-1)?.onopen?.());
  await until("it is said", () => dom.window.document.body.textContent?.includes("Deposit approved$300.00 credited") === true);
});

test("what becomes of the request is said to who waits for it", async () => {
  await dom.type("#amount", "300");
  await dom.choose("#currency", "BTC");
  await submit();
  const decided = async (over: object, words: string) => {
    calls.answers["GET /api/deposits"] = () => Response.json([{ ...SENT, credited: null, bonusApplied: "0.00", rejectionReason: null, ...over }]);
    await dom.act(async () => SilentEventSource.opened.at(-1)?.say("purse", { accountBalance: "0.00" }));
    await until(words, () => dom.window.document.body.textContent?.includes(words) === true);
  };
  await decided({ status: "approved", credited: "299.40" }, "Deposit approved$299.40 credited");
  await decided({ status: "rejected", rejectionReason: "No payment came" }, "Deposit rejectedReason: No payment came");
});

test("a refusal is told with its message, or with ours where it has none", async () => {
  await dom.type("#amount", "300");
  await dom.choose("#currency", "BTC");
  calls.answers["POST /api/deposit-requests"] = () => refusal(409, "conflict", "This transaction is already claimed by another deposit.");
  await submit();
  expect(dom.toast()).toBe("Submission FailedThis transaction is already claimed by another deposit.");
  calls.answers["POST /api/deposit-requests"] = () => refusal(500, "internal", "");
  await submit();
  expect(dom.toast()).toBe("Submission FailedFailed to submit deposit request");
});

test("an address that is offered no longer leaves the screen after the refusal that says so", async () => {
  await dom.type("#amount", "300");
  await dom.choose("#currency", "BTC");
  calls.answers["POST /api/deposit-requests"] = () => refusal(409, "conflict", "This wallet address is no longer in use.");
  calls.answers["GET /api/wallets/active"] = () => Response.json(WALLETS.slice(1));
  await submit();
  expect(dom.find("form").textContent).toContain("BTC wallet is not available. Please contact support.");
});

test("where the browser can't copy, it says how else", async () => {
  await dom.choose("#currency", "BTC");
  await dom.press(dom.button("Copy address"));
  expect(dom.toast()).toBe("Copy failedPlease copy the address manually");
});

test("signed out the whole form is closed and shows no address", async () => {
  await dom.draw(<CryptoDeposit key="out" signedIn={false} barred={null} wallets={[]} values={{}} errors={{}} message={null} sent={null} />);
  expect(dom.find<HTMLFieldSetElement>("fieldset").disabled).toBe(true);
  expect(dom.window.document.querySelector("#wallet-address")).toBeNull();
});
