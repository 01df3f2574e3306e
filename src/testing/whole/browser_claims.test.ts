import { afterAll, beforeAll, expect, test } from "bun:test";
import { type TestApp, testApp } from "../app";
import { fits, openStaff, pressed } from "../browser";
import { violations } from "../inspect";

/** What the operator claims of the house, changed on the Settings tab. */

let app: TestApp;
let staff: Awaited<ReturnType<typeof openStaff>>;
beforeAll(async () => {
  app = await testApp();
  staff = await openStaff(app);
});
afterAll(async () => expect(await staff.end()).toEqual([]));

test("a claim is made, a wrong address is named, and it is on the pages once it has evidence", async () => {
  const page = await staff.visitAs(staff.ann);
  const dialog = page.getByRole("dialog");
  await page.goto("/admin?tab=settings&view=claims");
  expect(await violations(page)).toEqual([]);
  expect(await fits(page)).toBe(true);
  const words = "Best receipts 2025";
  await page.getByRole("button", { name: "New claim", exact: true }).click();
  await dialog.getByLabel("Claim", { exact: true }).fill(words);
  await dialog.getByLabel("Where it can be read").fill("jury.example");
  await dialog.getByRole("button", { name: "Make claim", exact: true }).click();
  await dialog.getByText("Give an address that begins with https://.").waitFor();
  await dialog.getByText("A reason is required").waitFor();
  expect(await violations(page)).toEqual([]);
  await dialog.getByLabel("Where it can be read").fill("https://jury.example/2025");
  await dialog.getByLabel("Reason").fill("We won it");
  await pressed(dialog, "Make claim");
  await page.getByRole("cell", { name: "No: no evidence" }).waitFor();
  await page.getByRole("button", { name: `Change ${words}`, exact: true }).click();
  await dialog.getByLabel("Evidence").fill("The jury's letter");
  await dialog.getByLabel("Reason").fill("The letter came");
  await pressed(dialog, "Change");
  await page.getByRole("link", { name: "The jury's letter", exact: true }).first().waitFor();
  await page.getByRole("button", { name: `Versions of ${words}`, exact: true }).click();
  await dialog.getByText("The letter came").waitFor();
  await dialog.getByText("No evidence", { exact: true }).waitFor();
  expect(await violations(page)).toEqual([]);
  expect(await fits(page)).toBe(true);
  await page.goto("/about");
  await page.getByText(words).waitFor();
  expect(await violations(page)).toEqual([]);
  expect(await fits(page)).toBe(true);
  await page.context().close();
});
