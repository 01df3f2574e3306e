import { afterEach, beforeEach, expect, test } from "bun:test";
import { openDom, type TestDom } from "../../src/testing/dom";
import { holdFetches, refusal } from "../../src/testing/fetches";

let dom: TestDom;
let calls: ReturnType<typeof holdFetches>;
let asked: Promise<boolean>;
beforeEach(async () => {
  dom = await openDom();
  // It brings React for browsers, which looks for one when it comes.
  const { askProof } = await import("./ProofDialog");
  calls = holdFetches({ "POST /api/auth/confirm": () => new Response(null, { status: 204 }) });
  await dom.act(async () => {
    asked = askProof();
    // The second one waits for the same prompt.
    expect(askProof()).toBe(asked);
  });
});
afterEach(async () => {
  await dom.close();
  calls.end();
});
const confirm = () => dom.press(dom.find("#proof button[type=submit]"));
const isGone = () => document.querySelector("#proof") === null;

test("takes the password, and leaves nothing behind", async () => {
  expect(dom.find<HTMLDialogElement>("#proof").open).toBe(true);
  await dom.type("#confirm-password", "Corr3ct-horse");
  await confirm();
  expect(await asked).toBe(true);
  expect(calls.sent).toMatchObject([{ at: "POST /api/auth/confirm", body: { password: "Corr3ct-horse" } }]);
  await dom.act(async () => {});
  expect(isGone()).toBe(true);
});

test("asks for the code of who has a second factor, and keeps the password meanwhile", async () => {
  calls.answers["POST /api/auth/confirm"] = () => refusal(403, "code_required", "Enter the code from your authenticator app.", { code: "Enter the code." });
  await dom.type("#confirm-password", "Corr3ct-horse");
  await confirm();
  calls.answers["POST /api/auth/confirm"] = () => new Response(null, { status: 204 });
  await dom.type("#confirm-code", "123456");
  await confirm();
  expect(await asked).toBe(true);
  expect(calls.sent.at(-1)).toMatchObject({ body: { password: "Corr3ct-horse", code: "123456" } });
});

test("says what was wrong on the field, and takes no for an answer", async () => {
  calls.answers["POST /api/auth/confirm"] = () => refusal(403, "forbidden", "This is not your current password.");
  await dom.type("#confirm-password", "Wr0ng-horse");
  await confirm();
  expect(dom.find("#confirm-password-error").textContent).toBe("This is not your current password.");
  await dom.press(dom.button("Back"));
  expect(await asked).toBe(false);
});
