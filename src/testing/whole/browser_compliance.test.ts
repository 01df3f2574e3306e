import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { type TestApp, testApp } from "../app";
import { browserOf, eventually, holdClock } from "../browser";
import { pdf, waitingDocument } from "../files";
import { violations } from "../inspect";
import type { Signed } from "../money";
import { tamper } from "../scenarios";

/** Documents: sent from a phone and without scripts, looked at and decided about by staff, with the owner's page open beside. */

let app: TestApp;
let browser: Awaited<ReturnType<typeof browserOf>>;
let ann: Awaited<ReturnType<TestApp["admin"]>>;
let bea: Awaited<ReturnType<TestApp["admin"]>>;
let tess: Signed;
let picture: Buffer;
beforeAll(async () => {
  app = await testApp();
  browser = await browserOf(app);
  [ann, bea, tess] = await Promise.all([app.admin(), app.admin(), app.trader({ firstName: "Ada", lastName: "Lovelace" })]);
  await app.sql`update users set first_name = 'Bea' where id = ${bea.id}`;
  const page = await browser.visit({ viewport: { width: 800, height: 500 } });
  await page.goto("/about");
  picture = await page.screenshot({ type: "jpeg" });
  await page.close();
});
afterAll(async () => {
  expect(await browser.close()).toEqual([]);
  await app.end();
});

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
const file = (name: string, content = picture, mimeType = "image/jpeg") => ({ name, mimeType, buffer: Buffer.from(content) });
const documents = (page: Page) => page.getByRole("list", { name: "Your documents" }).getByRole("listitem");

test("both sides go from a phone, staff see and accept them, and the owner's page follows", async () => {
  const phone = await browser.visitAs(tess, PHONE);
  await phone.goto("/profile");
  await phone.getByRole("link", { name: "Send documents" }).click();
  await phone.waitForURL("**/verification");
  const identity = phone.getByRole("region", { name: "Passport or identity card" });
  expect(await phone.locator("#identity-front-camera").getAttribute("capture")).toBe("environment");
  await identity.getByRole("button", { name: "Send" }).click();
  await identity.getByText("Choose a file.", { exact: true }).waitFor();
  await phone.locator("#identity-front-camera").setInputFiles(file("front.jpg"));
  await phone.locator("#identity-back").setInputFiles(file("back.exe", Buffer.from("MZ this is no picture")));
  await identity.getByRole("button", { name: "Send" }).click();
  await identity.getByText(/back\.exe: .*of a kind that is not taken/).waitFor();
  await eventually(async () => expect(await documents(phone).count()).toBe(1));
  await phone.locator("#identity-front-camera").setInputFiles([]);
  await phone.locator("#identity-back").setInputFiles(file("back.jpg"));
  await identity.getByRole("button", { name: "Send" }).click();
  await identity.getByText("One file was sent.").waitFor();
  await phone.locator("#address-file").setInputFiles([file("bill.pdf", Buffer.from(pdf()), "application/pdf"), file("bank.jpg")]);
  await phone.getByRole("button", { name: "Send: Proof of address" }).click();
  await eventually(async () => expect(await documents(phone).count()).toBe(4));

  const staff = await browser.visitAs(ann);
  await staff.goto("/admin?tab=kyc");
  const rows = staff.getByRole("table", { name: "Documents", exact: true }).locator("tr[data-row]");
  await eventually(async () => expect(await rows.count()).toBe(4));
  const [{ views = 0 } = {}] = await app.sql<{ views: number }[]>`select count(*)::integer as views from document_views`;
  expect(views).toBe(0);
  await staff.keyboard.press("j");
  await staff.keyboard.press("o");
  const shown = staff.getByRole("img", { name: "The document that was sent" });
  await eventually(async () => expect(await shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(800));
  const before = await shown.evaluate((image) => image.clientWidth);
  await staff.getByRole("button", { name: "Larger" }).click();
  await eventually(async () => expect(await shown.evaluate((image) => image.clientWidth)).toBeGreaterThan(before * 1.4));
  await phone.getByText(/Seen by compliance on \d{4}-\d\d-\d\d \d\d:\d\d UTC/).waitFor();

  await staff.locator("h2", { hasText: "Documents" }).click();
  await staff.keyboard.press("a");
  await staff.getByLabel("Ends on (optional)").fill("2033-04-05");
  // A decision is taken back within eight seconds of the page, and twelve of the database: both are here as long as the test needs.
  await holdClock(staff);
  await staff.getByRole("button", { name: "Accept", exact: true }).click();
  const undo = staff.getByRole("button", { name: /^Undo: / });
  await undo.waitFor();
  await tamper(app.sql, (tx) => tx`update documents set decided_at = clock_timestamp() + interval '1 hour' where decided_at is not null`);
  await staff.clock.runFor(600);
  await undo.click();
  await eventually(async () => expect(await rows.getByRole("button", { name: /^Accept: / }).count()).toBe(4));
  await staff.clock.resume();
  for (const side of ["front", "back"]) {
    await rows.getByRole("button", { name: `Accept: Passport or identity card, ${side} of Ada Lovelace` }).click();
    // By the keyboard: a press where the last dialog closed a moment ago would hit nothing.
    await staff.getByRole("button", { name: "Accept", exact: true }).press("Enter");
    await staff.getByRole("dialog").waitFor({ state: "detached" });
  }
  await phone.getByText("Level 2 of 3: identity verified").waitFor();
  await rows
    .getByRole("button", { name: /^Reject: Proof/ })
    .first()
    .click();
  await staff.getByLabel("Reason").selectOption("too_old");
  await staff.getByRole("button", { name: "Reject", exact: true }).press("Enter");
  await phone.getByText("It is older than three months.").waitFor();
});

test("without scripts the page is a form, and says what it refused", async () => {
  const vera = await app.trader();
  const page = await browser.visitAs(vera, { javaScriptEnabled: false });
  await page.goto("/verification");
  await page.locator("#selfie-file").setInputFiles(file("me.jpg", Buffer.from("<svg/>")));
  await page.getByRole("button", { name: "Send: Photo of yourself" }).click();
  await page
    .getByRole("region", { name: "Photo of yourself" })
    .getByText(/of a kind that is not taken/)
    .waitFor();
  await page.locator("#selfie-file").setInputFiles(file("me.jpg"));
  await page.getByRole("button", { name: "Send: Photo of yourself" }).click();
  await page.getByText("Photo of yourself").first().waitFor();
  expect(await documents(page).count()).toBe(1);
});

test("documents are a queue: claimed, put away, and accepted together, each with its result, and taken back", async () => {
  await app.sql`update documents set content = null where status = 'pending'`;
  const people = [];
  for (const firstName of ["Nora", "Otto", "Pia", "Quin"]) people.push(await app.trader({ firstName, country: "AT" }));
  const ids: string[] = [];
  for (const { id } of people) ids.push(await waitingDocument(app.sql, id, { content: picture }));
  const [page, other] = [await browser.visitAs(ann), await browser.visitAs(bea)];
  for (const each of [page, other]) await each.goto("/admin?tab=kyc");
  const row = (on: Page, n: number) => on.locator(`tr[data-row="${ids[n]}"]`);
  const panel = page.getByRole("complementary", { name: "Evidence" });
  await panel.getByRole("heading", { name: "Passport or identity card of Nora Trader" }).waitFor();
  await panel.getByText("Austria", { exact: true }).waitFor();
  await panel.getByText("Client since").waitFor();
  // Who opens it is seen by the others.
  await page.keyboard.press("j");
  await page.keyboard.press("a");
  await page.getByRole("dialog", { name: "Accept: Passport or identity card of Nora Trader" }).waitFor();
  await row(other, 0).getByText("Site Administrator is looking at this").waitFor();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.keyboard.press("z");
  await page.getByRole("dialog", { name: "Put away: Passport or identity card of Nora Trader" }).waitFor();
  await eventually(async () => {
    const choice = page.getByRole("button", { name: "In 1 hour" });
    if (await choice.isVisible()) await choice.click({ timeout: 2000 });
    await page.getByText("1 put away by you").waitFor({ timeout: 3000 });
  });
  await row(other, 0)
    .getByText(/Site Administrator put this away until/)
    .waitFor();
  // Of those that are selected one is decided by the colleague meanwhile.
  await page.reload();
  await eventually(async () => expect(await page.locator("tr[data-row]").count()).toBe(3));
  expect(await page.getByRole("img", { name: "4 waiting" }).count()).toBe(1);
  await page.keyboard.press("Shift+X");
  await page.getByText("3 documents selected").waitFor();
  await page.keyboard.press("a");
  const dialog = page.getByRole("dialog", { name: "Approve 3 documents" });
  await dialog.getByText("Accepts what 3 people sent, without a day on which it ends. 3 of them were looked at by nobody.").waitFor();
  expect(await violations(page)).toEqual([]);
  await bea.post(`/api/admin/kyc/documents/${ids[1]}/reject`, { reason: "cut_off" });
  await page.keyboard.press("Enter");
  const results = page.getByRole("list", { name: "Selected requests" });
  await page.getByRole("dialog", { name: "2 approved, 1 refused" }).waitFor();
  expect(await results.locator("[data-outcome=conflict]").innerText()).toContain("This document is already rejected.");
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await row(page, 3).getByRole("button", { name: "Undo: Passport or identity card of Quin Trader" }).waitFor();
  expect(await violations(page)).toEqual([]);
  expect((await app.sql`select status from documents where id = any(${ids}) order by created_at, id`).map(({ status }) => status).toSorted()).toEqual([
    "approved",
    "approved",
    "pending",
    "rejected",
  ]);
  const today = await browser.visitAs(bea);
  await today.goto("/admin?tab=today");
  await today.getByRole("row", { name: /^Documents \(KYC\) 1/ }).waitFor();
});
