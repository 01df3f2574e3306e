import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { ADMIN, eventually, holdClock, openSite, register, type Site, told } from "../browser";

/** The public site in a real browser: what a visitor does before there is an account. */

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(async () => {
  const faults = site.faults.filter((fault) => !CUT.test(fault));
  await site.close();
  expect(faults).toEqual([]);
});

/** What a browser says, at some time, where a test cut its line. */
const CUT = /ERR_FAILED|ERR_INTERNET_DISCONNECTED/;

const PHONE = { width: 360, height: 740 };

test("the hero's slides follow each other every five seconds, and wait where somebody looks or has chosen", async () => {
  const page = await site.visit({ reducedMotion: "no-preference", viewport: { width: 1440, height: 900 } });
  await holdClock(page);
  await page.goto("/");
  const shown = () => page.getByRole("group", { name: /^\d of 3$/ }).getAttribute("aria-label");
  const elsewhere = () => page.mouse.move(1200, 880);
  await elsewhere();
  expect(await shown()).toBe("1 of 3");
  await page.clock.runFor(5000);
  expect(await shown()).toBe("2 of 3");
  await page.getByRole("group", { name: "Highlights" }).hover();
  await page.clock.runFor(15_000);
  expect(await shown()).toBe("2 of 3");
  await elsewhere();
  await page.clock.runFor(5000);
  expect(await shown()).toBe("3 of 3");
  await page.getByRole("button", { name: "Next slide" }).click();
  expect(await shown()).toBe("1 of 3");
  await page.getByRole("button", { name: "Previous slide" }).click();
  expect(await shown()).toBe("3 of 3");
  await page.getByRole("button", { name: "Slide 2" }).click();
  expect(await page.getByRole("button", { name: "Slide 2" }).getAttribute("aria-current")).toBe("true");
  await elsewhere();
  await page.clock.runFor(15_000);
  expect(await shown()).toBe("2 of 3");
  await page.getByRole("button", { name: "Play the slides" }).press("Enter");
  await page.clock.runFor(15_000);
  expect(await shown()).toBe("2 of 3");
  await page.getByRole("link", { name: "Sign In" }).first().focus();
  await page.clock.runFor(5000);
  expect(await shown()).toBe("3 of 3");
});

test("the screener is fed live where it is looked at, in the digits of each pair", async () => {
  const page = await site.visit({ viewport: PHONE });
  await page.goto("/");
  const both = page.locator("tr[data-symbol='EUR/USD'] [data-cell=both]");
  await both.scrollIntoViewIfNeeded();
  const served = await both.innerText();
  // Bid and ask move with every tick; the day's change, in hundredths of a per cent, may stand for minutes.
  await page.waitForFunction((text) => document.querySelector("tr[data-symbol='EUR/USD'] [data-cell=both]")?.textContent !== text, served);
  expect(await both.innerText()).toMatch(/^\d\.\d{5} \/ \d\.\d{5}$/);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
});

test("a message is checked, sent, and thanked for; a failure says so and keeps what was typed", async () => {
  const page = await site.visit();
  await page.goto("/contact");
  await page.getByRole("button", { name: "Send Message" }).click();
  for (const message of ["Name is required", "Please enter a valid email address", "Message is required"]) await page.getByText(message).waitFor();
  await page.waitForFunction(() => document.activeElement?.id === "name");
  await page.getByLabel("Name").fill("Ann Bell");
  await page.getByText("Name is required").waitFor({ state: "detached" });
  await page.getByLabel("Email").fill("ann@example.test");
  await page.getByLabel("Message").fill("What does EUR/USD cost?");
  await page.route("**/api/contact", (route) => route.abort());
  await page.getByRole("button", { name: "Send Message" }).click();
  const failure = page.getByRole("alert").filter({ hasText: "Failed to send message. Please try again." }).first();
  await failure.waitFor();
  expect(await page.getByLabel("Message").inputValue()).toBe("What does EUR/USD cost?");
  await page.unroute("**/api/contact");
  await page.getByRole("button", { name: "Send Message" }).click();
  const thanks = page.getByRole("status").filter({ hasText: "Message Sent Successfully" });
  await thanks.waitFor();
  expect(await thanks.innerText()).toContain("Thank you for contacting us. We'll get back to you within 24 hours.");
  await eventually(async () => expect(await page.getByLabel("Message").inputValue()).toBe(""));
});

/** What a page of ours could leave behind, in each kind of storage. */
const leave = (page: Page) =>
  page.evaluate(async () => {
    localStorage.setItem("theme", "dark");
    sessionStorage.setItem("hint", "closed");
    document.cookie = "seen=1; path=/";
    await new Promise((done) => (indexedDB.open("drafts").onsuccess = (event) => done((event.target as IDBOpenDBRequest).result.close())));
    await (await caches.open("old")).put("/x", new Response("x"));
  });
const left = (page: Page) =>
  page.evaluate(async () => ({
    local: localStorage.getItem("theme"),
    session: sessionStorage.getItem("hint"),
    cookies: document.cookie,
    databases: (await indexedDB.databases()).map(({ name }) => name),
    caches: (await caches.keys()).filter((name) => name === "old"),
  }));
const NOTHING = { local: null, session: null, cookies: "", databases: [], caches: [] };

test("clearing wipes what the browser kept; clearing all, once confirmed, signs out too", async () => {
  const page = await site.visit();
  await register(page, "Nina");
  const user = async () => (await page.request.get("/api/auth/user")).status();
  await page.goto("/clear-history");
  await leave(page);
  await Promise.all([page.waitForEvent("load"), page.getByRole("button", { name: "Quick Clear & Reload" }).click()]);
  expect(await left(page)).toEqual(NOTHING);
  expect(await user()).toBe(200);
  await leave(page);
  page.once("dialog", (dialog) => void dialog.dismiss());
  await page.getByRole("button", { name: "Clear All" }).click();
  expect((await left(page)).local).toBe("dark");
  page.once("dialog", (dialog) => void dialog.accept());
  await Promise.all([page.waitForEvent("load"), page.getByRole("button", { name: "Clear All" }).click()]);
  expect(await left(page)).toEqual(NOTHING);
  expect(await user()).toBe(401);
});

test("without scripts the slides stack, the menu opens, questions fold out and are searched, and a message arrives", async () => {
  const page = await site.visit({ javaScriptEnabled: false, viewport: PHONE });
  await page.goto("/");
  for (const words of ["trade it.", "$500 bonus.", "around the clock."]) expect(await page.getByText(words).first().isVisible()).toBe(true);
  await page.getByLabel("Menu", { exact: true }).first().click();
  await page.getByRole("navigation", { name: "Menu" }).getByRole("link", { name: "FAQ" }).click();
  await page.waitForURL("**/faq");
  const answer = page.getByText("You are signed in at once");
  expect(await answer.isVisible()).toBe(false);
  await page.getByText("How do I open an account?").click();
  await answer.waitFor();
  await page.getByLabel("Search questions").fill("LEVERAGE");
  await page.getByRole("button", { name: "Search" }).click();
  await page.waitForURL("**/faq?q=LEVERAGE");
  await page.getByText("What leverage do I get?").waitFor();
  expect(await page.getByText("How do I open an account?").count()).toBe(0);
  await page.getByLabel("Search questions").fill("zeppelin");
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByText("No questions found matching your search.").waitFor();
  await page.getByRole("link", { name: "Clear Search" }).click();
  await page.waitForURL("**/faq");
  await page.getByRole("link", { name: "Contact Support" }).click();
  await page.getByRole("button", { name: "Send Message" }).click();
  await page.getByText("Message is required").waitFor();
  await page.getByLabel("Name").fill("Bob");
  await page.getByLabel("Email").fill("bob@example.test");
  await page.getByLabel("Message").fill("Hello");
  await page.getByRole("button", { name: "Send Message" }).click();
  await page.getByText("Message Sent Successfully").waitFor();
  await page.goto("/trading-assets");
  await page.getByRole("tab", { name: "Crypto" }).click();
  await page.waitForURL("**/trading-assets?tab=crypto");
  await page.getByRole("link", { name: "Trade Now: BTC/USD" }).click();
  await page.waitForURL(({ href }) => href.includes(`/login?returnTo=${encodeURIComponent("/traders-portal?symbol=BTC/USD")}`));
});

test("register and login check on submit and then at each change, say what the server said, lose nothing, and greet before they leave", async () => {
  const page = await site.visit();
  const sent: string[] = [];
  page.on("request", (request) => request.url().includes("/api/auth/") && sent.push(new URL(request.url()).pathname));
  await page.goto("/register");
  const press = () => page.getByRole("button", { name: "Create Account" }).click();
  const fault = (text: string) => page.getByText(text, { exact: true });
  await press();
  for (const text of ["First name is required", "Last name is required", "Please enter a valid email address", "Password must be at least 6 characters"])
    await fault(text).waitFor();
  const first = page.getByLabel("First name");
  await eventually(async () => expect(await first.evaluate((field) => field === document.activeElement)).toBe(true));
  expect(await first.getAttribute("aria-invalid")).toBe("true");
  expect(await first.getAttribute("aria-describedby")).toBe("firstName-error");
  await first.fill("Edith");
  await fault("First name is required").waitFor({ state: "detached" });
  await page.getByLabel("Last name").fill("Clarke");
  const password = page.getByLabel("Password", { exact: true });
  await password.fill("12345");
  await fault("Password must be at least 6 characters").waitFor();
  await password.fill("Corr3ct-horse");
  await page.getByRole("button", { name: "Show password" }).click();
  await eventually(async () => expect(await password.getAttribute("type")).toBe("text"));
  await page.getByRole("button", { name: "Hide password" }).click();
  expect(sent).toEqual([]);

  const email = page.getByLabel("Email address");
  await email.fill("edith@localhost");
  await press();
  await fault("Please enter a valid email address").first().waitFor();
  await told(page, "Registration Failed");
  expect(await first.inputValue()).toBe("Edith");
  await email.fill(ADMIN.email);
  await press();
  await page.getByText("An account with this email already exists.").first().waitFor();
  const address = `edith-${crypto.randomUUID().slice(0, 8)}@example.test`;
  await email.fill(address);
  await holdClock(page);
  const answer = Promise.withResolvers<void>();
  await page.route("**/api/auth/register", async (route) => {
    await answer.promise;
    await route.continue();
  });
  await press();
  const pending = page.getByRole("button", { name: "Creating Account..." });
  await pending.waitFor();
  expect(await pending.isDisabled()).toBe(true);
  answer.resolve();
  await told(page, "Account Created Successfully!");
  await told(page, "You are now logged in. Redirecting to dashboard...");
  await page.clock.runFor(1400);
  expect(new URL(page.url()).pathname).toBe("/register");
  await page.clock.runFor(200);
  await page.waitForURL("**/dashboard");
  expect(sent).toEqual(Array(3).fill("/api/auth/register"));
  await page.context().close();

  const later = await site.visit();
  await later.goto("/login?returnTo=/profile");
  await later.getByLabel("Email address").fill(address);
  await later.getByLabel("Password", { exact: true }).fill("wrong-horse");
  await later.getByRole("button", { name: "Sign In" }).click();
  await later.getByRole("alert").filter({ hasText: "Invalid email or password" }).first().waitFor();
  await told(later, "Login Failed");
  await later.context().setOffline(true);
  await later.getByRole("button", { name: "Sign In" }).click();
  await later.getByRole("alert").filter({ hasText: "The server could not be reached" }).first().waitFor();
  await later.context().setOffline(false);
  await later.getByLabel("Password", { exact: true }).fill("Corr3ct-horse");
  await holdClock(later);
  await later.getByRole("button", { name: "Sign In" }).click();
  await told(later, "Login Successful");
  await later.clock.runFor(1600);
  await later.waitForURL("**/profile");
  await later.context().close();
});
