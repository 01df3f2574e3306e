import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Ticket, TicketFile } from "../../src/support/schema";
import { openDom, type TestDom } from "../../src/testing/dom";
import { forgetKept } from "../wire/kept";
import { TicketThread } from "./TicketThread";

const at = "2026-01-05T10:00:00.000Z";
const ticket = { id: "t1", subject: "The form", message: "Please send it.", status: "open", adminResponse: null, positionId: null, createdAt: at } as Ticket;
const file = (isFromStaff: boolean): TicketFile => ({
  id: "f1",
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
const draw = (files: TicketFile[]) => dom.draw(<TicketThread ticket={ticket} thread={{ replies: [], files }} onChanged={() => {}} />);

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
  await dom.draw(<TicketThread key="other" ticket={{ ...ticket, id: "t2" }} thread={{ replies: [], files: [] }} onChanged={() => {}} />);
  expect(reply()).toBe("");
});
