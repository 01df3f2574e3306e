import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Ticket } from "../../support/schema";
import { browserOf, eventually } from "../browser";
import { type TestApp, testApp } from "../app";
import { field, list, next } from "../inbox";
import { violations } from "../inspect";

/** The inbox of staff on a phone: the list or a conversation, and where one writes always in sight. */

let app: TestApp;
let browser: Awaited<ReturnType<typeof browserOf>>;
beforeAll(async () => {
  app = await testApp();
  browser = await browserOf(app);
});
afterAll(async () => {
  const faults = await browser.close();
  expect(await app.faults()).toEqual([]);
  await app.end();
  expect(faults).toEqual([]);
});

const PHONE = { width: 360, height: 740 };
/** What stays over the work: a line and the tabs. */
const HEAD = 92;

test("on a phone the list or the conversation stands there, and where one writes is in sight above the keyboard, in tickets and chats", async () => {
  const [nora, omar] = [await app.trader({ firstName: "Nora" }), await app.trader({ firstName: "Omar" })];
  const ann = await app.admin();
  const asked = { subject: "On the way", message: "Please", category: "general", priority: "urgent" };
  const { id } = (await nora.post<Ticket>("/api/support/tickets", asked)).body;
  for (let n = 0; n < 12; n++) await nora.post(`/api/support/tickets/${id}/replies`, { message: `Word ${n}. ${"More of it. ".repeat(20)}` });
  for (let n = 0; n < 9; n++) await omar.post("/api/chat/messages", { message: `Message ${n}. ${"More of it. ".repeat(20)}` });
  const page = await browser.visitAs(ann, { viewport: PHONE, hasTouch: true, isMobile: true });
  await page.goto("/admin?tab=support");
  /** Half of the screen is the keyboard's: the browser tells by the part of the page that is seen. */
  const keyboard = (height: number) =>
    page.evaluate((covered) => {
      Object.defineProperty(visualViewport, "height", { configurable: true, get: () => innerHeight - covered });
      visualViewport?.dispatchEvent(new Event("resize"));
    }, height);
  const inSight = async (name: string, height: number) => {
    for (const part of [field(page, name), next(page)]) {
      const box = await part.boundingBox();
      expect([name, height, (box?.y ?? -1) >= HEAD, (box?.y ?? 999) + (box?.height ?? 999) <= PHONE.height - height]).toEqual([name, height, true, true]);
    }
  };
  for (const [row, name, words] of [
    [/Ticket of Nora/, "Answer", "Word 11."],
    [/Chat of Omar/, "Message", "Message 8."],
  ] as const) {
    await list(page).getByRole("link", { name: row }).tap();
    await page.getByRole("region", { name: "What was said" }).getByText(words).waitFor();
    await list(page).waitFor({ state: "hidden" });
    await eventually(() => inSight(name, 0));
    await keyboard(320);
    await eventually(() => inSight(name, 320));
    // The newest word is in sight, too.
    await field(page, name).fill("An answer\nof three\nlines");
    await eventually(() => inSight(name, 320));
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
    await keyboard(0);
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Client" }).tap();
    await page.getByRole("dialog").getByText("Balance $0.00 of live money").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByLabel("Close", { exact: true }).tap();
    await page.getByRole("button", { name: "Back to the list" }).tap();
    await list(page).waitFor();
  }
  // What was written is there again.
  await list(page)
    .getByRole("link", { name: /Ticket of Nora/ })
    .tap();
  await eventually(async () => expect(await field(page).inputValue()).toBe("An answer\nof three\nlines"));
  // The app's chat keeps it in sight, too.
  await page.goto("/admin-app?tab=support&view=chat");
  await page.getByRole("link", { name: /Omar/ }).tap();
  await page.getByRole("region", { name: "What was said" }).getByText("Message 8.").waitFor();
  await eventually(async () => {
    const box = await field(page, "Message").boundingBox();
    expect((box?.y ?? 999) + (box?.height ?? 999)).toBeLessThanOrEqual(PHONE.height - 57);
  });
});
