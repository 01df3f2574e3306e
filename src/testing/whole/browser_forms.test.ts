import { afterAll, beforeAll, expect, test } from "bun:test";
import { eventually, openBrowser, told } from "../browser";
import { type TestApp, testApp } from "../app";

/** What a form says of what was refused, and what a press does after it was mended, in a browser. */

const PASSWORD = "Corr3ct-horse";
let app: TestApp;
let base: string;
let browser: Awaited<ReturnType<typeof openBrowser>>;
beforeAll(async () => {
  app = await testApp();
  app.router.listen({ port: 0, hostname: "127.0.0.1", reusePort: false });
  base = `http://127.0.0.1:${app.router.server?.port}`;
  browser = await openBrowser(base);
});
afterAll(async () => {
  const { faults } = browser;
  await browser.close();
  void app.router.server?.stop(true);
  await app.end();
  expect(faults).toEqual([]);
});

test("a refusal's message goes as its field is written anew, so that the press of the button that follows is not lost", async () => {
  const { email } = await app.trader();
  const page = await browser.visit({ viewport: { width: 1440, height: 900 } });
  await page.goto("/login?returnTo=/profile");
  await page.getByLabel("Email address").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign In" }).click();
  await page.waitForURL("**/profile");

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
