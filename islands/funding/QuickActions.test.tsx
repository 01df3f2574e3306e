import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { openDom, SilentEventSource, type TestDom } from "../../src/testing/dom";
import { holdFetches, refusal } from "../../src/testing/fetches";
import { clearTradingStore } from "../runtime/trading_store";
import { forgetWallet } from "./wallet";
// Both are there when a dialog is asked for, as where a pointer rested on its button.
import "./DepositDialog";
import "./WithdrawalDialog";
import { QuickActions } from "./QuickActions";

const ADDRESS = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
const UNKNOWN = () => refusal(403, "password_required", "This is a new address. Please confirm your password and send the request again.");
const made = () => Response.json({ id: "1" }, { status: 201 });
const offline = () => Promise.reject(new TypeError("network"));

let dom: TestDom;
let calls: ReturnType<typeof holdFetches>;
beforeEach(async () => {
  dom = await openDom();
  calls = holdFetches({
    "POST /api/deposits": made,
    "POST /api/withdrawals": made,
    "POST /api/auth/confirm": () => new Response(null, { status: 204 }),
    "GET /api/payment-details": () =>
      Response.json([{ method: "card", accountName: "", bankName: "", accountNumber: "", bic: "", link: "https://pay.example/halyard", instructions: "" }]),
    "GET /api/wallets/active": () => Response.json([{ id: "w", currency: "BTC", network: "Mainnet", address: ADDRESS, isDefault: true }]),
    "GET /api/user/bonus": () => Response.json({ locked: "100.00", turnover: "900.00" }),
    "GET /api/user/financials": () => Response.json({ accountBalance: "500.00" }),
  });
  await dom.draw(<QuickActions balance="1000.00" />);
});
afterEach(async () => {
  await dom.close();
  calls.end();
  forgetWallet();
  clearTradingStore();
});

test("where nobody can pay, no request is taken", async () => {
  calls.answers["GET /api/payment-details"] = () => Response.json([]);
  calls.answers["GET /api/wallets/active"] = () => Response.json([]);
  await dom.press(dom.button("Make a Deposit"));
  expect(dom.find("#make-deposit").textContent).toContain("No way of payment is open at the moment. Please contact support.");
  expect(dom.button("Submit Deposit").disabled).toBe(true);
});

test("a decision is told as it is made, and the balance follows", async () => {
  await dom.act(async () => SilentEventSource.opened.at(-1)?.say("notice", { title: "Deposit approved", message: "$500.00 was added.", kind: "info" }));
  expect(dom.toast()).toBe("Deposit approved$500.00 was added.");
  await dom.act(async () => SilentEventSource.opened.at(-1)?.say("purse", { accountBalance: "500.00" }));
  await dom.press(dom.button("Request Withdrawal"));
  expect(dom.find("#request-withdrawal").textContent).toContain("Available: $400.00.");
  expect(dom.find("#request-withdrawal").textContent).toContain("$100.00 of your money is a bonus");
  expect(dom.find("#request-withdrawal").textContent).toContain("after $900.00 more turnover");
});

const submit = (form: string) => dom.press(dom.find(`${form} button[type=submit]`));
const isOpen = (id: string) => dom.window.document.querySelector(`#${id}[open]`) !== null;

describe("Make a Deposit", () => {
  beforeEach(async () => {
    await dom.press(dom.button("Make a Deposit"));
  });

  test("stays open when the browser tells, late, of an earlier closing", async () => {
    const dialog = dom.find<HTMLDialogElement>("#make-deposit");
    await dom.act(async () => void dialog.dispatchEvent(new dom.window.Event("close") as unknown as Event));
    expect(dialog.open).toBe(true);
    await dom.act(async () => dialog.close());
    expect(isOpen("make-deposit")).toBe(false);
  });

  test("starts with dollars by card, and asks for the amount", async () => {
    expect([dom.find<HTMLSelectElement>("#deposit-currency").value, dom.find<HTMLSelectElement>("#deposit-method").value]).toEqual(["USD", "card"]);
    await submit("#make-deposit");
    expect(dom.find("#deposit-amount-error").textContent).toBe("Amount is required");
    expect(calls.sent).toEqual([]);
  });

  test("sends what was written, says so and closes", async () => {
    await dom.type("#deposit-amount", "250.5");
    await dom.choose("#deposit-currency", "BTC");
    await dom.choose("#deposit-method", "crypto");
    expect(dom.find("#make-deposit a").getAttribute("href")).toBe("/deposit");
    await submit("#make-deposit");
    expect(calls.sent).toMatchObject([{ at: "POST /api/deposits", body: { amount: "250.50", currency: "BTC", method: "crypto", cryptoType: "BTC" } }]);
    expect(dom.toast()).toStartWith("Deposit Request Submitted!");
    expect(isOpen("make-deposit")).toBe(false);
  });

  test("a coin that no wallet takes can't be sent, whatever the screen was before", async () => {
    await dom.type("#deposit-amount", "250");
    await dom.choose("#deposit-currency", "ETH");
    expect(dom.find("#make-deposit").textContent).toContain("ETH wallet is not available. Please contact support.");
    expect(dom.button("Submit Deposit").disabled).toBe(true);
    await dom.choose("#deposit-currency", "BTC");
    expect(dom.button("Submit Deposit").disabled).toBe(false);
  });

  test("a payment by card is told where to go and by which reference, before and after", async () => {
    const dialog = () => dom.find("#make-deposit");
    expect([...dom.find<HTMLSelectElement>("#deposit-method").options].map(({ value }) => value)).toEqual(["card", "crypto"]);
    expect([dialog().querySelector("a")?.href, dialog().textContent?.includes("You get it with the request")]).toEqual(["https://pay.example/halyard", true]);
    calls.answers["POST /api/deposits"] = () =>
      Response.json({ id: "3fa85f64-5717-4562-b3fc-2c963f66afa6", method: "card", amount: "250.00", currency: "USD" }, { status: 201 });
    await dom.type("#deposit-amount", "250");
    await submit("#make-deposit");
    expect(isOpen("make-deposit")).toBe(true);
    expect(dialog().textContent).toContain("DEP-3FA85F6457");
    await dom.press(dom.button("Done"));
    expect(isOpen("make-deposit")).toBe(false);
  });

  test("a refusal keeps what was written", async () => {
    calls.answers["POST /api/deposits"] = () => refusal(422, "too_many_requests", "Too many of your deposits are waiting for approval.");
    await dom.type("#deposit-amount", "250");
    await submit("#make-deposit");
    expect(dom.toast()).toBe("Deposit FailedToo many of your deposits are waiting for approval.");
    expect([isOpen("make-deposit"), dom.find<HTMLInputElement>("#deposit-amount").value]).toEqual([true, "250"]);
  });

  test("sent again after a lost answer it goes under the same key; another amount under a new one", async () => {
    calls.answers["POST /api/deposits"] = offline;
    await dom.type("#deposit-amount", "250");
    await submit("#make-deposit");
    await submit("#make-deposit");
    await dom.type("#deposit-amount", "251");
    await submit("#make-deposit");
    const [first, second, third] = calls.sent.map(({ key }) => key);
    expect(first).toBeString();
    expect(second).toBe(first as string);
    expect(third).not.toBe(first as string);
  });
});

describe("Request Withdrawal", () => {
  beforeEach(async () => {
    await dom.press(dom.button("Request Withdrawal"));
  });
  const fill = async () => {
    await dom.type("#withdrawal-amount", "500");
    await dom.choose("#withdrawal-currency", "BTC");
    await dom.type("#withdrawal-address", ADDRESS);
  };

  test("names fee, time, minimum and what is there", async () => {
    const words = () => dom.find("#request-withdrawal").textContent ?? "";
    for (const each of ["FeeNone", "3–7 business days", "Available: $900.00", "At least $50.00"]) expect(words()).toContain(each);
    await dom.choose("#withdrawal-method", "card");
    expect(words()).toContain("At least $25.00");
    await dom.choose("#withdrawal-currency", "USDT");
    expect(words()).toContain("Within 24 hours");
    expect(dom.find<HTMLSelectElement>("#withdrawal-network").value).toBe("TRC-20");
  });

  test("calls the place by its way, and asks for amount and place", async () => {
    const place = () => dom.find("label[for=withdrawal-address]").textContent;
    expect(place()).toBe("IBAN or account number");
    await dom.choose("#withdrawal-method", "card");
    expect(place()).toBe("Card");
    await dom.choose("#withdrawal-currency", "BTC");
    expect(place()).toBe("Wallet address");
    await dom.choose("#withdrawal-currency", "USD");
    await dom.choose("#withdrawal-method", "bank");
    await submit("#request-withdrawal");
    expect([dom.find("#withdrawal-amount-error").textContent, dom.find("#withdrawal-address-error").textContent]).toEqual([
      "Amount is required",
      "IBAN or account number is required",
    ]);
    expect(calls.sent).toEqual([]);
  });

  test("says that it awaits approval", async () => {
    await fill();
    await submit("#request-withdrawal");
    expect(calls.sent).toMatchObject([{ at: "POST /api/withdrawals", body: { amount: "500.00", currency: "BTC", walletAddress: ADDRESS } }]);
    expect(dom.toast()).toStartWith("Withdrawal Requested$500.00 in BTC awaits admin approval.");
    expect(isOpen("request-withdrawal")).toBe(false);
  });

  test("a new address asks for the password in place, then the same request goes again", async () => {
    calls.answers["POST /api/withdrawals"] = UNKNOWN;
    await fill();
    await submit("#request-withdrawal");
    expect(dom.toast()).toBe("");
    expect(dom.find("#request-withdrawal").textContent).toContain("$500.00 in BTC to an address that you have not been paid at before.");

    calls.answers["POST /api/auth/confirm"] = () =>
      refusal(403, "forbidden", "This is not your current password.", { password: "This is not your current password." });
    await dom.type("#confirm-password", "wrong-one");
    await dom.press(dom.button("Confirm and request"));
    expect(dom.find("#confirm-password-error").textContent).toBe("This is not your current password.");

    calls.answers["POST /api/auth/confirm"] = () => new Response(null, { status: 204 });
    calls.answers["POST /api/withdrawals"] = made;
    await dom.type("#confirm-password", "Corr3ct-horse");
    await dom.press(dom.button("Confirm and request"));
    const asked = calls.sent.filter(({ at }) => at === "POST /api/withdrawals");
    expect(asked).toHaveLength(2);
    expect(asked[1]?.body).toEqual(asked[0]?.body);
    expect(calls.sent.at(-2)).toMatchObject({ at: "POST /api/auth/confirm", body: { password: "Corr3ct-horse" } });
    expect(dom.toast()).toStartWith("Withdrawal Requested");
  });

  test("Back leads from the password to the request as it was", async () => {
    calls.answers["POST /api/withdrawals"] = UNKNOWN;
    await fill();
    await submit("#request-withdrawal");
    await dom.press(dom.button("Back"));
    expect(dom.find<HTMLInputElement>("#withdrawal-address").value).toBe(ADDRESS);
    expect(dom.find("#request-withdrawal form").hidden).toBe(false);
  });

  test("a refusal is told, at its field too", async () => {
    calls.answers["POST /api/withdrawals"] = () => refusal(422, "insufficient_funds", "Your wallet holds $10.00.", { amount: "Your wallet holds $10.00." });
    await fill();
    await submit("#request-withdrawal");
    expect(dom.toast()).toBe("Withdrawal FailedYour wallet holds $10.00.");
    expect(dom.find("#withdrawal-amount-error").textContent).toBe("Your wallet holds $10.00.");
  });

  test("a refusal after the password leads back to the request", async () => {
    calls.answers["POST /api/withdrawals"] = UNKNOWN;
    await fill();
    await submit("#request-withdrawal");
    calls.answers["POST /api/withdrawals"] = () => refusal(422, "registration_pending", "Your registration is awaiting approval.");
    await dom.type("#confirm-password", "Corr3ct-horse");
    await dom.press(dom.button("Confirm and request"));
    expect(dom.toast()).toBe("Withdrawal FailedYour registration is awaiting approval.");
    expect(dom.find("#request-withdrawal form").hidden).toBe(false);
  });
});
