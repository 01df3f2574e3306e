import { afterEach, beforeEach, expect, test } from "bun:test";
import { openDom, type TestDom } from "../../src/testing/dom";
import { holdFetches } from "../../src/testing/fetches";
import { forgetKept } from "../wire/kept";
import { TraderChat } from "./TraderChat";

let dom: TestDom;
let calls: ReturnType<typeof holdFetches>;
beforeEach(async () => {
  dom = await openDom();
  calls = holdFetches({ "POST /api/chat/messages": () => new Promise<never>(() => {}) });
});
afterEach(async () => {
  await dom.close();
  calls.end();
});

const written = () => dom.find<HTMLTextAreaElement>("#chat-message").value;
/** The page is loaded again: what its scripts knew is gone. */
async function load() {
  await dom.draw(<p />);
  forgetKept();
  await dom.draw(<TraderChat me="u1" first={[]} />);
}

test("what was written in the chat outlasts a reload until it is sent", async () => {
  await load();
  await dom.type("#chat-message", "My stop was not filled.");
  await load();
  expect(written()).toBe("My stop was not filled.");
  await dom.press(dom.button("Send"));
  expect(calls.sent.filter(({ at }) => at === "POST /api/chat/messages")).toMatchObject([{ body: { message: "My stop was not filled." } }]);
  await load();
  expect(written()).toBe("");
});

test("a chat that the page did not bring is read though no stream ever opens", async () => {
  const said = { id: "m1", number: 1, userId: "u1", sessionId: "s1", message: "How can we help?", isFromAdmin: true, createdAt: "2026-11-26T04:00:00.000Z" };
  calls.end();
  calls = holdFetches({ "GET /api/chat/messages": () => Response.json([said]) });
  await dom.draw(<TraderChat me="u1" first={null} />);
  await dom.act(async () => {});
  expect(dom.find("[role=log]").textContent).toContain("How can we help?");
});
