import { expect } from "bun:test";
import type { Page } from "playwright-core";
import type { Person } from "./app";
import { eventually } from "./browser";
import type { Ticket } from "../support/schema";

/** The inbox of staff, as a test asks, reads and answers in it. */

export const ask = async (who: Person, subject: string, priority = "medium") =>
  (await who.post<Ticket>("/api/support/tickets", { subject, message: `Words of ${subject}`, category: "general", priority })).body;
export const list = (page: Page) => page.getByRole("list", { name: "Tickets and chats" });
export const shown = (page: Page) => list(page).locator("[data-row]");
export const field = (page: Page, name = "Answer") => page.getByLabel(name, { exact: true });
export const next = (page: Page) => page.getByRole("button", { name: "Send, resolve, next" });
export const opens = (page: Page, name: string) => page.getByRole("article", { name }).waitFor();
export const writes = (page: Page, name = "Answer") =>
  eventually(async () => expect(await field(page, name).evaluate((each) => each === document.activeElement)).toBe(true));
/** What is pressed again this soon hits nothing, so a hand that goes on waits a moment longer. */
export const breathe = (page: Page) => page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 550)));
