import { afterEach, beforeEach, expect, test } from "bun:test";
import { openDom, type TestDom } from "../../src/testing/dom";
import { holdFetches, refusal } from "../../src/testing/fetches";
import { PageLoader } from "./PageLoader";

const USER = "GET /api/auth/user";
const MONEY = "GET /api/user/financials";
let dom: TestDom;
let calls: ReturnType<typeof holdFetches>;
beforeEach(async () => {
  dom = await openDom();
  calls = holdFetches({ [USER]: () => refusal(503, "unavailable", "Not now."), [MONEY]: () => refusal(503, "unavailable", "Not now.") });
});
afterEach(async () => {
  await dom.close();
  calls.end();
});

const said = () => dom.find("[role=status]").textContent;

test("who is signed in can't be had: that is said; then, once it can, what is theirs", async () => {
  await dom.draw(<PageLoader words="Loading profile..." cards={1} />);
  expect(said()).toStartWith("Failed to fetch user. Check your connection and try again.");
  calls.answers[USER] = () => Response.json({ id: "u" });
  await dom.press(dom.button("Try again"));
  expect(said()).toStartWith("This could not be loaded. Check your connection and try again.");
});
