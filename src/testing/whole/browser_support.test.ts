import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { ADMIN, eventually, holdClock, openSite, register, type Site, told } from "../browser";
import { until } from "../scenarios";

/** A trader and an administrator, each in a browser of their own: tickets, chat, and a form without scripts. */

let site: Site;
let trader: Page;
let staff: Page;
beforeAll(async () => {
  site = await openSite();
  [trader, staff] = await Promise.all([site.visit(), site.visit()]);
  await Promise.all([register(trader), staff.request.post("/api/auth/login", { data: ADMIN, headers: { origin: site.base } })]);
});
afterAll(async () => {
  const { faults } = site;
  await site.close();
  expect(faults).toEqual([]);
});

/** What would run, and show that it ran, if a word of a trader's were more than text. */
const HOSTILE = "<img src=x onerror=document.title='owned'>";

/** Who writes is told of again and again, for a notice may be lost on its way. */
const typeUntil = (field: Locator, notice: Locator) =>
  until("the other side hears of it", async () => {
    await field.pressSequentially("a");
    return notice.isVisible();
  });

test("a ticket goes both ways at once, from the empty list to its end", async () => {
  await trader.goto("/support");
  await trader.getByText("No support tickets yet").waitFor();
  await trader.getByRole("link", { name: "Create New Ticket" }).click();
  await trader.getByRole("button", { name: "Submit Ticket" }).click();
  await told(trader, "Please fill all fields");
  await told(trader, "Subject, message, and category are required.");
  expect(await trader.getByLabel("Priority").inputValue()).toBe("medium");
  expect(await trader.getByLabel("Message").getAttribute("rows")).toBe("6");
  await trader.getByLabel("Subject").fill(`Late deposit ${HOSTILE}`);
  await trader.getByLabel("Category").selectOption({ label: "Financial/Deposits" });
  await trader.getByLabel("Message").fill(`Where is it? ${HOSTILE}`);

  await staff.goto("/admin?tab=support");
  await staff.getByText("Nothing needs an answer").waitFor();
  await trader.getByRole("button", { name: "Submit Ticket" }).press("Enter");
  await told(trader, "Support ticket created");
  // The form has gone; the keyboard goes on where it stood.
  await trader.waitForFunction(() => document.activeElement !== document.body);
  await told(trader, "Your ticket has been submitted successfully. We'll respond soon.");
  await trader.getByRole("tab", { name: "My Tickets 1" }).waitFor();
  const mine = trader.getByRole("button", { name: /Late deposit/ });
  await mine.click();
  await trader.getByText("Your ticket is pending review. Our support team will respond soon.").waitFor();

  await staff.waitForFunction(() => document.title.startsWith("(1) Support"));
  await staff.getByRole("link", { name: /Late deposit/ }).click();
  await staff.getByRole("button", { name: "Assign to me" }).click();
  await told(staff, "Ticket assigned to you");
  await staff.getByLabel("Answer", { exact: true }).fill("We have found it.");
  await staff.getByRole("button", { name: "Send answer" }).click();
  await trader.getByRole("list", { name: "Conversation" }).getByText("We have found it.").waitFor();
  await mine.getByText("In Progress").waitFor();

  await trader.getByLabel("Your reply").fill("Thank you!");
  await trader.getByRole("button", { name: "Send reply" }).click();
  await staff.getByRole("list", { name: "Conversation" }).getByText("Thank you!").waitFor();
  const chooser = trader.waitForEvent("filechooser");
  await trader.getByText("Attach a file").click();
  const png = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");
  await (await chooser).setFiles({ name: "screen.png", mimeType: "image/png", buffer: png });
  const sent = staff.getByRole("link", { name: /screen\.png/ });
  await sent.waitFor();
  const file = await staff.request.get((await sent.getAttribute("href")) ?? "");
  expect([file.status(), file.headers()["content-disposition"], file.headers()["x-content-type-options"]]).toEqual([
    200,
    'attachment; filename="screen.png"',
    "nosniff",
  ]);

  const choosing = staff.waitForEvent("filechooser");
  await staff.getByText("Attach a file").click();
  await (await choosing).setFiles({ name: "form.png", mimeType: "image/png", buffer: png });
  await trader.getByText("Support sent you a file").waitFor();
  await trader.getByRole("link", { name: /form\.png/ }).waitFor();

  await trader.getByRole("button", { name: "Close ticket" }).click();
  await mine.getByText("Closed").waitFor();
  await staff.getByText("This ticket is closed. Reopen it to answer.").waitFor();
  await trader.getByLabel("Your reply").fill("One more thing");
  await trader.getByRole("button", { name: "Send reply" }).click();
  await staff.getByRole("list", { name: "Conversation" }).getByText("One more thing").waitFor();
  await staff.getByRole("button", { name: "Resolve", exact: true }).click();
  await mine.getByText("Resolved", { exact: true }).waitFor();
  for (const page of [trader, staff]) expect(await page.title()).not.toBe("owned");
});

test("an answer that was written and sent before its script has come is sent when it has, once", async () => {
  const data = { subject: "Swift", category: "technical", priority: "low", message: "Is anybody quick here?" };
  const made = await trader.request.post("/api/support/tickets", { data, headers: { origin: site.base } });
  const { id } = (await made.json()) as { id: string };
  const { promise, resolve } = Promise.withResolvers<void>();
  await staff.route(/AdminInbox[^/]*\.js$/, async (route) => {
    await promise;
    await route.continue();
  });
  // A press is kept for five seconds: here until the script is let go. It is heard once the page's first script runs.
  await holdClock(staff);
  await staff.goto(`/admin?tab=support&ticket=${id}`, { waitUntil: "domcontentloaded" });
  await staff.getByLabel("Answer", { exact: true }).fill("We are.");
  await staff.getByRole("button", { name: "Send answer" }).click();
  resolve();
  await told(staff, "Answer sent");
  await staff.clock.resume();
  await staff.unroute(/AdminInbox[^/]*\.js$/);
  const thread = (await (await trader.request.get(`/api/support/tickets/${id}`)).json()) as { replies: { message: string }[] };
  expect(thread.replies.map(({ message }) => message)).toEqual(["We are."]);
});

test("a chat goes both ways, with typing, unread counts and what was missed", async () => {
  await staff.goto("/admin?tab=support&view=chat");
  await staff.getByText("No chats yet").waitFor();
  await trader.goto("/support?view=chat");
  const field = (page: Page) => page.getByLabel("Message", { exact: true });
  await field(trader).fill(`Hello ${HOSTILE}`);
  await trader.keyboard.press("Enter");
  const row = staff.getByRole("list", { name: "Chats" }).getByRole("link", { name: /Ada Lovelace/ });
  await row.getByText("1 new").waitFor();
  // The bell leads to the chat itself.
  await staff.getByLabel(/^Notifications, /).click();
  await staff.getByRole("link", { name: /New chat message/ }).click();
  await staff.waitForURL("**view=chat&session=*");
  await staff.getByRole("log").getByText("Hello <img").waitFor();
  await trader.getByText("Read", { exact: true }).waitFor();

  await typeUntil(field(staff), trader.getByText("Support is typing..."));
  await field(staff).fill("Good morning.");
  await staff.keyboard.press("Enter");
  await trader.getByRole("log").getByText("Good morning.").waitFor();
  await typeUntil(field(trader), staff.getByRole("status").getByText("Ada is typing..."));

  // While the trader's line is down, staff go on writing; nothing is missing afterwards, and nothing is there twice.
  await trader.context().setOffline(true);
  for (const words of ["First", "Second"]) {
    await field(staff).fill(words);
    await staff.keyboard.press("Enter");
    await staff.getByRole("log").getByText(words).waitFor();
    await staff.getByText("Sending...").waitFor({ state: "hidden" });
  }
  await field(trader).fill("Said in the dark");
  await trader.keyboard.press("Enter");
  await trader.getByText("Not sent.").waitFor();
  await trader.context().setOffline(false);
  await trader.getByRole("log").getByRole("button", { name: "Try again" }).click();
  await staff.getByRole("log").getByText("Said in the dark").waitFor();
  const said = async (page: Page) => (await page.getByRole("log").locator("li p.whitespace-pre-wrap").allTextContents()).slice(1);
  await trader.getByRole("log").getByText("Second").waitFor();
  for (const page of [trader, staff]) await eventually(async () => expect(await said(page)).toEqual(["Good morning.", "First", "Second", "Said in the dark"]));

  await trader.getByRole("tab", { name: "My Tickets" }).click();
  await field(staff).fill("Are you there?");
  await staff.keyboard.press("Enter");
  await trader.getByRole("tab", { name: "Live Chat 1" }).click();
  await trader.getByRole("log").getByText("Are you there?").waitFor();
  await trader.getByRole("tab", { name: "Live Chat", exact: true }).waitFor();
  await staff.getByRole("button", { name: "End chat" }).click();
  await trader.getByText("This chat was ended. Your next message begins a new one.").waitFor();
  for (const page of [trader, staff]) expect(await page.title()).not.toBe("owned");
});

test("tickets and chat work without scripts", async () => {
  const page = await site.visit({ javaScriptEnabled: false });
  await page.context().addCookies(await trader.context().cookies());
  await page.goto("/support?view=new");
  await page.getByRole("button", { name: "Submit Ticket" }).click();
  await page.getByRole("alert").getByText("Subject, message, and category are required.").waitFor();
  await page.getByLabel("Subject").fill("Without scripts");
  await page.getByLabel("Category").selectOption("general");
  await page.getByLabel("Message").fill("It works.");
  await page.getByRole("button", { name: "Submit Ticket" }).click();
  await page.waitForURL("**/support?ticket=*");
  await page.getByText("Your ticket is pending review. Our support team will respond soon.").waitFor();
  await page.getByLabel("Your reply").fill("A second word.");
  await page.getByRole("button", { name: "Send reply" }).click();
  await page.getByRole("list", { name: "Conversation" }).getByText("A second word.").waitFor();
  await page.getByRole("button", { name: "Close ticket" }).click();
  await page
    .getByRole("button", { name: /Without scripts/ })
    .getByText("Closed")
    .waitFor();
  await page.goto("/support?view=chat");
  await page.getByLabel("Message", { exact: true }).fill("Plain chat");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByRole("log").getByText("Plain chat").waitFor();
  await page.context().close();
});
