import { afterAll, beforeAll, expect, test } from "bun:test";
import { type TestApp, testApp } from "../app";
import { browserOf, eventually, told } from "../browser";

/** What a form says of what was refused, and what a press does after it was mended, in a browser. */

const PASSWORD = "Corr3ct-horse";
let app: TestApp;
let browser: Awaited<ReturnType<typeof browserOf>>;
beforeAll(async () => {
  app = await testApp();
  browser = await browserOf(app);
});
afterAll(async () => {
  const faults = await browser.close();
  await app.end();
  expect(faults).toEqual([]);
});

test("a refusal's message goes as its field is written anew, so that the press of the button that follows is not lost", async () => {
  const page = await browser.visitAs(await app.trader());
  await page.goto("/profile");

  const form = page.getByRole("region", { name: "Password", exact: true });
  const current = form.getByLabel("Current password", { exact: true });
  const button = form.getByRole("button", { name: "Change password" });
  await current.fill("Wr0ng-horse");
  await form.getByLabel("New password", { exact: true }).fill("An0ther-horse");
  const message = page.locator("#current-password-error");
  // The island may be asleep still.
  await eventually(async () => {
    await button.click();
    await message.waitFor({ timeout: 2_000 });
  });
  // By keys, which alone are no `change` yet.
  await current.press("ControlOrMeta+A");
  await page.keyboard.type(PASSWORD);
  await message.waitFor({ state: "hidden" });
  const { x, y, width, height } = (await button.boundingBox())!;
  await page.mouse.click(x + width / 2, y + height / 2);
  await told(page, "Password changed");
  await page.context().close();
});
