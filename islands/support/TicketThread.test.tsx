import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Ticket, TicketFile } from "../../src/support/schema";
import { openDom, type TestDom } from "../../src/testing/dom";
import { forgetKept } from "../wire/kept";
import { TicketThread } from "./TicketThread";

const at = "2026-01-05T10:00:00.000Z";
const ticket = {
  id: "t1",
  subject: "The form",
  message: "Please send it.",
  status: "open",
  adminResponse: null,
  positionId: null,
  mergedInto: null,
  createdAt: at,
} as unknown as Ticket;
const addressOf = (id: string) => `/support?ticket=${id}`;
const file = (isFromStaff: boolean): TicketFile => ({
  id: "f1",
  ticketId: "t1",
  mergedFrom: null,
  name: "form.png",
  mediaType: "image/png",
  size: 70,
  isFromStaff,
  author: "Ada",
  createdAt: at,
});

let dom: TestDom;
beforeEach(async () => {
  dom = await openDom();
});
afterEach(() => dom.close());

const words = () => dom.window.document.body.textContent ?? "";
const draw = (files: TicketFile[]) =>
  dom.draw(<TicketThread ticket={ticket} thread={{ replies: [], files, merged: [] }} addressOf={addressOf} onChanged={() => {}} />);

test("an open ticket waits for review until staff answer or send a file", async () => {
  await draw([]);
  expect(words()).toContain("pending review");
  await draw([file(false)]);
  expect(words()).toContain("pending review");
  await draw([file(true)]);
  expect(words()).not.toContain("pending review");
});

test("a reply that is being written outlasts a reload, and is its ticket's alone", async () => {
  const reply = () => dom.find<HTMLTextAreaElement>("textarea").value;
  await draw([]);
  await dom.type("textarea", "Which form?");
  await dom.draw(<p />);
  forgetKept();
  await draw([]);
  expect(reply()).toBe("Which form?");
  await dom.draw(
    <TicketThread key="other" ticket={{ ...ticket, id: "t2" }} thread={{ replies: [], files: [], merged: [] }} addressOf={addressOf} onChanged={() => {}} />,
  );
  expect(reply()).toBe("");
});

test("a ticket that was merged says where it goes on, and takes no reply", async () => {
  const merged = { ...ticket, status: "closed", mergedInto: { id: "t9", subject: "All about forms" } } as Ticket;
  await dom.draw(<TicketThread ticket={merged} thread={{ replies: [], files: [], merged: [] }} addressOf={addressOf} onChanged={() => {}} />);
  expect(words()).toContain("Our support team merged this ticket into All about forms. It goes on there.");
  expect(dom.find<HTMLAnchorElement>("a").getAttribute("href")).toBe("/support?ticket=t9");
  expect(dom.window.document.querySelector("textarea")).toBeNull();
});
