import { afterEach, beforeEach, expect, test } from "bun:test";
import type { AccountType } from "../../src/accounts/schema";
import { until } from "../../src/testing/scenarios";
import { openDom, type TestDom } from "../../src/testing/dom";
import { holdFetches, refusal } from "../../src/testing/fetches";
import { CreateAccount } from "./CreateAccount";

const starter = { id: "starter", name: "Starter", minimumDeposit: "300.00", spreadsFrom: "3.3", leverage: "1:500", features: [] } as unknown as AccountType;
let dom: TestDom;
let calls: ReturnType<typeof holdFetches>;
beforeEach(async () => {
  dom = await openDom();
  calls = holdFetches({});
});
afterEach(async () => {
  await dom.close();
  calls.end();
});

test("a refusal without a reason says at least what failed; one with a reason says it", async () => {
  await dom.draw(<CreateAccount types={[starter]} chosen="starter" />);
  calls.answers["POST /api/trading-accounts"] = () => refusal(409, "limit", "");
  await dom.press(dom.button("Create Account"));
  expect(dom.toast()).toBe("ErrorFailed to create account");
  calls.answers["POST /api/trading-accounts"] = () => refusal(409, "limit", "Ten accounts are the most.");
  await dom.press(dom.button("Create Account"));
  expect(dom.toast()).toBe("ErrorTen accounts are the most.");
});

test("the new account is the one that the portal opens with", async () => {
  await dom.draw(<CreateAccount types={[starter]} chosen="starter" />);
  calls.answers["POST /api/trading-accounts"] = () => Response.json({ id: "a-new-one" }, { status: 201 });
  const led: string[] = [];
  Object.assign(globalThis, { location: { assign: (to: string) => led.push(to) } });
  await dom.press(dom.button("Create Account"));
  expect(dom.toast()).toBe("SuccessTrading account created successfully!");
  await until("the portal is opened", () => led.length > 0);
  expect(led).toEqual(["/traders-portal?account=a-new-one"]);
});

test("a type that was not chosen is said at its field, which gets the focus, until one is chosen", async () => {
  await dom.draw(<CreateAccount types={[starter]} chosen="" />);
  await dom.press(dom.button("Create Account"));
  expect(dom.toast()).toBe("ErrorPlease select an account type");
  const field = dom.find("#account-type");
  expect(dom.window.document.activeElement?.id).toBe(field.id);
  expect(dom.find(`#${field.getAttribute("aria-describedby")}`).textContent).toContain("Please select an account type");
  await dom.choose("#account-type", "starter");
  expect(field.getAttribute("aria-invalid")).toBeNull();
});
