import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { type TestApp, testApp } from "../app";
import { awake, openBrowser, told } from "../browser";
import { LETTER_FACTS, Mailbox } from "../letters";
import { inspect, inspectHere } from "../inspect";
import { linkIn, openMailServer, type Received } from "../mail_server";
import { KINDS, PAGE_OF } from "../../mail/rules";
import { until } from "../scenarios";

/** Letters are read and their links followed in a browser: without scripts, since a mailbox may open any browser. */

const PASSWORD = "Corr3ct-horse";
const NEXT = "N3w-horse-battery";
let app: TestApp;
let server: Awaited<ReturnType<typeof openMailServer>>;
let browser: Awaited<ReturnType<typeof openBrowser>>;
let admin: Awaited<ReturnType<TestApp["admin"]>>;
beforeAll(async () => {
  server = await openMailServer();
  app = await testApp({ SMTP_URL: server.url, MAIL_FROM: "Halyard <post@halyard.example>", PUBLIC_URL: "http://127.0.0.1" });
  app.router.listen({ port: 0, hostname: "127.0.0.1", reusePort: false });
  const base = `http://127.0.0.1:${app.router.server?.port}`;
  // The site's address is known once it listens.
  Object.assign(app.context.config, { publicUrl: base });
  [browser, admin] = await Promise.all([openBrowser(base), app.admin()]);
});
afterAll(async () => {
  const { faults } = browser;
  await browser.close();
  void app.router.server?.stop(true);
  await app.end();
  await server.close();
  expect(faults).toEqual([]);
});

const letterTo = (address: string, page: string) => new Mailbox(app, server).letterTo(address, page);
/** Opens a letter as a mail program shows it, and follows its link. */
async function follow(page: Page, letter: Received, to: string) {
  await page.goto("about:blank");
  await page.setContent(letter.html);
  await page.locator(`a[href*="${to}?token="]`).first().click();
  await page.waitForURL(`**${to}?token=*`, { waitUntil: "commit" });
}
const signIn = async (page: Page, email: string, password: string) => {
  await page.getByLabel("Email address").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign In" }).click();
};
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
/** Losses and dates of which the page shows a part on another line. */
const brokenIn = (page: Page) =>
  page.evaluate(() => {
    const found: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode())
      for (const { 0: words, index } of (node.textContent ?? "").matchAll(/−\$[\d,.]*\d|\b\d{4}-\d\d-\d\d\b/g)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + words.length);
        if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) found.push(words);
      }
    return found;
  });
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name }).waitFor();

test("a forgotten password, from the sign-in form to the sign-in with the new one", async () => {
  const tess = await app.trader();
  const page = await browser.visit({ javaScriptEnabled: false });
  await page.goto("/login");
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  await page.getByLabel("Email address").fill("nobody");
  await press(page, "Send the letter");
  await page.getByText("Please enter a valid email address").waitFor();
  await page.getByLabel("Email address").fill(tess.email);
  await press(page, "Send the letter");
  await heading(page, "Look into your mailbox");
  await follow(page, await letterTo(tess.email, "/reset-password"), "/reset-password");
  await page.getByLabel("New password").fill("123456");
  await press(page, "Change the password");
  await page.locator("#password-error").waitFor();
  await page.getByLabel("New password").fill(NEXT);
  await press(page, "Change the password");
  await page.getByText("All sessions have ended.").waitFor();
  await page.getByRole("link", { name: "Sign in" }).last().click();
  await signIn(page, tess.email, NEXT);
  await page.waitForURL("**/dashboard");
});

test("verifying, another address, taking it back, and the freeze that staff end", async () => {
  const tess = await app.trader();
  const page = await browser.visit({ javaScriptEnabled: false });
  await follow(page, await letterTo(tess.email, "/verify-email"), "/verify-email");
  await press(page, "This address is mine");
  await heading(page, "Your address is verified");

  await page.goto("/login?returnTo=/email");
  await signIn(page, tess.email, PASSWORD);
  await page.waitForURL("**/email");
  await page.getByText("Verified", { exact: true }).waitFor();
  const next = `next-${tess.email}`;
  await page.getByLabel("New address").fill(next);
  await page.getByLabel("Your password").fill("wrong-password");
  await press(page, "Change the address");
  await page.getByText("This is not your current password.").waitFor();
  expect(await page.getByLabel("New address").inputValue()).toBe(next);
  await page.getByLabel("Your password").fill(PASSWORD);
  await press(page, "Change the address");
  await page.getByText(`A letter is on its way to ${next}.`).waitFor();
  await follow(page, await letterTo(next, "/verify-email"), "/verify-email");
  await press(page, "This address is mine");
  await heading(page, "Your address is verified");
  await follow(page, await letterTo(tess.email, "/take-back-email"), "/take-back-email");
  await press(page, "Take it back");
  await heading(page, "Your address is back");
  await page.goto("/email");
  await page.waitForURL("**/login?returnTo=*");

  const stranger = await browser.visit();
  await stranger.goto("/login");
  await signIn(stranger, tess.email, PASSWORD);
  await stranger.waitForURL("**/dashboard");
  await follow(page, await letterTo(tess.email, "/freeze"), "/freeze");
  await press(page, "This was not me: freeze it");
  await heading(page, "Your account is frozen");
  // The stranger's open page hears at once that its session is over.
  await stranger.waitForURL("**/login?returnTo=*");
  await page.goto("/login");
  await signIn(page, tess.email, PASSWORD);
  await page.getByText("This account is frozen").waitFor();

  const desk = await browser.visit();
  await desk.goto(`/login?returnTo=/admin/users/${tess.id}`);
  await signIn(desk, admin.email, "Corr3ct-horse-battery");
  await desk.waitForURL(`**/admin/users/${tess.id}`);
  await desk.getByText("frozen by its owner").first().waitFor();
  await desk.getByRole("button", { name: "Release" }).click();
  await desk.getByLabel("Reason").fill("Called, and knew the last deposit");
  await desk.getByRole("dialog").getByRole("button", { name: "Release" }).click();
  await told(desk, "Account released");
  await signIn(page, tess.email, PASSWORD);
  await page.waitForURL("**/dashboard");
});

test("letters of a topic are ended by their link", async () => {
  const tess = await app.trader();
  await app.sql`select letter_post(${tess.id}, 'margin_call', '{"account":"ACC1","book":"live","level":"87.50"}')`;
  const page = await browser.visit({ javaScriptEnabled: false });
  await follow(page, await letterTo(tess.email, "/unsubscribe"), "/unsubscribe");
  await press(page, "Send me no more");
  await page.getByText("You get no more letters about margin.").waitFor();
});

test("staff see what waits, read letters, and try the server", async () => {
  const tess = await app.trader();
  await letterTo(tess.email, "/verify-email");
  const page = await browser.visit({ bypassCSP: true });
  await page.goto("/login?returnTo=/admin?tab=system");
  await signIn(page, admin.email, "Corr3ct-horse-battery");
  await page.waitForURL("**/admin?tab=system");
  await page.getByRole("link", { name: "Letters" }).click();
  await page.getByRole("heading", { name: "Mail" }).waitFor();
  await awake(page);
  await page.getByLabel("Send a test to").fill("me@t.test");
  await press(page, "Send a test");
  await page.getByText("The mail server took it").waitFor();
  expect(server.to("me@t.test")).toHaveLength(1);
  await page.getByRole("link", { name: "Verify email" }).first().click();
  await page.getByText("Links that open something are hidden here").waitFor();
  expect(await inspectHere(page, "a letter")).toEqual([]);
  expect(await inspect(page, ["/admin?tab=system&view=mail", `/admin/users/${tess.id}?tab=letters`])).toEqual([]);
});

test("a person chooses what comes by letter", async () => {
  const tess = await app.trader();
  const page = await browser.visit();
  await page.goto("/login?returnTo=/profile");
  await signIn(page, tess.email, PASSWORD);
  await page.waitForURL("**/profile");
  await page.getByLabel("Statements by letter").waitFor();
  await awake(page);
  await page.getByLabel("Statements by letter").uncheck();
  await told(page, "Statements letters are not sent any more.");
  expect(await page.getByLabel("Security by letter").isDisabled()).toBe(true);
  await page.reload();
  expect(await page.getByLabel("Statements by letter").isChecked()).toBe(false);
  expect(await page.getByLabel("Money by letter").isChecked()).toBe(true);
});

test("the pages and every letter read well: on a phone, at a desk, by day and by night", async () => {
  const tess = await app.trader({ firstName: "Tess" });
  await app.sql`select letter_post(${tess.id}, 'new_device', '{"at":"2026-11-23 10:00 UTC","ip":"192.0.2.1","userAgent":"Firefox/130 Linux"}')`;
  await app.stranger().post("/api/auth/forgot", { email: tess.email });
  const reset = linkIn(await letterTo(tess.email, "/reset-password"), "/reset-password");
  const verify = linkIn(await letterTo(tess.email, "/verify-email"), "/verify-email");
  const freeze = linkIn(await letterTo(tess.email, "/freeze"), "/freeze");
  const page = await browser.visit({ bypassCSP: true });
  expect(await inspect(page, ["/login", "/forgot-password", reset, verify, freeze, "/freeze"], { large: true })).toEqual([]);
  await page.goto("/login?returnTo=/email");
  await signIn(page, tess.email, PASSWORD);
  await page.waitForURL("**/email");
  expect(await inspect(page, ["/email"], { large: true })).toEqual([]);
  for (const kind of Object.keys(KINDS)) await app.sql`select letter_post(${tess.id}, ${kind}, ${LETTER_FACTS}::text::jsonb)`;
  await until("all came", async () => {
    await app.mailer.wake();
    return server.to(tess.email).length >= Object.keys(KINDS).length + 3;
  });
  expect(Object.keys(PAGE_OF)).toHaveLength(5);
  for (const { subject, html, text } of new Map(server.to(tess.email).map((letter) => [letter.subject, letter])).values()) {
    // Whatever it tells of is said in it.
    expect(text).not.toMatch(/ [.,;]|undefined|null|-\$/);
    await page.goto("about:blank");
    await page.setContent(html);
    // A letter is no page of a site: it has no landmarks, and says no more than its words.
    const found = (await inspectHere(page, subject)).filter((line) => !/: (region|landmark-one-main|skip-link)/.test(line));
    expect(found).toEqual([]);
    await page.setViewportSize({ width: 360, height: 740 });
    expect([subject, await brokenIn(page)]).toEqual([subject, []]);
  }
}, 300_000);
