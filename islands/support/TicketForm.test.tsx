import { afterEach, beforeEach, expect, test } from "bun:test";
import { openDom, type TestDom } from "../../src/testing/dom";
import { holdFetches } from "../../src/testing/fetches";
import { forgetKept } from "../wire/kept";
import { TicketForm } from "./TicketForm";

let dom: TestDom;
let calls: ReturnType<typeof holdFetches>;
beforeEach(async () => {
  dom = await openDom();
  calls = holdFetches({ "POST /api/support/tickets": () => Response.json({ id: "t1" }, { status: 201 }) });
});
afterEach(async () => {
  await dom.close();
  calls.end();
  forgetKept();
});

const form = <TicketForm values={{}} errors={{}} message={null} onCreated={() => {}} />;
const written = () => ["#ticket-subject", "#ticket-category", "#ticket-priority", "#ticket-message"].map((at) => dom.find<HTMLInputElement>(at).value);

test("what was written outlasts a reload until it is sent", async () => {
  await dom.draw(form);
  await dom.type("#ticket-subject", "My stop");
  await dom.choose("#ticket-category", "trading");
  await dom.type("#ticket-message", "It was not filled.");
  await dom.draw(<p />);
  forgetKept();
  await dom.draw(form);
  expect(written()).toEqual(["My stop", "trading", "medium", "It was not filled."]);
  await dom.press(dom.button("Submit Ticket"));
  expect(calls.sent).toMatchObject([{ body: { subject: "My stop", category: "trading", message: "It was not filled." } }]);
  await dom.draw(<p />);
  forgetKept();
  await dom.draw(form);
  expect(written()).toEqual(["", "", "medium", ""]);
});
