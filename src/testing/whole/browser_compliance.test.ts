import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { type TestApp, testApp } from "../app";
import { browserOf, eventually } from "../browser";
import { pdf } from "../files";
import type { Signed } from "../money";

/** Documents: sent from a phone and without scripts, looked at and decided about by staff, with the owner's page open beside. */

let app: TestApp;
let browser: Awaited<ReturnType<typeof browserOf>>;
let ann: Awaited<ReturnType<TestApp["admin"]>>;
let tess: Signed;
let picture: Buffer;
beforeAll(async () => {
  app = await testApp();
  browser = await browserOf(app);
  [ann, tess] = await Promise.all([app.admin(), app.trader({ firstName: "Ada", lastName: "Lovelace" })]);
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
  const rows = staff.getByRole("list", { name: "Documents", exact: true }).getByRole("listitem");
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
  await staff.getByRole("button", { name: "Accept", exact: true }).click();
  await staff.getByRole("button", { name: /^Undo: / }).click();
  await eventually(async () => expect(await rows.getByRole("button", { name: /^Accept: / }).count()).toBe(4));
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
