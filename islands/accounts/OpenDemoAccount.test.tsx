import { afterEach, beforeEach, expect, test } from "bun:test";
import { openDom, type TestDom } from "../../src/testing/dom";
import { holdFetches, refusal } from "../../src/testing/fetches";
import { OpenDemoAccount } from "./OpenDemoAccount";

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
  await dom.draw(<OpenDemoAccount />);
  calls.answers["POST /api/trading-accounts"] = () => refusal(409, "limit", "");
  await dom.press(dom.button("Open a demo account"));
  expect(dom.toast()).toBe("ErrorFailed to create account");
  calls.answers["POST /api/trading-accounts"] = () => refusal(409, "limit", "Ten accounts are the most.");
  await dom.press(dom.button("Open a demo account"));
  expect(dom.toast()).toBe("ErrorTen accounts are the most.");
});
